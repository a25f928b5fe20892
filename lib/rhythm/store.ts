import { type Actor, seesAccount } from '../access/actor.ts';
import { Account, accountSubject } from '../accounts/schemas.ts';
import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, present, unconditionally } from '../table/condition.ts';
import { accountKey, rhythmKey } from '../table/keys.ts';
import { checkPart, putPart, transact } from '../table/transaction.ts';
import { type Rhythm, StoredRhythm } from './schemas.ts';

/** The owner of the panel's rhythms. No key has this id: theirs are UUIDs. */
const panel = 'panel';

/**
 * Returns the owner of an actor's rhythms and of the slots that they take. Each API key has rhythms of its own, and all
 * people of a workspace share those of the panel. People plan for the same audience, so one person's posts count
 * towards another's daily cap.
 */
export const rhythmOwnerOf = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): string =>
  kind === 'person' ? panel : id;

/**
 * Returns the rhythm of an account for the caller: the one that was set, or the defaults.
 *
 * @throws HeraldError `not_found` if the account is unknown, foreign or disconnected, or if the actor may not use it
 */
export async function readRhythm(context: Context, accountId: string): Promise<Rhythm> {
  const { table, workspaceId, actor } = context;
  const account = accountKey(workspaceId, requireOwn(actor, accountId));
  const rhythm = rhythmKey(workspaceId, accountId, rhythmOwnerOf(actor));
  const found = await batchGet(table, [account, rhythm]);
  const accountItem = found.get(account);
  if (!accountItem || accountItem['disconnectedAt'] !== undefined) throw notFound('account');
  return StoredRhythm.parse(found.get(rhythm) ?? {});
}

/** The fields of an account by which the audit log names it. */
const Named = Account.pick({ id: true, platform: true });

/**
 * Sets the rhythm of an account for the caller. Scheduled posts keep their times.
 *
 * @throws HeraldError `not_found` as {@link readRhythm}
 */
export async function setRhythm(context: Context, accountId: string, rhythm: Rhythm): Promise<Rhythm> {
  const { table, workspaceId, actor } = context;
  const key = accountKey(workspaceId, requireOwn(actor, accountId));
  const item = (await batchGet(table, [key])).get(key);
  if (!item) throw notFound('account');
  const outcome = await transact(table, [
    checkPart(table, key, {
      pk: present,
      disconnectedAt: absent,
    }),
    putPart(
      table,
      { ...rhythmKey(workspaceId, accountId, rhythmOwnerOf(actor)), kind: 'rhythm', ...rhythm },
      unconditionally,
    ),
    auditPart(context, accountSubject(Named.parse(item))),
  ]);
  if (!outcome.committed) throw notFound('account');
  return rhythm;
}

function requireOwn(actor: Actor, accountId: string): string {
  if (!isId(accountId) || !seesAccount(actor, accountId)) throw notFound('account');
  return accountId;
}
