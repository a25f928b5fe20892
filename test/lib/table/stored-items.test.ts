import { describe, expect, it } from 'vitest';
import { enumsOf, fieldsOf, pathsIn, withValue } from '../../support/schema-paths.ts';
import { type Item, readStoredItems } from '../../support/stored-items.ts';
import { decoded, kindsWithSchema } from '../../support/stored-kinds.ts';

/** Attributes that keys, indexes, conditions and the time to live use, but not always the reader. */
const unread = [
  ...['pk', 'sk', 'kind', 'expiresAtSeconds', 'writeId', 'usedBy'],
  ...['workspaceList', 'statusList', 'accountList', 'createdKey', 'dueShard', 'dueAt'],
];

const stored = readStoredItems();

it('there are examples of exactly the kinds of items that have a schema', () => {
  expect(Object.keys(stored).sort()).toEqual(kindsWithSchema.map(([kind]) => kind).sort());
});

describe.each(kindsWithSchema)('stored items of kind %s', (kind, how) => {
  const { examples, values = {} } = stored[kind] ?? { examples: [] };
  const read = how.read ?? ((item: Item) => how.schema.parse(item));

  it.each(examples.map((item, index) => [index + 1, item]))('are read completely: example %s', (_, item) => {
    const result = read(item) as Item;
    const attributes = Object.entries(decoded(item, how)).filter(
      ([name]) => name in result || ![...unread, ...(how.converted ?? [])].includes(name),
    );
    expect(result).toMatchObject(Object.fromEntries(attributes));
  });

  it('are read with every value that an enum has had', () => {
    for (const [path, each] of Object.entries(values)) {
      const item = examples.find((example) => pathsIn(example).has(path)) ?? {};
      for (const value of each) expect(() => read(withValue(item, path, value)), value).not.toThrow();
    }
  });

  it('have an example of every field of the schema, and list every value of its enums', () => {
    const found = new Set(examples.flatMap((item) => [...pathsIn(decoded(item, how))]));
    expect(fieldsOf(how.schema).filter((path) => !found.has(path))).toEqual([]);
    expect(values).toEqual(enumsOf(how.schema));
  });
});
