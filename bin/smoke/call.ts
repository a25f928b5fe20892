import { secondMs } from '../../lib/kernel/clock.ts';

/** A request with another answer than the expected one. */
export class SmokeFailure extends Error {
  override readonly name = 'SmokeFailure';
}

/** Longer than the API may take, so that a slow answer is awaited. */
const timeoutMs = 40 * secondMs;
const shownCharacters = 300;

/** The optional parts of a request. */
export interface CallOptions {
  readonly apiKey?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they are. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Sends a request once: a request that fails here may fail for a customer.
 *
 * @param expected the status that the answer must have
 * @returns the answer's bytes
 * @throws SmokeFailure with the status and the beginning of the answer, if it has another status or does not come
 */
export async function call(
  method: string,
  url: string,
  expected: number,
  { apiKey, body, bytes, headers, signal }: CallOptions,
): Promise<Uint8Array> {
  const about = `${method} ${new URL(url).pathname}`;
  const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new SmokeFailure(`${about}: ${error.message}${cause}`);
  });
  const content = new Uint8Array(await answer.arrayBuffer());
  if (answer.status === expected) return content;
  const text = new TextDecoder().decode(content).slice(0, shownCharacters);
  throw new SmokeFailure(`${about}: ${answer.status} instead of ${expected}: ${text}`);
}
