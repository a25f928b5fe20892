import { useCallback } from 'react';
import type { Platform } from '../../../../platforms/contract/names.ts';
import { sentence } from '../../../components/error-notice.tsx';
import textClasses from '../../../components/texts.module.css';
import type { DraftMedia } from '../../../media/draft-media.ts';
import { MediaEditor } from '../../../media/media-editor.tsx';
import { words } from '../../../words/words.ts';
import { at, keys } from '../draft/places.ts';
import { AtField, Said } from './at-field.tsx';
import { useComposing } from './context.ts';
import classes from './files.module.css';

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
  const { draft, act, problems, setPending } = useComposing();
  const onPendingChange = useCallback((pending: number) => setPending(of, pending), [of, setPending]);
  const byPlace = new Map<number, string[]>();
  for (const { place, message } of at(problems, of)) {
    const messages = byPlace.get(place.file ?? -1) ?? [];
    byPlace.set(place.file ?? -1, [...new Set([...messages, sentence(message)])]);
  }
  return (
    <AtField of={of}>
      <fieldset className={classes['files']}>
        <legend className={textClasses['label']}>{label}</legend>
        <MediaEditor
          value={value}
          onChange={onChange}
          onRemove={(place) => {
            act({ do: 'removeFile', of, place });
            return () => act({ do: 'putBack', of, place, before: draft });
          }}
          onPendingChange={onPendingChange}
          mostItems={mostFiles}
          problems={byPlace}
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
    <p className={textClasses['minor']}>
      {value.length === 0 ? words.composer.files.noFiles : words.composer.files.number(value.length)}
    </p>
  );
}
