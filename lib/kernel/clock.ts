/** Epoch milliseconds. Domain code is given the time; only the edges read this clock. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** An instant as the API shows it and the table stores it: ISO 8601 in UTC, whose text order is its time order. */
export function toTimestamp(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString();
}

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
