import { minuteMs, secondMs } from '../kernel/clock.ts';
import { LruCache } from './lru-cache.ts';

export type FoundLink =
  | { readonly kind: 'found'; readonly url: string }
  | { readonly kind: 'unknown' }
  /** The table cannot be read, and this link is not cached. */
  | { readonly kind: 'unavailable' };

export interface LinkFinderOptions {
  /** Reads a destination, as `LinkStore.readDestination` does. */
  readonly readDestination: (code: string, budgetMs: number) => Promise<string | undefined>;
  /** Reports each failed read of the table. */
  readonly onUnreadable: (error: Error) => void;
}

const maxCached = 10_000;
const cachedMs = minuteMs;
const unknownCachedMs = 5 * secondMs;
/** The time for which an expired cache entry is served again after the table could not be read. */
const staleMs = 5 * secondMs;
const readBudgetMs = 2_500;
/**
 * The time for confirming a cached link. Short, because the visitor waits and the cached URL is certainly right:
 * links never change.
 */
const confirmBudgetMs = 250;

interface CachedLink {
  readonly url: string;
  readonly freshUntil: number;
}

/**
 * A cache for finding links by their codes: known links for a minute, unknown codes for five seconds. While the table
 * cannot be read, cached links are served at any age.
 */
export class LinkFinder {
  readonly #options: LinkFinderOptions;
  readonly #known = new LruCache<CachedLink>(maxCached);
  /**
   * The end of the time for which a code counts as unknown. A separate cache, so that someone who tries out codes does
   * not evict known links.
   */
  readonly #unknownUntil = new LruCache<number>(maxCached);

  constructor(options: LinkFinderOptions) {
    this.#options = options;
  }

  /**
   * Finds a link.
   *
   * @param code a text that {@link isCode} accepts
   * @param now epoch milliseconds
   */
  async find(code: string, now: number): Promise<FoundLink> {
    const known = this.#known.get(code);
    if (known && known.freshUntil > now) return { kind: 'found', url: known.url };
    if ((this.#unknownUntil.get(code) ?? 0) > now) return { kind: 'unknown' };
    try {
      return this.#cache(
        code,
        await this.#options.readDestination(code, known ? confirmBudgetMs : readBudgetMs),
        now,
      );
    } catch (error) {
      this.#options.onUnreadable(error as Error);
      if (!known) return { kind: 'unavailable' };
      this.#known.set(code, { url: known.url, freshUntil: now + staleMs });
      return { kind: 'found', url: known.url };
    }
  }

  #cache(code: string, url: string | undefined, now: number): FoundLink {
    if (url === undefined) {
      this.#known.delete(code);
      this.#unknownUntil.set(code, now + unknownCachedMs);
      return { kind: 'unknown' };
    }
    this.#known.set(code, { url, freshUntil: now + cachedMs });
    return { kind: 'found', url };
  }
}
