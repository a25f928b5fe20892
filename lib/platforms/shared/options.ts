import type * as z from 'zod';
import type { Preparation } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { RuleProblem } from '../contract/rules.ts';

/**
 * Checks `platformSpecificData`. A null counts as absent, as many clients send one for every field they leave empty.
 *
 * @returns the options where they are well formed, and every problem, by its field's path
 */
export function checkOptions<T>(
  schema: z.ZodType<T>,
  options: Preparation,
): { readonly options: T | undefined; readonly problems: RuleProblem[] } {
  const result = schema.safeParse(withoutNulls(options));
  if (result.success) return { options: result.data, problems: [] };
  return {
    options: undefined,
    problems: result.error.issues.map(({ path, message }) => ({ field: optionField(path), message })),
  };
}

/** The options of a job, whose rules were checked before. @throws PlatformError `rejected` naming the field */
export function readOptions<T>(schema: z.ZodType<T>, given: Preparation): T {
  const { options, problems } = checkOptions(schema, given);
  if (options !== undefined) return options;
  throw new PlatformError(
    'rejected',
    problems.map(({ field, message }) => `${field}: ${message}`).join('; '),
  );
}

/** `platformSpecificData.userTags[0].username` */
function optionField(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (field, key) => (typeof key === 'number' ? `${field}[${key}]` : `${field}.${String(key)}`),
    'platformSpecificData',
  );
}

function withoutNulls(options: Preparation): Preparation {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}
