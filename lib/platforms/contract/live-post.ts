import type { Json } from '../../kernel/json.ts';

/** JSON in the adapter's own format, such as container ids and upload sessions. Never a token. */
export type Preparation = { readonly [key: string]: Json };

export interface LivePost {
  /** Null if the platform gives the id later. */
  readonly platformPostId: string | null;
  readonly permalink: string | null;
  /** When the platform says that it went live, in epoch milliseconds; absent if it does not say. */
  readonly publishedMs?: number | undefined;
  /** True if nothing is left to finish. */
  readonly isFinished?: boolean;
}
