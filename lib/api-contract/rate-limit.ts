import { unconditionally } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { rateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Where an address stands within the present minute. */
export interface RateStanding {
  readonly limit: number;
  /** Requests left in this minute, 0 where this one is already too many. */
  readonly remaining: number;
  readonly isOver: boolean;
  /** Epoch seconds at which the count begins anew. */
  readonly resetAtSeconds: number;
}

/**
 * Counts requests per address and minute. One small write a request; none once the address is over its limit, as far
 * as this instance has seen.
 *
 * The count is atomic, so of all requests of a minute, at whatever instances, no more than the limit pass. Fewer may:
 * a count whose answer was lost is made again by the SDK, up to three times. Instances whose clocks differ count the
 * requests of that difference in the neighbouring minute, and a minute's end may be followed at once by a whole new limit.
 */
export class RateLimiter {
  readonly #table: Table;
  readonly #limitPerMinute: number;
  readonly #overUntilMinute = new Map<string, number>();

  constructor(table: Table, limitPerMinute: number) {
    this.#table = table;
    this.#limitPerMinute = limitPerMinute;
  }

  /** @param now epoch milliseconds */
  async count(address: string, now: number): Promise<RateStanding> {
    const minute = Math.floor(now / 60_000);
    const counted = rateLimitAddress(address);
    if (this.#overUntilMinute.get(counted) === minute)
      return this.#standing(minute, this.#limitPerMinute + 1);
    const { item } = await updateItem(this.#table, rateKey(counted, minute), {
      add: { requests: 1 },
      set: { expiresAtSeconds: (minute + 2) * 60, kind: 'rate' },
      if: unconditionally,
    });
    const standing = this.#standing(minute, Number(item?.['requests'] ?? 0));
    if (standing.isOver) this.#remember(counted, minute);
    return standing;
  }

  #remember(address: string, minute: number): void {
    if (this.#overUntilMinute.size >= 10_000) this.#overUntilMinute.clear();
    this.#overUntilMinute.set(address, minute);
  }

  #standing(minute: number, requests: number): RateStanding {
    return {
      limit: this.#limitPerMinute,
      remaining: Math.max(0, this.#limitPerMinute - requests),
      isOver: requests > this.#limitPerMinute,
      resetAtSeconds: (minute + 1) * 60,
    };
  }
}

/** What is counted as one address: an IPv4 address, or the /64 network of an IPv6 one, which one customer holds. */
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
