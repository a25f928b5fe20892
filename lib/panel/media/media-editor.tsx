import { useEffect, useEffectEvent, useId, useState } from 'react';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { loadable, useLoaded } from '../components/loaded.ts';
import { Notice } from '../components/notice.tsx';
import { toast } from '../components/toast-list.ts';
import { VisuallyHidden } from '../components/visually-hidden.tsx';
import { words } from '../words/words.ts';
import { AddFiles } from './add-files.tsx';
import type { DraftMedia, MediaEditorProps } from './draft-media.ts';
import { nameOf } from './facts.ts';
import { mediaIdOf } from './local-files.ts';
import { LostUploads } from './lost-uploads.tsx';
import classes from './media-editor.module.css';
import { MediaWatch, needsWatch } from './media-watch.tsx';
import { UploadList } from './upload-list.tsx';
import { addFiles, cancelUpload, uploads } from './uploads.ts';
import { type Update, useFindings, useOwnUploads, useUpdate } from './use-files.ts';
import { useIncomingFiles } from './use-incoming-files.ts';

const grid = loadable(() => import('./media-grid.tsx'));
const descriptions = loadable(() => import('./alt-dialog.tsx'));
const covers = loadable(() => import('./cover-section.tsx'));
const none: ReadonlyMap<number, readonly string[]> = new Map();

/** The files of a post: uploads them, and lets a person put them in order, describe them and choose a cover. */
export function MediaEditor(props: MediaEditorProps) {
  const {
    value,
    onChange,
    onPendingChange,
    mostItems,
    draftKey,
    platforms = [],
    cover,
    onCoverChange,
    onRemove,
  } = props;
  const { problems = none, isDisabled = false } = props;
  const ownKey = useId();
  const owner = draftKey ?? `:${ownKey}`;
  const coverOwner = `${owner} cover`;
  const update = useUpdate(value, onChange);
  const { own, wayCount, said } = useOwnUploads(owner, coverOwner, update);
  const { findings, onFound, importingCount } = useFindings(value, update);
  const [described, setDescribed] = useState<number>();
  const [notice, setNotice] = useState<string>();

  const pending = wayCount + importingCount;
  const tellPending = useEffectEvent(onPendingChange);
  useEffect(() => tellPending(pending), [pending]);
  useEffect(() => {
    if (!owner.startsWith(':')) return;
    // Nobody could ever take over what would arrive.
    return () => {
      for (const each of uploads.get())
        if (each.owner === owner || each.owner === coverOwner) cancelUpload(each.number);
    };
  }, [owner, coverOwner]);

  const left = Math.max(0, mostItems - value.length - own.length);
  const take = (files: readonly File[], hasFolders = false) => {
    setNotice(
      files.length > left
        ? words.media.tooMany(left, files.length)
        : hasFolders
          ? words.media.folders
          : undefined,
    );
    addFiles(owner, files.slice(0, left));
  };
  const isDropping = useIncomingFiles(!isDisabled, take);
  const removeAt = (place: number) => {
    const removed = value[place];
    if (removed === undefined) return;
    const putBack = onRemove === undefined ? removeFrom(update, removed, place) : onRemove(place);
    toast({
      text: words.media.tile.removed(nameOf(removed)),
      tone: 'neutral',
      action: { label: words.media.tile.undo, run: putBack },
    });
  };
  const [first] = value;
  const asksForCover = onCoverChange && value.length === 1 && first?.type === 'video';
  const loadedGrid = useLoaded(grid, value.length + own.length > 0);
  const loadedDescriptions = useLoaded(descriptions, value.length > 0);
  const loadedCovers = useLoaded(covers, asksForCover === true);
  const isEmpty = value.length + own.length === 0;
  return (
    <div className={join(classes['editor'], isDropping && classes['dropping'])}>
      {value.flatMap((media) => {
        const mediaId = mediaIdOf(media);
        return mediaId !== undefined && needsWatch(media)
          ? [<MediaWatch key={mediaId} mediaId={mediaId} onFound={onFound} />]
          : [];
      })}
      <LostUploads owner={owner} />
      {value.length > 0 && loadedGrid && (
        <loadedGrid.MediaGrid
          files={value}
          findings={findings}
          problems={problems}
          frameMs={cover?.frameMs}
          isDisabled={isDisabled}
          onChange={(files) => update(() => files)}
          onDescribe={setDescribed}
          onRemove={removeAt}
        />
      )}
      <UploadList uploads={own} />
      {problems.get(-1)?.map((each) => (
        <p key={each} className={classes['problem']}>
          <Icon name="alert" size={14} />
          <span>{each}</span>
        </p>
      ))}
      {notice !== undefined && (
        <Notice tone="warn" isLive>
          {notice}
        </Notice>
      )}
      {!isDisabled && (
        <AddFiles
          isEmpty={isEmpty}
          left={left}
          mostItems={mostItems}
          onChoose={take}
          onImport={(media) => update((files) => [...files, media])}
        />
      )}
      {asksForCover && loadedCovers && (
        <loadedCovers.CoverSection
          video={first}
          cover={cover ?? {}}
          owner={coverOwner}
          platforms={platforms}
          isDisabled={isDisabled}
          onChange={onCoverChange}
        />
      )}
      {isDropping && (
        <p className={classes['target']} aria-hidden="true">
          <Icon name="upload" />
          {words.media.dropNow}
        </p>
      )}
      <div role="status" className={classes['said']}>
        <VisuallyHidden>{said}</VisuallyHidden>
      </div>
      {loadedDescriptions && (
        <loadedDescriptions.AltDialog
          files={value}
          place={described}
          platforms={platforms}
          frameMs={cover?.frameMs}
          onPlace={setDescribed}
          onDescribe={(place, altText) =>
            update((files) =>
              files.map((each, index) => (index === place ? withDescription(each, altText) : each)),
            )
          }
        />
      )}
    </div>
  );
}

/** Removes a file. @returns what puts it back */
function removeFrom(update: Update, removed: DraftMedia, place: number): () => void {
  update((files) => files.filter((each) => each !== removed));
  return () => update((files) => [...files.slice(0, place), removed, ...files.slice(place)]);
}

function withDescription(media: DraftMedia, altText: string): DraftMedia {
  const { altText: _old, ...rest } = media;
  return altText === '' ? rest : { ...rest, altText };
}
