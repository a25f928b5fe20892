import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../lib/kernel/clock.ts';
import { type SimulationEngine, startSimulationEngine } from './engine.ts';
import type { Outage } from './faults.ts';
import { type OutageRun, runOutage } from './outages.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

/** Two more of a day and more, for the rule of what is missed. */
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

/** What the rule says of a post that is due then: late within a day, missed after it. */
function expectedOf({ backMs, dueMs }: OutageRun, name: string, isHeldUp: boolean): string {
  const lateMs = isHeldUp ? backMs - (dueMs[name] ?? 0) : 0;
  return lateMs > dayMs ? 'missed' : 'published';
}

describe.each(outages)('an outage of the %s for %i hours', (of, hours) => {
  it('leaves every post that was due in it handled once, by its lateness', { timeout: 120_000 }, async () => {
    const tableName = await simulation.createTable();
    const run = await runOutage({ engine: simulation.engine, tableName }, of, hours);
    expect(run.violation).toBeUndefined();
    // The sweep needs neither Scheduler nor stream.
    const isHeldUp = of === 'table' || of === 'queue';
    const expected = Object.keys(run.dueMs).flatMap((name) =>
      ['instagram', 'youtube'].map((platform) => `${name} ${platform}: ${expectedOf(run, name, isHeldUp)}`),
    );
    expect(run.outcomes.toSorted()).toEqual(expected.toSorted());
    for (const { content, liveMs } of run.ledger) {
      const couldMs = isHeldUp ? Math.max(run.backMs, run.dueMs[content] ?? 0) : (run.dueMs[content] ?? 0);
      expect(liveMs - couldMs, content).toBeLessThan(5 * minuteMs);
    }
  });
});
