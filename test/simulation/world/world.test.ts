import { expect, it } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { noFaults } from './faults.ts';
import type { Environment } from './process.ts';
import { createWorld } from './world.ts';

const startMs = Date.UTC(2026, 2, 1);

it('freezes an environment after an invocation: what nobody waited for goes on in the next one', async () => {
  const world = createWorld({ seed: 1, startMs, faults: noFaults, faultsEndMs: startMs });
  const environment: Environment = { name: 'relay #1', skewMs: 0, release: 'this' };
  const effects: [what: string, atMs: number][] = [];
  const invokeAt = (seconds: number, what: string, isAwaited: boolean) =>
    world.clockwork.after(seconds * secondMs, async () => {
      void world.invoke(environment, { timeoutMs: 30 * secondMs }, async (process) => {
        const call = world
          .call(process, what, () => undefined, { responseDelayMs: 5 * secondMs })
          .then(() => world.call(process, `then ${what}`, () => effects.push([what, world.now() - startMs])));
        if (isAwaited) await call;
      });
    });
  invokeAt(0, 'left behind', false);
  invokeAt(60, 'awaited', true);
  await world.clockwork.run(100, () => false);
  expect(effects.map(([what, atMs]) => [what, Math.floor(atMs / secondMs)])).toEqual([
    ['left behind', 60],
    ['awaited', 65],
  ]);
  expect(world.violation()).toBeUndefined();
});

it.each([
  ['a cleared timer', { milliseconds: 20 * secondMs }, undefined],
  ['the time limit of an answered call', undefined, { ms: 20 * secondMs, error: () => new Error('late') }],
] as const)('leaves nothing of %s to later invocations', async (_what, timer, limit) => {
  const world = createWorld({ seed: 1, startMs, faults: noFaults, faultsEndMs: startMs });
  const environment: Environment = { name: 'sweep #1', skewMs: 0, release: 'this' };
  let events = 0;
  const invocations = 20;
  for (let index = 0; index < invocations; index += 1)
    world.clockwork.after(index * minuteMs, () => {
      void world.invoke(environment, { timeoutMs: 30 * secondMs }, async (process) => {
        // Many invocations make no call, and so end at once.
        if (index > 0) return;
        const clear = timer && process.later(timer.milliseconds, () => undefined);
        await world.call(process, 'reads', () => undefined, limit && { limit });
        clear?.();
      });
    });
  await world.clockwork.run(1_000, () => {
    events += 1;
    return false;
  });
  // The call and its timer have three, and each invocation has its beginning and its time limit.
  expect(events).toBe(3 + 2 * invocations);
});
