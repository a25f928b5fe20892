import * as z from 'zod';
import { type BroughtNames, findBrought, notSupported } from '../kernel/brought-names.ts';
import { type FieldProblem, maxFieldCharacters, maxProblems, truncate } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { type ShownPaths, shows } from './shown-paths.ts';
import { fieldPath, namesOf, type StrayKey } from './unknown-keys.ts';

/**
 * A field of a request that is not built, although its author certainly meant something by it. What goes live without it is not
 * what the author asked for, so such a request is refused. A draft only warns, and remembers the field.
 */
export const UnbuiltField = z.object({
  /** Its path in the request: `platforms[0].mediaUrls`. */
  field: z.string(),
  /** The name to use instead, if there is one. */
  use: z.string().optional(),
});
export type UnbuiltField = z.infer<typeof UnbuiltField>;

const registry = z.registry<{ names: BroughtNames }>();

/**
 * Registers the names that people bring to objects of this schema from elsewhere. They are kept apart from the schema, so that
 * they do not appear in the OpenAPI document or in the types that clients generate from it.
 *
 * @param schema the object's schema. A schema derived from it later, for example by `extend` or `meta`, does not have the names
 */
export function bringNames<Schema extends z.ZodObject>(schema: Schema, names: BroughtNames): Schema {
  registry.add(schema, { names });
  return schema;
}

/**
 * Returns the unknown fields by which the writer certainly meant something: names that people are known to bring, and names close
 * to a known field. The fields of an answer are not among them, so that an answer can be sent back.
 *
 * @param shown the fields of answers
 */
export function unbuiltFields(keys: readonly StrayKey[], shown: ShownPaths): UnbuiltField[] {
  const found: UnbuiltField[] = [];
  for (const key of keys) {
    const unbuilt = unbuiltField(key, shown);
    if (unbuilt) found.push(unbuilt);
    if (found.length === maxProblems) break;
  }
  return found;
}

function unbuiltField({ path, owner, value }: StrayKey, shown: ShownPaths): UnbuiltField | undefined {
  const name = String(path.at(-1));
  const field = truncate(fieldPath(path), maxFieldCharacters);
  const brought = findBrought(registry.get(owner)?.names ?? {}, name);
  if (brought && (!brought.isText || typeof value === 'string'))
    return { field, ...(brought.use !== undefined && { use: brought.use }) };
  if (shows(shown, path)) return undefined;
  const use = nearestName(name, namesOf(owner));
  return use === undefined ? undefined : { field, use };
}

export const unbuiltProblem = ({
  field,
  use,
}: UnbuiltField): FieldProblem & { code: 'unsupported_field' } => ({
  field,
  code: 'unsupported_field',
  message: notSupported(use),
});
