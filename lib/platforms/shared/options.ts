import type * as z from 'zod';
import { fieldCodeOf } from '../../kernel/field-code.ts';
import { fieldMessage } from '../../kernel/field-message.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Preparation } from '../contract/live-post.ts';
import { optionField, type RuleCode, type RuleProblem } from '../contract/rules.ts';

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

function withoutNulls(options: Preparation): Preparation {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}
