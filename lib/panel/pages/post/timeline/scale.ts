/**
 * A scale of the time before and after the planned time, on which minutes of preparation and milliseconds of lateness can both be seen:
 * linear up to some milliseconds, then logarithmic.
 */
export interface Scale {
  /** Where a time is, from 0 (left) to 1. @param offsetMs from the planned time, negative before it */
  readonly at: (offsetMs: number) => number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly offsetMs: number;
  readonly position: number;
}

const linearMs = 20;
const curve = (offsetMs: number): number => Math.sign(offsetMs) * Math.log1p(Math.abs(offsetMs) / linearMs);

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Round distances, the ones that say most first. */
const steps = [
  secondMs,
  minuteMs,
  hourMs,
  dayMs,
  100,
  10 * secondMs,
  10 * minuteMs,
  6 * hourMs,
  7 * dayMs,
  30 * dayMs,
];

/** Space beside the first and the last thing, and the least between two ticks, as shares of the width. */
const margin = 0.04;
const leastGap = 0.12;
/** So much is always shown, so that little lateness looks little. */
const leastBeforeMs = minuteMs;
const leastAfterMs = 2 * secondMs;

/** Pure. @param offsetsMs of all that is to be shown */
export function scaleFor(offsetsMs: readonly number[]): Scale {
  const first = curve(Math.min(-leastBeforeMs, ...offsetsMs));
  const last = curve(Math.max(leastAfterMs, ...offsetsMs));
  const at = (offsetMs: number) => margin + ((curve(offsetMs) - first) / (last - first)) * (1 - 2 * margin);
  const ticks: Tick[] = [{ offsetMs: 0, position: at(0) }];
  for (const step of steps) {
    for (const offsetMs of [-step, step]) {
      const position = at(offsetMs);
      const isInside = position >= margin && position <= 1 - margin;
      if (isInside && ticks.every((tick) => Math.abs(tick.position - position) >= leastGap))
        ticks.push({ offsetMs, position });
    }
  }
  return { at, ticks: ticks.toSorted((one, other) => one.offsetMs - other.offsetMs) };
}
