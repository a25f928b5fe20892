import type * as z from 'zod';
import type { InvalidCode } from './error-codes.ts';

/**
 * Returns the code of an issue that a schema found. The schema must be parsed with `reportInput`: without the input, a missing
 * field looks like one of the wrong type.
 *
 * A refinement names its code as `params: { code }`; without it, its code is `field_format`. For a union, the code comes from the
 * member that accepts the value's type.
 */
export function fieldCodeOf(issue: z.core.$ZodIssue): InvalidCode {
  if (issue.code !== 'custom' && 'input' in issue && issue.input === undefined) return 'field_required';
  switch (issue.code) {
    case 'invalid_type':
      return 'field_type';
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
      return 'field_format';
    case 'too_small':
      return isOfNumber(issue.origin) ? 'field_out_of_range' : 'field_too_short';
    case 'too_big':
      return isOfNumber(issue.origin) ? 'field_out_of_range' : 'field_too_long';
    case 'not_multiple_of':
      return 'field_out_of_range';
    case 'unrecognized_keys':
      return 'field_unknown';
    case 'invalid_value':
      return 'field_unknown_value';
    case 'invalid_union': {
      if (issue.errors.length === 0) return 'field_unknown_value';
      const ofMembers = issue.errors.flatMap(([first]) => (first ? fieldCodeOf(first) : []));
      return ofMembers.find((code) => code !== 'field_type') ?? 'field_type';
    }
    case 'custom':
      return (issue.params?.['code'] as InvalidCode | undefined) ?? 'field_format';
  }
}

const isOfNumber = (origin: string): boolean => ['number', 'int', 'bigint', 'date'].includes(origin);
