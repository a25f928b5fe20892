import type * as z from 'zod';
import { nearestName } from '../kernel/nearest-name.ts';

/** A key of a request that its schema does not have. */
export interface UnknownKey {
  /** Keys and indexes from the outermost value to the key itself. */
  readonly path: readonly (string | number)[];
  /** The name that the writer probably meant. */
  readonly nearest?: string;
}

/** An unknown key that was not yet compared with known names: a request may have many such keys. */
export interface StrayKey {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** The schema of the object that has the key. */
  readonly owner: z.core.$ZodObject;
}

/**
 * Lists the keys of a value, at any depth, that its schema does not have: zod drops them when it parses. A key whose value
 * is null counts as absent. A union counts as the alternative that knows the most keys.
 */
export function unknownKeys(schema: z.core.$ZodType, value: unknown): UnknownKey[] {
  return strayKeys(schema, value).map(({ path, owner }) => {
    const nearest = nearestName(String(path.at(-1)), namesOf(owner));
    return { path, ...(nearest !== undefined && { nearest }) };
  });
}

const namesByOwner = new WeakMap<z.core.$ZodObject, readonly string[]>();

/** Returns the field names of an object's schema, always as the same list. */
export function namesOf(owner: z.core.$ZodObject): readonly string[] {
  const names = namesByOwner.get(owner) ?? Object.keys(owner._zod.def.shape);
  namesByOwner.set(owner, names);
  return names;
}

/** Returns the keys of {@link unknownKeys}, with the schemas that do not have them. */
export function strayKeys(schema: z.core.$ZodType, value: unknown): StrayKey[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'lazy':
      // Not `def.getter()`, which builds the schema again with each call.
      return strayKeys((schema as z.core.$ZodLazy)._zod.innerType, value);
    case 'pipe':
      return strayKeys(def.in, value);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return strayKeys(def.innerType, value);
    case 'union':
      return fewest(
        def.options.filter((option) => takes(option, value)).map((option) => strayKeys(option, value)),
      );
    case 'array':
      if (!Array.isArray(value)) return [];
      return value.flatMap((item, index) => below(index, strayKeys(def.element, item)));
    case 'record':
      return entriesOf(value).flatMap(([key, entry]) => below(key, strayKeys(def.valueType, entry)));
    case 'object':
      return entriesOf(value).flatMap(([key, entry]) => {
        const property = Object.hasOwn(def.shape, key) ? def.shape[key] : def.catchall;
        if (property) return below(key, strayKeys(property, entry));
        return [{ path: [key], value: entry, owner: schema as z.core.$ZodObject }];
      });
    default:
      return [];
  }
}

/** True if a schema is for this kind of value: a list, or anything else. */
function takes(schema: z.core.$ZodType, value: unknown): boolean {
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  return (type === 'array') === Array.isArray(value);
}

const fewest = (candidates: readonly StrayKey[][]): StrayKey[] =>
  candidates.reduce<StrayKey[] | undefined>(
    (best, keys) => (best !== undefined && best.length <= keys.length ? best : keys),
    undefined,
  ) ?? [];

const below = (step: string | number, keys: readonly StrayKey[]): StrayKey[] =>
  keys.map((key) => ({ ...key, path: [step, ...key.path] }));

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined);
}

/** Returns a field's path as a client writes it: `platforms[0].accountId`; `body` for the whole. */
export function fieldPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'body';
}
