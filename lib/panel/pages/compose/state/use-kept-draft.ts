import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useUnsavedInput } from '../../../shortcuts.ts';
import type { KeptWork } from '../../../unfinished/kept-work.ts';
import { useKeeping } from '../../../unfinished/use-keeping.ts';
import { useKeptWork } from '../../../unfinished/use-kept-work.ts';
import { type Action, act as change } from '../draft/actions.ts';
import { type Draft, isWorthKeeping } from '../draft/draft.ts';
import { type KeptPost, parsePost, postWork } from '../draft/kept-posts.ts';
import { isSameDraft } from '../draft/rebase.ts';
import { useOtherTabs } from './use-other-tabs.ts';

/** The posts that this browser keeps for the person in this workspace. */
export const useKeptPosts = (): KeptWork<Draft> => useKeptWork(postWork);

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
export function useKeptDraft(initial: KeptPost, before?: Draft): KeptDraft {
  const drafts = useKeptPosts();
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

  useUnsavedInput(keeping !== 'nothing');

  const act = useCallback((action: Action) => dispatch({ action, at: Date.now() }), []);
  const take = useCallback(({ draft, editedAt }: KeptPost) => {
    keptAt.current = editedAt;
    dispatch({ action: { do: 'replace', draft }, at: editedAt });
    setKeeping('kept');
  }, []);

  useKeeping(edited, () => {
    const { draft, editedAt } = latest.current;
    if (isOver.current || editedAt <= keptAt.current) return;
    const other = drafts.get(id, Date.now());
    if (other !== undefined && other.editedAt > editedAt) return take(other);
    keptAt.current = editedAt;
    const isNothing = before === undefined ? !isWorthKeeping(draft) : isSameDraft(draft, before);
    if (isNothing) {
      drafts.remove(id);
      return setKeeping('nothing');
    }
    const kept = { draft, editedAt, ...(before !== undefined && { before }) };
    setKeeping(drafts.set(id, kept) ? 'kept' : 'failed');
  });

  useEffect(() => {
    if (edited.editedAt > keptAt.current) setKeeping('waiting');
  }, [edited]);

  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key !== drafts.nameOf(id)) return;
      const kept = parsePost(newValue);
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
