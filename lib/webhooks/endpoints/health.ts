import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { absent } from '../../table/condition.ts';
import { updateItem } from '../../table/items.ts';
import { webhookKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { removed } from '../../table/update.ts';
import type { Webhook } from '../schemas.ts';
import { webhookUpdate } from './store.ts';

/** An endpoint that has answered nothing but failures for so long is switched off. */
const givenUpAfterMs = 5 * dayMs;

/** What one attempt says about its endpoint. */
export interface Verdict {
  readonly delivered: boolean;
  /** The receiver wants no more. */
  readonly isGone: boolean;
  /** Why it failed, in words. */
  readonly error: string | null;
}

/**
 * Notes what an attempt says about its endpoint, if that is news: the first failure after a success, the first
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
  const healthy = { statusMessage: null, failingSince: removed };
  const update = webhookUpdate(endpoint, healthy, { isActive: true, failingSince });
  await updateItem(table, keyOf(endpoint), update);
}

async function noteFailure(
  table: Table,
  endpoint: Webhook,
  error: string | null,
  now: number,
): Promise<void> {
  const failing = { failingSince: toTimestamp(now), statusMessage: error };
  const asRead = { isActive: true, version: endpoint.version, failingSince: absent };
  await updateItem(table, keyOf(endpoint), webhookUpdate(endpoint, failing, asRead));
}

/**
 * Not if a client has changed the endpoint meanwhile: the attempt was one at the old endpoint.
 *
 * @param failingSince given if the reason is that nothing has gone through since then
 */
async function switchOff(
  table: Table,
  endpoint: Webhook,
  reason: string,
  failingSince: string | undefined,
): Promise<string | undefined> {
  const asRead = { isActive: true, version: endpoint.version, ...(failingSince && { failingSince }) };
  const update = webhookUpdate(endpoint, { isActive: false, statusMessage: reason }, asRead);
  const { written, item } = await updateItem(table, keyOf(endpoint), update);
  return written || item?.['isActive'] === false ? reason : undefined;
}

const keyOf = ({ workspaceId, id }: Webhook) => webhookKey(workspaceId, id);
