import { setTimeout as delay } from 'node:timers/promises';
import { secondMs } from '../../../lib/kernel/clock.ts';
import { backoffMs } from '../../../lib/kernel/retry.ts';

/** A request that failed and that a repetition cannot help, or that failed every time. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
}

export interface ApiAccess {
  /** The API's URL, without a final slash. */
  readonly url: string;
  readonly apiKey: string;
  /** Replaces the wait between attempts in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

const maxAttempts = 8;
const backoff = { baseMs: 500, capMs: 30 * secondMs };

/** Longer than the function may take, so that a slow response is awaited. */
const timeoutMs = 40 * secondMs;

/**
 * Sends a request to the API. After 429, 5xx and failures of the network it sends it again, so it must be safe to repeat.
 *
 * @throws ApiFailure with the API's message
 */
export async function ask(
  { url, apiKey, wait = delay }: ApiAccess,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, text, waitMs } = await send();
    if (status === 200) return JSON.parse(text);
    const isTransient = status === 429 || status >= 500;
    if (!isTransient || attempt === maxAttempts)
      throw new ApiFailure(
        `${method} ${path}: ${status === networkFailure ? '' : `${status} `}${messageOf(text)}`,
      );
    await wait(waitMs ?? backoffMs(attempt, backoff, Math.random()));
  }

  async function send(): Promise<{ status: number; text: string; waitMs?: number | undefined }> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const afterSeconds = response.headers.get('retry-after');
      const text = await response.text();
      return {
        status: response.status,
        text,
        waitMs: afterSeconds === null ? undefined : Number(afterSeconds) * secondMs,
      };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      return { status: networkFailure, text: `${error instanceof Error ? error.message : error}${cause}` };
    }
  }
}

/** Stands for a failed connection. Above every HTTP status, so it is treated like those from 500 on. */
const networkFailure = 1_000;

/** Returns the text of an error of the API, or of the gateway in front of it. */
function messageOf(text: string): string {
  try {
    const { error, message } = JSON.parse(text);
    return String(error ?? message ?? text);
  } catch {
    return text;
  }
}
