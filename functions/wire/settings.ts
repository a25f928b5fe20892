import type { StageFeatures } from '../../lib/platforms/contract/features.ts';
import { readStageFeatures } from '../../lib/platforms/registry/features.ts';
import type { Wire } from './start.ts';

/** The base URL of media files, without a final slash. */
export const mediaBaseUrl: Wire<string> = (environment) => environment('MEDIA_BASE_URL');

/** The base URL of this service, without a final slash. */
export const publicBaseUrl: Wire<string> = (environment) => environment('PUBLIC_BASE_URL');

/** Requests per minute that an address may make. */
export const ratePerMinute: Wire<number> = (environment) => Number(environment('RATE_LIMIT_PER_MINUTE'));

/** The features that the operator has enabled for the stage. */
export const stageFeatures: Wire<StageFeatures> = (environment) =>
  readStageFeatures(JSON.parse(environment('PLATFORM_FEATURES')));
