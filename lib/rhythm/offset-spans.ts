import { dayMs, minuteMs } from '../kernel/clock.ts';
import { openTimezone } from '../posts/scheduled-time.ts';

/** A span of time in which a time zone's clocks are not changed. Epoch milliseconds; the end is not part of it. */
export interface OffsetSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  /** How far the clocks are ahead of UTC. */
  readonly offsetMs: number;
}

/**
 * A time zone's offsets over a span of time, one after the other without gaps; the last one goes on without end.
 *
 * @throws RangeError for an unknown time zone
 */
export function offsetSpans(timezone: string, fromMs: number, untilMs: number): OffsetSpan[] {
  const offsetAt = openTimezone(timezone);
  const spans: OffsetSpan[] = [];
  let spanFromMs = fromMs;
  let offsetMs = offsetAt(fromMs);
  // No zone changes its clocks twice within a day.
  for (let sampleMs = fromMs; sampleMs < untilMs; sampleMs += dayMs) {
    if (offsetAt(sampleMs + dayMs) === offsetMs) continue;
    const changeMs = firstMinute(sampleMs, sampleMs + dayMs, (epochMs) => offsetAt(epochMs) !== offsetMs);
    spans.push({ fromMs: spanFromMs, untilMs: changeMs, offsetMs });
    spanFromMs = changeMs;
    offsetMs = offsetAt(changeMs);
  }
  return [...spans, { fromMs: spanFromMs, untilMs: Number.POSITIVE_INFINITY, offsetMs }];
}

/** The first whole minute in a span for which something holds that holds at its end and, once it does, goes on to. */
function firstMinute(fromMs: number, untilMs: number, holds: (epochMs: number) => boolean): number {
  let below = Math.floor(fromMs / minuteMs);
  let above = Math.ceil(untilMs / minuteMs);
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (holds(middle * minuteMs)) above = middle;
    else below = middle;
  }
  return above * minuteMs;
}
