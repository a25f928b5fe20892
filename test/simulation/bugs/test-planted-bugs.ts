import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runScenario } from '../simulate.ts';
import type { ChildAnswer, FindOrder, SeedResult } from './child.ts';
import { type BugName, plantedBugs, scenarioWith } from './planted-bugs.ts';

export interface PlantedBugsTest {
  readonly bugs: readonly BugName[];
  /** A change of the service or of the simulation can move the seed that finds a bug. */
  readonly mostSeeds: number;
  /** Processes that work at the same time. */
  readonly processes: number;
}

const startChild = () => fork(join(import.meta.dirname, 'child.ts'), { execArgv: [] });

/** Gives a child an order and waits for its answer. @throws Error if it fails or exits */
async function ask(child: ChildProcess, order: FindOrder): Promise<readonly SeedResult[]> {
  const over = new AbortController();
  const exited = once(child, 'exit', over).then(([code]): never => {
    throw new Error(`the child process exited with code ${code}`);
  });
  const answered = once(child, 'message', over);
  child.send(order);
  const [answer]: ChildAnswer[] = await Promise.race([answered, exited]).finally(() => over.abort());
  if (answer === undefined || 'error' in answer) throw new Error(answer?.error);
  return answer.results;
}

async function end(child: ChildProcess): Promise<void> {
  if (!child.connected) return;
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

/**
 * Tests that the simulation finds each bug within some seeds, and nothing in the same seeds without the bugs. Bugs are planted
 * in processes of their own; this one has the service as it is.
 */
export function testPlantedBugs({ bugs, mostSeeds, processes }: PlantedBugsTest): void {
  /** Each child gets its next order after its last answer. */
  const lanes: { readonly child: ChildProcess; last: Promise<unknown> }[] = [];
  beforeAll(() => {
    for (let count = 0; count < processes; count += 1)
      lanes.push({ child: startChild(), last: Promise.resolve() });
  });
  afterAll(async () => {
    await Promise.all(lanes.map(({ child }) => end(child)));
  });

  let next = 0;
  function askInLane(order: FindOrder): Promise<readonly SeedResult[]> {
    const lane = lanes[next % lanes.length];
    next += 1;
    if (lane === undefined) throw new Error('no child was started');
    const result = lane.last.then(() => ask(lane.child, order));
    lane.last = result.catch(() => undefined);
    return result;
  }

  const foundBy = new Map<BugName, number>();

  describe('the simulation finds a planted bug', { timeout: 600_000 }, () => {
    it.concurrent.each(bugs)('%s', async (name) => {
      const { seed: first, finding } = plantedBugs[name];
      const results = await askInLane({ find: name, first, count: mostSeeds });
      const { seed = first, violation } = results.at(-1) ?? {};
      expect(violation).toMatch(finding);
      foundBy.set(name, seed);
    });
  });

  describe('without the bugs', { timeout: 600_000 }, () => {
    it('the same seeds violate no check', async () => {
      for (const [name, seed] of foundBy) {
        const { violation } = await runScenario(scenarioWith(seed, name));
        expect(violation, `seed ${seed}, narrowed to what shows that ${name}`).toBeUndefined();
      }
      expect(foundBy.size).toBe(bugs.length);
    });
  });
}
