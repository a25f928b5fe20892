import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import { absent, present } from '../../table/condition.ts';
import { updateItem } from '../../table/items.ts';
import { webhookKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { removed } from '../../table/update.ts';
import type { Webhook } from '../schemas.ts';

/** The duration of an attempt from which an endpoint is slow. */
export const slowAfterMs = 2 * secondMs;

/** The duration of an attempt below which a slow endpoint is fast again. Half, so that it does not alternate. */
export const fastWithinMs = secondMs;

/**
 * Records that an endpoint is slow, or no longer slow, if an attempt shows that. Every write is conditional on the state that was
 * read, so a late one changes nothing.
 *
 * @param endpoint as read before the attempt
 * @param latencyMs the duration of the attempt, whatever its outcome
 * @param now epoch milliseconds
 */
export async function updateSpeed(
  table: Table,
  endpoint: Webhook,
  latencyMs: number,
  now: number,
): Promise<void> {
  const { workspaceId, id, slowSince } = endpoint;
  const key = webhookKey(workspaceId, id);
  if (slowSince === undefined && latencyMs >= slowAfterMs) {
    const asRead = { pk: present, slowSince: absent };
    await updateItem(table, key, { set: { slowSince: toTimestamp(now) }, if: asRead });
  }
  if (slowSince !== undefined && latencyMs < fastWithinMs) {
    await updateItem(table, key, { set: { slowSince: removed }, if: { slowSince } });
  }
}
