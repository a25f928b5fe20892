import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { PlannedWorkspace } from '../scenario/plan.ts';
import type { Scenario } from '../simulate.ts';

/** Gives smaller versions of a scenario, those that remove most first. They need not make sense: the run decides. */
export type Reduction = (scenario: Scenario) => Iterable<Scenario>;

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
  'hasOwnText',
  'mishap',
  'outages',
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
