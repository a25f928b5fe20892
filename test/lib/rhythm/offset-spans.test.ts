import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { offsetSpans } from '../../../lib/rhythm/offset-spans.ts';

const yearStartMs = Date.parse('2026-01-01T00:00:00Z');
async function changesOf(timezone: string): Promise<string[]> {
  const spans = await offsetSpans(timezone, yearStartMs, yearStartMs + 365 * dayMs);
  return spans.map(({ fromMs, offsetMs }) => `${toTimestamp(fromMs).slice(0, 16)} ${offsetMs / hourMs}`);
}

describe('the offsets of a time zone change at the minute at which its clocks do:', () => {
  it.each([
    ['UTC', ['2026-01-01T00:00 0']],
    ['+05:30', ['2026-01-01T00:00 5.5']],
    ['Europe/Berlin', ['2026-01-01T00:00 1', '2026-03-29T01:00 2', '2026-10-25T01:00 1']],
    ['America/New_York', ['2026-01-01T00:00 -5', '2026-03-08T07:00 -4', '2026-11-01T06:00 -5']],
    ['Australia/Lord_Howe', ['2026-01-01T00:00 11', '2026-04-04T15:00 10.5', '2026-10-03T15:30 11']],
  ])('%s', async (timezone, changes) => {
    expect(await changesOf(timezone)).toEqual(changes);
  });
});

it('every instant of the search has one span, whose offset is what the clocks say', async () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
  const instants = fc
    .integer({ min: 0, max: (365 * dayMs) / minuteMs })
    .map((n) => yearStartMs + n * minuteMs);
  await fc.assert(
    fc.asyncProperty(
      zones,
      instants,
      fc.array(instants, { minLength: 1 }),
      async (timezone, fromMs, times) => {
        const spans = await offsetSpans(timezone, fromMs, yearStartMs + 400 * dayMs);
        const format = new Intl.DateTimeFormat('en-CA', {
          timeZone: timezone,
          dateStyle: 'short',
          timeStyle: 'short',
          hourCycle: 'h23',
        });
        for (const atMs of times.filter((time) => time >= fromMs)) {
          const found = spans.filter((span) => span.fromMs <= atMs && atMs < span.untilMs);
          expect(found).toHaveLength(1);
          const wall = toTimestamp(atMs + (found[0]?.offsetMs ?? 0));
          expect(format.format(atMs)).toBe(`${wall.slice(0, 10)}, ${wall.slice(11, 16)}`);
        }
      },
    ),
    { numRuns: 30 },
  );
});
