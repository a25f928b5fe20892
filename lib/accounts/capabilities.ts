import {
  enabledFeatures,
  type Feature,
  grantedFeatures,
  namesOf,
  type PlatformFeatures,
  requestedFeatures,
  type StageFeatures,
} from '../platforms/contract/features.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import { featuresFor } from '../platforms/registry/features.ts';

/** The fields that determine an account's capabilities. */
export interface Capable {
  readonly platform: Platform;
  /** Absent if an earlier release connected the account. */
  readonly scopes?: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Returns the features that an account can use: the operator has enabled them, and the platform has granted their scopes. */
export function capabilitiesOf(account: Capable, stageFeatures: StageFeatures): Feature[] {
  const features = featuresOf(account);
  const granted = grantedFeatures(features, account.scopes ?? features.formerScopes);
  return enabledFeatures(features, stageFeatures[account.platform]).filter((name) => granted.includes(name));
}

/** Returns why an account cannot use a feature, and what helps: "needs the feature …". `undefined` if it can use it. */
export function lackOf(account: Capable, feature: Feature, stageFeatures: StageFeatures): string | undefined {
  if (capabilitiesOf(account, stageFeatures).includes(feature)) return undefined;
  const features = featuresOf(account);
  const title = platformTitles[account.platform];
  if (!namesOf(features).includes(feature)) {
    return `needs the feature ${feature}, which this service does not offer on ${title}`;
  }
  const isRequested = requestedFeatures(features, stageFeatures[account.platform]).includes(feature);
  return isRequested
    ? `needs the feature ${feature}, which ${title} has not granted for this account: connect it again and leave all permissions selected`
    : `needs the feature ${feature}, which the operator of this service has not enabled on ${title}`;
}

function featuresOf({ platform, meta, scopes }: Capable): PlatformFeatures {
  return featuresFor(platform, meta['as'] === 'organization' ? 'organization' : undefined, scopes);
}
