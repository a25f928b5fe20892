import { type HeraldOptions, methodsOf } from './client.ts';
import { type Helpers, helpersOf } from './helpers.ts';
// The build writes both from the OpenAPI document.
import { type Operations, operations } from './operations.ts';
import type { Post, WebhookEvent } from './types.ts';
import { type ReceivedWebhook, verifyWebhook as verify } from './webhooks.ts';

export type { HeraldOptions, RequestOptions } from './client.ts';
export { HeraldError, type Problem } from './errors.ts';
export type { Upload, Uploaded, WaitOptions } from './helpers.ts';
export type * from './types.ts';
export { isFromHerald, type ReceivedWebhook } from './webhooks.ts';

/** A client: one method for each operation of the API, and {@link Helpers}. Methods throw HeraldError. */
export interface Herald extends Operations, Helpers<Post> {}

/** Makes a client of a stage. @throws TypeError if an option can be of no stage or key */
export function createHerald(options: HeraldOptions): Herald {
  const methods = methodsOf(operations, options);
  return { ...methods, ...helpersOf<Post>(methods, options) } as unknown as Herald;
}

/**
 * Verifies a webhook. Returns its event; undefined if it is not genuine: without a header, changed, old, parsed, or junk. It does
 * not throw, so that no request can end a receiver. Later releases of the service may have more types of events.
 */
export const verifyWebhook: (received: ReceivedWebhook) => Promise<WebhookEvent | undefined> = verify;
