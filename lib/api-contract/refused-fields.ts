import * as z from 'zod';
import type { FieldProblem } from '../kernel/errors.ts';
import { fieldPath, type StrayKey } from './unknown-keys.ts';

/** Messages about the fields that a schema's object must not have, by field name. */
type RefusedFields = Readonly<Record<string, string>>;

const refusals = z.registry<{ fields: RefusedFields }>();

/**
 * Refuses fields that a schema does not have, instead of ignoring them with a warning. They are kept apart from the schema, so
 * that they do not appear in the OpenAPI document or in the types that clients generate from it.
 *
 * @param schema the object's schema. A schema derived from it later, for example by `extend` or `meta`, does not refuse them
 */
export function refuseFields<Schema extends z.ZodObject>(schema: Schema, fields: RefusedFields): Schema {
  refusals.add(schema, { fields });
  return schema;
}

/** Returns the same message for several fields. */
export const refusedAlike = (names: readonly string[], message: string): RefusedFields =>
  Object.fromEntries(names.map((name) => [name, message]));

/** Returns the refusal of this key; `undefined` if it is only unknown. */
export function refusalOf({ path, owner }: StrayKey): FieldProblem | undefined {
  const { fields = {} } = refusals.get(owner) ?? {};
  const name = String(path.at(-1));
  if (!Object.hasOwn(fields, name)) return undefined;
  return { field: fieldPath(path), message: fields[name] ?? '', code: 'unsupported_field' };
}
