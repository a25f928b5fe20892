import { isDeepStrictEqual } from 'node:util';
import { type Capable, lackOf } from '../../accounts/capabilities.ts';
import type { Account } from '../../accounts/schemas.ts';
import { unknownKeys } from '../../api-contract/unknown-keys.ts';
import { findBrought, notSupported } from '../../kernel/brought-names.ts';
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
import { isSharedName, surplusOptions, withoutOptions } from '../../platforms/contract/shared-options.ts';
import type { Destination } from '../request/check-shape.ts';
import type { PlanProblem, RuleFindings } from './problems.ts';

/** The context of checking a destination's content. */
interface RuleContext {
  readonly account: Account;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** The destination's place in the request, such as `platforms[0]`. */
  readonly at: string;
  /** True if nothing goes live without another request. Then only the names of the options are checked, and refused later. */
  readonly isDraft: boolean;
  /** True if an earlier request was accepted with these options. Then their names are not checked again. */
  readonly keepsOptions: boolean;
  /** The options that the destination of a scheduled post already has. They may be sent back, whatever their names are. */
  readonly accepted: PublishableContent['options'];
}

/**
 * Checks a destination by its platform's rules, and that its account can use its options. In a draft, wrong names of options are
 * warnings.
 */
export function checkRules(
  rules: PlatformRules | undefined,
  content: PublishableContent,
  { entry }: Destination,
  { account, stageFeatures, at, isDraft, keepsOptions, accepted }: RuleContext,
): RuleFindings {
  const { platform } = account;
  if (!rules) {
    const message = `publishing to ${platform} is not available yet`;
    return {
      problems: isDraft ? [] : [{ field: `${at}.accountId`, code: 'platform_unsupported', message }],
      warnings: [],
    };
  }
  const inRequest = ({ field, ...problem }: RuleProblem): PlanProblem => ({
    field: requestField(field, at, {
      hasContent: entry.customContent !== undefined,
      hasMedia: entry.customMedia !== undefined,
    }),
    ...problem,
  });
  const surplus = isDraft ? [] : surplusOptions(platform, rules, content);
  const used = withoutOptions(content, surplus);
  const options = isDraft ? [] : featureProblems(rules.options, used.options, account, stageFeatures);
  const ofContent = isDraft ? [] : rules.check(used);
  const warnings = isDraft ? [] : [...surplus.map(leftOut), ...(rules.warn?.(used) ?? [])];
  if (keepsOptions)
    return { problems: ofContent.map(inRequest), warnings: [...options, ...warnings].map(inRequest) };
  const names = checkOptionNames(rules.options, content.options, platformTitles[platform], accepted);
  return {
    problems: [...(isDraft ? [] : names.problems), ...ofContent, ...options].map(inRequest),
    warnings: [...(isDraft ? names.problems.map(laterRefused) : []), ...names.warnings, ...warnings].map(
      inRequest,
    ),
  };
}

/**
 * Returns the field of the request that a rule's field inside a destination stands for.
 *
 * @param at the destination's place in the request, such as `platforms[0]`
 * @param own true for what the destination has of its own
 */
export function requestField(
  field: string,
  at: string,
  own: { readonly hasContent: boolean; readonly hasMedia: boolean },
): string {
  const places: readonly (readonly [prefix: string, place: string])[] = [
    ['content', own.hasContent ? `${at}.customContent` : 'content'],
    ['mediaItems', own.hasMedia ? `${at}.customMedia` : 'mediaItems'],
    ['platformSpecificData', `${at}.platformSpecificData`],
  ];
  const [prefix, place] = places.find(([start]) => field.startsWith(start)) ?? [field, field];
  return `${place}${field.slice(prefix.length)}`;
}

const leftOut = ({ message, ...problem }: RuleProblem): RuleProblem => ({
  ...problem,
  message: `${message}, so it is left out`,
});

/** Returns the warning about an option with which the draft cannot be scheduled. */
const laterRefused = ({ message, ...problem }: RuleProblem): RuleProblem => ({
  ...problem,
  message: `${message}. The draft cannot be scheduled with it`,
});

/** Returns a problem for each option that needs a feature that the account cannot use. An option that changes nothing needs none. */
export function featureProblems(
  { needs = {}, usual = {} }: PlatformOptions,
  options: Readonly<Record<string, unknown>>,
  account: Capable,
  stageFeatures: StageFeatures,
): RuleProblem[] {
  return Object.entries(needs).flatMap(([name, feature]) => {
    const value = options[name];
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty || value === (usual[name] ?? false)) return [];
    const message = lackOf(account, feature, stageFeatures);
    return message === undefined ? [] : [{ field: optionField([name]), code: 'feature_missing', message }];
  });
}

/**
 * Checks the names of a destination's options. A name is a problem if it is close to an option, or if people are known to bring
 * it from elsewhere: the post would go live without something that its author asked for. Any other name means nothing to us and
 * is a warning.
 *
 * @param platform the platform's title
 * @param accepted options that were accepted earlier: the same name with the same value is a warning
 */
export function checkOptionNames(
  { schema, brought }: PlatformOptions,
  given: PublishableContent['options'],
  platform: string,
  accepted: PublishableContent['options'] = {},
): { readonly problems: RuleProblem[]; readonly warnings: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const warnings: RuleProblem[] = [];
  for (const { path, nearest } of unknownKeys(schema, given)) {
    const field = optionField(path);
    const name = String(path.at(-1));
    const isTop = path.length === 1;
    const first = String(path[0]);
    const isAccepted = Object.hasOwn(accepted, first) && isDeepStrictEqual(accepted[first], given[first]);
    const isOwn = nearest !== undefined && isSameName(nearest, name);
    const isShared = isTop && !isOwn && isSharedName(name);
    const mayRefuse = !isShared && !isAccepted;
    const entry = isTop && mayRefuse ? findBrought(brought, name) : undefined;
    if (entry) {
      problems.push({ field, code: 'option_not_supported', message: notSupported(entry.use) });
    } else if (nearest !== undefined && mayRefuse) {
      const message = `is not an option of ${platform}; did you mean ${nearest}?`;
      problems.push({ field, code: 'option_unknown', message });
    } else {
      const message = `is not an option of ${platform} and is ignored`;
      warnings.push({ field, code: 'option_unknown', message });
    }
  }
  return { problems, warnings };
}
