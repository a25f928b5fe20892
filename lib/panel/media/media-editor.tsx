import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { readMediaOperation } from '../../media/operations.ts';
import { isNotFound } from '../api/api-error.ts';
import { useGet } from '../api/hooks.ts';
import { useStore } from '../api/store.ts';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { loadable, useLoaded } from '../components/loaded.ts';
import { Notice } from '../components/notice.tsx';
import { toast } from '../components/toast-list.ts';
import { VisuallyHidden } from '../components/visually-hidden.tsx';
import { words } from '../words/words.ts';
import { AddFiles, useIncomingFiles } from './add-files.tsx';
import type { Finding, MediaView } from './draft-media.ts';
import { conditionOf, type DraftMedia, type MediaEditorProps, mediaIdOf, nameOf } from './draft-media.ts';
import classes from './media.module.css';
import { LostUploads, UploadList } from './upload-list.tsx';
import { isOnItsWay, placeArrived } from './upload-queue.ts';
import { addFiles, cancelUpload, forgetUploads, uploads } from './uploads.ts';

/** The code of the files' list. */
export const grid = loadable(() => import('./media-grid.tsx'));
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
    <div className={join(classes.editor, isDropping && classes.dropping)}>
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
          checked={props.checked}
          frameMs={cover?.frameMs}
          isDisabled={isDisabled}
          onChange={(files) => update(() => files)}
          onDescribe={setDescribed}
          onRemove={removeAt}
        />
      )}
      <UploadList uploads={own} />
      {problems.get(-1)?.map((each) => (
        <p key={each} className={classes.problem}>
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
          onReuse={(chosen) => update((files) => [...files, ...chosen].slice(0, mostItems))}
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
        <p className={classes.target} aria-hidden="true">
          <Icon name="upload" />
          {words.media.dropNow}
        </p>
      )}
      <div role="status" className={classes.said}>
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

type Files = readonly DraftMedia[];

type Update = (change: (files: Files) => Files) => void;

/** Returns what changes the files, also several times before they are rendered again. */
function useUpdate(value: Files, onChange: (value: Files) => void): Update {
  const latest = useRef({ value, onChange });
  useLayoutEffect(() => {
    latest.current = { value, onChange };
  });
  return (change) => {
    const changed = change(latest.current.value);
    if (changed === latest.current.value) return;
    latest.current.value = changed;
    latest.current.onChange(changed);
  };
}

/** The uploads of this editor. Those that have arrived become files of the draft. */
function useOwnUploads(owner: string, coverOwner: string, update: Update) {
  const all = useStore(uploads);
  const numbers = useRef(new Map<string, number>());
  const [said, setSaid] = useState('');
  const arrived = all.filter((each) => each.owner === owner && each.state.status === 'done');
  useEffect(() => {
    if (arrived.length === 0) return;
    const files = arrived.flatMap(({ number, state }) => {
      if (state.status !== 'done') return [];
      numbers.current.set(state.media.url, number);
      return [state.media];
    });
    update((value) => placeArrived(value, files, ({ url }) => numbers.current.get(url)));
    setSaid(arrived.map(({ fileName }) => words.media.uploads.announced(fileName)).join('. '));
    forgetUploads(arrived.map(({ number }) => number));
  });
  const own = all.filter((each) => each.owner === owner && each.state.status !== 'done');
  const wayCount = all.filter(
    (each) => (each.owner === owner || each.owner === coverOwner) && isOnItsWay(each),
  ).length;
  return { own, wayCount, said };
}

/** Follows what the service finds out about the files. The facts go into the draft. */
function useFindings(value: Files, update: Update) {
  const [findings, setFindings] = useState<ReadonlyMap<string, Finding>>(new Map());
  const onFound = (mediaId: string, found: Finding) => {
    setFindings((known) => new Map(known).set(mediaId, found));
    if (found === 'gone' || found.status !== 'ready') return;
    update((files) => files.map((each) => (mediaIdOf(each) === mediaId ? withFacts(each, found) : each)));
  };
  const importingCount = value.filter((media) => {
    const found = findings.get(mediaIdOf(media) ?? '');
    // A post must say what an imported file is, which only its bytes tell.
    return found !== undefined && found !== 'gone' && found.import !== null && conditionOf(found).isPending;
  }).length;
  return { findings, onFound, importingCount };
}

const whilePendingMs = 1_500;

/** Returns true if the service's view of the file has to be read: its facts are not in the draft. */
const needsWatch = (media: DraftMedia): boolean =>
  mediaIdOf(media) !== undefined && media.widthPixels === undefined && media.durationMs === undefined;

interface MediaWatchProps {
  mediaId: string;
  onFound: (mediaId: string, found: Finding) => void;
}

/** Reads a file until the service has inspected it. Shows nothing. */
function MediaWatch({ mediaId, onFound }: MediaWatchProps) {
  const { data, error } = useGet<typeof readMediaOperation>(
    '/v1/media/{id}',
    { path: { id: mediaId } },
    {
      refetchEveryMs: (reply) =>
        reply === undefined || reply.media.status === 'pending' ? whilePendingMs : false,
    },
  );
  const found = data?.media ?? (isNotFound(error) ? 'gone' : undefined);
  const tell = useEffectEvent(onFound);
  useEffect(() => {
    if (found !== undefined) tell(mediaId, found);
  }, [mediaId, found]);
  return null;
}

/** The file with the facts that the service has found. */
function withFacts(media: DraftMedia, { status, type, sizeBytes, probe }: MediaView): DraftMedia {
  if (status !== 'ready') return media;
  return {
    ...media,
    type,
    ...(sizeBytes !== null && { sizeBytes }),
    ...(probe?.width !== undefined && { widthPixels: probe.width }),
    ...(probe?.height !== undefined && { heightPixels: probe.height }),
    ...(probe?.durationMs !== undefined && { durationMs: probe.durationMs }),
  };
}
