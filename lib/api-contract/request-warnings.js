import * as z from 'zod';
import { maxFieldCharacters, maxProblems, truncate } from '../kernel/errors.ts';
import { likelyName } from '../kernel/nearest-name.ts';
import { ProblemCode } from './errors/problem-code.ts';
import { fieldPath } from './field-path.ts';
import { namesOf } from './unknown-keys.ts';
/** What was accepted, and may not do what the client meant. */
export const RequestWarning = z
    .object({
    field: z.string().meta({ description: 'The field of the request, such as `platforms[0].custmContent`' }),
    code: ProblemCode,
    message: z.string(),
})
    .meta({ id: 'RequestWarning' });
const described = 'What was accepted, and may not do what you meant: such as unknown fields, which are ignored';
/** The same replies, whose bodies have `warnings` too. A body that has them already keeps its own schema for them. */
export function withWarnings(replies) {
    return Object.fromEntries(Object.entries(replies).map(([status, reply]) => {
        const { body } = reply;
        if (!(body instanceof z.ZodObject) || 'warnings' in body.shape)
            return [status, reply];
        const warnings = z.array(RequestWarning).meta({ description: described });
        return [status, { ...reply, body: body.extend({ warnings }) }];
    }));
}
/**
 * Says of each key that it has no effect, and which field was probably meant. At most 100 warnings: the last one counts the rest.
 *
 * @param replies of the operation: their fields that requests do not have are read-only
 */
export function warningsAbout(keys, replies) {
    if (keys.length === 0)
        return [];
    const shown = shownPaths(replies);
    const most = keys.length > maxProblems ? maxProblems - 1 : maxProblems;
    const warnings = keys.slice(0, most).map(({ path, owner }) => {
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
function ignored(name, owner) {
    const likely = likelyName(name, namesOf(owner));
    return `is not a field of this request and is ignored${likely === undefined ? '' : `; did you mean ${likely}?`}`;
}
/** The path without the numbers of a list's elements: `platforms[].status`. */
const general = (path) => path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.');
/** The paths of all fields of the replies, below the reply itself and below each thing in it: `status` for `post.status`. */
function shownPaths(replies) {
    const paths = Object.values(replies).flatMap(({ body }) => (body ? pathsBelow(body) : []));
    return new Set(paths.flatMap((path) => [path.join('.'), path.slice(1).join('.')]));
}
function pathsBelow(schema) {
    const { def } = schema._zod;
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
