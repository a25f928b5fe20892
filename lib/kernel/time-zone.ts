/** Abbreviations that `Intl` accepts as time zones. IANA has none of them, and Temporal rejects them. */
const icuAbbreviation = /^(?:ACT|AET|IST|JST|VST)$/i;

/** Whether the runtime's time zone data has this name (IANA, such as `Europe/Istanbul`). */
export function isTimezone(name: string): boolean {
  // Skips loading the zone data, which takes 10 ms the first time, for the default.
  if (name === 'UTC') return true;
  if (icuAbbreviation.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
