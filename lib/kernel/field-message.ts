import type * as z from 'zod';

/**
 * Returns the problem with a field, as a clause that follows its name: `must be a string`. It is the `error` option of a parse,
 * and applies if the schema itself has no message. The schema must be parsed with `reportInput` (see {@link fieldCodeOf}).
 */
export const fieldMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'custom' && issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nameOf(issue.expected)}`;
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'of the documented format'}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.join(', ')}`;
    case 'invalid_key':
      return 'has a name that is not allowed';
    case 'invalid_element':
      return 'has an element that is not valid';
    case 'invalid_union':
      return 'has none of the documented forms';
    default:
      return undefined;
  }
};

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  url: 'a URL',
  email: 'an email address',
  datetime: 'a time in ISO 8601',
  date: 'a date such as 2026-01-31',
};

const names: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

const nameOf = (expected: string): string => names[expected] ?? expected;

function bound(origin: string, limit: 'at least' | 'at most', amount: number): string {
  if (origin === 'string') return `have ${limit} ${counted(amount, 'character')}`;
  if (origin === 'array' || origin === 'set') return `have ${limit} ${counted(amount, 'element')}`;
  return `be ${limit} ${amount}`;
}

const counted = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? value : String(value)));
  return shown.length === 1 ? `${shown[0]}` : `one of ${shown.join(', ')}`;
}
