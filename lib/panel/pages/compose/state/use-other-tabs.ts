import { useCallback, useEffect, useRef, useState } from 'react';

/** What tabs of one browser tell each other about drafts. */
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
export function useOtherTabs(draft: string): OtherTabs {
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
  const announce = useCallback(
    (postId: string) =>
      channel.current?.postMessage({ kind: 'sent', draft, tab: tab.current, postId } satisfies Message),
    [draft],
  );
  return { isElsewhere: others.length > 0, sentElsewhere, announce };
}
