import { parseArgs } from 'node:util';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { findLocalRun, LocalClock, type LocalRun, localClockUrl, readLocalClock } from '../../local-cloud.ts';
import { callControl, type DevCommand, UsageError } from './command.ts';

const help = `Move the clock of the local run forward: npm run dev:clock -- <time>

  npm run dev:clock                            show the time
  npm run dev:clock -- +1h                     an hour; also 90s, 15m, 2d, and 1h30m
  npm run dev:clock -- --in 30s                print the time in 30 seconds, for scheduledFor; moves nothing
  npm run dev:clock -- 2030-01-31T12:00:00Z    to a time

Everything moves: functions, schedules, queues and the simulated platforms. Work that was due in between happens now. The clock never
moves back; delete the data directory to start from scratch.

Webhooks are signed with the time of this clock. If it is ahead, receivers that compare that with their own clock refuse them.
`;

const unitsMs: Readonly<Record<string, number>> = { d: dayMs, h: hourMs, m: minuteMs, s: secondMs };

/**
 * Reads the time by which to move the clock. Pure.
 *
 * @param nowMs the clock's time in epoch milliseconds
 * @returns milliseconds
 * @throws UsageError
 */
export function readAdvance(text: string, nowMs: number): number {
  const advanceMs = readAnyAdvance(text, nowMs);
  if (advanceMs <= maxAdvanceMs) return advanceMs;
  throw new UsageError(`the clock moves at most ${maxAdvanceMs / dayMs} days at a time`);
}

/** The maximum that the local cloud accepts. */
const maxAdvanceMs = 3_660 * dayMs;

function readAnyAdvance(text: string, nowMs: number): number {
  if (/^\+?(\d+[dhms])+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+)([dhms])/g)];
    return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (unitsMs[unit] ?? 0), 0);
  }
  if (text.startsWith('-')) throw notBack();
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`give a duration, such as +1h, +90s or +2d, or a time, not ${text}`);
  if (time < nowMs) throw notBack();
  return time - nowMs;
}

const notBack = (): UsageError => new UsageError('the clock only moves forward: give a time such as +1h');

/**
 * Prints the local run's time at `text` from now. A time that this machine knows may have passed in the run.
 *
 * @throws UsageError
 */
async function tellTimeIn(run: LocalRun, text: string): Promise<void> {
  const nowMs = Date.parse((await readLocalClock(run)).now);
  console.log(new Date(nowMs + readAdvance(text, nowMs)).toISOString());
}

/** Shows the local run's clock, or moves it forward. */
export const clockCommand: DevCommand = {
  help,
  async run(words) {
    // The parser would call a negative duration an unknown option.
    if (words.some((word) => /^-\d/.test(word))) throw notBack();
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { in: { type: 'string' } },
    });
    const [text] = positionals;
    if (positionals.length + (values.in === undefined ? 0 : 1) > 1)
      throw new UsageError('give one time only');
    const run = await findLocalRun();
    if (values.in !== undefined) return tellTimeIn(run, values.in);
    const before = await readLocalClock(run);
    if (text === undefined) return tell(before);
    const advanceSeconds = readAdvance(text, Date.parse(before.now)) / secondMs;
    tell(LocalClock.parse(await callControl('POST', localClockUrl(run), { advanceSeconds })));
  },
};

function tell({ now, offsetSeconds }: LocalClock): void {
  const ahead = offsetSeconds === 0 ? '' : ` (${Math.round(offsetSeconds)} s ahead)`;
  console.log(`It is ${now}${ahead}.`);
}
