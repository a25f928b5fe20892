import { dayMs, hourMs, toTimestamp } from '../kernel/clock.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { expiringShard } from '../table/keys.ts';
import { type Account, accountState } from './schemas.ts';

/** The days before the end of an account's access at which its workspace is told. Earliest first. */
export const noticeDays = [7, 1] as const;

const timeOf = (days: number, endMs: number): number => endMs - days * dayMs;
const timesOf = (endMs: number): number[] => noticeDays.map((days) => timeOf(days, endMs));

/** No notice follows a connection within this time: the person who connects an account sees the end of its access. */
const quietAfterConnectingMs = hourMs;

/** An account's position in the index `overdue`: its shard and time. */
export interface NoticeKeys {
  readonly dueShard: string;
  readonly dueAt: string;
}

function keysAt(platform: Platform, atMs: number): NoticeKeys {
  return { dueShard: expiringShard(platform), dueAt: toTimestamp(atMs) };
}

/**
 * Returns the index keys for a new end of access: the time of the earliest notice, even if it has passed. Pure.
 *
 * @param reconnectBy the end, as a timestamp
 */
export function noticeKeys(platform: Platform, reconnectBy: string): NoticeKeys {
  return keysAt(platform, Math.min(...timesOf(Date.parse(reconnectBy))));
}

/**
 * Returns the index keys of the first notice for an account that was just connected. Skips notices whose time has passed or comes
 * within an hour, except the last one: the same notice would follow every connection, for example if Google's access lasts only
 * seven days.
 *
 * @returns undefined if the access does not end
 */
export function firstNoticeKeys({
  platform,
  reconnectBy,
  connectedAt,
}: Pick<Account, 'platform' | 'reconnectBy' | 'connectedAt'>): NoticeKeys | undefined {
  if (reconnectBy === undefined) return undefined;
  const times = timesOf(Date.parse(reconnectBy));
  const earliestMs = Date.parse(connectedAt) + quietAfterConnectingMs;
  return keysAt(platform, times.find((atMs) => atMs >= earliestMs) ?? Math.max(...times));
}

/** The next step for an account whose notice is due. */
export interface NoticeDecision {
  /** The notice to give now. Absent if it was given before, or if the account's access cannot end. */
  readonly days?: number;
  /** The next time to check the account; absent if never. */
  readonly next?: NoticeKeys;
}

/**
 * Decides from the current state. If the times of two notices have passed, only the later one is given. No notice is given once
 * the access has ended. Pure.
 *
 * @param now epoch milliseconds
 */
export function decideNotice(account: Account, now: number): NoticeDecision {
  const { platform, reconnectBy, expiringNotice: given } = account;
  const state = accountState(account);
  if (reconnectBy === undefined || state === 'disconnected') return {};
  const endMs = Date.parse(reconnectBy);
  const days = noticeDays.findLast((each) => timeOf(each, endMs) <= now);
  const nextMs = timesOf(endMs).find((atMs) => atMs > now);
  const isGiven = days !== undefined && given?.reconnectBy === reconnectBy && given.days <= days;
  const isTold = days !== undefined && !isGiven && now < endMs && state !== 'expired';
  return {
    ...(isTold && { days }),
    ...(nextMs !== undefined && { next: keysAt(platform, nextMs) }),
  };
}
