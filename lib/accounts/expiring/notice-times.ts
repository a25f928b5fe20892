import { dayMs, hourMs, toTimestamp } from '../../kernel/clock.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import { expiringShard } from '../../table/keys.ts';
import { type Account, accountState } from '../schemas.ts';

/** How many days before the end of an account's access its workspace is told. Earliest first. */
export const noticeDays = [7, 1] as const;

const timeOf = (days: number, endMs: number): number => endMs - days * dayMs;
const timesOf = (endMs: number): number[] => noticeDays.map((days) => timeOf(days, endMs));

/** The person who connects an account is shown the end of its access, so a notice that would follow so soon is left out. */
const quietAfterConnectingMs = hourMs;

/** Where the index `overdue` has an account: its shard and time. */
export interface NoticeKeys {
  readonly dueShard: string;
  readonly dueAt: string;
}

function keysAt(platform: Platform, atMs: number): NoticeKeys {
  return { dueShard: expiringShard(platform), dueAt: toTimestamp(atMs) };
}

/**
 * When a new end of access must be looked at first: at the earliest notice, even if its time has passed. Pure.
 *
 * @param reconnectBy the end, as a timestamp
 */
export function noticeKeys(platform: Platform, reconnectBy: string): NoticeKeys {
  return keysAt(platform, Math.min(...timesOf(Date.parse(reconnectBy))));
}

/**
 * When the first notice of an account that was just connected is due. A notice whose time has passed, or comes within an hour,
 * is left out unless it is the last one: connecting again would bring it again, such as with Google's access for seven days.
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

/** What to do about an account whose notice is due. */
export interface NoticeDecision {
  /** The notice that must be given now. Absent if it was given, or if the account has no access that could end. */
  readonly days?: number;
  /** When to look at the account again; absent if never. */
  readonly next?: NoticeKeys;
}

/**
 * Decides by what is true now: of two notices whose times have passed, only the later one is given, and none once the access
 * has ended. Pure.
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
