import type { ErrorBody } from '../../api-contract/error-body.ts';
import { words } from '../words/words.ts';
import { ApiError } from './api-error.ts';

/** Turns a response that is no success into an error. It reads the body. */
export async function readError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfterMs = waitOf(headers.get('retry-after'));
  const body = await readBody(response);
  if (body === undefined) {
    const message = status >= 500 ? words.shared.errors.unavailable : words.shared.errors.malformed(status);
    return new ApiError(message, { status, code: 'malformed', requestId, retryAfterMs });
  }
  return new ApiError(body.error, {
    status,
    code: body.code,
    param: body.param,
    problems: body.details?.problems ?? soleProblem(body),
    requestId,
    retryAfterMs,
  });
}

/** One wrong field is named by `param` alone. The message then begins with its path. */
function soleProblem({ error, code, param }: ErrorBody) {
  if (param === undefined) return [];
  const prefix = `${param}: `;
  return [{ param, code, message: error.startsWith(prefix) ? error.slice(prefix.length) : error }];
}

async function readBody(response: Response): Promise<ErrorBody | undefined> {
  try {
    const body = (await response.json()) as Partial<ErrorBody> | null;
    return typeof body?.error === 'string' && typeof body.code === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` as a number of seconds, which is how the service writes it. */
function waitOf(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}
