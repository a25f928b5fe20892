import * as z from 'zod';

/** A path of fields: `targets[].status`. */
type Path = string;

/** The paths of all fields of a schema, nested ones included. Free-form JSON has no fields. Pure. */
export function fieldsOf(schema: z.ZodType): Path[] {
  return walk(schema, '').map(([path]) => path);
}

/** The values of a schema's enums, by path. Pure. */
export function enumsOf(schema: z.ZodType): Record<Path, string[]> {
  const enums = walk(schema, '').filter(([, inner]) => inner instanceof z.ZodEnum);
  return Object.fromEntries(enums.map(([path, inner]) => [path, (inner as z.ZodEnum).options.map(String)]));
}

function walk(schema: z.ZodType, path: Path): [Path, z.ZodType][] {
  const inner = unwrapped(schema);
  const own: [Path, z.ZodType][] = path === '' ? [] : [[path, inner]];
  if (inner instanceof z.ZodObject) {
    const dot = path === '' ? '' : '.';
    const fields = Object.entries(inner.shape).flatMap(([name, field]) =>
      walk(field as z.ZodType, `${path}${dot}${name}`),
    );
    return [...own, ...fields];
  }
  if (inner instanceof z.ZodArray) return [...own, ...walk(inner.element as z.ZodType, `${path}[]`)];
  // Includes discriminated unions.
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => walk(option as z.ZodType, path));
  return own;
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

/** The paths that a value has. A field without a value, or with null, has none below it. Pure. */
export function pathsIn(value: unknown, path: Path = ''): Set<Path> {
  const own = path === '' ? [] : [path];
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return new Set(own);
  const below = Array.isArray(value)
    ? value.flatMap((element) => [...pathsIn(element, `${path}[]`)])
    : Object.entries(value).flatMap(([name, field]) => [
        ...pathsIn(field, path === '' ? name : `${path}.${name}`),
      ]);
  return new Set([...own, ...below]);
}

/** A copy of the item with another value at the path, which it must have. Pure. */
export function withValue<Item>(item: Item, path: Path, value: unknown): Item {
  const copy = structuredClone(item);
  // An array's first element stands for all.
  const steps = path.replaceAll('[]', '.0').split('.');
  const last = steps.pop() ?? '';
  const holder = steps.reduce<unknown>((each, step) => (each as Record<string, unknown>)[step], copy);
  (holder as Record<string, unknown>)[last] = value;
  return copy;
}
