/** A source of pseudorandom values. The same seed gives the same values. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  isTrue(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** 16 bytes for a UUID. */
  bytes(): Uint8Array;
}

/** The generator `mulberry32` (public domain): small, fast, and good enough to choose what goes wrong. */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const random: Random = {
    next,
    between: (low, high) => low + (high - low) * next(),
    integer: (low, high) => low + Math.floor((high - low + 1) * next()),
    isTrue: (probability) => probability > 0 && next() < probability,
    pick: (items) => {
      const item = items[Math.floor(items.length * next())];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    bytes: () => Uint8Array.from({ length: 16 }, () => Math.floor(256 * next())),
  };
  return random;
}
