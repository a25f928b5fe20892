import type { StageFeatures } from '../../lib/platforms/contract/features.ts';
import { readStageFeatures } from '../../lib/platforms/registry/features.ts';
import type { Wire } from './start.ts';

/** The features that the operator has enabled for the stage. */
export const stageFeatures: Wire<StageFeatures> = (environment) =>
  readStageFeatures(JSON.parse(environment('PLATFORM_FEATURES')));
