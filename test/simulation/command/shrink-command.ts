import { runScenario, type Scenario } from '../simulate.ts';
import { counted } from './progress.ts';
import { type NamedScenario, saveScenario } from './scenario-file.ts';
import { scenarioLines, scenarioSize } from './scenario-text.ts';
import { shrink, type VersionResult } from './shrink.ts';
import type { StatusLine } from './status-line.ts';
import { type StoryNames, storyNames } from './story-names.ts';

const maxRuns = 400;

export interface ShrinkOutput {
  readonly print: (line: string) => void;
  readonly status: StatusLine;
  /** If aborted, shrinking ends with the smallest scenario so far. */
  readonly signal: AbortSignal;
}

/**
 * Reduces a failing scenario, prints what is left, and saves it.
 *
 * @param directory where to save it
 * @returns whether the scenario fails at all
 */
export async function shrinkAndSave(
  { title, scenario, bug }: NamedScenario,
  directory: string,
  { print, status, signal }: ShrinkOutput,
): Promise<boolean> {
  const failure = await runVersion(scenario);
  if (failure.violation === undefined) {
    print(`${title} violates no check in this run, so there is nothing to shrink`);
    return false;
  }
  print(`shrinking ${title}: ${scenarioSize(scenario)}`);
  const shrunk = await shrink(scenario, failure, runVersion, {
    maxRuns,
    signal,
    onRun: (runs, smallest) =>
      status.show(
        `shrinking: run ${runs + 1} of at most ${maxRuns}; left: ${scenarioSize(smallest)}`,
        performance.now(),
      ),
  });
  status.clear();
  const names = await namesOf(shrunk.scenario);
  const reach = shrunk.isMinimal ? 'nothing more can be removed' : 'stopped before all was tried';
  print(
    `shrunk to ${scenarioSize(shrunk.scenario)} and ${counted(shrunk.calls, 'external call')} (after ${counted(shrunk.runs, 'run')}; ${reach}):`,
  );
  for (const line of scenarioLines(shrunk.scenario, names)) print(`  ${line}`);
  print(`  FAILS: ${names.in(shrunk.violation)}`);
  const file = saveScenario(directory, title, {
    violation: shrunk.violation,
    bug,
    scenario: shrunk.scenario,
  });
  print(`see it with: npm run simulate -- --replay ${file}`);
  return true;
}

/** Runs a scenario once more, for the names of its ids. */
async function namesOf(scenario: Scenario): Promise<StoryNames> {
  const names = storyNames(scenario);
  await runScenario(scenario, { trace: names.learn });
  return names;
}

/**
 * Runs a scenario.
 *
 * @throws unknown what nobody caught in the run: a version that makes no sense can break a client
 */
async function runVersion(scenario: Scenario): Promise<VersionResult> {
  const uncaught: unknown[] = [];
  const note = (reason: unknown) => uncaught.push(reason);
  process.on('unhandledRejection', note);
  try {
    const { violation, calls } = await runScenario(scenario);
    if (uncaught.length > 0) throw uncaught[0];
    return { violation, calls };
  } finally {
    process.off('unhandledRejection', note);
  }
}
