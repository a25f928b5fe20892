import { unconditionally } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { rateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The state of an address's limit in the current minute. */
export interface RateStanding {
  readonly limit: number;
  /** Requests left in this minute; 0 if this request is already over the limit. */
  readonly remaining: number;
  readonly isOver: boolean;
  /** Epoch seconds at which the next minute's count starts. */
  readonly resetAtSeconds: number;
}

/**
 * Counts requests per address and minute. Each request costs one small write. Once this instance has seen that an
 * address is over its limit, further requests of that minute cost none.
 *
 * The count is atomic, so across all instances at most the limit passes per minute. Fewer may pass: if the response of a
 * write is lost, the SDK repeats it up to three times and the request counts again. Instances whose clocks differ count
 * some requests in the neighbouring minute. A full limit may pass just before and again just after a minute ends.
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

/** What counts as one address: an IPv4 address, or the /64 network of an IPv6 address, which one customer has. */
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
