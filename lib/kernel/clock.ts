/** Returns epoch milliseconds. Domain code receives the time as an argument; only entry points and adapters read the clock. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Formats an instant for the API and the table: ISO 8601 in UTC, so that text order is time order. */
export function toTimestamp(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString();
}

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
