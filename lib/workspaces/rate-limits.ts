import { type AuditedAct, auditPart } from '../audit/record.ts';
import { batchesOf } from '../kernel/batches.ts';
import { HeraldError, notFound } from '../kernel/errors.ts';
import { absent, present } from '../table/condition.ts';
import { keyDigestKey, listedKeyKey, workspaceKey } from '../table/keys.ts';
import { checkPart, transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import { requireRate } from './key-limits.ts';
import { inWorkspace, type Operator } from './operator.ts';
import { asRead, findKey, getWorkspace, listKeys, validDigests } from './store.ts';

/**
 * Sets the requests per minute of one API key. Warm functions follow within 30 seconds.
 *
 * @param input.ratePerMinute `undefined`: the stage's limit applies again
 * @throws HeraldError `not_found`; `invalid` for an invalid number; `conflict` if the key is revoked, or was changed at the same
 *   time
 */
export async function setKeyRateLimit(
  operator: Operator,
  input: { workspaceId: string; keyId: string; ratePerMinute: number | undefined },
): Promise<void> {
  const { workspaceId, keyId, ratePerMinute } = input;
  requireRate(ratePerMinute);
  const { table, now } = operator;
  const key = await findKey(table, workspaceId, keyId);
  if (!key) throw notFound('key');
  if (key.revokedAt !== undefined) throw new HeraldError('conflict', 'key: it is revoked');
  const set = { ratePerMinute: ratePerMinute ?? removed };
  const outcome = await transact(table, [
    updatePart(table, listedKeyKey(workspaceId, keyId), {
      set,
      if: { ...asRead(key), revokedAt: absent },
    }),
    ...validDigests(key, now).map((digest) =>
      updatePart(table, keyDigestKey(digest), { set, if: { pk: present } }),
    ),
    auditPart(inWorkspace(operator, workspaceId), key, noteOf(ratePerMinute)),
  ]);
  if (!outcome.committed)
    throw new HeraldError('conflict', 'key: another request changed it at the same time; try again');
}

/**
 * Sets the requests per minute of all API keys of a workspace together, for present and future keys. Warm functions follow within
 * 30 seconds.
 *
 * @param input.ratePerMinute `undefined`: the stage's limit applies again
 * @throws HeraldError `not_found`; `invalid` for an invalid number; `conflict` if the workspace is to be deleted, or a key was
 *   issued, rotated or revoked at the same time
 */
export async function setWorkspaceRateLimit(
  operator: Operator,
  input: { workspaceId: string; ratePerMinute: number | undefined },
): Promise<void> {
  const { workspaceId, ratePerMinute } = input;
  requireRate(ratePerMinute);
  await changeWorkspaceAndKeys(inWorkspace(operator, workspaceId), {
    workspace: { ratePerMinute: ratePerMinute ?? removed },
    caller: { workspaceRatePerMinute: ratePerMinute ?? removed },
    note: noteOf(ratePerMinute),
  });
}

const noteOf = (ratePerMinute: number | undefined): string =>
  ratePerMinute === undefined ? 'the limit of the stage' : `${ratePerMinute} per minute`;

/** A change of the workspace that the look-up items of its keys copy. `removed` as a value removes the attribute. */
interface CopiedChange {
  readonly workspace: Readonly<Record<string, unknown>>;
  readonly caller: Readonly<Record<string, unknown>>;
  /** The note for the audit log. */
  readonly note: string;
}

/** DynamoDB's limit of a transaction. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const maxParts = 100;

/**
 * Changes a workspace and the look-up items of all of its keys, with an entry in the audit log. One transaction does it all for
 * up to 98 look-up items (a key that is being rotated has two). Further items follow in further transactions. If one of those
 * fails, repeat the call to complete the change. Warm functions notice it within 30 seconds.
 *
 * @throws HeraldError `not_found`; `conflict` if the workspace is to be deleted, or a key was issued, rotated or revoked at the
 *   same time
 */
async function changeWorkspaceAndKeys(act: AuditedAct, change: CopiedChange): Promise<void> {
  const { table, workspaceId, now } = act;
  // Read before the keys: a key that is issued in between has changed `keyChanges`.
  const { keyChanges, name } = await getWorkspace(table, workspaceId);
  const keys = (await listKeys(table, workspaceId)).filter(({ revokedAt }) => revokedAt === undefined);
  const digests = keys.flatMap((key) => validDigests(key, now));
  const copies = digests.map((digest) =>
    updatePart(table, keyDigestKey(digest), { set: change.caller, if: { pk: present } }),
  );
  const first = await transact(table, [
    updatePart(table, workspaceKey(workspaceId), {
      set: change.workspace,
      add: { keyChanges: 1 },
      if: { pk: present, deleteAfter: absent, keyChanges: keyChanges ?? absent },
    }),
    ...copies.slice(0, maxParts - 2),
    auditPart(act, { id: workspaceId, name }, change.note),
  ]);
  if (!first.committed) throw changedMeanwhile();
  for (const batch of batchesOf(copies.slice(maxParts - 2), maxParts - 1)) {
    const unchanged = checkPart(table, workspaceKey(workspaceId), { keyChanges: (keyChanges ?? 0) + 1 });
    const outcome = await transact(table, [unchanged, ...batch]);
    if (!outcome.committed) throw changedMeanwhile();
  }
}

const changedMeanwhile = () =>
  new HeraldError(
    'conflict',
    'workspace: it is to be deleted (resume it first), or its keys changed at the same time (try again)',
  );
