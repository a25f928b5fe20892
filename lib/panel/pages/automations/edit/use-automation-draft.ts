import { useRef, useState } from 'react';
import { useUnsavedInput } from '../../../shortcuts.ts';
import type { WorkKind } from '../../../unfinished/kept-work.ts';
import { useKeeping } from '../../../unfinished/use-keeping.ts';
import { useKeptWork } from '../../../unfinished/use-kept-work.ts';
import { type Draft, isSame } from './draft.ts';

export interface UsedDraft {
  readonly draft: Draft;
  /** The automation as the changes began. */
  readonly before: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly isChanged: boolean;
  /** True if it comes from an earlier visit. */
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
export function useAutomationDraft(of: string, initial: Draft): UsedDraft {
  const work = useKeptWork(automationWork);
  const [kept] = useState(() => {
    work.removeOld(Date.now());
    return work.get(of, Date.now());
  });
  // What an earlier release kept has fewer fields.
  const [before, setBefore] = useState({ ...initial, ...kept?.before });
  const [draft, setDraft] = useState({ ...initial, ...kept?.draft });
  const [isRestored, setRestored] = useState(kept !== undefined);
  const isOver = useRef(false);
  const keptDraft = useRef(draft);
  const isChanged = !isSame(draft, before);
  useUnsavedInput(isChanged);

  useKeeping(draft, () => {
    // What nobody has edited here may have been edited in another tab.
    if (isOver.current || draft === keptDraft.current) return;
    keptDraft.current = draft;
    if (isChanged) work.set(of, { draft, before, editedAt: Date.now() });
    else work.remove(of);
  });

  const change = (changes: Partial<Draft>) => setDraft((present) => ({ ...present, ...changes }));
  const discard = () => {
    setBefore(initial);
    setDraft(initial);
    setRestored(false);
  };
  const finish = () => {
    isOver.current = true;
    work.remove(of);
  };
  return { draft, before, change, isChanged, isRestored, discard, finish };
}

/** Automations that are not saved. */
export const automationWork: WorkKind<Draft> = {
  prefix: 'automations',
  longestMs: 30 * 86_400_000,
  isDraft: (value): value is Draft => {
    if (typeof value !== 'object' || value === null) return false;
    const { accountId, commentReply, dmMessage, keywords, buttons, gate } = value as Partial<Draft>;
    return (
      [accountId, commentReply, dmMessage].every((text) => typeof text === 'string') &&
      [keywords, buttons].every(Array.isArray) &&
      typeof gate === 'object'
    );
  },
};
