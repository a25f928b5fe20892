import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from '../api/store.ts';
import { words } from '../words/words.ts';
import type { DraftMedia } from './draft-media.ts';
import { conditionOf } from './facts.ts';
import { mediaIdOf } from './local-files.ts';
import { type Finding, withFacts } from './media-watch.tsx';
import { isOnItsWay, placeArrived } from './upload-queue.ts';
import { forgetUploads, uploads } from './uploads.ts';

type Files = readonly DraftMedia[];

export type Update = (change: (files: Files) => Files) => void;

/** Changes the files, also several times before they are rendered again. */
export function useUpdate(value: Files, onChange: (value: Files) => void): Update {
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
export function useOwnUploads(owner: string, coverOwner: string, update: Update) {
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
export function useFindings(value: Files, update: Update) {
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
