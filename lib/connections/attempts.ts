import { sessionOf } from '../access/actor.ts';
import type { AccountsContext } from '../accounts/read.ts';
import { type AccountView, toAccountView } from '../accounts/schemas.ts';
import { accountFromItem } from '../accounts/store.ts';
import type { Context } from '../api-contract/context.ts';
import { secondMs } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { batchGet } from '../table/batch-get.ts';
import { accountKey } from '../table/keys.ts';
import type { AttemptView, Connection } from './schemas.ts';
import { findConnection } from './store.ts';

/**
 * Reads the state of an attempt.
 *
 * @throws HeraldError `not_found`, also for an attempt of another workspace or session, and 24 hours after its last step ended
 */
export async function readAttempt(context: AccountsContext, state: string): Promise<AttemptView> {
  return viewAttempt(context, state, await findAttempt(context, state));
}

/**
 * Returns an attempt of the workspace. An attempt that a person began exists only for the same session: anyone else with its
 * link, for example somebody who was tricked into confirming it, cannot have it claimed. Keys cannot see persons' attempts, nor
 * persons those of keys.
 *
 * @throws HeraldError `not_found`
 */
export async function findAttempt(
  { table, workspaceId, actor, now }: Context,
  state: string,
): Promise<Connection> {
  const connection = await findConnection(table, state, now);
  if (connection?.workspaceId !== workspaceId) throw notFound('attempt');
  if (connection.sessionId !== sessionOf(actor)) throw notFound('attempt');
  return connection;
}

/** Returns the attempt as the API shows it. Its accounts are read now, so they show their present state. */
export async function viewAttempt(
  { table, workspaceId, now, stageFeatures }: AccountsContext,
  state: string,
  connection: Connection,
): Promise<AttemptView> {
  const { platform, externalId = null, accountIds = [], error } = connection;
  const keys = accountIds.map((id) => accountKey(workspaceId, id));
  const found = await batchGet(table, keys);
  const accounts = keys.flatMap((key): AccountView[] => {
    const item = found.get(key);
    return item && item['disconnectedAt'] === undefined
      ? [toAccountView(accountFromItem(item), stageFeatures)]
      : [];
  });
  const status = statusShown(connection, now);
  return { state, platform, status, accounts, externalId, ...(error !== undefined && { error }) };
}

/**
 * The maximum time by which a request that began before a step expired may still complete it: API Gateway ends every request by
 * then.
 */
const longestRequestMs = 30 * secondMs;

/** Returns the status to show. `expired` is final, so it is shown only once no request can complete the step any more. */
function statusShown({ status, expiresAt }: Connection, now: number): AttemptView['status'] {
  if (status === 'connected' || status === 'refused') return status;
  if (Date.parse(expiresAt) + longestRequestMs <= now) return 'expired';
  return status === 'chosen' ? 'choosing' : status;
}
