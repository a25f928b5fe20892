import type { StageFeatures } from '../platforms/contract/features.ts';
import { type Platform, platformNames } from '../platforms/contract/names.ts';

/** Returns the platforms of which a stage reads numbers. */
export const countedPlatforms = (features: StageFeatures): Platform[] =>
  platformNames.filter((platform) => features[platform]?.includes('insights'));
