import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../lib/kernel/clock.ts';
import { type SimulationEngine, startSimulationEngine } from './cloud/engine.ts';
import type { Outage } from './faults.ts';
import { type OutageRun, runOutage } from './outages.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

/** The last two are longer than a day, after which a post counts as missed. */
const outages: readonly (readonly [Outage['of'], hours: number])[] = [
  ['scheduler', 3],
  ['scheduler', 15],
  ['queue', 3],
  ['queue', 15],
  ['stream', 3],
  ['stream', 15],
  ['table', 3],
  ['table', 15],
  ['scheduler', 30],
  ['table', 30],
];

/** The expected end of a post: published if it is at most a day late, missed otherwise. */
function expectedOf({ backMs, dueMs }: OutageRun, name: string, isHeldUp: boolean): string {
  const lateMs = isHeldUp ? backMs - (dueMs[name] ?? 0) : 0;
  return lateMs > dayMs ? 'missed' : 'published';
}

describe.each(outages)('an outage of the %s for %i hours', (of, hours) => {
  it('leaves every post handled once: published, or missed if it is too late', {
    timeout: 120_000,
  }, async () => {
    const tableName = await simulation.createTable();
    const run = await runOutage({ engine: simulation.engine, tableName }, of, hours);
    expect(run.violation).toBeUndefined();
    // Outages of Scheduler and stream delay nothing: the sweep needs neither.
    const isHeldUp = of === 'table' || of === 'queue';
    const expected = Object.keys(run.dueMs).flatMap((name) =>
      ['instagram', 'youtube'].map((platform) => `${name} ${platform}: ${expectedOf(run, name, isHeldUp)}`),
    );
    expect(run.outcomes.toSorted()).toEqual(expected.toSorted());
    for (const { content, liveMs } of run.ledger) {
      const earliestMs = isHeldUp ? Math.max(run.backMs, run.dueMs[content] ?? 0) : (run.dueMs[content] ?? 0);
      expect(liveMs - earliestMs, content).toBeLessThan(5 * minuteMs);
    }
  });
});
