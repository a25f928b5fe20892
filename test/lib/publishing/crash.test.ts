import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import { createTestTable } from '../../support/table.ts';
import { type Fixture, openFixture } from './fixture.ts';

class Crash extends Error {}

type Timing = 'before' | 'after';

/**
 * The ports of a worker that crashes at its n-th external call: before the call, or after the call but before its answer
 * is known. After the crash, nothing that the worker does has any effect.
 */
function crashingPorts(fixture: Fixture, crashingCall: number, timing: Timing) {
  let calls = 0;
  const guard = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > crashingCall || (calls === crashingCall && timing === 'before'))
      throw new Crash('the worker crashed');
    const answer = await call();
    if (calls >= crashingCall) throw new Crash('the worker crashed');
    return answer;
  };
  const { ports, platform } = fixture;
  const { adapter } = platform;
  const real = ports.table.client;
  const send = real.send.bind(real) as (command: unknown) => Promise<unknown>;
  const client = new Proxy(real, {
    get: (target, name) =>
      name === 'send' ? (command: unknown) => guard(() => send(command)) : Reflect.get(target, name, target),
  });
  const crashing: PublishingPorts = {
    ...ports,
    table: { ...ports.table, client },
    sleep: (milliseconds) => guard(() => ports.sleep(milliseconds)),
    accessToken: (account, item) => guard(() => ports.accessToken(account, item)),
    renewToken: (account, item) => guard(() => ports.renewToken(account, item)),
    toolsFor: (name) => guard(() => ports.toolsFor(name)),
    enqueue: (message, delaySeconds) => guard(() => ports.enqueue(message, delaySeconds)),
    sendToDeadLetters: (message) => guard(() => ports.sendToDeadLetters(message)),
    markAccount: (account, status, reason) =>
      guard(async () => {
        await ports.markAccount(account, status, reason);
      }),
    adapterFor: () => ({
      prepare: (job, tools) => guard(() => adapter.prepare(job, tools)),
      tokenOf: (job) => adapter.tokenOf(job),
      absenceRule: (job) => adapter.absenceRule(job),
      lastCallUrl: (job, tools) => adapter.lastCallUrl(job, tools),
      goLive: (job, tools) => guard(() => adapter.goLive(job, tools)),
      lookUp: (job, tools) => guard(() => adapter.lookUp(job, tools)),
      finish: (job, tools) => guard(() => adapter.finish(job, tools)),
      finishesByReading: (job) => adapter.finishesByReading?.(job) === true,
    }),
  };
  return { crashing, callsMade: () => calls };
}

/** @returns how many calls the worker made. A crash that leaves `publishTarget` is what Lambda would see. */
async function deliverAndCrash(fixture: Fixture, crashingCall: number, timing: Timing): Promise<number> {
  const { crashing, callsMade } = crashingPorts(fixture, crashingCall, timing);
  try {
    await fixture.deliver(messageOf(await fixture.find()), 300, crashing);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return callsMade();
}

function expectPublishedOnce(fixture: Fixture, end: Awaited<ReturnType<Fixture['runToEnd']>>): void {
  expect(fixture.platform.ledger).toHaveLength(1);
  expect(end).toMatchObject({ status: 'published', platformPostId: 'post-1' });
}

/** Prepares the platform's behaviour before it becomes normal. */
type Script = (fixture: Fixture) => void;

const withEveryStep: Script = ({ platform: { script } }) => {
  script.prepare = [
    { state: 'continue', preparation: { uploaded: 1 } },
    { state: 'waiting', preparation: { uploaded: 2 }, waitSeconds: 1 },
  ];
  script.goLive = ['reply lost'];
  script.finish = [new PlatformError('retry', 'busy')];
};

const isReady: Script = ({ platform }) => {
  platform.isReady = true;
};

const finishesByReading: Script = (fixture) => {
  isReady(fixture);
  fixture.platform.finishesByReading = true;
};

describe('a worker that crashes', () => {
  it.each<[Timing, string, Script]>([
    ['before', '', isReady],
    ['after', '', isReady],
    ['before', ' and a read', finishesByReading],
    ['after', ' and a read', finishesByReading],
  ])(
    '%s any call, with a target that needs only its last call%s, leaves exactly one live post',
    async (timing, _what, script) => {
      const crashAt = async (crashingCall: number): Promise<number> => {
        const fixture = await openFixture(await createTestTable());
        script(fixture);
        const calls = await deliverAndCrash(fixture, crashingCall, timing);
        expectPublishedOnce(fixture, await fixture.runToEnd());
        return calls;
      };
      const allCalls = await crashAt(Number.POSITIVE_INFINITY);
      await Promise.all(Array.from({ length: allCalls }, (_, index) => crashAt(index + 1)));
    },
  );

  // The simulation does the same to a run without extra steps.
  it.each<Timing>(['before', 'after'])(
    'in a run with every kind of step, %s any call, leaves exactly one live post',
    async (timing) => {
      const crashAt = async (crashingCall: number): Promise<number> => {
        const fixture = await openFixture(await createTestTable());
        withEveryStep(fixture);
        const calls = await deliverAndCrash(fixture, crashingCall, timing);
        expectPublishedOnce(fixture, await fixture.runToEnd());
        return calls;
      };
      const allCalls = await crashAt(Number.POSITIVE_INFINITY);
      expect(allCalls).toBeGreaterThan(10);
      await Promise.all(Array.from({ length: allCalls }, (_, index) => crashAt(index + 1)));
    },
  );
});

describe('workers that crash one after the other, with other workers for the same wake in between,', () => {
  const crash = fc.record({
    crashingCall: fc.integer({ min: 1, max: 18 }),
    timing: fc.constantFrom<Timing>('before', 'after'),
    waitMs: fc.constantFrom(0, 5_000, 30_000, 61_000, 130_000),
  });

  it('leave exactly one live post', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(crash, { minLength: 1, maxLength: 6 }),
        fc.constantFrom<Script>(() => {}, withEveryStep, isReady, finishesByReading),
        async (crashes, script) => {
          const fixture = await openFixture(await createTestTable());
          script(fixture);
          for (const { crashingCall, timing, waitMs } of crashes) {
            if ((await fixture.find()).wakeAt === undefined) break;
            await deliverAndCrash(fixture, crashingCall, timing);
            fixture.clock.time += waitMs;
            expect(fixture.platform.ledger.length).toBeLessThanOrEqual(1);
          }
          expectPublishedOnce(fixture, await fixture.runToEnd());
        },
      ),
      { numRuns: 25 },
    );
  });

  it('leave exactly one live post if they run at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(crash, { minLength: 2, maxLength: 5 }),
        fc.constantFrom<Script>(() => {}, isReady),
        async (crashes, script) => {
          const fixture = await openFixture(await createTestTable());
          script(fixture);
          await Promise.all(
            crashes.map(({ crashingCall, timing }) => deliverAndCrash(fixture, crashingCall, timing)),
          );
          expectPublishedOnce(fixture, await fixture.runToEnd());
        },
      ),
      { numRuns: 15 },
    );
  });
});
