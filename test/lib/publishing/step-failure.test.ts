import { expect, it } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { WorkerPorts } from '../../../lib/publishing/call-log.ts';
import { type AccountWork, judge } from '../../../lib/publishing/step-failure.ts';
import { aTarget, startMs } from '../../support/builders.ts';

/** A platform that gives a new token whenever it is asked, and takes none of them. */
async function judgeRefusal(firstFailureAt: string | undefined) {
  const marks: string[] = [];
  let asked = 0;
  const ports = {
    now: () => startMs,
    chance: () => 0,
    renewToken: async () => {
      asked += 1;
      return true;
    },
    markAccount: async (_account: unknown, status: string) => marks.push(status),
  } as unknown as WorkerPorts;
  const target = aTarget({ ...(firstFailureAt && { firstFailureAt }) });
  const work = { target, account: {} } as AccountWork;
  const decision = await judge(ports, work, new PlatformError('reauthorise', 'not taken'));
  return { decision, marks, asked };
}

it.each([undefined, toTimestamp(startMs - hourMs), toTimestamp(startMs - 6 * hourMs)])(
  'a token that is refused is renewed, where the first failure was at %s',
  async (firstFailureAt) => {
    const decision = { kind: 'retry', wakeMs: startMs };
    expect(await judgeRefusal(firstFailureAt)).toEqual({ decision, marks: [], asked: 1 });
  },
);

it('where new tokens have been refused for more than six hours, the account has expired', async () => {
  expect(await judgeRefusal(toTimestamp(startMs - 6 * hourMs - 1))).toEqual({
    decision: { kind: 'fail', reason: 'not taken', account: 'expired' },
    marks: ['expired'],
    asked: 0,
  });
});
