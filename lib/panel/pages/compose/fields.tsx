import type { ReactNode } from 'react';
import type { Platform } from '../../../platforms/contract/names.ts';
import { platforms, platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { sentence } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import textClasses from '../../components/texts.module.css';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { locale, words } from '../../words/words.ts';
import { accountName, useComposing } from './context.ts';
import { type Count, countsOf, shownOf } from './draft/counts.ts';
import { contentOf, type Destination, type Draft, mediaOf } from './draft/draft.ts';
import { at, idOfKey, type Placed } from './draft/places.ts';
import { optionsOf } from './draft/to-request.ts';
import classes from './fields.module.css';

interface AtFieldProps {
  of: string;
  isTall?: boolean;
  children: ReactNode;
}

/** A field that the links of the list of problems lead to: its own control gets the focus. */
export function AtField({ of, isTall, children }: AtFieldProps) {
  return (
    <div id={idOfKey(of)} className={join(classes.atField, isTall && classes.tall)}>
      {children}
    </div>
  );
}

const controls = 'textarea, input, button, select, a[href], [tabindex]';

/** Moves the focus to a field, and opens what is closed around it. Its tab must be in sight already. */
export function focusField(key: string): void {
  const element = fieldOf(key);
  for (let around = element?.closest('details'); around; around = around.parentElement?.closest('details'))
    around.open = true;
  const control = element?.querySelector<HTMLElement>(controls);
  if (element && !control) element.tabIndex = -1;
  (control ?? element)?.focus();
  // What floats over the page must not cover it.
  element?.scrollIntoView({ block: 'center' });
}

/** The element of a field. Where the field of an option is not shown, such as of an account that is gone, that of its step. */
function fieldOf(key: string): HTMLElement | null {
  const [, step] = /^(step-.*)-[\da-f-]{36}-option-/.exec(key) ?? [];
  return (
    document.getElementById(idOfKey(key)) ??
    (step === undefined ? null : document.getElementById(idOfKey(`${step}-accounts`)))
  );
}

/**
 * Returns what is said about a field: props for the field, which React Aria then marks as invalid and reads with its problems; the help
 * below it, with the warnings; and the problems as texts.
 *
 * @param isShared true if several accounts share it, so that each message names its account
 */
export function useSaid(key: string, isShared = false) {
  const { draft, accounts, problems, warnings } = useComposing();
  const textOf = ({ message, accountId }: Placed) => {
    const text = sentence(message);
    if (!isShared || accountId === null || draft.destinations.length < 2) return text;
    const platform = draft.destinations.find((each) => each.accountId === accountId)?.platform;
    return words.composer.findings.for(accountName(accounts, accountId, platform), text);
  };
  const wrong = [...new Set(at(problems, key).map(textOf))];
  const doubtful = [...new Set(at(warnings, key).map(textOf))];
  const notes = doubtful.length > 0 && <Lines tone="warn" lines={doubtful} />;
  return {
    field: { validationBehavior: 'aria' as const, validate: () => (wrong.length > 0 ? wrong : null) },
    help: (text?: ReactNode) =>
      (text || notes) && (
        <>
          {text}
          {notes}
        </>
      ),
    problems: wrong,
  };
}

/** Problems and warnings of something that is not a field of React Aria's. */
export function Said({ of, isShared = false }: { of: string; isShared?: boolean }) {
  const { problems, help } = useSaid(of, isShared);
  return (
    <>
      {problems.length > 0 && <Lines tone="bad" lines={problems} />}
      {help()}
    </>
  );
}

/** Spans, because descriptions of fields may hold no blocks. */
function Lines({ tone, lines }: { tone: 'bad' | 'warn'; lines: readonly string[] }) {
  return (
    <span className={classes.lines}>
      {lines.map((line) => (
        <span key={line} className={classes[tone]}>
          <Icon name="alert" size={14} />
          <span>{line}</span>
        </span>
      ))}
    </span>
  );
}

interface InheritedProps {
  label: string;
  says: string;
  children?: ReactNode;
  action?: string;
  onOverride?: () => void;
}

/** A field that an account has from the post, and the way to one of its own. */
export function Inherited({ label, says, children, action, onOverride }: InheritedProps) {
  return (
    <div className={classes.inherited}>
      <div className={classes.inheritedText}>
        <p className={textClasses.label}>{label}</p>
        <p className={classes.says}>
          <Icon name="links" size={12} />
          {says}
        </p>
        {children}
      </div>
      {onOverride && (
        <Button size="small" icon="pencil" onPress={onOverride}>
          {action}
        </Button>
      )}
    </div>
  );
}

/** A button that gives up what an account has of its own. */
export function InheritAgain({ action, onPress }: { action: string; onPress: () => void }) {
  return (
    <div>
      <Button size="small" variant="quiet" icon="links" onPress={onPress}>
        {action}
      </Button>
    </div>
  );
}

const number = new Intl.NumberFormat(locale);

interface CountersProps {
  draft: Draft;
  destinations: readonly Destination[];
}

/** The share of each platform's limits that a text uses. Excess is said in words, and read out once it begins. */
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
      <ul className={classes.counters} aria-label={words.composer.counts.label}>
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
    <span className={join(classes.counter, isOver && classes.over)}>
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

/** Returns one account for each text and kind of post: dozens may share them, and each letter is counted. */
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
