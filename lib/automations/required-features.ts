import { lackOf } from '../accounts/capabilities.ts';
import type { Account } from '../accounts/schemas.ts';
import { invalidField } from '../kernel/errors.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import type { Automation } from './schemas.ts';

/**
 * Requires the features of an automation. Every automation reads comments, and one with a `dmMessage` also sends messages.
 *
 * @throws HeraldError `invalid` (field `accountId`) if the account lacks a feature that the automation needs
 */
export function requireFeatures(
  { dmMessage }: Pick<Automation, 'dmMessage'>,
  account: Account,
  stageFeatures: StageFeatures,
): void {
  const needed = dmMessage === null ? (['comments'] as const) : (['comments', 'messages'] as const);
  for (const feature of needed) {
    const lack = lackOf(account, feature, stageFeatures);
    if (lack !== undefined) throw invalidField('accountId', lack, 'feature_missing');
  }
}
