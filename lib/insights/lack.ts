import { lackOf } from '../accounts/capabilities.ts';
import { type Account, accountState } from '../accounts/schemas.ts';
import { requestedFeatures, type StageFeatures } from '../platforms/contract/features.ts';
import { type AccountKind, type Platform, platformTitles } from '../platforms/contract/names.ts';
import { featuresFor } from '../platforms/registry/features.ts';
import type { MetricReason } from './schemas.ts';

/** A reason for which no numbers of an account are read, with words. */
export interface Lack {
  readonly reason: MetricReason;
  readonly message: string;
}

/** Returns the kind of an account. LinkedIn's two kinds have different numbers. */
export const kindOf = ({ meta }: Pick<Account, 'meta'>): AccountKind | undefined =>
  meta['as'] === 'organization' ? 'organization' : undefined;

/** Returns why no numbers of an account are read; `undefined` if they are. @param account absent if it was never connected here */
export function numbersLack(
  account: Account | undefined,
  platform: Platform,
  stageFeatures: StageFeatures,
): Lack | undefined {
  const title = platformTitles[platform];
  if (account === undefined || account.disconnectedAt !== undefined)
    return { reason: 'account_inactive', message: 'The account is disconnected: connect it again.' };
  const lack = lackOf(account, 'insights', stageFeatures);
  if (lack !== undefined)
    return { reason: reasonOf(account, stageFeatures), message: `The account ${lack}.` };
  if (accountState(account) === 'expired')
    return { reason: 'account_inactive', message: `${title} has ended its access: connect it again.` };
  return undefined;
}

function reasonOf(account: Account, stageFeatures: StageFeatures): MetricReason {
  const features = featuresFor(account.platform, kindOf(account), account.scopes);
  if (features.scopes.insights === undefined) return 'not_offered';
  const isRequested = requestedFeatures(features, stageFeatures[account.platform]).includes('insights');
  return isRequested ? 'not_permitted' : 'not_enabled';
}
