import { type AuditedAct, auditPart } from '../audit/record.ts';
import { batchesOf } from '../kernel/batches.ts';
import { HeraldError } from '../kernel/errors.ts';
import { absent, present } from '../table/condition.ts';
import { keyDigestKey, workspaceKey } from '../table/keys.ts';
import { checkPart, transact, updatePart } from '../table/transaction.ts';
import { getWorkspace, listKeys, validDigests } from './store.ts';

/** A change of the workspace that the look-up items of its keys copy. `removed` as a value removes the attribute. */
export interface CopiedChange {
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
export async function changeWorkspaceAndKeys(act: AuditedAct, change: CopiedChange): Promise<void> {
  const { table, workspaceId, now } = act;
  // Read before the keys: a key that is issued in between has changed `keyChanges`.
  const { keyChanges } = await getWorkspace(table, workspaceId);
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
    auditPart(act, workspaceId, change.note),
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
