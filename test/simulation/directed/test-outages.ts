import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { type Outage, outageParts } from '../world/faults.ts';
import { type OutageRun, runOutage } from './outages.ts';

type Part = Outage['of'];
/** An outage of one part, or of two at the same time. */
export type OutageCase = readonly [hours: number, one: Part, other?: Part];

/** The stream keeps its records for a day. After a longer outage, an operator rebuilds what follows from them. */
const longestHours: Readonly<Partial<Record<Part, number>>> = { stream: 15 };

const pairs = outageParts.flatMap((one, index) =>
  outageParts.slice(index + 1).map((other) => [one, other] as const),
);

/** Each part for 3, 15 and 30 hours, and each pair for 3 and 15 hours. */
export const allOutages: readonly OutageCase[] = [
  ...outageParts.flatMap((part) =>
    [3, 15, 30]
      .filter((hours) => hours <= (longestHours[part] ?? 30))
      .map((hours): OutageCase => [hours, part]),
  ),
  ...pairs.flatMap(([one, other]) => [3, 15].map((hours): OutageCase => [hours, one, other])),
];

/** An outage of each part, as short as shows its effect. */
export const shortOutages: readonly OutageCase[] = outageParts.map(
  (part) => [effectOf(part) === 'failing' ? 1 : 3, part] as const,
);

/** Returns the effect of a part's outage on a target: its worker cannot run, its work fails, or neither. */
function effectOf(part: Part, platform?: string, post?: string): 'stopped' | 'failing' | 'none' {
  switch (part) {
    case 'table':
    case 'queue':
      return 'stopped';
    // The sweep needs neither.
    case 'scheduler':
    case 'stream':
      return 'none';
    case 'files':
      // The posts on LinkedIn are text without files. YouTube has the file of the early post since before the outage.
      return platform === 'linkedin' || (platform === 'youtube' && post === 'early') ? 'none' : 'failing';
    case 'key service':
    case 'parameters':
    case 'platforms':
      return 'failing';
  }
}

/** Failing work is tried this long. */
const longestRetryMs = 6 * hourMs;

/** The expected end of a target that was due at a time: what could not be tried is published if it is at most a day late. */
function expectedOf(effects: readonly string[], lateMs: number): string {
  if (effects.includes('stopped')) return lateMs > dayMs ? 'missed' : 'published';
  return effects.includes('failing') && lateMs > longestRetryMs ? 'given up' : 'published';
}

/** Allowed delay of a target after its due time or the end of the outage that held it up. */
const latenessMs = 90 * secondMs;
/** The same if only Scheduler is down: the sweep takes its place. */
const withoutSchedulerMs = 60 * secondMs;
/** The longest wait before work is tried again that has failed for an hour. It begins minutes before it is due. */
const slowRetryMs = 15 * minuteMs;

function checkLateness({ ledger, dueMs, backMs }: OutageRun, parts: readonly Part[]): void {
  for (const { platform, post, liveMs } of ledger) {
    const due = dueMs[post.content] ?? 0;
    const effects = parts.map((part) => effectOf(part, platform, post.content));
    const isHeldUp = effects.some((effect) => effect !== 'none');
    const earliestMs = isHeldUp ? Math.max(backMs, due) : due;
    const isSlow = effects.includes('failing') && backMs - due > 20 * minuteMs;
    const isOnlyScheduler = parts.every((part) => part === 'scheduler');
    const allowedMs = (isOnlyScheduler ? withoutSchedulerMs : latenessMs) + (isSlow ? slowRetryMs : 0);
    expect(liveMs - earliestMs, `${post.content} on ${platform}`).toBeLessThan(allowedMs);
  }
}

/** Tests that every target is handled once in these outages. */
export function testOutages(outages: readonly OutageCase[]): void {
  describe.each(
    outages.map(([hours, ...named]) => {
      const parts = named.filter((part) => part !== undefined);
      return { hours, parts, title: parts.join(' and ') };
    }),
  )('an outage of $hours hours of $title', ({ hours, parts }) => {
    it('leaves every target handled once: published soon after it, or failed for a stated reason if that is too late', {
      timeout: 120_000,
    }, async () => {
      const run = await runOutage(parts, hours);
      expect(run.violation).toBeUndefined();
      expect(run.outcomes).toHaveLength(12);
      for (const { name, platform, outcome } of run.outcomes) {
        const effects = parts.map((part) => effectOf(part, platform, name));
        const expected = expectedOf(effects, run.backMs - (run.dueMs[name] ?? 0));
        expect(outcome, `${name} on ${platform}`).toBe(expected);
      }
      checkLateness(run, parts);
    });
  });
}
