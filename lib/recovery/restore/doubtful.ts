import { minuteMs, toTimestamp } from '../../kernel/clock.ts';
import type { CallRecord } from '../../platforms/contract/last-call.ts';
import type { StoredChainStep } from '../../posts/stored/chain-schemas.ts';
import type { Target } from '../../targets/schemas.ts';
import { isLive } from '../../targets/state.ts';
import { hasPartsLeft } from '../../targets/thread.ts';

/** The time that a backup does not cover, in epoch milliseconds: from the backup until publishing stopped. */
export interface Gap {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/**
 * The treatment of a target of a restored table, so that nothing happens twice:
 * - `look up`: it was due in the gap or before. It may be live, so the platform is asked;
 * - `look up`, too: the rest of its thread, which may have gone live in the gap;
 * - `stop finishing`: it is live. Its first comment may have been written in the gap;
 * - `nothing`: it was due later, or has ended.
 */
export type Doubt = 'look up' | 'stop finishing' | 'nothing';

/** Decides how to treat a target. Pure. */
export function doubtAbout(target: Target, { untilMs }: Gap): Doubt {
  const { status, scheduledFor, publishedAt, wakeAt, calls = [] } = target;
  // After an earlier restore, a person's retry may have begun since: then its record is no longer open.
  const isHeld = status === 'publishing' && calls.at(-1)?.isRestored && calls.at(-1)?.outcome === 'open';
  if (wakeAt === undefined || isHeld) return 'nothing';
  if (hasPartsLeft(target)) return 'look up';
  if (publishedAt !== undefined || isLive(status)) return 'stop finishing';
  if (status === 'publishing') return 'look up';
  return status === 'scheduled' && Date.parse(scheduledFor ?? '') <= untilMs ? 'look up' : 'nothing';
}

/**
 * Adds the record of the calls that a backup may be missing. They were made with its preparation or with another one, after the
 * backup, and not before the target was due. Pure.
 */
export function withRestoredCall(
  { calls = [], preparation = {}, scheduledFor }: Target,
  { sinceMs, untilMs }: Gap,
): CallRecord[] {
  const dueMs = Date.parse(scheduledFor ?? '');
  const firstMs = dueMs > sinceMs && dueMs <= untilMs ? dueMs : sinceMs;
  const earlier = calls.map((call) =>
    call.outcome === 'open' ? { ...call, outcome: 'repeated' as const } : call,
  );
  const restored: CallRecord = {
    intentAt: toTimestamp(firstMs),
    token: calls.at(-1)?.outcome === 'open' ? (calls.at(-1)?.token ?? preparation) : preparation,
    endedAt: toTimestamp(untilMs),
    outcome: 'open',
    lookups: 0,
    misses: 0,
    isRestored: true,
  };
  return [...earlier, restored];
}

/**
 * Returns the positions of the steps of a chain that may have become posts in the gap. Pure. @param dueMs the time at which its
 * post was due
 */
export function doubtfulSteps(
  chain: readonly StoredChainStep[],
  dueMs: number,
  { sinceMs, untilMs }: Gap,
): number[] {
  return chain.flatMap(({ status, afterMinutes }, index) =>
    status === 'waiting' && Math.max(dueMs, sinceMs) + afterMinutes * minuteMs <= untilMs ? [index] : [],
  );
}
