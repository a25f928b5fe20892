/**
 * The quotas of one Google Cloud project, from the Quota Calculator since 1 June 2026. `videos.insert` has its own
 * quota; all other calls of the Data API share one quota of units. Both reset at midnight Pacific time.
 */
export const defaultQuotas = {
  /** Calls per day, counted at the start of a session even if its metadata is refused. */
  'videos.insert': 100,
  /** Units per day for all other calls. */
  queries: 10_000,
} as const;

/** The cost of one call, in units of its quota. */
export const unitCosts = {
  'videos.insert': 1,
  'channels.list': 1,
  'videos.list': 1,
  'playlistItems.list': 1,
  'thumbnails.set': 50,
  'videos.delete': 50,
  'playlists.list': 1,
  'playlistItems.insert': 50,
  'commentThreads.list': 1,
  'commentThreads.insert': 50,
} as const;

export type QuotaOperation = keyof typeof unitCosts;
export type QuotaBucket = keyof typeof defaultQuotas;

/** Returns the quota that an operation is charged to. */
export function quotaBucket(operation: QuotaOperation): QuotaBucket {
  return operation === 'videos.insert' ? 'videos.insert' : 'queries';
}

const pacificDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/** Returns the quota day that an instant (epoch milliseconds) belongs to, as a Pacific calendar date `YYYY-MM-DD`. */
export function pacificDay(now: number): string {
  return pacificDate.format(now);
}
