import { expect, it } from 'vitest';
import { secondMs } from '../../../lib/kernel/clock.ts';
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
