import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { livePartsOf } from '../../../lib/targets/thread.ts';
import { both, onlyFaults, withThread } from '../bugs/worlds.ts';
import { isInDoubt } from '../judge/calls.ts';
import { scenarioOf, startMs } from '../scenario/history.ts';
import { runScenario } from '../simulate.ts';
import type { Mishap } from '../world/world.ts';
import { type CrashWorld, crashWorlds, mishapKinds } from './crash-points.ts';
import { directedScenario } from './scenario.ts';

const furtherParts = 2;

/** A thread of three parts, with a picture in the first and the last. */
function threadScenario({ faults, redelivers }: CrashWorld, mishap?: Mishap) {
  const due = startMs + 2 * minuteMs;
  return directedScenario({
    posts: [
      {
        name: 'thread',
        atMs: startMs,
        due,
        targets: [{ account: 0, file: 'image.jpg', furtherParts }],
        chain: [],
        actions: [],
      },
    ],
    world: { faults, ...(mishap && { mishap }) },
    deployment: { redelivers },
    workspace: { accounts: [{ platform: 'threads' }] },
  });
}

/** The distance between the calls of the sample. */
const step = 97;

describe.each(Object.entries(crashWorlds))('if %s', (_name, world) => {
  it.each(mishapKinds)(
    'a process that %s any external call leaves each part of a thread live once, in order, or one of unknown outcome',
    { timeout: 180_000 },
    async (kind) => {
      const { calls: callCount, violation } = await runScenario(threadScenario(world));
      expect(violation).toBeUndefined();
      expect(callCount).toBeGreaterThan(100);
      const first = 1 + Math.floor((mishapKinds.indexOf(kind) * step) / mishapKinds.length);
      for (let call = first; call <= callCount; call += step) {
        const result = await runScenario(threadScenario(world, { call, kind }));
        expect(result.violation, `call ${call}`).toBeUndefined();
        const [target] = result.targets;
        const isWhole = target?.status === 'published' && livePartsOf(target).length === furtherParts + 1;
        expect(isWhole || isInDoubt(target?.error), `call ${call}: ${target?.status}`).toBe(true);
      }
    },
  );
});

describe('a thread whose calls lose their answers', () => {
  it.each([2])(
    'has each of its parts once, and the rest follows a retry (seed %i)',
    { timeout: 60_000 },
    async (seed) => {
      const faults = { connectionLost: 0.3, readsLate: 0.6, crash: 0.02, rejected: 0.1 };
      const { violation, targets } = await runScenario(
        both(onlyFaults(faults), withThread)(scenarioOf(seed)),
      );
      expect(violation).toBeUndefined();
      expect(targets.some((target) => livePartsOf(target).length > 1)).toBe(true);
    },
  );
});
