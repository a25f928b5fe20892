/**
 * The quotas of one Google Cloud project as the Quota Calculator states them since 1 June 2026: `videos.insert` has
 * a count of its own, every other call of the Data API draws its cost from one daily amount of units. Both begin
 * anew at midnight Pacific time.
 */
export const defaultQuotas = {
  /** Calls a day; counted when a session is asked for, also when its metadata is refused. */
  'videos.insert': 100,
  /** Units a day for all other calls. */
  queries: 10_000,
} as const;

/** What one call costs, in units of its bucket. */
export const unitCosts = {
  'videos.insert': 1,
  'channels.list': 1,
  'videos.list': 1,
  'playlistItems.list': 1,
  'thumbnails.set': 50,
} as const;

export type QuotaOperation = keyof typeof unitCosts;
export type QuotaBucket = keyof typeof defaultQuotas;

/** Which amount an operation draws from. */
export function quotaBucket(operation: QuotaOperation): QuotaBucket {
  return operation === 'videos.insert' ? 'videos.insert' : 'queries';
}

const pacificDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/** The quota day that an instant (epoch milliseconds) belongs to, as a Pacific calendar date `YYYY-MM-DD`. */
export function pacificDay(now: number): string {
  return pacificDate.format(now);
}
