import { errorCodes } from './error-codes.ts';
/**
 * An expected error. Anything else that is thrown is a bug and is answered with status 500. `code` names the cause for
 * programs. `message` is for people and may be shown to the client, so it never contains a secret, a token or an internal
 * name. The cause is only logged.
 */
export class HeraldError extends Error {
    name = 'HeraldError';
    code;
    /** The path of the field that `code` is about, such as `platforms[0].accountId`. */
    param;
    fields;
    /** The same as `fields`, in the order in which they were found; empty if the error is not about fields. */
    problems;
    /** Seconds after which the same request may succeed. `undefined` if unknown. */
    retryAfterSeconds;
    constructor(code, message, options = {}) {
        super(message, options.cause === undefined ? undefined : { cause: options.cause });
        this.code = code;
        this.param = options.param;
        this.fields = options.fields;
        this.problems = options.problems ?? [];
        this.retryAfterSeconds = options.retryAfterSeconds;
    }
    /** What the caller can do about it; decides the HTTP status. */
    get kind() {
        return errorCodes[this.code];
    }
}
/** An error about one field of the request. Its message is `<field>: <what is wrong>`. */
export function invalidField(field, message, code = 'invalid') {
    return invalidFields([{ field, message, code }]);
}
/** Limits of one error, so that its response never exceeds what Lambda may return (6 MB). */
export const maxProblems = 100;
export const maxFieldCharacters = 200;
const maxMessageCharacters = 500;
/** An error that names every wrong field. Its message, code and `param` are about the first one. */
export function invalidFields(problems) {
    // A Map, because a client may name a field `__proto__` or `constructor`.
    const fields = new Map();
    const short = problems.slice(0, maxProblems).map(shorten);
    for (const { field, message } of short)
        fields.set(field, [...(fields.get(field) ?? []), message]);
    const [first] = fields;
    return new HeraldError(problems[0]?.code ?? 'invalid', first ? `${first[0]}: ${first[1][0]}` : 'invalid request', { ...(first && { param: first[0] }), fields: Object.fromEntries(fields), problems: short });
}
/** Returns a problem or a warning with its texts cut to what a response may hold. */
export function shorten(problem) {
    const field = truncate(problem.field, maxFieldCharacters);
    return { ...problem, field, message: truncate(problem.message, maxMessageCharacters) };
}
/** Shortens a text that came from a request, without splitting a character. */
export function truncate(text, maxCharacters) {
    return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()}…`;
}
/** The same error for a thing that does not exist and for one of another workspace, so that callers cannot tell. */
export function notFound(noun) {
    return new HeraldError('not_found', `${noun} not found`);
}
