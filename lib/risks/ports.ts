import type { AtMostOncePorts } from '../at-most-once/ports.ts';
import type { AccountCheck } from '../platforms/contract/account-check.ts';
import type { DailyLimits } from '../platforms/contract/daily-limit.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { RulesFor } from '../platforms/contract/rules.ts';

/** Everything outside the checks ahead of posts that they depend on. */
export interface RiskPorts extends AtMostOncePorts {
  readonly rulesFor: RulesFor;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** The daily limits of the stage's apps. */
  readonly dailyLimits: DailyLimits;
  readonly accountCheckFor: (platform: Platform) => Promise<AccountCheck> | undefined;
}
