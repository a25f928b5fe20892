import type { Measurement } from '../metrics/measurements.ts';
import { Platform } from '../platforms/contract/names.ts';

type Item = Readonly<Record<string, unknown>>;

/** What a committed change of an item says of accounts: that one has expired just now. Pure. */
export function measurementsOfAccount(change: {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}): Measurement[] {
  const { before, after } = change;
  if (after?.['kind'] !== 'account' || after['status'] !== 'expired') return [];
  if (before === undefined || before['status'] === 'expired') return [];
  return [{ name: 'AccountsExpired', value: 1, platform: Platform.parse(after['platform']) }];
}
