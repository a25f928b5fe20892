import type { Json } from '../../kernel/json.ts';

/** JSON in the adapter's own format, such as container ids and upload sessions. Never a token. */
export type Preparation = { readonly [key: string]: Json };

/**
 * Returns the name of the upload that a preparation refers to, if the platform keeps it until it is published or discarded; undefined
 * if the preparation leaves nothing behind. An adapter stores the name as `uploadId`. It stays the same as long as the upload does.
 */
export function uploadIdOf(preparation: Preparation | undefined): string | undefined {
  const { uploadId } = preparation ?? {};
  return typeof uploadId === 'string' ? uploadId : undefined;
}

export interface LivePost {
  /** The post's id; null if the platform gives it later. */
  readonly platformPostId: string | null;
  readonly permalink: string | null;
  /** The time at which the post went live according to the platform, in epoch milliseconds; absent if it does not say. */
  readonly publishedMs?: number | undefined;
  /** True if nothing is left to finish. */
  readonly isFinished?: boolean;
}
