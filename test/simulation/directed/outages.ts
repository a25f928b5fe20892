import { hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { startMs } from '../scenario/history.ts';
import { runScenario, type SimulationResult } from '../simulate.ts';
import type { Outage } from '../world/faults.ts';
import { directedScenario, postToAll } from './scenario.ts';

/** The outcome of one target. */
export interface OutageOutcome {
  /** The post's name. */
  readonly name: string;
  readonly platform: string;
  /** Its status, or why it failed: `missed`, `given up`, or the error. */
  readonly outcome: string;
}

export interface OutageRun extends SimulationResult {
  /** The beginning and the end of the outage. */
  readonly fromMs: number;
  readonly backMs: number;
  readonly outcomes: readonly OutageOutcome[];
  /** The due time of each post, by its name. */
  readonly dueMs: Readonly<Record<string, number>>;
}

/**
 * Runs posts that were scheduled before an outage: due early in it, in its middle, at its end, and after it.
 *
 * @param parts what fails, all at the same time
 */
export async function runOutage(parts: readonly Outage['of'][], hours: number): Promise<OutageRun> {
  const fromMs = startMs + 5 * minuteMs;
  const backMs = fromMs + hours * hourMs;
  const dueMs = {
    early: fromMs + 20 * minuteMs,
    middle: fromMs + (hours * hourMs) / 2,
    late: backMs - minuteMs,
    after: backMs + 30 * minuteMs,
  };
  const scenario = directedScenario({
    posts: Object.entries(dueMs).map(([name, due]) => postToAll(name, due)),
    world: { faultsEndMs: backMs, outages: parts.map((of) => ({ of, fromMs, untilMs: backMs })) },
  });
  const result = await runScenario(scenario);
  const names = new Map(Object.entries(dueMs).map(([name, due]) => [due, name]));
  const outcomes = result.targets.map(({ platform, scheduledFor = '', status, error = '' }) => ({
    name: names.get(Date.parse(scheduledFor)) ?? '',
    platform,
    outcome: status === 'failed' ? reasonOf(error) : status,
  }));
  return { ...result, fromMs, backMs, outcomes, dueMs };
}

function reasonOf(error: string): string {
  if (error.startsWith('missed')) return 'missed';
  return error.endsWith('(given up after 6 hours)') ? 'given up' : error;
}
