/** Messages about posts in a local run: a line for each destination that has settled, and a summary at the end. */
import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { latenessMs } from '../../lib/publishing/measurements.ts';
import type { ItemChange } from '../../lib/table/stream.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { toErrorDetail } from '../../lib/targets/problem.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import { isLive, isSettled } from '../../lib/targets/state.ts';
import { readable } from '../readable.ts';

/** A destination that has just become live or has just failed. */
export interface Settlement {
  readonly isLive: boolean;
  /** The console's line: time, platform, post and outcome. */
  readonly line: string;
}

/**
 * Returns the settlement that a change of the table commits. Pure.
 *
 * @returns `undefined` for any other change
 * @throws if the target cannot be read
 */
export function settlementOf({ before, after }: ItemChange): Settlement | undefined {
  if (before?.['kind'] !== 'target' || after === undefined) return undefined;
  const [was, target] = [targetFromItem(before), targetFromItem(after)];
  if (isSettled(was.status) || !isSettled(target.status)) return undefined;
  const { platform, postId, timeline } = target;
  const at = timeline.at(-1)?.at ?? target.publishedAt ?? '';
  return {
    isLive: isLive(target.status),
    line: `${at}  ${platform.padEnd(longestName)}  ${postId}  ${resultOf(target)}`,
  };
}

const longestName = 'instagram'.length;

function resultOf(target: Target): string {
  const { status, error } = target;
  const detail = toErrorDetail(target);
  const problem = detail === null ? '' : `${readable(error ?? '')} [${detail.code}]`;
  if (!isLive(status)) return `failed: ${problem}`;
  const lateMs = latenessMs(target);
  const late = lateMs === undefined ? 'live' : `live ${(lateMs / secondMs).toFixed(1)} s late`;
  return problem === '' ? late : `${late}, but: ${problem}`;
}

/** The counts of a local run. */
export interface Tally {
  live: number;
  failed: number;
  requests: number;
}

/**
 * Returns the last line of a local run.
 *
 * @param ranMs the run's duration in milliseconds
 */
export function summaryOf({ live, failed, requests }: Tally, ranMs: number): string {
  const seconds = Math.round(ranMs / secondMs);
  const perMinute = minuteMs / secondMs;
  const time =
    seconds < perMinute ? `${seconds} s` : `${Math.floor(seconds / perMinute)} min ${seconds % perMinute} s`;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `Ran for ${time}: ${count(live, 'destination')} live, ${failed} failed, ${count(requests, 'request')} to the API.`;
}
