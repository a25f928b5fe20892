import fc from 'fast-check';
import { expect, it } from 'vitest';
import { invalidField, invalidFields, notFound } from '../../../lib/kernel/errors.ts';

it('has the first wrong field in its message and lists every field with all its messages', () => {
  const error = invalidFields([
    { field: 'content', message: 'is too long', code: 'content_too_long' },
    { field: 'platforms[0].accountId', message: 'must be a UUID' },
    { field: 'content', message: 'is rude' },
  ]);
  expect([error.code, error.param]).toEqual(['content_too_long', 'content']);
  expect(error.message).toBe('content: is too long');
  expect(error.fields).toEqual({
    content: ['is too long', 'is rude'],
    'platforms[0].accountId': ['must be a UUID'],
  });
});

it.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
  'can name a field called %s like any other',
  (field) => {
    const { fields = {} } = invalidField(field, 'is wrong');
    expect(Object.entries(fields)).toEqual([[field, ['is wrong']]]);
    expect(JSON.parse(JSON.stringify(fields))).toHaveProperty([field], ['is wrong']);
  },
);

it('stays small, however many fields are wrong and however long their names are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ field: fc.string(), message: fc.string() }), { minLength: 1 }),
      fc.constantFrom(1, 5_000),
      fc.constantFrom(1, 2_000),
      (problems, timesMore, timesLonger) => {
        const many = Array.from({ length: timesMore }, (_, index) =>
          problems.map(({ field, message }) => ({ field: `${field}${index}`.repeat(timesLonger), message })),
        ).flat();
        const error = invalidFields(many.slice(0, 5_000));
        expect(JSON.stringify([error.message, error.fields]).length).toBeLessThan(100_000);
      },
    ),
    { numRuns: 30 },
  );
});

it('reveals only the noun, so that unknown and foreign things look the same', () => {
  expect(notFound('post')).toMatchObject({ code: 'not_found', message: 'post not found', fields: undefined });
});
