import { locale } from './words/words.ts';

const whole = new Intl.NumberFormat(locale);
const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

const larger = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;
const smaller = { d: ['h', 3_600], h: ['min', 60], min: ['s', 1] } as const;

/** `212 ms`, `1.9 s`, `42 s`, `4 min 12 s`, `3 h 5 min`, `2 d 4 h`: two units at most. @param ms 0 or more */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${whole.format(Math.round(ms))} ms`;
  if (ms < 9_950) return `${tenths.format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  for (const [unit, length] of larger) {
    if (seconds < length) continue;
    const [next, nextLength] = smaller[unit];
    const rest = Math.floor((seconds % length) / nextLength);
    const text = `${whole.format(Math.floor(seconds / length))} ${unit}`;
    return rest === 0 ? text : `${text} ${rest} ${next}`;
  }
  return `${seconds} s`;
}
