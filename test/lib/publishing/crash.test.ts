import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createTestTable } from '../../support/table.ts';
import { openStage, type Stage } from './fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

class Crash extends Error {}

type Timing = 'before' | 'after';

/**
 * The ports of a worker that dies at its n-th call of the world: before the call is made, or once it was made and
 * before its answer is known. From then on nothing that the worker does has any effect.
 */
function dyingPorts(stage: Stage, fatalCall: number, timing: Timing) {
  let calls = 0;
  const guard = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > fatalCall || (calls === fatalCall && timing === 'before')) throw new Crash('the worker died');
    const answer = await call();
    if (calls >= fatalCall) throw new Crash('the worker died');
    return answer;
  };
  const { ports, platform } = stage;
  const { adapter } = platform;
  const real = ports.table.client;
  const send = real.send.bind(real) as (command: unknown) => Promise<unknown>;
  const client = new Proxy(real, {
    get: (target, name) =>
      name === 'send' ? (command: unknown) => guard(() => send(command)) : Reflect.get(target, name, target),
  });
  const dying: PublishingPorts = {
    ...ports,
    table: { ...ports.table, client },
    sleep: (milliseconds) => guard(() => ports.sleep(milliseconds)),
    accessToken: (account, item) => guard(() => ports.accessToken(account, item)),
    renewToken: (account, item) => guard(() => ports.renewToken(account, item)),
    toolsFor: (name) => guard(() => ports.toolsFor(name)),
    enqueue: (message, delaySeconds) => guard(() => ports.enqueue(message, delaySeconds)),
    setAside: (message) => guard(() => ports.setAside(message)),
    markAccount: (account, status, reason) =>
      guard(async () => {
        await ports.markAccount(account, status, reason);
      }),
    adapterFor: () => ({
      prepare: (job, tools) => guard(() => adapter.prepare(job, tools)),
      goLive: (job, tools) => guard(() => adapter.goLive(job, tools)),
      reconcile: (job, tools) => guard(() => adapter.reconcile(job, tools)),
      finish: (job, tools) => guard(() => adapter.finish(job, tools)),
    }),
  };
  return { dying, callsMade: () => calls };
}

/** @returns how many calls the worker made; a crash that reaches us is what Lambda would see */
async function deliverAndDie(stage: Stage, fatalCall: number, timing: Timing): Promise<number> {
  const { dying, callsMade } = dyingPorts(stage, fatalCall, timing);
  try {
    await stage.deliver(messageOf(await stage.find()), 300, dying);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return callsMade();
}

function expectPublishedOnce(stage: Stage, end: Awaited<ReturnType<Stage['runToEnd']>>): void {
  expect(stage.platform.ledger).toHaveLength(1);
  expect(end).toMatchObject({ status: 'published', platformPostId: 'post-1' });
}

/** What the platform does on the way, before it behaves. */
const scripts: readonly (readonly [string, (stage: Stage) => void])[] = [
  ['on the plain way', () => {}],
  [
    'on a way with every kind of step',
    ({ platform: { script } }) => {
      script.prepare = [
        { state: 'continue', preparation: { uploaded: 1 } },
        { state: 'waiting', preparation: { uploaded: 2 }, waitSeconds: 1 },
      ];
      script.goLive = ['reply lost'];
      script.finish = [new PlatformError('retry', 'busy')];
    },
  ],
];

describe.each(scripts)('a worker that dies %s', (_what, script) => {
  it.each<Timing>(['before', 'after'])(
    'at any call, just %s it, leaves exactly one live post',
    async (timing) => {
      const dieAt = async (fatalCall: number): Promise<number> => {
        const stage = await openStage(table);
        script(stage);
        const calls = await deliverAndDie(stage, fatalCall, timing);
        expectPublishedOnce(stage, await stage.runToEnd());
        return calls;
      };
      const allCalls = await dieAt(Number.POSITIVE_INFINITY);
      expect(allCalls).toBeGreaterThan(10);
      await Promise.all(Array.from({ length: allCalls }, (_, index) => dieAt(index + 1)));
    },
  );
});

describe('workers that die one after the other, with others told of the same wake in between,', () => {
  const death = fc.record({
    fatalCall: fc.integer({ min: 1, max: 18 }),
    timing: fc.constantFrom<Timing>('before', 'after'),
    waitMs: fc.constantFrom(0, 5_000, 30_000, 61_000, 130_000),
  });

  it('never leave two live posts, nor none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(death, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...scripts),
        async (deaths, [, script]) => {
          const stage = await openStage(table);
          script(stage);
          for (const { fatalCall, timing, waitMs } of deaths) {
            if ((await stage.find()).wakeAt === undefined) break;
            await deliverAndDie(stage, fatalCall, timing);
            stage.clock.time += waitMs;
            expect(stage.platform.ledger.length).toBeLessThanOrEqual(1);
          }
          expectPublishedOnce(stage, await stage.runToEnd());
        },
      ),
      { numRuns: 25 },
    );
  });

  it('at the same time, never leave two live posts, nor none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(death, { minLength: 2, maxLength: 5 }), async (deaths) => {
        const stage = await openStage(table);
        await Promise.all(deaths.map(({ fatalCall, timing }) => deliverAndDie(stage, fatalCall, timing)));
        expectPublishedOnce(stage, await stage.runToEnd());
      }),
      { numRuns: 15 },
    );
  });
});
