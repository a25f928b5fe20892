import { Permission } from '../access/permissions.ts';
import { accountFromItem } from '../accounts/store.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { invalidField } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { batchGet } from '../table/batch-get.ts';
import { accountKey } from '../table/keys.ts';
import type { Operator } from './operator.ts';
import { type KeyLimits, storedPermissions } from './schemas.ts';

/** The requested limits of a new API key, not validated yet. Absent fields do not limit it. */
export interface RequestedLimits {
  readonly permissions?: readonly string[] | undefined;
  readonly accountIds?: readonly string[] | undefined;
  /** A date and time with an offset (RFC 3339). */
  readonly expiresAt?: string | undefined;
  readonly ratePerMinute?: number | undefined;
}

/** The maximum number of accounts. One BatchGetItem reads them all, and a key's item stays far below a read unit of 4 KB. */
const maxAccounts = 100;
/** The maximum number of years until expiry. Our judgement: longer is a typing mistake. */
const maxYears = 5;

/**
 * Validates the limits of a key.
 *
 * @throws HeraldError `invalid`, naming the field: an empty list, an unknown permission, an account that is not connected in this
 *   workspace, a time that is not in the future, an invalid number of requests
 */
export async function validateLimits(
  operator: Operator,
  workspaceId: string,
  { permissions, accountIds, expiresAt, ratePerMinute }: RequestedLimits,
): Promise<KeyLimits> {
  requireRate(ratePerMinute);
  return {
    ...(permissions && storedPermissions(validatePermissions(permissions))),
    ...(accountIds && { accountIds: await validateAccounts(operator, workspaceId, accountIds) }),
    ...(expiresAt !== undefined && { expiresAt: validateExpiry(expiresAt, operator.now) }),
    ...(ratePerMinute !== undefined && { ratePerMinute }),
  };
}

function validatePermissions(given: readonly string[]): Permission[] {
  const known = Permission.options.join(', ');
  const unknown = given.find((name) => !Permission.safeParse(name).success);
  if (unknown !== undefined) throw invalidField('permissions', `"${unknown}" is not one of: ${known}`);
  if (given.length === 0) throw invalidField('permissions', `must name at least one of: ${known}`);
  return Permission.options.filter((name) => given.includes(name));
}

async function validateAccounts(
  { table }: Operator,
  workspaceId: string,
  given: readonly string[],
): Promise<string[]> {
  const accountIds = [...new Set(given)];
  if (accountIds.length === 0) throw invalidField('accounts', 'must name at least one account');
  if (accountIds.length > maxAccounts)
    throw invalidField('accounts', `there may be at most ${maxAccounts} accounts`);
  const keys = accountIds.filter(isId).map((id) => accountKey(workspaceId, id));
  const found = await batchGet(table, keys);
  for (const id of accountIds) {
    const item = isId(id) ? found.get(accountKey(workspaceId, id)) : undefined;
    if (!item || accountFromItem(item).disconnectedAt !== undefined)
      throw invalidField(
        'accounts',
        `${id} is not an account of this workspace: use the ids of its connected accounts`,
      );
  }
  return accountIds;
}

/**
 * @param now epoch milliseconds
 * @returns the time as it is stored
 * @throws HeraldError `invalid`
 */
export function validateExpiry(text: string, now: number): string {
  const expiresAtMs = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(expiresAtMs))
    throw invalidField('expires', 'must be a date and time with an offset, such as 2027-01-01T00:00:00Z');
  if (expiresAtMs <= now) throw invalidField('expires', 'must be in the future');
  if (expiresAtMs > now + maxYears * 365 * dayMs)
    throw invalidField('expires', `must be within ${maxYears} years`);
  return toTimestamp(expiresAtMs);
}

/** The longest overlap of a rotation: time for a deployment that needs several people. Our judgement. */
const maxOverlapMs = 7 * dayMs;

/** @throws HeraldError `invalid` */
export function validateOverlap(overlapMs: number): number {
  if (!Number.isSafeInteger(overlapMs) || overlapMs < 0 || overlapMs > maxOverlapMs)
    throw invalidField('overlap', `must be at most ${maxOverlapMs / dayMs} days`);
  return overlapMs;
}

/** True if a key has expired at this moment. */
export function isExpired({ expiresAt }: Pick<KeyLimits, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/**
 * The highest limit that can be counted: every request writes the same counter, and one item takes 1,000 writes per second.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const maxRatePerMinute = 60_000;

/** @throws HeraldError `invalid` for an invalid limit; `undefined` means no limit and is allowed */
export function requireRate(ratePerMinute: number | undefined): void {
  if (ratePerMinute === undefined) return;
  if (!Number.isInteger(ratePerMinute) || ratePerMinute < 1 || ratePerMinute > maxRatePerMinute)
    throw invalidField('rate limit', 'must be a whole number of requests per minute, from 1 to 60,000');
}
