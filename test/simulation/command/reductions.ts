import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { Scenario } from '../simulate.ts';

/** Gives smaller versions of a scenario, those that remove most first. They need not make sense: the run decides. */
export type Reduction = (scenario: Scenario) => Iterable<Scenario>;

/**
 * All ways to make a scenario smaller, in the order in which they are tried. Most know nothing of the fields: a new list is
 * shortened, and a new record of rates is thinned out, without a change here.
 */
export const reductions: Readonly<Record<string, Reduction>> = {
  'drop workspaces': dropWorkspaces,
  'shorten lists': shortenLists,
  'drop rates': dropRates,
  'drop accounts': dropAccounts,
  'drop optional members': dropOptionalMembers,
  'end the faults earlier': endFaultsEarlier,
  'halve rates': halveRates,
};

/** Members that an object can do without. */
const optionalMembers = new Set(['mishap', 'customContent', 'scheduledFor', 'patch', 'chain', 'outages']);

/** Rates below this are not halved again. */
const lowestRate = 0.002;

function* dropWorkspaces(scenario: Scenario): Iterable<Scenario> {
  for (const [index, accounts] of scenario.workspaces.entries()) {
    const workspaces = scenario.workspaces.toSpliced(index, 1);
    const rest = { ...scenario, workspaces };
    const [account] = accounts;
    yield account ? withoutReferences(rest, account.workspaceId) : rest;
  }
}

function* dropAccounts(scenario: Scenario): Iterable<Scenario> {
  for (const { id } of scenario.workspaces.flat()) yield withoutReferences(scenario, id);
}

function* shortenLists(scenario: Scenario): Iterable<Scenario> {
  for (const { path, value } of partsOf(scenario)) {
    if (!Array.isArray(value) || path[0] === 'workspaces') continue;
    for (const [start, end] of chunksOf(value.length))
      yield replacedAt(scenario, path, value.toSpliced(start, end - start));
  }
}

/** Drops some rates. If that is not enough, also doubles the others, because something may have become too rare. */
function* dropRates(scenario: Scenario): Iterable<Scenario> {
  for (const { path, value } of partsOf(scenario)) {
    if (!isRates(value)) continue;
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
  for (const { path, value } of partsOf(scenario)) {
    if (!isRates(value) || Object.values(value).every((rate) => rate < lowestRate)) continue;
    const halved = Object.entries(value).map(([name, rate]) => [name, rate / 2]);
    yield replacedAt(scenario, path, Object.fromEntries(halved));
  }
}

function* dropOptionalMembers(scenario: Scenario): Iterable<Scenario> {
  for (const { path, value } of partsOf(scenario)) {
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      if (!optionalMembers.has(name)) continue;
      const { [name]: _dropped, ...others } = value as Record<string, unknown>;
      yield replacedAt(scenario, path, others);
    }
  }
}

function* endFaultsEarlier(scenario: Scenario): Iterable<Scenario> {
  const { startMs, faultsEndMs } = scenario.world;
  const lengthMs = faultsEndMs - startMs;
  if (lengthMs < minuteMs) return;
  const faultsEnd = Math.floor(startMs + lengthMs / 2);
  yield { ...scenario, world: { ...scenario.world, faultsEndMs: faultsEnd } };
}

type Path = readonly (string | number)[];

/** All objects and lists inside a scenario, the outer ones first. */
function* partsOf(
  value: unknown,
  path: Path = [],
): Iterable<{ readonly path: Path; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  yield { path, value };
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [name, part] of parts) yield* partsOf(part, [...path, name]);
}

/** A record of probabilities. */
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

/** Removes an id and the objects that refer to it from all lists. An object whose list of ids becomes empty goes too. */
function withoutReferences(scenario: Scenario, id: string): Scenario {
  const refers = (value: unknown): boolean => {
    if (value === id) return true;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return Object.values(value).some((part) => part === id || (Array.isArray(part) && isOnly(part, id)));
  };
  const prune = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((item) => !refers(item)).map(prune);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, prune(part)]));
  };
  return prune(scenario) as Scenario;
}

const isOnly = (list: readonly unknown[], id: string) => list.length > 0 && list.every((item) => item === id);
