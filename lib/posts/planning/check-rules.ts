import { type Capable, lackOf } from '../../accounts/capabilities.ts';
import type { Account } from '../../accounts/schemas.ts';
import { unknownKeys } from '../../api-contract/unknown-keys.ts';
import type { Json } from '../../kernel/json.ts';
import { isSameName } from '../../kernel/nearest-name.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import { platformTitles } from '../../platforms/contract/names.ts';
import {
  optionField,
  type PlatformOptions,
  type PlatformRules,
  type PublishableContent,
  type RuleProblem,
} from '../../platforms/contract/rules.ts';
import type { Destination } from '../request/check-shape.ts';
import type { PlanProblem, RuleFindings } from './problems.ts';

/** The context of checking a destination's content. */
interface RuleContext {
  readonly account: Account;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** The destination's place in the request, such as `platforms[0]`. */
  readonly at: string;
  readonly isDraft: boolean;
  /** True if an earlier request was accepted with these options. Then their names are not checked again. */
  readonly keepsOptions: boolean;
}

/**
 * Checks a destination by its platform's rules, and that its account can use its options. The names of its options are checked in
 * a draft too.
 */
export function checkRules(
  rules: PlatformRules | undefined,
  content: PublishableContent,
  { entry }: Destination,
  { account, stageFeatures, at, isDraft, keepsOptions }: RuleContext,
): RuleFindings {
  const { platform } = account;
  if (!rules) {
    const message = `publishing to ${platform} is not available yet`;
    return {
      problems: isDraft ? [] : [{ field: `${at}.accountId`, code: 'platform_unsupported', message }],
      warnings: [],
    };
  }
  const places: readonly (readonly [prefix: string, place: string])[] = [
    ['content', entry.customContent === undefined ? 'content' : `${at}.customContent`],
    ['mediaItems', entry.customMedia === undefined ? 'mediaItems' : `${at}.customMedia`],
    ['platformSpecificData', `${at}.platformSpecificData`],
  ];
  const inRequest = ({ field, ...problem }: RuleProblem): PlanProblem => {
    const [prefix, place] = places.find(([start]) => field.startsWith(start)) ?? [field, field];
    return { field: `${place}${field.slice(prefix.length)}`, ...problem };
  };
  const options = isDraft ? [] : featureProblems(rules.options, content.options, account, stageFeatures);
  const ofContent = isDraft ? [] : rules.check(content);
  const warnings = (!isDraft && rules.warn?.(content)) || [];
  if (keepsOptions)
    return { problems: ofContent.map(inRequest), warnings: [...options, ...warnings].map(inRequest) };
  const names = checkOptionNames(rules.options, content.options, platformTitles[platform]);
  return {
    problems: [...names.problems, ...ofContent, ...options].map(inRequest),
    warnings: [...names.warnings, ...warnings].map(inRequest),
  };
}

/** Returns a problem for each option that needs a feature that the account cannot use. An option that is off needs none. */
function featureProblems(
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

/**
 * Checks the names of a destination's options. An option of the platform that the service does not offer is a problem; a name
 * that neither has is a warning, with the name that was probably meant.
 *
 * @param platform the platform's title
 */
export function checkOptionNames(
  { schema, notOffered, otherNames = {} }: PlatformOptions,
  given: { readonly [key: string]: Json },
  platform: string,
): { readonly problems: RuleProblem[]; readonly warnings: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const warnings: RuleProblem[] = [];
  for (const { path, nearest } of unknownKeys(schema, given)) {
    const field = optionField(path);
    const isNamed = (option: string) => path.length === 1 && isSameName(option, String(path[0]));
    const [, instead] = Object.entries(otherNames).find(([option]) => isNamed(option)) ?? [];
    if (instead !== undefined) {
      problems.push({
        field,
        code: 'option_not_supported',
        message: `is not supported; use ${instead} instead`,
      });
    } else if (notOffered.some(isNamed)) {
      problems.push({ field, code: 'option_not_supported', message: 'is not supported; leave it out' });
    } else {
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      warnings.push({
        field,
        code: 'option_unknown',
        message: `is not an option of ${platform} and is ignored${hint}`,
      });
    }
  }
  return { problems, warnings };
}
