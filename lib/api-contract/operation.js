import { withWarnings } from './request-warnings.ts';
/** Whether requests act in a workspace, so that their caller is an API key or a member. */
export const isInWorkspace = (access) => access === 'key' || access === 'person';
/**
 * Fills in the defaults of an operation and keeps its exact types. If it acts in a workspace and takes a JSON body, its replies have
 * `warnings`, which the handler's middleware fills in.
 */
export function operation(declaration) {
    const { access = 'key', verb } = declaration;
    if (isInWorkspace(access) !== (verb !== undefined))
        throw new Error(`${declaration.handler}: an operation has a verb if it acts in a workspace, and only then`);
    const op = { ...declaration, access };
    return hasWarnings(op) ? { ...op, replies: withWarnings(op.replies) } : op;
}
/** Whether the operation says in its replies which fields of the request it ignores. */
export function hasWarnings({ access, body, bodyType }) {
    return isInWorkspace(access) && body !== undefined && bodyType === undefined;
}
/** The name of a handler's function: `posts-create` for `posts/create`. */
export function functionName(handler) {
    return handler.replaceAll('/', '-');
}
/** Whether a request must have a body. */
export function isBodyNeeded(schema) {
    return !schema.safeParse(undefined).success;
}
