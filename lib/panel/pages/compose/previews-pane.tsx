import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { Muted } from '../../components/layout.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { words } from '../../words/words.ts';
import classes from './composer.module.css';
import { type Composing, useComposing } from './context.ts';
import type { Draft } from './draft/draft.ts';
import { allAccounts } from './draft/places.ts';

const load = () => import('./preview.tsx');
const DestinationPreview = lazy(async () => ({ default: (await load()).DestinationPreview }));

/** More at once would be slow, and nobody looks at them. */
const mostShown = 4;

/**
 * The post as it will look at the account whose tab is open, or at all accounts. It follows what is typed as fast as the browser can.
 */
export function PreviewsPane({ selected }: { selected: string }) {
  const { draft, accounts, checked } = useComposing();
  return (
    <Previews selected={selected} draft={useDeferredValue(draft)} accounts={accounts} checked={checked} />
  );
}

interface PreviewsProps {
  selected: string;
  draft: Draft;
  accounts: Composing['accounts'];
  checked: Composing['checked'];
}

function Previews({ selected, draft, accounts, checked }: PreviewsProps) {
  const [pane, setPane] = useState<HTMLElement | null>(null);
  // On a small screen, it is behind the form.
  const isSeen = useIsSeen(pane);
  useEffect(() => {
    if (isSeen) void load();
  }, [isSeen]);
  const chosen = draft.destinations.filter(
    ({ accountId }) => selected === allAccounts || accountId === selected,
  );
  const shown = chosen.slice(0, mostShown);
  const rest = chosen.length - shown.length;
  return (
    <section
      ref={setPane}
      className={classes.pane}
      aria-label={words.composer.previews.title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
    >
      <h2>{words.composer.previews.title}</h2>
      {shown.length === 0 && <Muted>{words.composer.previews.none}</Muted>}
      {isSeen && (
        <Suspense fallback={<Skeleton kind="card" rows={3} />}>
          {shown.map((destination) => {
            const account = accounts.get(destination.accountId);
            return (
              account && (
                <DestinationPreview
                  key={account.id}
                  account={account}
                  draft={draft}
                  destination={destination}
                  checked={checked}
                />
              )
            );
          })}
        </Suspense>
      )}
      {rest > 0 && <Muted>{words.composer.previews.rest(rest)}</Muted>}
    </section>
  );
}

/** True once an element has been in sight. */
function useIsSeen(element: HTMLElement | null): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}
