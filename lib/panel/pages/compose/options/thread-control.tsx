import { characterCount } from '../../../../platforms/shared/text.ts';
import {
  carouselItems,
  maxFurtherParts,
  textAttachmentCharacters,
  textLength,
} from '../../../../platforms/threads/limits.ts';
import { threadsLength } from '../../../../platforms/threads/text.ts';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { TextArea } from '../../../components/text-area.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import type { DraftMedia } from '../../../media/draft-media.ts';
import { MediaEditor } from '../../../media/media-editor.tsx';
import { words } from '../../../words/words.ts';
import { useComposing } from '../context.ts';
import { fromMediaItem } from '../draft/from-post.ts';
import { toMediaItem } from '../draft/to-request.ts';
import { Said } from '../fields.tsx';
import type { ControlProps, Special } from './control.ts';
import classes from './options.module.css';

type StoredFile = Parameters<typeof fromMediaItem>[0];

interface Part {
  readonly content?: string | null;
  readonly mediaItems?: readonly StoredFile[] | null;
}

const texts = words.options.threads.thread;

/** The parts of a thread after the first, which is the text and the files of the account itself. */
export function ThreadControl({ control, value: given, of, set }: ControlProps<Special>) {
  const parts = Array.isArray(given) ? (given as readonly Part[]) : [];
  const change = (next: readonly Part[]) => set(next.length === 0 ? undefined : next);
  const edit = (place: number, changes: Part) => change(parts.with(place, { ...parts[place], ...changes }));
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
        <div key={place} className={classes.rows}>
          <div className={classes.row}>
            <PartText
              number={place + 2}
              value={part.content ?? ''}
              onChange={(content) => edit(place, { content })}
            />
            <IconButton
              icon="cross"
              label={texts.remove(place + 2)}
              onPress={() => change(parts.toSpliced(place, 1))}
            />
          </div>
          <PartFiles
            of={`${of}-${place}`}
            number={place + 2}
            value={(part.mediaItems ?? []).map(fromMediaItem)}
            onChange={(media) => edit(place, { mediaItems: media.map(toMediaItem) })}
          />
        </div>
      ))}
      <Said of={of} />
      {parts.length < maxFurtherParts && (
        <div>
          <Button size="small" icon="plus" onPress={() => change([...parts, { content: '' }])}>
            {texts.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface PartTextProps {
  number: number;
  value: string;
  onChange: (value: string) => void;
}

function PartText({ number, value, onChange }: PartTextProps) {
  const used = threadsLength(value);
  const isNear = used > textLength * 0.8;
  return (
    <TextArea
      label={texts.part(number)}
      rows={3}
      value={value}
      onChange={onChange}
      {...(isNear && { help: words.shared.characters(used, textLength) })}
    />
  );
}

interface PartFilesProps {
  of: string;
  number: number;
  value: readonly DraftMedia[];
  onChange: (value: readonly DraftMedia[]) => void;
}

function PartFiles({ of, number, value, onChange }: PartFilesProps) {
  const { draft, setPending } = useComposing();
  return (
    <fieldset>
      <legend className={textClasses.label}>{texts.files(number)}</legend>
      <MediaEditor
        value={value}
        onChange={onChange}
        onPendingChange={(pending) => setPending(of, pending)}
        mostItems={carouselItems.max}
        draftKey={`${draft.id}/${of}`}
        platforms={['threads']}
      />
    </fieldset>
  );
}

interface Attached {
  readonly text?: string;
  readonly link?: string;
}

const attachmentTexts = words.options.threads.textAttachment;

/** A text below the post's own, and its link. */
export function TextAttachmentControl({ control, value: given, of, set }: ControlProps<Special>) {
  const value = typeof given === 'object' && given !== null ? (given as Attached) : {};
  const used = characterCount(value.text ?? '');
  const change = ({ text = '', link = '' }: Attached) =>
    set(text === '' && link === '' ? undefined : { text, ...(link !== '' && { link }) });
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      <TextArea
        label={control.label}
        rows={4}
        value={value.text ?? ''}
        onChange={(text) => change({ ...value, text })}
        help={
          used > textAttachmentCharacters * 0.8
            ? words.shared.characters(used, textAttachmentCharacters)
            : attachmentTexts.help
        }
      />
      <TextField
        label={attachmentTexts.link}
        type="url"
        value={value.link ?? ''}
        onChange={(link) => change({ ...value, link })}
        autoComplete="off"
      />
      <Said of={of} />
    </fieldset>
  );
}
