import * as z from 'zod';
import { dayMs, secondMs } from '../kernel/clock.ts';
import { AccountNumber, type NumbersOf } from '../platforms/contract/insights.ts';
import type { AccountKind, Platform } from '../platforms/contract/names.ts';
import { numbersOf } from '../platforms/registry/numbers.ts';
import { absent, anyOf, lessThan } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { accountNumbersKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** An account's numbers of a day, as stored. The order is that of `AccountNumber`. */
export const AccountDayRow = z.object({
  /** When the platform was asked; absent if only requests of clients were counted on this day. */
  at: z.string().exactOptional(),
  n: z.array(z.union([z.int(), z.string(), z.null()])).exactOptional(),
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
