import { expect, test } from 'vitest';
import * as z from 'zod';
import { fieldMessage } from '../../../lib/kernel/field-message.ts';

const schema = z.object({
  name: z.string().min(1).max(3),
  count: z.int().min(2).max(9),
  step: z.number().multipleOf(5),
  isOn: z.boolean(),
  tags: z.array(z.string()).min(1).max(2),
  pairs: z.record(z.string(), z.string()),
  color: z.enum(['red', 'blue']),
  kind: z.literal('post'),
  id: z.uuid(),
  own: z.string('must be what the schema says'),
});

test.each([
  [{ name: undefined }, 'is required'],
  [{ name: 3 }, 'must be a string'],
  [{ name: '' }, 'must have at least 1 character'],
  [{ name: 'long' }, 'must have at most 3 characters'],
  [{ count: 'x' }, 'must be a number'],
  [{ count: 2.5 }, 'must be a whole number'],
  [{ count: 1 }, 'must be at least 2'],
  [{ count: 10 }, 'must be at most 9'],
  [{ step: 3 }, 'must be a multiple of 5'],
  [{ isOn: 'yes' }, 'must be true or false'],
  [{ tags: 'a' }, 'must be a list'],
  [{ tags: [] }, 'must have at least 1 element'],
  [{ tags: ['a', 'b', 'c'] }, 'must have at most 2 elements'],
  [{ pairs: 'a' }, 'must be an object'],
  [{ color: 'green' }, 'must be one of red, blue'],
  [{ kind: 'reel' }, 'must be post'],
  [{ id: '1' }, 'must be a UUID'],
  [{ own: 1 }, 'must be what the schema says'],
])('%j is answered with "%s"', (wrong, message) => {
  const [field = ''] = Object.keys(wrong);
  const result = schema.safeParse(wrong, { reportInput: true, error: fieldMessage });

  const issue = result.error?.issues.find(({ path }) => path[0] === field);

  expect(issue?.message).toBe(message);
});
