import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { conditionalUpdate } from '../../table/conditional-update.ts';
import { webhookKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { givenUpAfterMs } from '../deliveries/retry-schedule.ts';
import type { Webhook } from '../schemas.ts';

/** What one attempt says about its endpoint. */
export interface Verdict {
  readonly delivered: boolean;
  /** The receiver wants no more. */
  readonly isGone: boolean;
  /** Why it failed, in words. */
  readonly error: string | null;
}

/**
 * Notes what an attempt says about its endpoint, where that is news: the first failure after a success, the first
 * success after a failure, and the failure that makes Herald give the endpoint up. Every write is conditional on what
 * it answers; one that comes late changes nothing.
 *
 * It is done before the attempt itself is written down: an attempt that is made again after a crash says the same again.
 *
 * @param endpoint as it was read before the attempt
 * @param now epoch milliseconds
 * @returns why the endpoint is switched off by now; `undefined` while it is not
 */
export async function noteHealth(
  table: Table,
  endpoint: Webhook,
  verdict: Verdict,
  now: number,
): Promise<string | undefined> {
  const { failingSince } = endpoint;
  if (verdict.delivered) {
    if (failingSince !== undefined) await noteSuccess(table, endpoint, failingSince);
    return undefined;
  }
  if (verdict.isGone)
    return switchOff(table, endpoint, 'switched off: the receiver answered 410 Gone', undefined);
  if (failingSince === undefined) {
    await noteFailure(table, endpoint, verdict.error, now);
    return undefined;
  }
  if (now - Date.parse(failingSince) < givenUpAfterMs) return undefined;
  const reason = `switched off: every attempt has failed for ${givenUpAfterMs / dayMs} days; ${verdict.error}`;
  return switchOff(table, endpoint, reason, failingSince);
}

async function noteSuccess(table: Table, endpoint: Webhook, failingSince: string): Promise<void> {
  await conditionalUpdate(table, {
    Key: webhookKey(endpoint.workspaceId, endpoint.id),
    UpdateExpression: 'SET statusMessage = :none REMOVE failingSince',
    ConditionExpression: 'isActive = :on AND failingSince = :since',
    ExpressionAttributeValues: { ':none': null, ':on': true, ':since': failingSince },
  });
}

async function noteFailure(
  table: Table,
  { workspaceId, id, version }: Webhook,
  error: string | null,
  now: number,
): Promise<void> {
  await conditionalUpdate(table, {
    Key: webhookKey(workspaceId, id),
    UpdateExpression: 'SET failingSince = :now, statusMessage = :message',
    ConditionExpression: 'isActive = :on AND version = :version AND attribute_not_exists(failingSince)',
    ExpressionAttributeValues: {
      ':now': toTimestamp(now),
      ':message': error,
      ':on': true,
      ':version': version,
    },
  });
}

/**
 * Not where a client has changed the endpoint meanwhile: the attempt was one at the old endpoint.
 *
 * @param failingSince where the reason is that nothing has gone through since then
 */
async function switchOff(
  table: Table,
  { workspaceId, id, version }: Webhook,
  reason: string,
  failingSince: string | undefined,
): Promise<string | undefined> {
  const { written, item } = await conditionalUpdate(table, {
    Key: webhookKey(workspaceId, id),
    UpdateExpression: 'SET isActive = :off, statusMessage = :reason',
    ConditionExpression: `isActive = :on AND version = :version${failingSince ? ' AND failingSince = :since' : ''}`,
    ExpressionAttributeValues: {
      ':off': false,
      ':on': true,
      ':reason': reason,
      ':version': version,
      ...(failingSince && { ':since': failingSince }),
    },
  });
  return written || item?.['isActive'] === false ? reason : undefined;
}
