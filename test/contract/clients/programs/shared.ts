import { createHmac, timingSafeEqual } from 'node:crypto';

/** The input of a program, from the test. */
export interface Setting {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The URL to which the program lets events be sent. */
  readonly endpointUrl: string;
  /** Waits until lists have the posts: they may lag behind by about a second. */
  listsAreCurrent(): Promise<unknown>;
  /** Waits for the next request to that URL. */
  nextEvent(): Promise<{ readonly body: string; readonly signature: string }>;
}

/** The observations of a program. */
export interface Seen {
  readonly created: readonly string[];
  readonly listed: readonly string[];
  readonly pages: number;
  readonly refusal: { readonly code: string; readonly param: string | undefined };
  /** The `webhookId` of a verified test event, and whether it is the registered endpoint's. */
  readonly event: string;
  readonly webhookId: string;
}

/**
 * Verifies the header `X-Service-Signature` as the document describes it.
 *
 * @throws Error unless one of the signatures is right
 */
export function verifySignature(body: string, header: string, secret: string): void {
  const parts = header.split(',').map((part) => part.split('='));
  const seconds = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
  const isRight = parts
    .filter(([name]) => name === 'v1')
    .map(([, hex = '']) => Buffer.from(hex, 'hex'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  if (!isRight) throw new Error('the signature is wrong');
}
