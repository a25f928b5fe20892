import { hourMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { absent, type Condition, moreThan, unconditionally } from '../table/condition.ts';
import { getItem, type Item, updateItem } from '../table/items.ts';
import { connectionKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { type ItemUpdate, removed } from '../table/update.ts';
import type { ConnectionError } from './errors.ts';
import { Connection, type ConnectionStatus, connectionLifeCycle } from './schemas.ts';

/** The time for which an attempt can be read after its last step has ended. */
const keptMs = 24 * hourMs;

/** Returns the time to live of an item from the end of its present step. */
const keptUntilSeconds = (expiresAt: string) => Math.ceil((Date.parse(expiresAt) + keptMs) / secondMs);

/**
 * Returns the id of an attempt. With the state itself, a browser could continue it, so neither the table nor the audit log has
 * it.
 */
export const attemptId = (state: string): string => sha256(state);

/**
 * @param state the attempt's state; only its digest is stored, so that a reader of the table cannot complete another user's
 *   connection
 * @param audit the attempt's entry of the audit log
 */
export async function insertConnection(
  table: Table,
  state: string,
  connection: Omit<Connection, 'status' | 'expiresAtSeconds'>,
  audit: TransactionItems = [],
): Promise<void> {
  // The key is the digest of a new random state, so there is nothing to overwrite, and repeating the write is safe.
  const item = { ...connectionKey(attemptId(state)), kind: 'connection', status: 'pending', ...connection };
  const stored = { ...item, expiresAtSeconds: keptUntilSeconds(connection.expiresAt) };
  await transact(table, [putPart(table, stored, unconditionally), ...audit]);
}

/**
 * Reads an attempt.
 *
 * @param now epoch milliseconds. DynamoDB removes an item up to days after its time to live, so the time is checked here
 */
export async function findConnection(
  table: Table,
  state: string,
  now: number,
): Promise<Connection | undefined> {
  const item = await getItem(table, connectionKey(attemptId(state)));
  const connection = item && Connection.parse(item);
  return (connection?.expiresAtSeconds ?? Infinity) * secondMs > now ? connection : undefined;
}

/** The reason that a browser cannot continue an attempt. */
export type Unusable = 'unknown' | 'wrong platform' | 'other browser' | 'used' | 'expired';

/** The step that a browser wants to take: the state, the URL's platform, and the browser's secret. */
export interface Step {
  readonly state: string;
  readonly platform: string;
  /** `undefined` if the browser has none. */
  readonly browserSecret: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type Found =
  | { readonly state: 'usable'; readonly connection: Connection }
  | { readonly state: Unusable; readonly connection?: Connection };

/** Reads an attempt whose browser has not returned from the platform. Until then, any browser may open it. */
export async function findPending(table: Table, step: Omit<Step, 'browserSecret'>): Promise<Found> {
  return judge(await findConnection(table, step.state, step.now), step, 'pending');
}

/** Reads an attempt whose user chooses accounts, for the browser that returned with it. */
export async function findChoosing(table: Table, step: Step): Promise<Found> {
  const connection = await findConnection(table, step.state, step.now);
  return judge(connection, step, 'choosing', step.browserSecret ?? '');
}

/**
 * Binds an attempt to a browser. Before the browser has returned, another browser may replace it: the first one is then
 * refused when it returns.
 */
export async function bindBrowser(table: Table, step: Step & { browserSecret: string }): Promise<Found> {
  const { written, item } = await updateItem(table, connectionKey(attemptId(step.state)), {
    set: { browserDigest: sha256(step.browserSecret) },
    if: isUnused(step),
  });
  return outcomeOf(written, item, step);
}

/**
 * Uses up a state. If several calls present the same state, only one gets it.
 *
 * @param writeId unique to this call; recognizes our own write if the SDK repeats it
 */
export async function takeConnection(table: Table, step: Step, writeId: string): Promise<Found> {
  const { browserSecret = '' } = step;
  const { written, item } = await updateItem(table, connectionKey(attemptId(step.state)), {
    set: { usedAt: toTimestamp(step.now), usedBy: writeId },
    if: { ...isUnused(step), browserDigest: sha256(browserSecret) },
  });
  return outcomeOf(written || item?.['usedBy'] === writeId, item, step, browserSecret);
}

/** Ends the step `pending`: stores the login's accounts, among which the user now chooses. */
export async function offerCandidates(
  table: Table,
  state: string,
  writeId: string,
  offer: { readonly candidates: string; readonly expiresAt: string },
): Promise<void> {
  const update = move('pending', 'choosing', {
    set: {
      ...offer,
      codeVerifier: removed,
      expiresAtSeconds: keptUntilSeconds(offer.expiresAt),
    },
    if: { usedBy: writeId },
  });
  await updateItem(table, connectionKey(attemptId(state)), update);
}

/**
 * Ends an attempt without a connection.
 *
 * @param from the caller's step; if the attempt has left it, nothing is written
 * @returns true if this call ended the attempt
 */
export async function refuseConnection(
  table: Table,
  state: string,
  from: 'pending' | 'choosing',
  error: ConnectionError,
): Promise<boolean> {
  const update = move(from, 'refused', {
    set: { error, candidates: removed, codeVerifier: removed },
    if: unconditionally,
  });
  return (await updateItem(table, connectionKey(attemptId(state)), update)).written;
}

/**
 * Stores the chosen accounts until they are claimed.
 *
 * @returns false if the attempt was confirmed or ended in the meantime
 */
export async function holdForClaim(
  table: Table,
  step: Step,
  held: { readonly candidates: string; readonly code: string; readonly expiresAt: string },
): Promise<boolean> {
  const { candidates, code, expiresAt } = held;
  const update = move('choosing', 'chosen', {
    set: {
      candidates,
      claimDigest: sha256(code),
      expiresAt,
      expiresAtSeconds: keptUntilSeconds(expiresAt),
    },
    if: isOpenFor(step),
  });
  const { written, item } = await updateItem(table, connectionKey(attemptId(step.state)), update);
  // Our own code is stored: the response to the first write was lost, and the SDK sent the write again.
  return written || item?.['claimDigest'] === sha256(code);
}

/** Returns the part of the transaction that stores the accounts: ends the attempt, confirmed in the browser bound to it. */
export function confirmPart(
  table: Table,
  step: Step,
  accountIds: readonly string[],
): TransactionItems[number] {
  return connectPart(table, step.state, 'choosing', accountIds, isOpenFor(step));
}

/** Returns the part of the transaction that stores the accounts: ends the attempt, claimed with the code. */
export function claimPart(
  table: Table,
  { state, code, now }: { readonly state: string; readonly code: string; readonly now: number },
  accountIds: readonly string[],
): TransactionItems[number] {
  return connectPart(table, state, 'chosen', accountIds, { claimDigest: sha256(code), ...isInTime(now) });
}

function connectPart(
  table: Table,
  state: string,
  from: 'choosing' | 'chosen',
  accountIds: readonly string[],
  condition: Condition,
): TransactionItems[number] {
  const update = move(from, 'connected', { set: { accountIds, candidates: removed }, if: condition });
  return updatePart(table, connectionKey(attemptId(state)), update);
}

/** Adds a move of the life cycle to an update, and its previous state to the condition. */
function move(from: ConnectionStatus, to: ConnectionStatus, update: ItemUpdate): ItemUpdate {
  requireMove('connection', connectionLifeCycle, from, to);
  return { set: { ...update.set, status: to }, if: { ...update.if, status: from } };
}

const isInTime = (now: number) => ({ expiresAt: moreThan(toTimestamp(now)) });
const isUnused = ({ platform, now }: Pick<Step, 'platform' | 'now'>) => ({
  platform,
  status: 'pending',
  usedAt: absent,
  ...isInTime(now),
});
const isOpenFor = ({ platform, browserSecret = '', now }: Step) => ({
  platform,
  browserDigest: sha256(browserSecret),
  ...isInTime(now),
});

function outcomeOf(
  written: boolean,
  item: Item | undefined,
  step: Omit<Step, 'browserSecret'>,
  browserSecret?: string,
): Found {
  const connection = item && Connection.parse(item);
  if (written && connection) return { state: 'usable', connection };
  const found = judge(connection, step, 'pending', browserSecret);
  return found.state === 'usable' ? { ...found, state: 'used' } : found;
}

/** @param browserSecret if given, the browser must be the one bound to the attempt */
function judge(
  connection: Connection | undefined,
  { platform, now }: Omit<Step, 'browserSecret'>,
  status: 'pending' | 'choosing',
  browserSecret?: string,
): Found {
  if (!connection) return { state: 'unknown' };
  const isOther = browserSecret !== undefined && connection.browserDigest !== sha256(browserSecret);
  const isUsed = connection.status !== status || (status === 'pending' && connection.usedAt !== undefined);
  if (connection.platform !== platform) return { state: 'wrong platform', connection };
  if (isOther) return { state: 'other browser', connection };
  if (isUsed) return { state: 'used', connection };
  const isExpired = Date.parse(connection.expiresAt) <= now;
  return { state: isExpired ? 'expired' : 'usable', connection };
}
