import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dropNulls } from '../../../lib/api-contract/drop-nulls.ts';
import { hasWarnings, type Operation } from '../../../lib/api-contract/operation.ts';
import { operations } from '../../../lib/operations.ts';

const Schema = z.object({
  name: z.string(),
  note: z.string().optional(),
  count: z.int().default(1),
  title: z.string().nullable().default('none'),
  free: z.record(z.string(), z.unknown()).optional(),
  parts: z.array(z.object({ url: z.string(), alt: z.string().optional() })).optional(),
  choice: z.union([z.string(), z.object({ of: z.string().optional() })]).optional(),
});

const without = (value: unknown, keepsOwn = false) => {
  const copy = structuredClone(value);
  dropNulls(Schema, copy, keepsOwn);
  return copy;
};

describe('a null of a request', () => {
  it.each<[string, unknown, unknown]>([
    ['is absent in an optional field', { note: null }, {}],
    ['is absent in a field with a default', { count: null }, {}],
    ['stays in a field that takes it', { title: null }, { title: null }],
    ['stays in a required field, whose error then names it', { name: null }, { name: null }],
    ['stays in free-form JSON', { free: { a: null } }, { free: { a: null } }],
    ['is absent in lists of objects', { parts: [{ url: null, alt: null }] }, { parts: [{ url: null }] }],
    ['stays as an element of a list', { parts: [null] }, { parts: [null] }],
    ['is absent in an alternative', { choice: { of: null } }, { choice: {} }],
    ['stays in an unknown field', { other: null }, { other: null }],
    ['stays if it is the whole', null, null],
  ])('%s', (_, value, expected) => {
    expect(without(value)).toEqual(expected);
  });

  it('stays in the fields of a change, and is absent below them', () => {
    const change = { note: null, parts: [{ url: 'a', alt: null }] };
    expect(without(change, true)).toEqual({ note: null, parts: [{ url: 'a' }] });
  });
});

/** The paths of all fields that may be null, below a schema: `platforms.0.permalink`. */
function nullablePaths(schema: z.core.$ZodType, path: readonly string[] = []): string[][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'nullable':
      return [[...path], ...nullablePaths(def.innerType, path)];
    case 'optional':
    case 'default':
      return nullablePaths(def.innerType, path);
    case 'array':
      return nullablePaths(def.element, [...path, '0']);
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => nullablePaths(field, [...path, name]));
    default:
      return [];
  }
}

/** Every optional field of a body, as the path from the outermost object and the schema that has it. */
function optionalFields(schema: z.core.$ZodType, path: string[] = []): string[][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'pipe':
      return optionalFields(def.in, path);
    case 'optional':
    case 'nullable':
    case 'default':
      return optionalFields(def.innerType, path);
    case 'array':
      return optionalFields(def.element, [...path, '0']);
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => [
        ...(field._zod.optin === undefined ? [] : [[...path, name]]),
        ...optionalFields(field, [...path, name]),
      ]);
    default:
      return [];
  }
}

/** A value that has nothing but the given field, which is null. */
function nullAt(path: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return null;
  return step === '0' ? [nullAt(rest)] : { [step]: nullAt(rest) };
}

const creating = operations
  .filter((op) => hasWarnings(op) && op.method !== 'PATCH')
  .map((op) => [op.id, op] as const);

describe.each(creating)('%s', (id, { body, replies }: Operation) => {
  const schema = body as z.ZodType;
  /** Paths of the nullable fields in the reply itself, and in each thing in it. */
  const shown = Object.values(replies)
    .flatMap(({ body: reply }) => (reply ? nullablePaths(reply) : []))
    .flatMap((path) => [path.join('.'), path.slice(1).join('.')]);

  it('takes null in every field that need not be sent, and so in every one that responses show as null', () => {
    for (const path of optionalFields(schema)) {
      const value = nullAt(path);
      dropNulls(schema, value);
      const problems = schema.safeParse(value).error?.issues ?? [];
      const here = problems.filter((issue) => issue.path.map(String).join('.') === path.join('.'));
      expect(here, path.join('.')).toEqual([]);
    }
  });

  it('says in the document that a field may be null if responses show it as null', () => {
    const fields = optionalFields(schema).filter((path) => shown.includes(path.join('.')));
    const documented = (path: readonly string[]) =>
      z.globalRegistry.get(fieldAt(schema, path))?.['override'] !== undefined ||
      fieldAt(schema, path).safeParse(null).success;
    expect(fields.filter((path) => !documented(path))).toEqual([]);
    if (id === 'createPost') expect(fields.length).toBeGreaterThan(4);
  });
});

function fieldAt(schema: z.core.$ZodType, path: readonly string[]): z.ZodType {
  const [step, ...rest] = path;
  if (step === undefined) return schema as z.ZodType;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'pipe':
      return fieldAt(def.in, path);
    case 'array':
      return fieldAt(def.element, rest);
    case 'object':
      return fieldAt(def.shape[step] as z.core.$ZodType, rest);
    default:
      return fieldAt((def as z.core.$ZodOptionalDef).innerType, path);
  }
}
