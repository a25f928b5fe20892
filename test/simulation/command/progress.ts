import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';

export type Print = (line: string) => void;

const intervalMs = 10 * secondMs;

/** Returns a function that prints progress, but no line within ten seconds of the last one. */
export function progressPrinter(print: Print, nowMs = () => performance.now()): (line: () => string) => void {
  let printedMs = nowMs();
  return (line) => {
    if (nowMs() - printedMs < intervalMs) return;
    printedMs = nowMs();
    print(line());
  };
}

/** A duration in its two largest units: `2 h 5 min`, `10 min 54 s`, `45 s`. */
export function durationText(milliseconds: number): string {
  const rest = Math.ceil(milliseconds / secondMs) * secondMs;
  const seconds = Math.floor((rest % minuteMs) / secondMs);
  const minutes = Math.floor((rest % hourMs) / minuteMs);
  if (rest >= hourMs) return `${grouped(Math.floor(rest / hourMs))} h ${minutes} min`;
  return rest >= minuteMs ? `${minutes} min ${seconds} s` : `${seconds} s`;
}

export const grouped = (count: number): string => count.toLocaleString('en-US');

/** Such as `1 seed`, `2 seeds`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(count)} ${count === 1 ? noun : plural}`;
