import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../../../lib/kernel/clock.ts';
import type { PlatformRequest } from '../../../../../lib/platforms/contract/http.ts';
import { pacedHttp } from '../../../../../lib/platforms/shared/meta/paced-http.ts';
import { startMs } from '../../../../support/builders.ts';

const figures = (percent: number) => ({ call_count: 1, total_time: percent, total_cputime: 2 });
const appUsage = (percent: number) => ({ 'x-app-usage': JSON.stringify(figures(percent)) });
const accountUsage = (percent: number) => ({
  'x-business-use-case-usage': JSON.stringify({ 1784: [{ type: 'instagram', ...figures(percent) }] }),
});

/** A client whose responses have the headers of the script. Time passes only while it waits. */
function open(script: Readonly<Record<string, string>>[]) {
  const clock = { time: startMs };
  const waits: number[] = [];
  const http = pacedHttp(
    {
      addressOf: (url) => url,
      connectAhead: async () => {},
      send: async ({ method, url }) => ({
        status: 200,
        headers: script.shift() ?? {},
        text: '{}',
        json: {},
        call: `${method} ${url}`,
      }),
    },
    {
      now: () => clock.time,
      sleep: async (milliseconds) => {
        waits.push(milliseconds);
        clock.time += milliseconds;
      },
    },
  );
  const send = (more: Partial<PlatformRequest> = {}) =>
    http.send({ method: 'GET', url: 'https://graph.example/x', bearer: 'token-1', ...more });
  return { clock, waits, send };
}

describe('once responses report that a limit of the app is nearly used up, calls slow down', () => {
  it.each([
    [89, []],
    [90, [1_000]],
    [95, [2_000]],
    [100, [3_000]],
    [250, [3_000]],
  ])('at %i per cent by %j', async (percent, expected) => {
    const { send, waits } = open([appUsage(percent)]);
    await send();
    await send({ bearer: 'token-2' });
    expect(waits).toEqual(expected);
  });

  it('until a response reports less, or none has reported anything for ten minutes', async () => {
    const { send, waits, clock } = open([appUsage(90), appUsage(50), appUsage(90)]);
    await send();
    await send();
    expect(waits).toHaveLength(1);
    await send();
    clock.time += 10 * minuteMs;
    await send();
    expect(waits).toHaveLength(1);
  });

  it('but never a last call', async () => {
    const { send, waits } = open([appUsage(100), appUsage(100)]);
    await send();
    await send({ isLastCall: true });
    expect(waits).toEqual([]);
  });
});

it('slows down only the calls of the account whose limit is nearly used up', async () => {
  const { send, waits } = open([accountUsage(95), {}]);
  await send();
  await send({ bearer: 'token-2' });
  expect(waits).toEqual([]);
  await send();
  expect(waits).toEqual([2_000]);
});

it.each(['', '{"half', '[]', '{"1784":5}', '{"call_count":"many"}'])(
  'takes headers that it cannot read (%s) for no report',
  async (text) => {
    const { send, waits } = open([{ 'x-app-usage': text, 'x-business-use-case-usage': text }]);
    await send();
    await send();
    expect(waits).toEqual([]);
  },
);
