import { minuteMs, secondMs } from '../kernel/clock.ts';
import { LruCache } from './lru-cache.ts';

export type FoundLink =
  | { readonly kind: 'found'; readonly url: string }
  | { readonly kind: 'unknown' }
  /** The table cannot be read, and this link is not remembered. */
  | { readonly kind: 'unavailable' };

export interface LinkFinderOptions {
  /** As `LinkStore.readDestination`. */
  readonly readDestination: (code: string, budgetMs: number) => Promise<string | undefined>;
  /** Told each time that the table could not be read. */
  readonly onUnreadable: (error: Error) => void;
}

const mostRemembered = 10_000;
const rememberedMs = minuteMs;
const unknownRememberedMs = 5 * secondMs;
/** A link that the table could not confirm is served for so long before the table is asked again. */
const staleMs = 5 * secondMs;
const readBudgetMs = 2_500;
/** Somebody waits, and we know the answer: links do not change. */
const confirmBudgetMs = 250;

interface Remembered {
  readonly url: string;
  readonly freshUntil: number;
}

/**
 * Finds links by their codes, and remembers what it found: links for a minute, unknown codes for five seconds. While
 * the table cannot be read, links are served from memory however old they are.
 */
export class LinkFinder {
  readonly #options: LinkFinderOptions;
  readonly #known = new LruCache<Remembered>(mostRemembered);
  /** Apart from the others: who tries codes out does not displace them. */
  readonly #unknownUntil = new LruCache<number>(mostRemembered);

  constructor(options: LinkFinderOptions) {
    this.#options = options;
  }

  /**
   * @param code of the form of a code
   * @param now epoch milliseconds
   */
  async find(code: string, now: number): Promise<FoundLink> {
    const known = this.#known.get(code);
    if (known && known.freshUntil > now) return { kind: 'found', url: known.url };
    if ((this.#unknownUntil.get(code) ?? 0) > now) return { kind: 'unknown' };
    try {
      return this.#remember(
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

  #remember(code: string, url: string | undefined, now: number): FoundLink {
    if (url === undefined) {
      this.#known.delete(code);
      this.#unknownUntil.set(code, now + unknownRememberedMs);
      return { kind: 'unknown' };
    }
    this.#known.set(code, { url, freshUntil: now + rememberedMs });
    return { kind: 'found', url };
  }
}
