import * as z from 'zod';
import { toTimestamp } from '../kernel/clock.ts';
import { absent, anyOf } from '../table/condition.ts';
import { getItem } from '../table/items.ts';
import { feedHeadKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type ItemUpdate, ifAbsent, removed } from '../table/update.ts';
import { Workspace } from './schemas.ts';

/** The part of a workspace that says whether its events are recorded. */
export const EventFeedSwitch = Workspace.pick({
  eventFeedSince: true,
  eventFeedOff: true,
  eventFeedAfter: true,
  erasingSince: true,
});
export type EventFeedSwitch = z.infer<typeof EventFeedSwitch>;

/** The end of a workspace's event feed. */
export const FeedHead = z.object({
  /** The sequence of the last event. */
  sequence: z.int(),
  /** The time at which the last event was recorded. It never decreases, whatever the clocks say. */
  recordedAt: z.string(),
  /** The time at which the last event expires, in epoch seconds. It never decreases either, whatever the stage's setting. */
  lastExpiresAtSeconds: z.int(),
});
export type FeedHead = z.infer<typeof FeedHead>;

/** Returns the end of a feed, from its item. Before the first event there is none. */
export const feedHeadOf = (item: unknown): FeedHead =>
  item === undefined ? { sequence: 0, recordedAt: '', lastExpiresAtSeconds: 0 } : FeedHead.parse(item);

/**
 * Returns the time since which a workspace's events are recorded; `undefined` if they are not. From the beginning of its erasure on
 * they are not, so that no late event brings the erased feed back.
 */
export const recordedSince = (workspace: EventFeedSwitch): string | undefined =>
  workspace.eventFeedOff || workspace.erasingSince !== undefined ? undefined : workspace.eventFeedSince;

type FeedChange = Pick<ItemUpdate, 'set' | 'if'>;

/** Returns the attributes that turn the feed on, unless somebody has decided about it before. */
export const firstUse = (now: number) => ({ eventFeedSince: ifAbsent(toTimestamp(now)) });

/**
 * Returns the change that turns a workspace's event feed on or off; `undefined` if it is so already. A feed that is turned on again
 * begins after everything that was recorded before: between the two, events are missing.
 *
 * @param before as read
 */
export async function switchFeed(
  table: Table,
  before: Workspace,
  isOn: boolean,
  now: number,
): Promise<FeedChange | undefined> {
  if (isOn === (recordedSince(before) !== undefined))
    return isOn || before.eventFeedOff ? undefined : off(now);
  if (!isOn) return off(now);
  const isFirst = before.eventFeedSince === undefined;
  const { sequence } = feedHeadOf(isFirst ? undefined : await getItem(table, feedHeadKey(before.id)));
  return {
    set: {
      eventFeedSince: toTimestamp(now),
      eventFeedOff: removed,
      ...(sequence > 0 && { eventFeedAfter: sequence }),
    },
    if: { eventFeedSince: before.eventFeedSince ?? absent, eventFeedOff: isFirst ? absent : true },
  };
}

const off = (now: number): FeedChange => ({
  set: { ...firstUse(now), eventFeedOff: true },
  if: { eventFeedOff: anyOf(absent, false) },
});
