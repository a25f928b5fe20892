import { useState } from 'react';
import type { Platform } from '../../../platforms/contract/names.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { Muted, Stack } from '../../components/layout.tsx';
import { loadable, useLoaded } from '../../components/loaded.ts';
import { TextArea } from '../../components/text-area.tsx';
import textClasses from '../../components/texts.module.css';
import type { DraftMedia } from '../../media/draft-media.ts';
import { MediaEditor } from '../../media/media-editor.tsx';
import { words } from '../../words/words.ts';
import { accountName, useComposing } from './context.ts';
import { inheritsComment, takesFirstComment } from './draft/draft.ts';
import { at, keys } from './draft/places.ts';
import classes from './fields.module.css';
import { AtField, Counters, Said, useSaid } from './fields.tsx';

const savedTextsCode = loadable(() => import('./saved-texts.tsx'));

/** The fields that all accounts share: text, files, the first comment. */
export function SharedPanel() {
  const { draft, act, accounts } = useComposing();
  const said = useSaid(keys.content, true);
  const savedTexts = useLoaded(savedTextsCode);
  const sharing = draft.destinations.filter(({ content }) => content === undefined);
  const differing = draft.destinations
    .filter(({ content }) => content !== undefined)
    .map(({ accountId, platform }) => accountName(accounts, accountId, platform));
  return (
    <Stack gap={5}>
      <AtField of={keys.content} isTall>
        <TextArea
          label={words.composer.text.label}
          placeholder={words.composer.text.placeholder}
          rows={7}
          value={draft.content}
          onChange={(content) => act({ do: 'write', content })}
          {...said.field}
          help={said.help()}
        />
        <Counters draft={draft} destinations={sharing} />
        {savedTexts && (
          <div>
            <savedTexts.SavedTexts />
          </div>
        )}
        {differing.length > 0 && (
          <Muted>
            {differing.length === 1
              ? words.composer.text.differingOne(differing[0] ?? '')
              : words.composer.text.differing(words.composer.list(differing))}
          </Muted>
        )}
      </AtField>
      <Files
        of={keys.media}
        value={draft.media}
        onChange={(media) => act({ do: 'attach', media })}
        platforms={[...new Set(draft.destinations.map(({ platform }) => platform))]}
        hasCover
      />
      <FirstComment />
    </Stack>
  );
}

/** The comment that each account posts below its own post. */
function FirstComment() {
  const { draft, act, accounts, problems } = useComposing();
  const [isOpen, setIsOpen] = useState(draft.firstComment !== '');
  const said = useSaid(keys.comment, true);
  const taking = draft.destinations.filter(inheritsComment);
  const titles = (all: typeof taking) => [...new Set(all.map(({ platform }) => platformTitles[platform]))];
  const without = [
    ...titles(draft.destinations.filter(({ platform }) => !takesFirstComment(platform))),
    // Its post is one that nobody can comment on, such as a story.
    ...draft.destinations
      .filter((each) => takesFirstComment(each.platform) && !inheritsComment(each))
      .map(({ accountId, platform }) => accountName(accounts, accountId, platform)),
  ];
  if (taking.length === 0 && draft.firstComment === '') return null;
  const isShown =
    isOpen || draft.firstComment !== '' || problems.some(({ place }) => place.key === keys.comment);
  if (!isShown)
    return (
      <div>
        <Button size="small" icon="plus" onPress={() => setIsOpen(true)}>
          {words.composer.comment.add}
        </Button>
      </div>
    );
  return (
    <AtField of={keys.comment}>
      <TextArea
        label={words.composer.comment.label}
        rows={2}
        value={draft.firstComment}
        onChange={(text) => act({ do: 'comment', text })}
        {...said.field}
        help={said.help(
          <>
            {taking.length > 0 && words.composer.comment.help(words.composer.list(titles(taking)))}{' '}
            {without.length === 1 && words.composer.comment.withoutOne(without[0] ?? '')}
            {without.length > 1 && words.composer.comment.without(words.composer.list(without))}
          </>,
        )}
      />
      <div>
        <Button
          size="small"
          variant="quiet"
          icon="cross"
          onPress={() => {
            act({ do: 'comment', text: '' });
            setIsOpen(false);
          }}
        >
          {words.composer.comment.remove}
        </Button>
      </div>
    </AtField>
  );
}

/** The most files of a post, as the service has it. */
const mostFiles = 35;

interface FilesProps {
  of: string;
  label?: string;
  value: readonly DraftMedia[];
  onChange: (value: readonly DraftMedia[]) => void;
  platforms: readonly Platform[];
  hasCover?: boolean;
}

/** The editor of files with what the service says about each. */
export function Files({
  of,
  label = words.composer.files.label,
  value,
  onChange,
  platforms,
  hasCover = false,
}: FilesProps) {
  const { draft, act, problems, checked, setPending } = useComposing();
  const byPlace = new Map<number, string[]>();
  for (const { place, message } of at(problems, of)) {
    const messages = byPlace.get(place.file ?? -1) ?? [];
    byPlace.set(place.file ?? -1, [...new Set([...messages, sentence(message)])]);
  }
  return (
    <AtField of={of}>
      <fieldset className={classes.files}>
        <legend className={textClasses.label}>{label}</legend>
        <MediaEditor
          value={value}
          onChange={onChange}
          onRemove={(place) => {
            act({ do: 'removeFile', of, place });
            return () => act({ do: 'putBack', of, place, before: draft });
          }}
          onPendingChange={(pending) => setPending(of, pending)}
          mostItems={mostFiles}
          problems={byPlace}
          checked={checked}
          draftKey={`${draft.id}/${of}`}
          platforms={platforms}
          {...(hasCover && {
            cover: {
              ...(draft.frameMs !== undefined && { frameMs: draft.frameMs }),
              ...(draft.cover !== undefined && { image: draft.cover }),
            },
            onCoverChange: (cover) => act({ do: 'cover', cover }),
          })}
        />
        {hasCover && (
          <AtField of={keys.cover}>
            <Said of={keys.cover} isShared />
          </AtField>
        )}
      </fieldset>
    </AtField>
  );
}

/** Files that an account has from the post. */
export function InheritedFiles({ value }: { value: readonly DraftMedia[] }) {
  return (
    <Muted>
      {value.length === 0 ? words.composer.files.noFiles : words.composer.files.number(value.length)}
    </Muted>
  );
}
