import { auditPart } from '../audit/record.ts';
import { HeraldError, notFound } from '../kernel/errors.ts';
import { absent, present } from '../table/condition.ts';
import { keyDigestKey, listedKeyKey } from '../table/keys.ts';
import { transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import { changeWorkspaceAndKeys } from './change-copies.ts';
import { inWorkspace, type Operator } from './operator.ts';
import { requireRate } from './require-rate.ts';
import { asRead, findKey, validDigests } from './store.ts';

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
    auditPart(inWorkspace(operator, workspaceId), keyId, noteOf(ratePerMinute)),
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
