import { type Capable, lackOf } from '../../accounts/capabilities.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import { optionField, type PlatformOptions, type RuleProblem } from '../../platforms/contract/rules.ts';

/** Returns a problem for each option that needs a feature that the account cannot use. An option that is off needs none. */
export function featureProblems(
  { needs = {} }: PlatformOptions,
  options: Readonly<Record<string, unknown>>,
  account: Capable,
  stageFeatures: StageFeatures,
): RuleProblem[] {
  return Object.entries(needs).flatMap(([name, feature]) => {
    const value = options[name];
    if (value === undefined || value === null || value === false || value === '') return [];
    const message = lackOf(account, feature, stageFeatures);
    return message === undefined ? [] : [{ field: optionField([name]), code: 'feature_missing', message }];
  });
}
