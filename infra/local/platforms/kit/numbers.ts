import { createHash } from 'node:crypto';

/** Settings of every simulator for the numbers of posts and accounts. */
export const numberSettings = {
  /** Another seed gives other numbers. */
  numbersSeed: 1,
  /** Numbers are those of this many seconds ago; of a younger post or day there are none yet. Platforms report up to two days late. */
  numbersDelaySeconds: 0,
  /** The names of numbers that are withheld, with commas between them. */
  withheldNumbers: '',
  /** True if reads of numbers are refused, as for a missing permission. */
  refusesNumbers: false,
} as const satisfies Record<string, unknown>;

/** The numbers that the platform has counted. They depend only on the seed, the ids and the time, and totals never fall. */
export interface Numbers {
  /**
   * Returns the total of a post; undefined if it is withheld, or not reported yet.
   *
   * @param at the time of the read, in epoch milliseconds
   */
  total(id: string, name: string, publishedAt: number, at: number): number | undefined;
  /** Returns the number of an account on a day, in UTC; undefined as above. @param day as `YYYY-MM-DD` */
  ofDay(id: string, name: string, day: string, at: number): number | undefined;
  /** Returns the account's followers; undefined if they are withheld. */
  followers(id: string, name: string, at: number): number | undefined;
  readonly isRefused: boolean;
}

const dayMs = 86_400_000;
/** The time in which a post gets two thirds of its numbers. */
const growthMs = 2 * dayMs;

/** The most that a post or a day gets, by name: people see more than they like, and like more than they comment. */
const largest: readonly [RegExp, number][] = [
  [/view|impression|reach|seen/i, 5_000],
  [/like|reaction/i, 400],
  [/./, 60],
];

export function openNumbers(setting: (name: string) => unknown): Numbers {
  const isWithheld = (name: string) => String(setting('withheldNumbers')).split(',').includes(name);
  const delayMs = () => Number(setting('numbersDelaySeconds')) * 1_000;
  const most = (name: string) => largest.find(([pattern]) => pattern.test(name))?.[1] ?? 1;
  const drawn = (...parts: readonly string[]): number =>
    createHash('sha256')
      .update([setting('numbersSeed'), ...parts].join('/'))
      .digest()
      .readUInt32BE(0);
  const upTo = (name: string, ...parts: readonly string[]) => 1 + (drawn(name, ...parts) % most(name));

  return {
    total(id, name, publishedAt, at) {
      const ageMs = at - delayMs() - publishedAt;
      if (isWithheld(name) || ageMs < 0) return undefined;
      return Math.floor(upTo(name, id) * (1 - Math.exp(-ageMs / growthMs)));
    },
    ofDay(id, name, day, at) {
      const share = Math.min(1, (at - delayMs() - Date.parse(day)) / dayMs);
      return isWithheld(name) || share < 0 ? undefined : Math.floor(upTo(name, id, day) * share);
    },
    followers: (id, name, at) =>
      isWithheld(name) ? undefined : 100 + (drawn(name, id) % 900) + Math.floor(at / dayMs) - 20_000,
    get isRefused() {
      return setting('refusesNumbers') === true;
    },
  };
}

/** Returns the days from one time to another, in UTC. @param untilMs not part of them */
export function daysBetween(sinceMs: number, untilMs: number): string[] {
  const count = Math.max(0, Math.min(93, Math.ceil((untilMs - sinceMs) / dayMs)));
  return Array.from({ length: count }, (_, index) =>
    new Date(sinceMs + index * dayMs).toISOString().slice(0, 10),
  );
}
