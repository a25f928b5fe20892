import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BugName, scenarioWith } from '../bugs/planted-bugs.ts';
import type { Scenario } from '../scenario/plan.ts';
import { type ScenarioSource, UsageError } from './arguments.ts';

/** A scenario to run, with the bug to plant first. */
export interface NamedScenario {
  /** `seed 42`, or the path of the file. */
  readonly title: string;
  readonly scenario: Scenario;
  readonly bug?: BugName | undefined;
}

/** The contents of the file of a shrunk failure. */
export interface SavedScenario {
  /** The check that failed, as it was reported. */
  readonly violation: string;
  readonly bug?: BugName | undefined;
  readonly scenario: Scenario;
}

/**
 * @param bug replaces the bug that a file names
 * @throws UsageError if the file does not exist or is not a saved scenario
 */
export function openScenario(source: ScenarioSource, bug: BugName | undefined): NamedScenario {
  if ('seed' in source)
    return { title: `seed ${source.seed}`, scenario: scenarioWith(source.seed, bug), bug };
  const saved = readSaved(source.file);
  return { title: source.file, scenario: saved.scenario, bug: bug ?? saved.bug };
}

function readSaved(file: string): SavedScenario {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedScenario;
    if (saved.scenario.world && saved.scenario.deployment) return saved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new UsageError(`${file} does not exist`);
  }
  throw new UsageError(`${file} is not a scenario that this command has saved`);
}

/** Saves a scenario for `--replay`. @returns the path of the file */
export function saveScenario(directory: string, title: string, saved: SavedScenario): string {
  const name = title
    .replace(/^.*\//, '')
    .replace(/\.json$/, '')
    .replaceAll(' ', '-');
  const file = join(directory, `${name.replace(/-shrunk$/, '')}-shrunk.json`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`);
  return file;
}

/** Returns the bug's option for the command line; empty without a bug. */
export const bugArgument = (bug: string | undefined) => (bug === undefined ? '' : ` --bug "${bug}"`);
