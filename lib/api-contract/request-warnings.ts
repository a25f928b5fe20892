import * as z from 'zod';
import { maxFieldCharacters, maxProblems, truncate } from '../kernel/errors.ts';
import { likelyName } from '../kernel/nearest-name.ts';
import { ProblemCode } from './errors/problem-code.ts';
import type { OperationReply } from './operation-reply.ts';
import { fieldPath, namesOf, type StrayKey } from './unknown-keys.ts';

/** A warning about something that was accepted but may not do what the client meant. */
export const RequestWarning = z
  .object({
    field: z.string().meta({ description: 'The field of the request, such as `platforms[0].custmContent`' }),
    code: ProblemCode,
    message: z.string(),
  })
  .meta({ id: 'RequestWarning' });
export type RequestWarning = z.infer<typeof RequestWarning>;

const described =
  'Parts of the request that were accepted but may not do what you meant, such as unknown fields, which are ignored';

/** Returns the replies with `warnings` added to their bodies. A body that already has them keeps its own schema for them. */
export function withWarnings(
  replies: Readonly<Record<number, OperationReply>>,
): Readonly<Record<number, OperationReply>> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, reply]) => {
      const { body } = reply;
      if (!(body instanceof z.ZodObject) || 'warnings' in body.shape) return [status, reply];
      const warnings = z.array(RequestWarning).meta({ description: described });
      return [status, { ...reply, body: body.extend({ warnings }) }];
    }),
  );
}

/**
 * Warns for each key that it has no effect, and names the field that was probably meant. At most 100 warnings: the last one
 * counts the rest.
 *
 * @param replies the operation's replies: fields that only replies have are read-only
 */
export function warningsAbout(
  keys: readonly StrayKey[],
  replies: Readonly<Record<number, OperationReply>>,
): RequestWarning[] {
  if (keys.length === 0) return [];
  const shown = shownPaths(replies);
  const most = keys.length > maxProblems ? maxProblems - 1 : maxProblems;
  const warnings = keys.slice(0, most).map(({ path, owner }): RequestWarning => {
    const field = truncate(fieldPath(path), maxFieldCharacters);
    return shown.has(general(path))
      ? { field, code: 'field_read_only', message: 'is read-only and is ignored' }
      : { field, code: 'field_unknown', message: ignored(String(path.at(-1)), owner) };
  });
  const rest = keys.length - warnings.length;
  return rest === 0
    ? warnings
    : [
        ...warnings,
        {
          field: 'body',
          code: 'field_unknown',
          message: `has ${rest} more unknown fields, which are ignored`,
        },
      ];
}

function ignored(name: string, owner: z.core.$ZodObject): string {
  const likely = likelyName(name, namesOf(owner));
  return `is not a field of this request and is ignored${likely === undefined ? '' : `; did you mean ${likely}?`}`;
}

/** Returns the path without the numbers of a list's elements: `platforms[].status`. */
const general = (path: readonly (string | number)[]): string =>
  path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.');

/**
 * Returns the paths of all fields in the replies, both from the reply itself and from each thing in it: `status` for
 * `post.status`.
 */
function shownPaths(replies: Readonly<Record<number, OperationReply>>): Set<string> {
  const paths = Object.values(replies).flatMap(({ body }) => (body ? pathsBelow(body) : []));
  return new Set(paths.flatMap((path) => [path.join('.'), path.slice(1).join('.')]));
}

function pathsBelow(schema: z.core.$ZodType): string[][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return pathsBelow(def.innerType);
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
