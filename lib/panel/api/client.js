import { strings } from '../strings.ts';
import { ApiError, needsSignIn } from './api-error.ts';
import { readError } from './read-error.ts';
import { pause, waitBeforeRetry } from './retry.ts';
import { session } from './session.ts';
import { workspaceChoice } from './workspace-choice.ts';
/** Longer than the service itself takes at most. */
const timeLimitMs = 32000;
/** These are about the person, not about a workspace. */
const personPaths = /^\/panel\/(me|sessions|sign-out)\b/;
/**
 * Sends one request of an operation: `call<typeof listKeysOperation>('GET', '/panel/keys')`. If the session has ended, or the
 * operation needs a recent sign-in, the person can sign in, and the request is sent again.
 *
 * @returns the body of the reply; `undefined` if it has none
 * @throws ApiError
 */
export async function call(method, path, ...[request, options = {}]) {
    const sent = { method, url: urlOf(path, request), body: request?.body };
    for (;;) {
        try {
            return (await sendWithRetries(sent, headersOf(path, sent.body, options), options.signal));
        }
        catch (error) {
            if (!needsSignIn(error) || !(await session.renew(error, options)))
                throw error;
        }
    }
}
async function sendWithRetries(sent, headers, signal) {
    for (let attempt = 1;; attempt++) {
        try {
            return await send(sent, headers, signal);
        }
        catch (error) {
            if (!(error instanceof ApiError))
                throw error;
            const waitMs = waitBeforeRetry(error, attempt, isSafe(sent), Math.random());
            if (waitMs === undefined)
                throw error;
            await pause(waitMs, signal);
        }
    }
}
/** Sending it twice must have the effect of sending it once. */
function isSafe({ method, body }) {
    if (method === 'GET' || method === 'HEAD')
        return true;
    return (typeof body === 'object' && body !== null && 'idempotencyKey' in body && body.idempotencyKey !== undefined);
}
async function send({ method, url, body }, headers, signal) {
    const limit = AbortSignal.timeout(timeLimitMs);
    try {
        const response = await fetch(url, {
            method,
            headers,
            credentials: 'same-origin',
            redirect: 'error',
            signal: signal ? AbortSignal.any([signal, limit]) : limit,
            ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (!response.ok)
            throw await readError(response);
        return response.status === 204 ? undefined : await response.json();
    }
    catch (error) {
        if (error instanceof ApiError || signal?.aborted)
            throw error;
        throw noResponse(error, limit.aborted);
    }
}
function noResponse(cause, isTooLate) {
    if (isTooLate)
        return new ApiError(strings.errors.timeout, { status: 0, code: 'timeout', cause });
    if (!navigator.onLine)
        return new ApiError(strings.errors.offline, { status: 0, code: 'offline', cause });
    if (cause instanceof SyntaxError)
        return new ApiError(strings.errors.unavailable, { status: 0, code: 'malformed', cause });
    return new ApiError(strings.errors.unreachable, { status: 0, code: 'unreachable', cause });
}
function headersOf(path, body, { workspaceId }) {
    const headers = new Headers({ accept: 'application/json' });
    if (body !== undefined)
        headers.set('content-type', 'application/json');
    const workspace = workspaceId ?? workspaceChoice.current();
    if (workspace !== undefined && !personPaths.test(path))
        headers.set('x-workspace', workspace);
    return headers;
}
/** The panel's host serves the API below `/api`. */
export function urlOf(path, { path: parameters = {}, query = {} } = {}) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        for (const each of Array.isArray(value) ? value : [value])
            if (each !== undefined)
                search.append(name, String(each));
    }
    const text = search.toString();
    return `/api${filled}${text && `?${text}`}`;
}
