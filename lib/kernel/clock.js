export const systemClock = () => Date.now();
/** Formats an instant for the API and the table: ISO 8601 in UTC, so that text order is time order. */
export function toTimestamp(epochMilliseconds) {
    return new Date(epochMilliseconds).toISOString();
}
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
