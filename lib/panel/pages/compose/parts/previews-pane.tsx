import textClasses from '../../../components/texts.module.css';
import { PostPreview } from '../../../previews/post-preview.tsx';
import { words } from '../../../words/words.ts';
import { contentOf, type Destination, mediaOf } from '../draft/draft.ts';
import { allAccounts } from '../draft/places.ts';
import { optionsOf } from '../draft/to-request.ts';
import { useComposing } from './context.ts';
import classes from './previews-pane.module.css';

/** More at once would be slow, and nobody looks at them. */
const mostShown = 4;

/** What the post will look like: at the account whose tab is open, or at all. */
export function PreviewsPane({ selected }: { readonly selected: string }) {
  const { draft } = useComposing();
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
        <Preview key={destination.accountId} destination={destination} />
      ))}
      {rest > 0 && <p className={textClasses['minor']}>{words.composer.previews.rest(rest)}</p>}
    </section>
  );
}

function Preview({ destination }: { readonly destination: Destination }) {
  const { draft, accounts } = useComposing();
  const account = accounts.get(destination.accountId);
  if (account === undefined) return null;
  return (
    <PostPreview
      account={account}
      content={contentOf(draft, destination)}
      media={mediaOf(draft, destination)}
      cover={draft.cover}
      options={optionsOf(draft, destination)}
    />
  );
}
