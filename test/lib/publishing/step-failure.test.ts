import { expect, it } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { WorkerPorts } from '../../../lib/publishing/call-log.ts';
import { type AccountWork, judge } from '../../../lib/publishing/step-failure.ts';
import { aTarget, startMs } from '../../support/builders.ts';

/** A platform that issues a new token on every request, and refuses all of them. */
async function judgeRefusal(firstFailureAt: string | undefined) {
  const marks: string[] = [];
  let renewals = 0;
  const ports = {
    now: () => startMs,
    chance: () => 0,
    renewToken: async () => {
      renewals += 1;
      return true;
    },
    markAccount: async (_account: unknown, status: string) => marks.push(status),
  } as unknown as WorkerPorts;
  const target = aTarget({ ...(firstFailureAt && { firstFailureAt }) });
  const work = { target, account: {} } as AccountWork;
  const decision = await judge(ports, work, new PlatformError('reauthorise', 'refused'));
  return { decision, marks, renewals };
}

it.each([undefined, toTimestamp(startMs - hourMs), toTimestamp(startMs - 6 * hourMs)])(
  'renews a refused token if the first failure was at %s',
  async (firstFailureAt) => {
    const decision = { kind: 'retry', wakeMs: startMs };
    expect(await judgeRefusal(firstFailureAt)).toEqual({ decision, marks: [], renewals: 1 });
  },
);

it('marks the account as expired once new tokens have been refused for more than six hours', async () => {
  expect(await judgeRefusal(toTimestamp(startMs - 6 * hourMs - 1))).toEqual({
    decision: { kind: 'fail', reason: 'refused', account: 'expired' },
    marks: ['expired'],
    renewals: 0,
  });
});
