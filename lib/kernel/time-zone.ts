/** Abbreviations that `Intl` still takes for time zones. IANA has none of them, and Temporal refuses them. */
const icuAbbreviation = /^(?:ACT|AET|IST|JST|VST)$/i;

/** Whether the runtime's time zone data knows the name (IANA, such as `Europe/Istanbul`). */
export function isTimezone(name: string): boolean {
  // The default needs no look into the zone data, which takes 10 ms at first.
  if (name === 'UTC') return true;
  if (icuAbbreviation.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
