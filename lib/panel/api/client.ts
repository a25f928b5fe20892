import { words } from '../words/words.ts';
import { ApiError, needsSignIn, readError } from './api-error.ts';
import type { AnyOperation, ReplyOf, RequestOf } from './operation-types.ts';
import { pause, waitBeforeRetry } from './retry.ts';
import { session } from './session.ts';
import { workspaceChoice } from './workspace-choice.ts';

/** Longer than the service itself takes at most. */
const timeLimitMs = 32_000;
/** These are about the person, not about a workspace. */
const personPaths = /^\/panel\/(me|sessions|sign-out|invitations)\b/;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The workspace; default: the one that this tab shows. */
  readonly workspaceId?: string | undefined;
  /** True for a read that nobody has asked for, such as a poll: it asks nobody to sign in twice. */
  readonly isBackground?: boolean;
}

type Loose = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

/**
 * Sends one request of an operation: `call<typeof listKeysOperation>('GET', '/panel/keys')`. If the session has ended, or the
 * operation needs a recent sign-in, the person can sign in, and the request is sent again.
 *
 * @returns the body of the reply; `undefined` if it has none
 * @throws ApiError
 */
export async function call<Op extends AnyOperation>(
  method: Op['method'],
  path: Op['path'],
  ...[request, options = {}]: Partial<RequestOf<Op>> extends RequestOf<Op>
    ? [request?: RequestOf<Op> | undefined, options?: CallOptions]
    : [request: RequestOf<Op>, options?: CallOptions]
): Promise<ReplyOf<Op>> {
  const sent = { method, url: urlOf(path, request as Loose), body: (request as Loose | undefined)?.body };
  for (;;) {
    try {
      return (await sendWithRetries(
        sent,
        headersOf(path, sent.body, options),
        options.signal,
      )) as ReplyOf<Op>;
    } catch (error) {
      if (!needsSignIn(error) || !(await session.renew(error, options))) throw error;
    }
  }
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

async function sendWithRetries(sent: Sent, headers: Headers, signal: AbortSignal | undefined) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(sent, headers, signal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const waitMs = waitBeforeRetry(error, attempt, isSafe(sent), Math.random());
      if (waitMs === undefined) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** Sending it twice must have the effect of sending it once. */
function isSafe({ method, body }: Sent): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return (
    typeof body === 'object' && body !== null && 'idempotencyKey' in body && body.idempotencyKey !== undefined
  );
}

async function send({ method, url, body }: Sent, headers: Headers, signal: AbortSignal | undefined) {
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
    if (!response.ok) throw await readError(response);
    return response.status === 204 ? undefined : await response.json();
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error;
    throw noResponse(error, limit.aborted);
  }
}

function noResponse(cause: unknown, isTooLate: boolean): ApiError {
  if (isTooLate) return new ApiError(words.shared.errors.timeout, { status: 0, code: 'timeout', cause });
  if (!navigator.onLine)
    return new ApiError(words.shared.errors.offline, { status: 0, code: 'offline', cause });
  if (cause instanceof SyntaxError)
    return new ApiError(words.shared.errors.unavailable, { status: 0, code: 'malformed', cause });
  return new ApiError(words.shared.errors.unreachable, { status: 0, code: 'unreachable', cause });
}

function headersOf(path: string, body: unknown, { workspaceId }: CallOptions): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const workspace = workspaceId ?? workspaceChoice.current();
  if (workspace !== undefined && !personPaths.test(path)) headers.set('x-workspace', workspace);
  return headers;
}

/** The panel's host serves the API below `/api`. */
export function urlOf(path: string, { path: parameters = {}, query = {} }: Loose = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(name, String(each));
  }
  const text = search.toString();
  return `/api${filled}${text && `?${text}`}`;
}
