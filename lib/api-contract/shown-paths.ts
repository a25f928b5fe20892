import type * as z from 'zod';

/** The paths of fields that answers show, without the numbers of a list's elements: `platforms.[].status`. */
export type ShownPaths = ReadonlySet<string>;

/** Returns the paths of all fields of an answer, both from the answer itself and from each thing in it: `status` for `post.status`. */
export function shownPaths(body: z.core.$ZodType): ShownPaths {
  return new Set(pathsBelow(body).flatMap((path) => [path.join('.'), path.slice(1).join('.')]));
}

/** True if answers show the field of this path. */
export const shows = (shown: ShownPaths, path: readonly (string | number)[]): boolean =>
  shown.has(path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.'));

function pathsBelow(schema: z.core.$ZodType): string[][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return pathsBelow(def.innerType);
    case 'union':
      return def.options.flatMap(pathsBelow);
    case 'array':
      return pathsBelow(def.element).map((path) => ['[]', ...path]);
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => [
        [name],
        ...pathsBelow(field).map((path) => [name, ...path]),
      ]);
    default:
      return [];
  }
}
