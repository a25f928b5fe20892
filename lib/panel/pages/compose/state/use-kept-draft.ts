import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useMe, useWorkspace } from '../../../workspace.tsx';
import { type Action, act as change } from '../draft/actions.ts';
import { type Draft, isWorthKeeping } from '../draft/draft.ts';
import { type Kept, KeptDrafts, parseKept } from '../draft/kept.ts';
import { isSameDraft } from '../draft/rebase.ts';
import { useOtherTabs } from './use-other-tabs.ts';

/** Long enough that not every letter is written, short enough that nothing is lost. */
const keepAfterMs = 300;

/** The drafts that this browser keeps for the person in this workspace. */
export function useKeptDrafts(): KeptDrafts {
  const personId = useMe().person.id;
  const { id: workspaceId } = useWorkspace();
  return useMemo(
    () => new KeptDrafts(() => localStorage, { personId, workspaceId }),
    [personId, workspaceId],
  );
}

/** `nothing`: there is nothing to keep. `failed`: the browser does not keep it. */
export type Keeping = 'nothing' | 'waiting' | 'kept' | 'failed';

export interface KeptDraft {
  readonly draft: Draft;
  readonly act: (action: Action) => void;
  readonly keeping: Keeping;
  /** Whether another tab shows the same draft. */
  readonly isElsewhere: boolean;
  /** The post that another tab has made of it. */
  readonly sentElsewhere: string | undefined;
  /** Nothing is kept any more: the draft became this post, or was discarded. Tells the other tabs. */
  readonly finish: (postId?: string) => void;
}

interface Edited {
  readonly draft: Draft;
  /** Epoch milliseconds; 0 if nobody has edited it here. */
  readonly editedAt: number;
}

type Step = { readonly action: Action; readonly at: number };

const step = (before: Edited, { action, at }: Step): Edited => {
  const draft = change(before.draft, action);
  return draft === before.draft ? before : { draft, editedAt: at };
};

/**
 * A draft that this browser keeps while it is written: it survives a reload, the end of a session, and another tab, where the later edit
 * wins.
 *
 * @param initial what is kept of it, or a new one; only the first counts
 * @param before if it changes a post: the post without the changes
 */
export function useKeptDraft(initial: Kept, before?: Draft): KeptDraft {
  const drafts = useKeptDrafts();
  const [edited, dispatch] = useReducer(
    step,
    initial,
    ({ draft, editedAt }): Edited => ({ draft, editedAt }),
  );
  const [keeping, setKeeping] = useState<Keeping>(initial.editedAt > 0 ? 'kept' : 'nothing');
  const id = initial.draft.id;
  const keptAt = useRef(initial.editedAt);
  const isOver = useRef(false);
  const latest = useRef(edited);
  latest.current = edited;

  const act = useCallback((action: Action) => dispatch({ action, at: Date.now() }), []);
  const take = useCallback(({ draft, editedAt }: Kept) => {
    keptAt.current = editedAt;
    dispatch({ action: { do: 'replace', draft }, at: editedAt });
    setKeeping('kept');
  }, []);

  const keep = useCallback(() => {
    const { draft, editedAt } = latest.current;
    if (isOver.current || editedAt <= keptAt.current) return;
    const other = drafts.get(id);
    if (other !== undefined && other.editedAt > editedAt) return take(other);
    keptAt.current = editedAt;
    const isNothing = before === undefined ? !isWorthKeeping(draft) : isSameDraft(draft, before);
    if (isNothing) {
      drafts.remove(id);
      return setKeeping('nothing');
    }
    setKeeping(drafts.set({ draft, editedAt, ...(before !== undefined && { before }) }) ? 'kept' : 'failed');
  }, [drafts, id, before, take]);

  useEffect(() => {
    if (edited.editedAt <= keptAt.current) return;
    setKeeping('waiting');
    const timer = setTimeout(keep, keepAfterMs);
    return () => clearTimeout(timer);
  }, [edited, keep]);

  useEffect(() => {
    window.addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
      keep();
    };
  }, [keep]);

  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key !== drafts.nameOf(id)) return;
      const kept = parseKept(newValue);
      if (kept !== undefined && kept.editedAt > latest.current.editedAt) take(kept);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [drafts, id, take]);

  const { isElsewhere, sentElsewhere, announce } = useOtherTabs(drafts.nameOf(id));
  if (sentElsewhere !== undefined) isOver.current = true;

  const finish = useCallback(
    (postId?: string) => {
      isOver.current = true;
      drafts.remove(id);
      if (postId !== undefined) announce(postId);
    },
    [drafts, id, announce],
  );

  return { draft: edited.draft, act, keeping, isElsewhere, sentElsewhere, finish };
}
