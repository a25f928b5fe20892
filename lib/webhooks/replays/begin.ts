import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { absent } from '../../table/condition.ts';
import { replayKey, replayShard, webhookKey } from '../../table/keys.ts';
import { leastDeliveryDays } from '../../table/retention.ts';
import { retentionOf } from '../../table/table.ts';
import { checkPart, putPart, transact } from '../../table/transaction.ts';
import { disabled } from '../deliveries/enqueue.ts';
import { getWebhook } from '../endpoints/read.ts';
import { type Feed, type FeedPosition, findFeed, nextPlaces, positionBefore } from '../feed/places.ts';
import { expired, positionOf, requireOn, sealPosition } from '../feed/read.ts';
import { endpointSubject, type Replay, webhookLimits } from '../schemas.ts';
import type { ReplayBody } from './operations.ts';

/** The answer to a request for a replay. */
export interface BegunReplay {
  readonly events: number;
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

/**
 * Stores a replay, whose deliveries `runReplays` makes, with its entry in the audit log.
 *
 * @throws HeraldError `not_found`, also for another workspace's endpoint; `webhook_disabled`; `replay_in_progress` if the endpoint
 *   has a replay that is not complete; `event_feed_off`; `events_expired`; `invalid` for `after` and `since`
 */
export async function beginReplay(
  context: Context,
  webhookId: string,
  body: ReplayBody,
): Promise<BegunReplay> {
  const { table, workspaceId, now } = context;
  const webhook = await getWebhook(context, webhookId);
  if (!webhook.isActive) throw disabled();
  const feed = requireOn(await findFeed(table, workspaceId));
  const { head } = feed;
  const start = await startOf(context, feed, body);
  if ((await nextPlaces(table, workspaceId, head, start, 1, now)) === 'expired')
    throw await expired(context, feed);
  const through = Math.min(head.sequence, start.sequence + webhookLimits.eventsPerReplay);
  const end = { sequence: through, recordedAt: through === head.sequence ? head.recordedAt : '' };
  const begun = {
    events: through - start.sequence,
    nextCursor: sealPosition(context, feed, end),
    hasMore: through < head.sequence,
  };
  const replay: Replay = {
    id: newId(now),
    workspaceId,
    webhookId,
    ...(body.types && { types: [...new Set(body.types)] }),
    afterSequence: start.sequence,
    throughSequence: through,
    isToEnd: !begun.hasMore,
    requestedAt: toTimestamp(now),
    dueAt: toTimestamp(now),
    expiresAtSeconds: Math.ceil((now + retentionOf(table).deliveries * dayMs) / 1_000),
  };
  const item = { ...replayKey(workspaceId, webhookId), kind: 'replay', ...replay, dueShard: replayShard };
  const outcome = await transact(table, [
    checkPart(table, webhookKey(workspaceId, webhookId), { isActive: true }, { returnOld: true }),
    putPart(table, item, { pk: absent }),
    auditPart(context, endpointSubject(webhook)),
  ]);
  if (outcome.committed) return begun;
  if (outcome.failedIndex === 0) throw outcome.oldItem ? disabled() : notFound('webhook');
  throw new HeraldError(
    'replay_in_progress',
    'webhook: its last replay is still being made; try again in a minute',
  );
}

/**
 * Returns the position after which a replay begins.
 *
 * @throws HeraldError `field_required` or `contradictory_fields` unless exactly one of `after` and `since` is given;
 *   `events_expired` if events since the time are not kept
 */
async function startOf(context: Context, feed: Feed, { after, since }: ReplayBody): Promise<FeedPosition> {
  const { table, workspaceId, now } = context;
  if (after !== undefined && since !== undefined)
    throw invalidField('since', 'cannot be combined with `after`; give one of them', 'contradictory_fields');
  if (after !== undefined) return positionOf(context, feed, after);
  if (since === undefined) throw invalidField('after', 'give either `after` or `since`', 'field_required');
  const from = toTimestamp(Date.parse(since));
  if (from < (feed.since ?? '')) throw await expired(context, feed);
  const oldest = await positionBefore(table, workspaceId, feed, now);
  const start = await positionBefore(table, workspaceId, feed, now, from);
  const isRecent = from > toTimestamp(now - leastDeliveryDays * dayMs);
  // What has expired may have been recorded after the time too, unless a kept event was recorded before it.
  if (!isRecent && oldest.sequence > feed.after && start.sequence === oldest.sequence)
    throw await expired(context, feed);
  return start;
}
