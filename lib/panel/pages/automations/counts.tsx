import { useEffect, useRef, useState } from 'react';
import type { readAutomationOperation } from '../../../automations/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { Icon } from '../../components/icon.tsx';
import { Time } from '../../components/time.tsx';
import { locale, words } from '../../words/words.ts';
import classes from './list.module.css';
import { shortReasonsOf } from './reasons.ts';
import type { Automation } from './titles.ts';

const texts = words.automationsPage.list;
/** Each row takes a request of its own. */
const everyMs = 60_000;
const numbers = new Intl.NumberFormat(locale);

/**
 * What an automation has done, and what waits. A list does not have this, so it is read for each row, once the row comes into sight.
 */
export function Counts({ automation }: { automation: Automation }) {
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(place);
  const read = useGet<typeof readAutomationOperation>(
    '/v1/comment-automations/{id}',
    { path: { id: automation.id } },
    { isEnabled: isSeen, refetchEveryMs: everyMs },
  );
  const { counts, waiting } = read.data?.automation ?? {};
  const isHourly = waiting?.reasons.every(({ reason }) => reason === 'hourly_limit') ?? false;
  const isUsed = {
    matched: true,
    replied: automation.commentReply !== null,
    messaged: automation.dmMessage !== null,
    clicks: automation.dmMessage !== null,
    failed: true,
  };
  return (
    <div ref={place} className={classes.counts}>
      <dl className={classes.numbers}>
        {(['matched', 'replied', 'messaged', 'clicks', 'failed'] as const).map((name) => (
          <div key={name}>
            <dt>{texts.counts[name]}</dt>
            <dd className={counts?.[name] ? (name === 'failed' ? classes.failed : undefined) : classes.zero}>
              {counts === undefined
                ? '…'
                : isUsed[name] || counts[name] > 0
                  ? numbers.format(counts[name])
                  : '–'}
            </dd>
          </div>
        ))}
      </dl>
      {waiting !== undefined && waiting.count > 0 && (
        <p className={classes.waiting}>
          <Icon name="clock" size={14} />
          <span>
            {isHourly
              ? texts.waiting(waiting.count)
              : texts.waitingFor(waiting.count, shortReasonsOf(waiting.reasons))}{' '}
            {isHourly && waiting.until !== null && (
              <>
                {texts.until} <Time at={waiting.until} format="time" isInline />
              </>
            )}
          </span>
        </p>
      )}
      {read.isError && !read.data && <p className={classes.minor}>{texts.countsFailed}</p>}
    </div>
  );
}

/** Whether an element has been in sight, or close to it. */
function useIsSeen(place: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '200px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen, place]);
  return isSeen;
}
