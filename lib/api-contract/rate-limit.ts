import { unconditionally } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { rateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The kind of caller for which requests are counted. */
export type RateSubject = 'address' | 'key' | 'workspace' | 'session' | 'site' | 'grant';

/** The limit of one address, API key, workspace or session per minute. */
export interface RateLimit {
  readonly of: RateSubject;
  /**
   * The client's address, or the id; for a session, the digest of its cookie; for requests that a page of another site sends, the
   * address of the person who has it open.
   */
  readonly id: string;
  readonly perMinute: number;
}

/** The state of a limit in the current minute. */
export interface RateStanding {
  readonly of: RateSubject;
  readonly limit: number;
  /** Requests left in this minute; 0 if this request is already over the limit. */
  readonly remaining: number;
  readonly isOver: boolean;
  /** Epoch seconds at which the next minute's count starts. */
  readonly resetAtSeconds: number;
}

/**
 * Counts requests per minute. Each request costs one small write per limit. Once this instance has seen that a limit is
 * exceeded, further requests of that minute cost none.
 *
 * The count is atomic, so across all instances at most the limit passes per minute. Fewer may pass: if the response of a
 * write is lost, the SDK repeats it up to three times and the request counts again. Instances whose clocks differ count
 * some requests in the neighbouring minute. A full limit may pass just before and again just after a minute ends.
 */
export class RateLimiter {
  readonly #table: Table;
  /** The last count over each exceeded limit. If the limit was raised since then, requests count again. */
  readonly #seenOver = new Map<string, { readonly minute: number; readonly requests: number }>();

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Returns the standing of a limit that this instance has seen exceeded in this minute. Reads and writes nothing.
   *
   * @param now epoch milliseconds
   */
  seenOver(limit: RateLimit, now: number): RateStanding | undefined {
    const seen = this.#seenOver.get(counterOf(limit));
    const isOver = seen?.minute === minuteOf(now) && seen.requests > limit.perMinute;
    return isOver ? standingOf(limit, seen) : undefined;
  }

  /** @param now epoch milliseconds */
  async count(limit: RateLimit, now: number): Promise<RateStanding> {
    const known = this.seenOver(limit, now);
    if (known) return known;
    const minute = minuteOf(now);
    const counter = counterOf(limit);
    const { item } = await updateItem(this.#table, rateKey(counter, minute), {
      add: { requests: 1 },
      set: { expiresAtSeconds: (minute + 2) * 60, kind: 'rate' },
      if: unconditionally,
    });
    const counted = { minute, requests: Number(item?.['requests'] ?? 0) };
    const standing = standingOf(limit, counted);
    if (standing.isOver) {
      if (this.#seenOver.size >= 10_000) this.#seenOver.clear();
      this.#seenOver.set(counter, counted);
    }
    return standing;
  }
}

const minuteOf = (now: number): number => Math.floor(now / 60_000);

/** Names the counter. No address begins like the other names. */
function counterOf({ of, id }: RateLimit): string {
  if (of === 'address') return rateLimitAddress(id);
  return `${of.toUpperCase()}#${of === 'site' ? rateLimitAddress(id) : id}`;
}

function standingOf(
  { of, perMinute }: RateLimit,
  { minute, requests }: { readonly minute: number; readonly requests: number },
): RateStanding {
  return {
    of,
    limit: perMinute,
    remaining: Math.max(0, perMinute - requests),
    isOver: requests > perMinute,
    resetAtSeconds: (minute + 1) * 60,
  };
}

/**
 * Returns the part of an address that is rate-limited: the IPv4 address, or the /64 network of an IPv6 address, which one
 * customer has.
 */
export function rateLimitAddress(address: string): string {
  if (!address.includes(':')) return address;
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group || '0', 16).toString(16));
  return `${network.join(':')}::/64`;
}
