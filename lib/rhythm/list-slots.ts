import type { Context } from '../api-contract/context.ts';
import { readCalendar } from '../calendar/read.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { findSlots, horizonMs, longestReachMs, offsetSpans, reachOf, toLocalTime } from './slots.ts';
import { readRhythm, rhythmOwnerOf } from './store.ts';

export interface FreeSlots {
  /** The time zone of the rhythm, and of `local`. */
  readonly timezone: string;
  readonly slots: readonly { readonly at: string; readonly local: string }[];
}

/**
 * Returns the slots that the caller's next posts with `scheduledFor: "auto"` would get on one account, one after the
 * other. Writes nothing, so the slots stay free for others. Reads the rhythm, and then the calendar as `chooseSlot`
 * does, with at most four requests. A slot that is just being claimed may still be in the list.
 *
 * @param count the most slots to return; fewer if no more are free within 90 days
 * @throws HeraldError `not_found` as {@link readRhythm}
 */
export async function listFreeSlots(context: Context, accountId: string, count: number): Promise<FreeSlots> {
  const { table, workspaceId, actor, now } = context;
  const rhythm = await readRhythm(context, accountId);
  const latestMs = now + horizonMs;
  const reachMs = reachOf(rhythm);
  const [part, offsets] = await Promise.all([
    readCalendar(table, { workspaceId, accountId }, { fromMs: now - reachMs, untilMs: latestMs + reachMs }),
    offsetSpans(rhythm.timezone, now - longestReachMs, latestMs + longestReachMs),
  ]);
  const owner = rhythmOwnerOf(actor);
  const entries = part.entries.map(({ atMs, autoKeyId }) => ({ atMs, isOwn: autoKeyId === owner }));
  const slots = findSlots([{ rhythm, offsets, entries }], {
    earliestMs: now,
    latestMs: Math.min(latestMs, part.knownUntilMs - reachMs),
    count,
  });
  return {
    timezone: rhythm.timezone,
    slots: slots.map((atMs) => ({ at: toTimestamp(atMs), local: toLocalTime(atMs, offsets) })),
  };
}
