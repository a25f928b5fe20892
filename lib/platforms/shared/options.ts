import type * as z from 'zod';
import { fieldCodeOf } from '../../kernel/field-code.ts';
import { fieldMessage } from '../../kernel/field-message.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Preparation } from '../contract/live-post.ts';
import { optionField, type RuleCode, type RuleProblem, ruleProblem } from '../contract/rules.ts';

/**
 * Checks `platformSpecificData`. Null counts as absent, because many clients send null for every empty field.
 *
 * @returns the parsed options if they are valid, and every problem with its field's path
 */
export function checkOptions<T>(
  schema: z.ZodType<T>,
  options: Preparation,
): { readonly options: T | undefined; readonly problems: RuleProblem[] } {
  const result = schema.safeParse(withoutNulls(options), { reportInput: true, error: fieldMessage });
  if (result.success) return { options: result.data, problems: [] };
  return {
    options: undefined,
    problems: result.error.issues.map((issue) => ({
      field: optionField(issue.path),
      code: optionCodeOf(issue),
      message: issue.message,
    })),
  };
}

function optionCodeOf(issue: z.core.$ZodIssue): RuleCode {
  const code = fieldCodeOf(issue);
  return code === 'field_required' ? 'option_required' : 'option_invalid';
}

/** Parses the options of a job. The platform's rules checked them earlier. @throws PlatformError `rejected` */
export function readOptions<T>(schema: z.ZodType<T>, given: Preparation): T {
  const { options, problems } = checkOptions(schema, given);
  if (options !== undefined) return options;
  throw new PlatformError(
    'rejected',
    problems.map(({ field, message }) => `${field}: ${message}`).join('; '),
  );
}

/**
 * Options that only some posts take, and the message that refuses them for other posts: ignoring them would publish
 * something else. `Kind` names the kinds of posts that make a difference.
 */
export type OptionRule<Option extends string, Kind extends string> = readonly [
  options: readonly Option[],
  takenBy: {
    /** The post must be of one of these kinds. Default: any. */
    readonly only?: readonly Kind[];
    /** The post must be of none of these kinds. */
    readonly not?: readonly Kind[];
    /** The value that has no effect on any post, so that it is never refused. Default: false. */
    readonly harmless?: boolean;
  },
  message: string,
];

/** Returns a problem for each given option that the post does not take. @param kinds all kinds that the post is of */
export function optionRuleProblems<Option extends string, Kind extends string>(
  rules: readonly OptionRule<Option, Kind>[],
  given: Readonly<Partial<Record<Option, unknown>>>,
  kinds: readonly Kind[],
): RuleProblem[] {
  const isOf = (some: readonly Kind[]) => some.some((kind) => kinds.includes(kind));
  return rules.flatMap(([options, { only, not = [], harmless = false }, message]) => {
    if ((only === undefined || isOf(only)) && !isOf(not)) return [];
    return options
      .filter((option) => given[option] !== undefined && given[option] !== harmless)
      .map((option) => ruleProblem(optionField([option]), 'option_not_applicable', message));
  });
}

function withoutNulls(options: Preparation): Preparation {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}
