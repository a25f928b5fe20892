import * as z from 'zod';
import type { Account } from '../accounts/schemas.ts';
import { findAccount } from '../accounts/store.ts';
import { dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { AccountNumber, type NumbersOf } from '../platforms/contract/insights.ts';
import type { AccountKind, Platform } from '../platforms/contract/names.ts';
import { numbersOf } from '../platforms/registry/numbers.ts';
import { absent, anyOf, lessThan } from '../table/condition.ts';
import { type Item, updateItem } from '../table/items.ts';
import { accountNumbersKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { AskPorts } from './ask-account.ts';
import { kindOf } from './lack.ts';
import { dayOf } from './store.ts';

/** An account's numbers of a day, as stored. The order is that of `AccountNumber`. */
export const AccountDayRow = z.object({
  /** The time at which the platform was asked; absent if only requests of clients were counted on this day. */
  at: z.string().exactOptional(),
  n: z.array(z.union([z.int(), z.string(), z.null()])).exactOptional(),
  /** The number of questions of clients about posts of the account. */
  requests: z.int().exactOptional(),
  expiresAtSeconds: z.int(),
});
export type AccountDayRow = z.infer<typeof AccountDayRow>;

const mostKeptDays = 400;

/** Returns true if numbers of such accounts may be kept at all. */
export const hasKeptDays = (platform: Platform, as: AccountKind | undefined): boolean =>
  numbersOf(platform).keptDays({ as }) !== 0 && Object.keys(numbersOf(platform).ofAccount({ as })).length > 0;

/** Stores an account's numbers of a day, unless newer ones are stored. */
export async function storeAccountDay(
  table: Table,
  account: {
    readonly workspaceId: string;
    readonly id: string;
    readonly platform: Platform;
    readonly as?: AccountKind | undefined;
  },
  day: string,
  numbers: NumbersOf<AccountNumber>,
  at: string,
): Promise<void> {
  const days = numbersOf(account.platform).keptDays(account) ?? mostKeptDays;
  const expiresAtSeconds = Math.floor((Date.parse(at) + days * dayMs) / secondMs);
  await updateItem(table, accountNumbersKey(account.workspaceId, account.id, day), {
    set: {
      kind: 'accountNumbers',
      at,
      n: AccountNumber.options.map((name) => numbers[name] ?? null),
      expiresAtSeconds,
    },
    if: { at: anyOf(absent, lessThan(at)) },
  });
}

async function isStillConnected(
  table: Table,
  { workspaceId, id, connectedAt }: Pick<Account, 'workspaceId' | 'id' | 'connectedAt'>,
): Promise<boolean> {
  const account = await findAccount(table, workspaceId, id);
  return account?.disconnectedAt === undefined && account?.connectedAt === connectedAt;
}

/** The days that are read together: platforms report up to two days late. */
const readDays = 3;

/**
 * Reads an account's own numbers of the last days, unless that was done today. A platform that does not answer is asked again by a later
 * run.
 *
 * @param today the row of today, if there is one
 * @returns true if they were read
 */
export async function readDay(
  ports: AskPorts,
  account: Account,
  today: Item | undefined,
  tokensItem?: Item,
): Promise<boolean> {
  const { table, now, insightsFor, toolsFor, accessToken, report } = ports;
  const as = kindOf(account);
  const { platform } = account;
  if (today?.['at'] !== undefined || !hasKeptDays(platform, as)) return false;
  const nowMs = now();
  const days = Array.from({ length: readDays }, (_, index) => dayOf(nowMs - (readDays - 1 - index) * dayMs));
  try {
    const [insights, tools] = await Promise.all([insightsFor(platform), toolsFor(platform)]);
    const request = { account, accessToken: await accessToken(account, tokensItem), nowMs };
    const read = await insights.readAccount(days, request, tools);
    const at = toTimestamp(nowMs);
    // Reading may have taken minutes, and nothing deletes the days of an account that was disconnected meanwhile a second time.
    if (!(await isStillConnected(table, account))) return false;
    // Today last: it says that the others are done.
    for (const day of days) await storeAccountDay(table, { ...account, as }, day, read.get(day) ?? {}, at);
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    report(`the numbers of the ${platform} account ${account.id} itself were not read`, error);
    return false;
  }
}
