import { readdirSync, readFileSync } from 'node:fs';
import type { TestCloud } from '../../support/local-cloud.ts';

/** Processor time of each part, in milliseconds. */
export interface ProcessorTime {
  /** Processor time of each function that has run. */
  readonly functions: Readonly<Record<string, number>>;
  /** This process: the local cloud with its engines, the simulated platforms, and the bench. */
  readonly cloudMs: number;
  /** The native engine of the database, and whatever else this process has started. */
  readonly databaseMs: number;
}

/** Processor time since the start of each process, in milliseconds. */
export interface ProcessorReading extends Omit<ProcessorTime, 'functions'> {
  readonly environments: ReadonlyMap<number, { readonly function: string; readonly ms: number }>;
}

/** Linux counts processor time in ticks of 10 ms for programs. */
const tickMs = 10;

/** Reads how much processor time the processes of a local cloud have used. Linux only. */
export function readProcessorTime(cloud: Pick<TestCloud, 'processes'>): ProcessorReading {
  const children = descendantsOf(process.pid);
  const environments = new Map<number, { readonly function: string; readonly ms: number }>();
  for (const { function: name, pid } of cloud.processes()) {
    environments.set(pid, { function: name, ms: children.get(pid) ?? 0 });
    children.delete(pid);
  }
  const { user, system } = process.cpuUsage();
  return {
    environments,
    cloudMs: (user + system) / 1_000,
    databaseMs: [...children.values()].reduce((sum, each) => sum + each, 0),
  };
}

/** The processor time between two readings. What a process has used that ended in between is not known. */
export function processorTimeBetween(before: ProcessorReading, after: ProcessorReading): ProcessorTime {
  const functions: Record<string, number> = {};
  for (const [pid, { function: name, ms }] of after.environments)
    functions[name] = (functions[name] ?? 0) + ms - (before.environments.get(pid)?.ms ?? 0);
  return {
    functions,
    cloudMs: after.cloudMs - before.cloudMs,
    databaseMs: after.databaseMs - before.databaseMs,
  };
}

/** The processor time of each live descendant of a process, by its id. */
function descendantsOf(root: number): Map<number, number> {
  const parents = new Map<number, number>();
  const times = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat === undefined) continue;
    parents.set(Number(name), stat.parent);
    times.set(Number(name), stat.ms);
  }
  const isDescendant = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isDescendant(parent));
  };
  return new Map([...times].filter(([pid]) => isDescendant(pid)));
}

/** @returns `undefined` if the process has ended meanwhile */
function statOf(pid: string): { readonly parent: number; readonly ms: number } | undefined {
  try {
    // The name, in parentheses, may have spaces. The fields after it are counted from 3, see `man 5 proc`.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * tickMs };
  } catch {
    return undefined;
  }
}
