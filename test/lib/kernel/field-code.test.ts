import { expect, it } from 'vitest';
import * as z from 'zod';
import { fieldCodeOf } from '../../../lib/kernel/field-code.ts';

it.each([
  ['a missing field', z.object({ a: z.string() }), {}, 'field_required'],
  ['a missing value of a list of values', z.object({ a: z.enum(['x']) }), {}, 'field_required'],
  ['null', z.object({ a: z.string() }), { a: null }, 'field_type'],
  ['another type', z.string(), 1, 'field_type'],
  ['another format', z.uuid(), 'x', 'field_format'],
  ['a text that breaks a refinement', z.string().refine(() => false), 'x', 'field_format'],
  ['a key that breaks its schema', z.record(z.uuid(), z.string()), { x: 'y' }, 'field_format'],
  ['an empty text', z.string().min(1), '', 'field_too_short'],
  ['a list with too few entries', z.array(z.string()).min(1), [], 'field_too_short'],
  ['a long text', z.string().max(1), 'xy', 'field_too_long'],
  ['a list with too many entries', z.array(z.string()).max(1), ['x', 'y'], 'field_too_long'],
  ['a small number', z.int().min(1), 0, 'field_out_of_range'],
  ['a large number', z.number().max(1), 2, 'field_out_of_range'],
  ['an unknown value', z.enum(['x']), 'y', 'field_unknown_value'],
  ['an unknown field', z.strictObject({}), { x: 1 }, 'field_unknown'],
  [
    'an unknown kind of object',
    z.discriminatedUnion('k', [z.object({ k: z.literal('x') })]),
    { k: 'y' },
    'field_unknown_value',
  ],
  ['a type that no member of a union has', z.union([z.string(), z.number()]), true, 'field_type'],
  [
    'a text that is too long for the member of a union',
    z.union([z.string().max(1), z.number()]),
    'xy',
    'field_too_long',
  ],
  [
    'a code that the refinement names',
    z.string().refine(() => false, { params: { code: 'time_in_past' } }),
    'x',
    'time_in_past',
  ],
])('names the cause of %s', (_what, schema: z.ZodType, value, code) => {
  const { error } = schema.safeParse(value, { reportInput: true });
  expect(error?.issues.map(fieldCodeOf)).toEqual([code]);
});
