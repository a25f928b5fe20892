import { locale, strings } from './strings.ts';
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const formats = new Map();
function formatFor(options) {
    const key = JSON.stringify(options);
    const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
    formats.set(key, known);
    return known;
}
const day = { day: 'numeric', month: 'short', year: 'numeric' };
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
/** `14 Mar 2026, 09:30` as in the zone, without its name. */
export function formatTime(at, timeZone, format) {
    const parts = { ...(format !== 'time' && day), ...(format !== 'date' && clock) };
    return formatFor({ ...parts, timeZone }).format(at);
}
/** What the zone is called at that time: `CET`, `GMT+9`. */
export function zoneName(at, timeZone) {
    const parts = formatFor({ timeZone, timeZoneName: 'short' }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
/** Whether clocks show the same in both zones at that time. */
export function isSameTime(at, one, other) {
    return one === other || formatTime(at, one, 'full') === formatTime(at, other, 'full');
}
const units = [
    ['day', 86400000],
    ['hour', 3600000],
    ['minute', 60000],
];
/** `3 minutes ago`, `in 2 days`. */
export function formatRelative(at, now) {
    const distance = at.getTime() - now;
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    for (const [unit, length] of units)
        if (Math.abs(distance) >= length)
            return relative.format(Math.trunc(distance / length), unit);
    return strings.time.now;
}
/** A day without a time: `2026-03-14` as `14 Mar 2026`. */
export function formatDay(date) {
    return formatFor({ ...day, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
