import type { Measurement } from '../metrics/measurements.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { OutcomeCode } from '../targets/outcome-codes.ts';
import type { Target } from '../targets/schemas.ts';
import { hasPartsLeft } from '../targets/thread.ts';
import type { TimelineEvent } from '../targets/timeline.ts';
import { fails, goesLive, latenessMs } from './measurements.ts';

/** The outcome of a destination, as logged for operators. The ids of the destination are keys of the line. */
export interface OutcomeLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: (typeof outcomeMessages)[OutcomeState];
  readonly details: {
    readonly state: OutcomeState;
    readonly platform: Platform;
    readonly code?: OutcomeCode | undefined;
    readonly reason?: string | undefined;
    /** Absent unless it went live at a planned time. */
    readonly lateMs?: number | undefined;
    /** The time of the next try or lookup; absent if there is none, or if it is unknown (a pause). */
    readonly nextAt?: string | undefined;
  };
}

export type OutcomeState = 'live' | 'incomplete' | 'postponed' | 'failed' | 'unknown';

/** The runbook's saved queries and its operators search for these. */
export const outcomeMessages = {
  live: 'a destination went live',
  incomplete: 'a live destination could not be finished',
  postponed: 'a destination was put off',
  failed: 'a destination failed',
  unknown: 'the outcome of a destination is unknown',
} as const;

const levels = {
  live: 'info',
  incomplete: 'warn',
  postponed: 'warn',
  failed: 'warn',
  unknown: 'error',
} as const satisfies Record<OutcomeState, OutcomeLine['level']>;

/**
 * Returns the line of the log about a committed change that settles a destination or puts it off; `undefined` for any other.
 * Pure. Like the metrics, the line is derived from the commit, so a worker that crashes after its commit is logged too.
 *
 * @param before the target as it was; absent for a new one
 * @param after the target as it is; absent if it was deleted
 */
export function outcomeLineOf(
  before: Target | undefined,
  after: Target | undefined,
): OutcomeLine | undefined {
  const state = after && stateOf(before, after);
  if (!after || !state) return undefined;
  const { platform, error } = after;
  const step = after.timeline.at(-1);
  const isLookup = state === 'postponed' && step?.event === 'outcome unknown';
  const code = isLookup ? 'outcome_unknown' : after.errorDetail?.code;
  const reason = isLookup ? step?.reason : error;
  const lateMs = state === 'live' ? latenessMs(after) : undefined;
  // A pause ends when a person ends it: its wake is only the moment at which the destination would be too late.
  const nextAt = state === 'postponed' && step?.event !== 'paused' ? after.wakeAt : undefined;
  const details = {
    state,
    platform,
    ...(code !== undefined && state !== 'live' && { code }),
    ...(reason !== undefined && state !== 'live' && { reason }),
    ...(lateMs !== undefined && { lateMs }),
    ...(nextAt !== undefined && { nextAt }),
  };
  return { level: levels[state], message: outcomeMessages[state], details };
}

/** Returns the metric of a destination that was put off; none for another outcome. Pure. */
export function putOffCount(line: OutcomeLine | undefined): Measurement[] {
  if (line?.details.state !== 'postponed') return [];
  const { platform, code = 'unknown' } = line.details;
  return [{ name: 'DestinationsPutOff', value: 1, platform, reason: code }];
}

function stateOf(before: Target | undefined, after: Target): OutcomeState | undefined {
  if (goesLive(before, after)) return 'live';
  if (fails(before, after)) return after.errorDetail?.code === 'outcome_unknown' ? 'unknown' : 'failed';
  if (!hasNewStep(before, after)) return undefined;
  const event = after.timeline.at(-1)?.event;
  if (event === 'finished' && after.error !== undefined) return 'incomplete';
  const isWaiting = after.status === 'scheduled' || after.status === 'publishing';
  const isOver = after.publishedAt !== undefined && !hasPartsLeft(after);
  if (!isWaiting || isOver || event === undefined) return undefined;
  // What is tried again at once shows no problem. Waiting for a platform to process a post is a part of publishing.
  const hasProblem = after.error !== undefined && postponing.has(event);
  return hasProblem || event === 'outcome unknown' ? 'postponed' : undefined;
}

const postponing: ReadonlySet<TimelineEvent> = new Set(['trying again', 'waiting', 'paused']);

function hasNewStep(before: Target | undefined, after: Target): boolean {
  const [old, latest] = [before?.timeline.at(-1), after.timeline.at(-1)];
  return (
    latest !== undefined &&
    (old === undefined ||
      old.at !== latest.at ||
      old.event !== latest.event ||
      old.attempt !== latest.attempt)
  );
}
