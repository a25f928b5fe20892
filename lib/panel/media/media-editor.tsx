import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { Notice } from '../components/notice.tsx';
import { toast } from '../components/toast-list.ts';
import { VisuallyHidden } from '../components/visually-hidden.tsx';
import { words } from '../words/words.ts';
import { acceptedInPicker } from './accepted.ts';
import { AddressDialog } from './address-dialog.tsx';
import { AltDialog } from './alt-dialog.tsx';
import { CoverSection } from './cover-section.tsx';
import type { DraftMedia, MediaEditorProps } from './draft-media.ts';
import { conditionOf, nameOf } from './facts.ts';
import { FilePicker } from './file-picker.tsx';
import { mediaIdOf } from './local-files.ts';
import classes from './media-editor.module.css';
import { MediaGrid } from './media-grid.tsx';
import { type Finding, type MediaView, MediaWatch, needsWatch, withFacts } from './media-watch.tsx';
import { UploadList } from './upload-list.tsx';
import { isOnItsWay, placeArrived } from './upload-queue.ts';
import { addFiles, cancelUpload, dismissLost, forgetUploads, lostUploads, uploads } from './uploads.ts';
import { useIncomingFiles } from './use-incoming-files.ts';

type Files = readonly DraftMedia[];
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
  } = props;
  const { problems = none, isDisabled = false } = props;
  const ownKey = useId();
  const owner = draftKey ?? `:${ownKey}`;
  const coverOwner = `${owner} cover`;
  const update = useUpdate(value, onChange);
  const { own, wayCount, said } = useOwnUploads(owner, coverOwner, update);
  const { findings, onFound, importingCount } = useFindings(value, update);
  const [described, setDescribed] = useState<number>();
  const [isAsking, setAsking] = useState(false);
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
    update((files) => files.filter((each) => each !== removed));
    const putBack = () => update((files) => [...files.slice(0, place), removed, ...files.slice(place)]);
    toast({
      text: words.media.tile.removed(nameOf(removed)),
      tone: 'neutral',
      action: { label: words.media.tile.undo, run: putBack },
    });
  };
  const [first] = value;
  const asksForCover = onCoverChange && value.length === 1 && first?.type === 'video';
  const isEmpty = value.length + own.length === 0;
  return (
    <div className={join(classes['editor'], isDropping && classes['dropping'])}>
      {value.flatMap((media) => {
        const mediaId = mediaIdOf(media);
        return mediaId !== undefined && needsWatch(media)
          ? [<MediaWatch key={mediaId} mediaId={mediaId} onFound={onFound} />]
          : [];
      })}
      <Lost owner={owner} />
      {value.length > 0 && (
        <MediaGrid
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
        <div className={join(classes['adding'], isEmpty && classes['empty'])}>
          {isEmpty && <p className={classes['invitation']}>{words.media.empty}</p>}
          {left > 0 ? (
            <div className={classes['buttons']}>
              <FilePicker
                label={words.media.add}
                icon="upload"
                accept={acceptedInPicker}
                isMultiple
                onChoose={take}
              />
              <FilePicker
                label={words.media.take}
                accept="image/jpeg,video/mp4,video/quicktime"
                isCamera
                onChoose={take}
              />
              <Button variant="quiet" icon="links" onPress={() => setAsking(true)}>
                {words.media.byAddress}
              </Button>
            </div>
          ) : (
            <p className={classes['help']}>{words.media.full(mostItems)}</p>
          )}
          {isEmpty && <p className={classes['help']}>{words.media.types}</p>}
        </div>
      )}
      {asksForCover && (
        <CoverSection
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
      <AltDialog
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
      <AddressDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onAdd={(media) => {
          setAsking(false);
          update((files) => [...files, importedFrom(media)]);
        }}
      />
    </div>
  );
}

function withDescription(media: DraftMedia, altText: string): DraftMedia {
  const { altText: _old, ...rest } = media;
  return altText === '' ? rest : { ...rest, altText };
}

const importedFrom = ({ id, publicUrl, type, filename }: MediaView): DraftMedia => ({
  url: publicUrl,
  type,
  mediaId: id,
  fileName: filename,
});

type Update = (change: (files: Files) => Files) => void;

/** Changes the files, also several times before they are rendered again. */
function useUpdate(value: Files, onChange: (value: Files) => void): Update {
  const latest = useRef(value);
  latest.current = value;
  const tell = useRef(onChange);
  tell.current = onChange;
  return useMemo(
    () => (change) => {
      const changed = change(latest.current);
      if (changed === latest.current) return;
      latest.current = changed;
      tell.current(changed);
    },
    [],
  );
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

/** What the service has found out about the files. The facts go into the draft. */
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

/** Names the uploads that a reload has ended. */
function Lost({ owner }: { readonly owner: string }) {
  const lost = useStore(lostUploads).filter((each) => each.owner === owner);
  if (lost.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={words.media.lost.title(lost.length)}
      isLive
      actions={
        <Button size="small" onPress={() => dismissLost(owner)}>
          {words.shared.actions.dismiss}
        </Button>
      }
    >
      {words.media.lost.text(lost.map(({ fileName }) => fileName))}
    </Notice>
  );
}
