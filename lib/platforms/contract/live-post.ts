import type { Json } from '../../kernel/json.ts';

/** JSON in the adapter's own format, such as container ids and upload sessions. Never a token. */
export type Preparation = { readonly [key: string]: Json };

export interface LivePost {
  /** The post's id; null if the platform gives it later. */
  readonly platformPostId: string | null;
  readonly permalink: string | null;
  /** The time at which the post went live according to the platform, in epoch milliseconds; absent if it does not say. */
  readonly publishedMs?: number | undefined;
  /** True if nothing is left to finish. */
  readonly isFinished?: boolean;
}
