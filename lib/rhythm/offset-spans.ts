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
export async function offsetSpans(timezone: string, fromMs: number, untilMs: number): Promise<OffsetSpan[]> {
  const { Temporal } = await import('temporal-polyfill');
  const spans: OffsetSpan[] = [];
  let spanFromMs = fromMs;
  let start = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timezone);
  for (;;) {
    const offsetMs = start.offsetNanoseconds / 1_000_000;
    const change = start.getTimeZoneTransition('next');
    if (!change || change.epochMilliseconds >= untilMs)
      return [...spans, { fromMs: spanFromMs, untilMs: Number.POSITIVE_INFINITY, offsetMs }];
    spans.push({ fromMs: spanFromMs, untilMs: change.epochMilliseconds, offsetMs });
    spanFromMs = change.epochMilliseconds;
    start = change;
  }
}
