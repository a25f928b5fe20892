import * as z from 'zod';
import { maxFieldCharacters, maxProblems, truncate } from '../kernel/errors.ts';
import { likelyName } from '../kernel/nearest-name.ts';
import { ProblemCode } from './errors/problem-code.ts';
import type { OperationReply } from './operation-reply.ts';
import { type ShownPaths, shows } from './shown-paths.ts';
import type { UnbuiltField } from './unbuilt-fields.ts';
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
 * @param shown the fields of answers, which are read-only
 * @param unbuilt the keys by which the writer certainly meant something
 */
export function warningsAbout(
  keys: readonly StrayKey[],
  shown: ShownPaths,
  unbuilt: readonly UnbuiltField[] = [],
): RequestWarning[] {
  if (keys.length === 0) return [];
  const uses = new Map(unbuilt.map(({ field, use }) => [field, use]));
  const most = keys.length > maxProblems ? maxProblems - 1 : maxProblems;
  const warnings = keys.slice(0, most).map(({ path, owner }): RequestWarning => {
    const field = truncate(fieldPath(path), maxFieldCharacters);
    return shows(shown, path) && !uses.has(field)
      ? { field, code: 'field_read_only', message: 'is read-only and is ignored' }
      : { field, code: 'field_unknown', message: ignored(String(path.at(-1)), owner, uses.get(field)) };
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

function ignored(name: string, owner: z.core.$ZodObject, use: string | undefined): string {
  const likely = use ?? likelyName(name, namesOf(owner));
  return `is not a field of this request and is ignored${likely === undefined ? '' : `; did you mean ${likely}?`}`;
}
