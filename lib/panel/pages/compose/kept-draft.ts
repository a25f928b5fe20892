import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { useUnsavedInput } from '../../shortcuts.ts';
import type { KeptWork } from '../../unfinished/kept-work.ts';
import { useKeeping } from '../../unfinished/use-keeping.ts';
import { useKeptWork } from '../../unfinished/use-kept-work.ts';
import { type Action, act as change } from './draft/actions.ts';
import { type Draft, isWorthKeeping, type KeptPost, parsePost, postWork } from './draft/draft.ts';
import { isSameDraft } from './draft/rebase.ts';

/** The posts that this browser keeps for the person in this workspace. */
export const useKeptPosts = (): KeptWork<Draft> => useKeptWork(postWork);

/** `nothing`: there is nothing to keep. `failed`: the browser does not keep it. */
export type Keeping = 'nothing' | 'waiting' | 'kept' | 'failed';

export interface KeptDraft {
  readonly draft: Draft;
  /** Returns the draft as it is by then, such as once the service has answered. */
  readonly latest: () => Draft;
  readonly act: (action: Action) => void;
  readonly keeping: Keeping;
  /** True if another tab shows the same draft. */
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
 * @param initial the draft as it was kept, or a new one; only the first counts
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
  const latest = useRef(edited.draft);
  useEffect(() => {
    latest.current = edited.draft;
  }, [edited]);

  useUnsavedInput(keeping !== 'nothing');

  const take = ({ draft, editedAt }: KeptPost) => {
    keptAt.current = editedAt;
    dispatch({ action: { do: 'replace', draft }, at: editedAt });
    setKeeping('kept');
  };

  const { isElsewhere, sentElsewhere, announce } = useOtherTabs(drafts.nameOf(id));

  useKeeping(edited, () => {
    const { draft, editedAt } = edited;
    if (isOver.current || sentElsewhere !== undefined || editedAt <= keptAt.current) return;
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

  const follow = useEffectEvent(({ key, newValue }: StorageEvent) => {
    if (key !== drafts.nameOf(id)) return;
    const kept = parsePost(newValue);
    if (kept !== undefined && kept.editedAt > edited.editedAt) take(kept);
  });
  useEffect(() => {
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);

  return {
    draft: edited.draft,
    latest: () => latest.current,
    act: (action) => dispatch({ action, at: Date.now() }),
    keeping,
    isElsewhere,
    sentElsewhere,
    finish: (postId) => {
      isOver.current = true;
      drafts.remove(id);
      if (postId !== undefined) announce(postId);
    },
  };
}

/** A message between the tabs of one browser about their drafts. */
type Message = { readonly draft: string; readonly tab: string } & (
  | { readonly kind: 'open' | 'here' | 'closed' }
  | { readonly kind: 'sent'; readonly postId: string }
);

interface OtherTabs {
  readonly isElsewhere: boolean;
  readonly sentElsewhere: string | undefined;
  /** Tells the others which post the draft has become. */
  readonly announce: (postId: string) => void;
}

/** Follows which other tabs show the same draft. @param draft a name that is the same in all tabs of the person */
function useOtherTabs(draft: string): OtherTabs {
  const [others, setOthers] = useState<readonly string[]>([]);
  const [sentElsewhere, setSentElsewhere] = useState<string>();
  const channel = useRef<BroadcastChannel>(undefined);
  const tab = useRef('');
  useEffect(() => {
    const own = new BroadcastChannel('compose');
    const id = crypto.randomUUID();
    tab.current = id;
    channel.current = own;
    const say = (kind: 'open' | 'here' | 'closed') =>
      own.postMessage({ kind, draft, tab: id } satisfies Message);
    own.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.draft !== draft || data.tab === id) return;
      if (data.kind === 'sent') return setSentElsewhere(data.postId);
      setOthers((before) => [
        ...before.filter((each) => each !== data.tab),
        ...(data.kind === 'closed' ? [] : [data.tab]),
      ]);
      if (data.kind === 'open') say('here');
    });
    say('open');
    const close = () => say('closed');
    // A page that comes back from the browser's cache is open again.
    const reopen = ({ persisted }: PageTransitionEvent) => {
      if (persisted) say('open');
    };
    window.addEventListener('pagehide', close);
    window.addEventListener('pageshow', reopen);
    return () => {
      window.removeEventListener('pagehide', close);
      window.removeEventListener('pageshow', reopen);
      close();
      own.close();
      channel.current = undefined;
      setOthers([]);
    };
  }, [draft]);
  return {
    isElsewhere: others.length > 0,
    sentElsewhere,
    announce: (postId) =>
      channel.current?.postMessage({ kind: 'sent', draft, tab: tab.current, postId } satisfies Message),
  };
}
