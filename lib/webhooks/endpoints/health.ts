import { dayMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { absent, atMost, moreThan, present } from '../../table/condition.ts';
import { updateItem } from '../../table/items.ts';
import { webhookKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { removed } from '../../table/update.ts';
import { type Webhook, webhookLimits } from '../schemas.ts';
import { webhookUpdate } from './store.ts';

/** The time after which an endpoint is disabled if every attempt fails. */
const disabledAfterMs = 5 * dayMs;

/** The verdict of one attempt about its endpoint. */
export interface Verdict {
  readonly delivered: boolean;
  /** True if the receiver responded 410: it wants no more events. */
  readonly isGone: boolean;
  /** The reason that the attempt failed, in words. */
  readonly error: string | null;
}

/**
 * Updates an endpoint's health after an attempt, if it changed: at the first failure after a success, at the first success after
 * a failure, and at the failure that disables the endpoint. Every write is conditional on the health that was read, so a late one
 * changes nothing.
 *
 * Called before the attempt is recorded: if the worker crashes in between, the repeated attempt updates the health again.
 *
 * @param endpoint as read before the attempt
 * @param now epoch milliseconds
 * @returns the reason that the endpoint is disabled now; `undefined` while it is active
 */
export async function updateHealth(
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
  if (verdict.isGone) return disable(table, endpoint, 'disabled: the receiver responded 410 Gone', undefined);
  if (failingSince === undefined) {
    await noteFailure(table, endpoint, verdict.error, now);
    return undefined;
  }
  if (now - Date.parse(failingSince) < disabledAfterMs) return undefined;
  const reason = `disabled: every attempt has failed for ${disabledAfterMs / dayMs} days; last error: ${verdict.error}`;
  return disable(table, endpoint, reason, failingSince);
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
 * Disables an endpoint, unless a client has changed it since it was read: the attempt went to the old endpoint.
 *
 * @param failingSince given if every attempt since then has failed
 */
async function disable(
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

const unanswered = `resting: none of ${webhookLimits.attemptsToUnanswering} attempts was answered with 2xx; send a test event`;

/**
 * Takes one of the attempts that are left to an endpoint that has never answered with 2xx. Called before each attempt, so that no
 * crash and no concurrent worker makes more of them.
 *
 * @param endpoint as read before the attempt
 * @returns the reason to send nothing; `undefined` if the attempt may be made
 */
export async function takeAttempt(table: Table, endpoint: Webhook): Promise<string | undefined> {
  if (endpoint.attemptsLeft === undefined) return undefined;
  const { written, item } = await updateItem(table, keyOf(endpoint), {
    add: { attemptsLeft: -1 },
    if: { url: endpoint.url, attemptsLeft: moreThan(0) },
  });
  if (written || item?.['attemptsLeft'] === undefined) return undefined;
  // SQS delivers the message again, and it goes to the new URL.
  if (item['url'] !== endpoint.url) throw new Error(`the URL of endpoint ${endpoint.id} has just changed`);
  await updateItem(table, keyOf(endpoint), {
    set: { statusMessage: unanswered },
    if: { url: endpoint.url, isActive: true, attemptsLeft: atMost(0) },
  });
  return unanswered;
}

/**
 * Records that an endpoint has answered with 2xx. From then on its attempts are not limited.
 *
 * @param endpoint as read before the attempt
 */
export async function noteAnswer(table: Table, endpoint: Webhook): Promise<void> {
  if (endpoint.attemptsLeft === undefined) return;
  await updateItem(table, keyOf(endpoint), {
    set: { attemptsLeft: removed, statusMessage: null },
    if: { url: endpoint.url, isActive: true, attemptsLeft: present },
  });
}

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
