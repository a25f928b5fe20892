import type { Platform } from '../../../../platforms/contract/names.ts';
import { platforms, platformTitles } from '../../../accounts/platforms.ts';
import { join } from '../../../components/classes.ts';
import { Icon } from '../../../components/icon.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { locale, words } from '../../../words/words.ts';
import { type Count, countsOf, shownOf } from '../draft/counts.ts';
import { contentOf, type Destination, type Draft, mediaOf } from '../draft/draft.ts';
import { optionsOf } from '../draft/to-request.ts';
import classes from './counters.module.css';

const number = new Intl.NumberFormat(locale);

interface CountersProps {
  draft: Draft;
  destinations: readonly Destination[];
}

/** What of each platform's limits a text uses. What is too much is said in words, and read out once it is. */
export function Counters({ draft, destinations }: CountersProps) {
  const lines = linesOf(draft, destinations);
  if (lines.length === 0) return null;
  const over = lines.flatMap(({ platform, counts }) =>
    counts
      .filter(({ used, most }) => used > most)
      .map(({ used, most, unit }) =>
        words.composer.counts.announced(
          platformTitles[platform],
          words.composer.counts.over(used - most, unit),
        ),
      ),
  );
  return (
    <>
      <ul className={classes['counters']} aria-label={words.composer.counts.label}>
        {lines.map(({ platform, counts }) => (
          <li key={platform}>
            {shownOf(counts).map((each) => (
              <Counter key={each.unit} platform={platform} count={each} />
            ))}
          </li>
        ))}
      </ul>
      <VisuallyHidden>
        <span role="status">{over.map((each) => each.replace(/[\d,.]+ /, '')).join('. ')}</span>
      </VisuallyHidden>
    </>
  );
}

function Counter({ platform, count: { used, most, unit } }: { platform: Platform; count: Count }) {
  const isOver = used > most;
  const isExtra = unit === 'hashtags' || unit === 'mentions' || unit === 'links';
  return (
    <span className={join(classes['counter'], isOver && classes['over'])}>
      {isOver && <Icon name="alert" size={12} />}
      {!isExtra && (
        <span>
          {words.composer.counts.used(platformTitles[platform], number.format(used), number.format(most))}
          {unit === 'bytes' && ` ${words.composer.counts.bytes}`}
        </span>
      )}
      {isOver && <strong>{words.composer.counts.over(used - most, unit)}</strong>}
    </span>
  );
}

interface Line {
  platform: Platform;
  counts: readonly Count[];
}

/** Of the accounts of a platform, one for each text and kind of post: dozens may share them, and each letter is counted. */
function differing(destinations: readonly Destination[]): readonly Destination[] {
  const seen = new Map<string, Destination>();
  for (const each of destinations) {
    const { contentType, type, draft: isDraft, link } = each.options;
    const key = JSON.stringify([each.content, contentType ?? type, isDraft, link]);
    if (each.media !== undefined) seen.set(each.accountId, each);
    else if (!seen.has(key)) seen.set(key, each);
  }
  return [...seen.values()];
}

/** One line for each platform: of its accounts, the one that allows least. */
function linesOf(draft: Draft, destinations: readonly Destination[]): readonly Line[] {
  return platforms.flatMap((platform) => {
    const all = differing(destinations.filter((each) => each.platform === platform))
      .map((each) =>
        countsOf(platform, {
          content: contentOf(draft, each),
          media: mediaOf(draft, each),
          options: optionsOf(draft, each),
        }),
      )
      .filter((counts) => counts.length > 0);
    const [least] = all.toSorted((one, other) => (one[0]?.most ?? 0) - (other[0]?.most ?? 0));
    return least === undefined ? [] : [{ platform, counts: least }];
  });
}
