import { useCallback, useEffect, useRef, useState } from 'react';
import { useMe, useWorkspace } from '../../../workspace.tsx';
import { type Draft, isSame } from './draft.ts';
import { keptName, readKept, removeKept, removeOld, writeKept } from './kept.ts';

const ofBrowser = () => localStorage;
/** Long enough that not every letter is written, short enough that nothing is lost. */
const keepAfterMs = 300;

export interface UsedDraft {
  readonly draft: Draft;
  /** As the changes began. */
  readonly before: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly isChanged: boolean;
  /** Whether it comes from an earlier visit. */
  readonly isRestored: boolean;
  /** Goes back to what it was, or to a new one. */
  readonly discard: () => void;
  /** It is saved: nothing is kept any more. */
  readonly finish: () => void;
}

/**
 * An automation that is written. The browser keeps it until it is saved, also over a reload or the end of a session.
 *
 * @param of its name in storage
 * @param initial as the service has it, or a new one
 */
export function useDraft(of: string, initial: Draft): UsedDraft {
  const personId = useMe().person.id;
  const { id: workspaceId } = useWorkspace();
  const name = keptName(personId, workspaceId, of);
  const [kept] = useState(() => {
    removeOld(ofBrowser, Date.now());
    return readKept(ofBrowser, name, Date.now());
  });
  const [before, setBefore] = useState(kept?.before ?? initial);
  const [draft, setDraft] = useState(kept?.draft ?? initial);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const isOver = useRef(false);
  const isChanged = !isSame(draft, before);

  const keep = useCallback(() => {
    if (isOver.current) return;
    if (isSame(draft, before)) removeKept(ofBrowser, name);
    else writeKept(ofBrowser, name, { draft, before, editedAt: Date.now() });
  }, [draft, before, name]);

  useEffect(() => {
    const timer = setTimeout(keep, keepAfterMs);
    window.addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [keep]);

  const change = useCallback(
    (changes: Partial<Draft>) => setDraft((present) => ({ ...present, ...changes })),
    [],
  );
  const discard = () => {
    setBefore(initial);
    setDraft(initial);
    setRestored(false);
  };
  const finish = () => {
    isOver.current = true;
    removeKept(ofBrowser, name);
  };
  return { draft, before, change, isChanged, isRestored, discard, finish };
}
