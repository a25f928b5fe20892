import { lazy, memo, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { Skeleton } from '../../../components/skeleton.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { contentOf, type Destination, type Draft, mediaOf } from '../draft/draft.ts';
import { allAccounts } from '../draft/places.ts';
import { optionsOf } from '../draft/to-request.ts';
import { type Composing, useComposing } from './context.ts';
import classes from './previews-pane.module.css';

const PostPreview = lazy(async () => ({
  default: (await import('../../../previews/post-preview.tsx')).PostPreview,
}));

/** More at once would be slow, and nobody looks at them. */
const mostShown = 4;

/** What the post will look like: at the account whose tab is open, or at all. It follows what is typed as fast as the browser can. */
export function PreviewsPane({ selected }: { readonly selected: string }) {
  const { draft, accounts } = useComposing();
  return <Previews selected={selected} draft={useDeferredValue(draft)} accounts={accounts} />;
}

interface PreviewsProps {
  readonly selected: string;
  readonly draft: Draft;
  readonly accounts: Composing['accounts'];
}

const Previews = memo(function Previews({ selected, draft, accounts }: PreviewsProps) {
  const chosen = draft.destinations.filter(
    ({ accountId }) => selected === allAccounts || accountId === selected,
  );
  const shown = chosen.slice(0, mostShown);
  const rest = chosen.length - shown.length;
  return (
    <section className={classes['previews']} aria-label={words.composer.previews.title}>
      <h2>{words.composer.previews.title}</h2>
      {shown.length === 0 && <p className={textClasses['minor']}>{words.composer.previews.none}</p>}
      {shown.map((destination) => (
        <Preview key={destination.accountId} destination={destination} draft={draft} accounts={accounts} />
      ))}
      {rest > 0 && <p className={textClasses['minor']}>{words.composer.previews.rest(rest)}</p>}
    </section>
  );
});

interface PreviewProps extends Omit<PreviewsProps, 'selected'> {
  readonly destination: Destination;
}

/** Drawn from when it comes in sight. */
function Preview({ destination, draft, accounts }: PreviewProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const isSeen = useIsSeen(place);
  const account = accounts.get(destination.accountId);
  if (account === undefined) return null;
  if (!isSeen)
    return (
      <div ref={setPlace}>
        <Skeleton kind="card" rows={3} />
      </div>
    );
  return (
    <Suspense fallback={<Skeleton kind="card" rows={3} />}>
      <PostPreview
        account={account}
        content={contentOf(draft, destination)}
        media={mediaOf(draft, destination)}
        cover={draft.cover}
        options={optionsOf(draft, destination)}
      />
    </Suspense>
  );
}

/** Whether an element is or was in sight. */
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
