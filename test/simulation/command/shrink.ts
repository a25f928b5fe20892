import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { PlannedWorkspace, Scenario } from '../scenario/plan.ts';
import { counted, type Print, progressPrinter } from './progress.ts';
import {
  loadSimulation,
  type NamedScenario,
  saveScenario,
  scenarioLines,
  scenarioSize,
  shrunkFile,
  storyNames,
} from './scenario.ts';

const mostRuns = 400;

/**
 * Reduces a failing scenario, prints what is left, and saves it. An interruption loses nothing: the smallest version so far
 * is always saved.
 *
 * @param directory where to save it
 * @returns true if the scenario fails at all
 */
export async function shrinkAndSave(
  { title, scenario, bug }: NamedScenario,
  directory: string,
  print: Print,
): Promise<boolean> {
  const { runScenario } = await loadSimulation(bug);
  const run = (version: Scenario) => runVersion(version, runScenario);
  const failure = await run(scenario);
  if (failure.violation === undefined) {
    print(`${title} violates no check in this run, so there is nothing to shrink`);
    return false;
  }
  const file = shrunkFile(directory, title);
  const showProgress = progressPrinter(print);
  print(
    `shrinking ${title}: ${scenarioSize(scenario)}. Ctrl-C leaves the smallest version so far in ${file}`,
  );
  const shrunk = await shrink(scenario, failure, run, {
    maxRuns: mostRuns,
    onBest: (best) => saveScenario(file, { violation: best.violation, bug, scenario: best.scenario }),
    onRun: (runs, smallest) =>
      showProgress(
        () => `shrinking: run ${runs + 1} of at most ${mostRuns}; left: ${scenarioSize(smallest)}`,
      ),
  });
  const names = storyNames(shrunk.scenario);
  // Runs it once more, for the names of its ids.
  await runScenario(shrunk.scenario, { trace: names.learn });
  const reach = shrunk.isMinimal ? 'nothing more can be removed' : 'stopped before all was tried';
  print(
    `shrunk to ${scenarioSize(shrunk.scenario)} and ${counted(shrunk.calls, 'external call')} (after ${counted(shrunk.runs, 'run')}; ${reach}):`,
  );
  for (const line of scenarioLines(shrunk.scenario, names)) print(`  ${line}`);
  print(`  FAILS: ${names.in(shrunk.violation)}`);
  print(`see it with: npm run simulate -- --replay ${file}`);
  return true;
}

/**
 * Runs a scenario.
 *
 * @throws unknown what nobody caught in the run: a version that makes no sense can break a client
 */
async function runVersion(
  scenario: Scenario,
  runScenario: typeof import('../simulate.ts').runScenario,
): Promise<VersionResult> {
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

/** The result of running a version. */
export interface VersionResult {
  readonly violation: string | undefined;
  /** Number of external calls of the run: the length of its story. */
  readonly calls: number;
}

interface ShrinkOptions {
  readonly maxRuns: number;
  /** Called before each run with the number of runs so far and the smallest failing version. */
  readonly onRun?: (runs: number, smallest: Scenario) => void;
  /** Called with the scenario itself, and then with each version that is better. */
  readonly onBest?: (best: FailingVersion) => void;
}

interface FailingVersion {
  readonly scenario: Scenario;
  /** The violation of that scenario. */
  readonly violation: string;
  readonly calls: number;
}

interface Shrunk extends FailingVersion {
  readonly runs: number;
  /** True if nothing more can be removed; false if the runs did not suffice. */
  readonly isMinimal: boolean;
}

/**
 * The random seeds of the world that a version gets, as offsets to the best one's. To drop something shifts the random
 * numbers of everything after it, so a version that could fail often does not. All versions get the first seeds before any
 * gets the next, because the seed that failed is the best guess.
 */
const seedOffsets = [[0], range(1, 4), range(5, 24)];

/** Fewer parts are not worth a story that is longer by more than this factor. */
const longerStory = 1.2;

/** Number of other seeds of the world that the smallest version gets at the end, to find a shorter story. */
const seedsForLength = 40;

/**
 * Makes a failing scenario smaller for as long as it still violates the same check: greedy delta debugging (Zeller and
 * Hildebrandt 2002).
 *
 * @param scenario a scenario that fails
 * @param failure what its run led to
 * @param run runs a version; may reject if the version makes no sense
 */
export async function shrink(
  scenario: Scenario,
  failure: VersionResult,
  run: (version: Scenario) => Promise<VersionResult>,
  { maxRuns, onRun, onBest }: ShrinkOptions,
): Promise<Shrunk> {
  const wanted = maskedViolation(failure.violation ?? '');
  const tried = new Set<string>([JSON.stringify(scenario)]);
  let best: FailingVersion = { scenario, violation: failure.violation ?? '', calls: failure.calls };
  onBest?.(best);
  let runs = 0;
  const isOver = () => runs >= maxRuns;

  /** @returns true if the version fails in the same way, with at most so many calls; it is then the best */
  async function isBetter(version: Scenario, maxCalls = best.calls * longerStory): Promise<boolean> {
    const text = JSON.stringify(version);
    if (isOver() || tried.has(text)) return false;
    tried.add(text);
    onRun?.(runs, best.scenario);
    runs += 1;
    const { violation, calls } = await run(version).catch(() => ({ violation: undefined, calls: 0 }));
    if (violation === undefined || maskedViolation(violation) !== wanted || calls > maxCalls) return false;
    best = { scenario: version, violation, calls };
    onBest?.(best);
    return true;
  }

  async function tryVersions(reduction: Reduction, offsets: readonly number[]): Promise<boolean> {
    for (const version of reduction(best.scenario)) {
      for (const offset of offsets) {
        if (await isBetter(withSeed(version, version.world.seed + offset))) return true;
        if (isOver()) return false;
      }
    }
    return false;
  }

  /** @returns true if a reduction succeeded with these seeds */
  async function reduceAll(offsets: readonly number[]): Promise<boolean> {
    let isSmaller = false;
    for (const reduction of Object.values(reductions))
      while (await tryVersions(reduction, offsets)) isSmaller = true;
    return isSmaller;
  }

  for (let level = 0; level < seedOffsets.length && !isOver(); )
    level = (await reduceAll(seedOffsets[level] ?? [])) ? 0 : level + 1;
  const isMinimal = !isOver();
  const smallest = best.scenario;
  for (const offset of range(1, seedsForLength))
    await isBetter(withSeed(smallest, smallest.world.seed + offset), best.calls - 1);
  return { ...best, runs, isMinimal };
}

const withSeed = (scenario: Scenario, seed: number): Scenario => ({
  ...scenario,
  world: { ...scenario.world, seed },
});

/** The whole numbers from `first` to `last`, both included. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A violation without what differs between runs of one bug: ids, numbers, quoted texts, and the stack of an error. */
export function maskedViolation(violation: string): string {
  return violation
    .split('\n', 1)
    .join()
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, 'ID')
    .replaceAll(/"[^"]*"/g, 'TEXT')
    .replaceAll(/\d+/g, 'N');
}

/** Gives smaller versions of a scenario, those that remove most first. They need not make sense: the run decides. */
type Reduction = (scenario: Scenario) => Iterable<Scenario>;

/**
 * All ways to make a scenario smaller, in the order in which they are tried. Most know nothing of the fields: a new list is
 * shortened, and a new record of rates is thinned out, without a change here.
 */
export const reductions: Readonly<Record<string, Reduction>> = {
  'shorten lists': shortenLists,
  'drop rates': dropRates,
  'drop accounts': dropAccounts,
  'drop optional members': dropOptionalMembers,
  'simplify the deployment': simplifyDeployment,
  'end the faults earlier': endFaultsEarlier,
  'halve rates': halveRates,
};

/** Members that an object can do without. */
const optionalMembers = new Set([
  'againMs',
  'clockSkewMs',
  'dueMs',
  'endpointOff',
  'hasOwnText',
  'mishap',
  'outages',
  'readsEvents',
  'rhythm',
  'rollout',
  'settings',
  'text',
]);

/** Rates below this are not halved again. */
const lowestRate = 0.002;

function* dropAccounts(scenario: Scenario): Iterable<Scenario> {
  for (const [place, workspace] of scenario.workspaces.entries()) {
    for (const index of workspace.accounts.keys())
      yield {
        ...scenario,
        workspaces: scenario.workspaces.with(place, withoutAccount(workspace, index)),
      };
  }
}

/** Removes an account and everything that refers to it. Posts without a destination go too. */
function withoutAccount(workspace: PlannedWorkspace, dropped: number): PlannedWorkspace {
  const others = <Reference extends { readonly account: number }>(list: readonly Reference[]): Reference[] =>
    list
      .filter(({ account }) => account !== dropped)
      .map((one) => ({ ...one, account: one.account - (one.account > dropped ? 1 : 0) }));
  return {
    ...workspace,
    accounts: workspace.accounts.toSpliced(dropped, 1),
    posts: workspace.posts
      .map((post) => ({
        ...post,
        targets: others(post.targets),
        chain: others(post.chain),
        actions: post.actions.map((action) =>
          action.kind === 'edit' && action.targets ? { ...action, targets: others(action.targets) } : action,
        ),
      }))
      .filter(({ targets }) => targets.length > 0),
    disconnects: others(workspace.disconnects),
    comments: others(workspace.comments),
    ...(workspace.messages && { messages: others(workspace.messages) }),
  };
}

function* shortenLists(scenario: Scenario): Iterable<Scenario> {
  for (const { path, value } of partsOf(scenario)) {
    // Accounts are referred to by their index.
    if (!Array.isArray(value) || path.at(-1) === 'accounts') continue;
    for (const [start, end] of chunksOf(value.length))
      yield replacedAt(scenario, path, value.toSpliced(start, end - start));
  }
}

/** Drops some rates. If that is not enough, also doubles the others, because something may have become too rare. */
function* dropRates(scenario: Scenario): Iterable<Scenario> {
  for (const { path, value } of ratesOf(scenario)) {
    const rates = Object.entries(value);
    const chunks = [...chunksOf(rates.length)];
    const versions = chunks.map(([start, end]) => rates.toSpliced(start, end - start));
    for (const kept of versions) yield replacedAt(scenario, path, Object.fromEntries(kept));
    for (const kept of versions) {
      const doubled = kept.map(([name, rate]) => [name, Math.min(1, 2 * rate)]);
      if (kept.length > 0) yield replacedAt(scenario, path, Object.fromEntries(doubled));
    }
  }
}

function* halveRates(scenario: Scenario): Iterable<Scenario> {
  for (const { path, value } of ratesOf(scenario)) {
    if (Object.values(value).every((rate) => rate < lowestRate)) continue;
    const halved = Object.entries(value).map(([name, rate]) => [name, rate / 2]);
    yield replacedAt(scenario, path, Object.fromEntries(halved));
  }
}

function* dropOptionalMembers(scenario: Scenario): Iterable<Scenario> {
  for (const { path, value } of partsOf(scenario)) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, part] of Object.entries(value)) {
      if (name === 'hasWebhook' && part === true) yield replacedAt(scenario, [...path, name], false);
      // An edit can do without its own targets, a post cannot.
      const isOptional = optionalMembers.has(name) || (name === 'targets' && 'kind' in value);
      if (!isOptional) continue;
      const { [name]: _dropped, ...others } = value as Record<string, unknown>;
      yield replacedAt(scenario, path, others);
    }
  }
}

/** More workers than any run needs, and queues that repeat messages. */
const simpleDeployment = { workers: 10, redelivers: true } as const;

function* simplifyDeployment(scenario: Scenario): Iterable<Scenario> {
  const { deployment } = scenario;
  if (deployment.workers !== simpleDeployment.workers)
    yield { ...scenario, deployment: { ...deployment, workers: simpleDeployment.workers } };
  if (!deployment.redelivers) yield { ...scenario, deployment: { ...deployment, redelivers: true } };
}

function* endFaultsEarlier(scenario: Scenario): Iterable<Scenario> {
  const { startMs, faultsEndMs } = scenario.world;
  const lengthMs = faultsEndMs - startMs;
  if (lengthMs < minuteMs) return;
  const faultsEnd = Math.floor(startMs + lengthMs / 2);
  yield { ...scenario, world: { ...scenario.world, faultsEndMs: faultsEnd } };
}

type Path = readonly (string | number)[];

/** A part of a scenario, and where it is. */
interface Part<Value> {
  readonly path: Path;
  readonly value: Value;
}

/** All objects and lists inside a scenario, the outer ones first. */
function* partsOf(value: unknown, path: Path = []): Iterable<Part<unknown>> {
  if (typeof value !== 'object' || value === null) return;
  yield { path, value };
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [name, part] of parts) yield* partsOf(part, [...path, name]);
}

/** All records of probabilities. What customers do has none. */
function* ratesOf(scenario: Scenario): Iterable<Part<Readonly<Record<string, number>>>> {
  for (const { path, value } of partsOf(scenario))
    if (path[0] !== 'workspaces' && isRates(value)) yield { path, value };
}

function isRates(value: unknown): value is Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const rates = Object.values(value);
  return rates.length > 0 && rates.every((rate) => typeof rate === 'number' && rate >= 0 && rate <= 1);
}

/** The parts to drop of a list: all of it, its halves, quarters, and so on, down to single items. */
function* chunksOf(length: number): Iterable<readonly [start: number, end: number]> {
  for (let size = length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let start = 0; start < length; start += size) yield [start, Math.min(length, start + size)];
}

function replacedAt(scenario: Scenario, path: Path, replacement: unknown): Scenario {
  const replace = (value: unknown, [name, ...rest]: Path): unknown => {
    if (name === undefined) return replacement;
    if (Array.isArray(value)) return value.with(Number(name), replace(value[Number(name)], rest));
    const members = value as Record<string, unknown>;
    return { ...members, [name]: replace(members[name], rest) };
  };
  return replace(scenario, path) as Scenario;
}
