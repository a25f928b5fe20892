import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in `/proc/<pid>/stat`: 100 on every Linux architecture that Node supports. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  readonly seconds: number;
}

/**
 * Returns the CPU seconds, user and system, that a process and its descendants have used so far, those that have ended
 * included. Outside Linux, where `/proc` does not exist, returns those of this process alone.
 *
 * @param pid the root of the tree
 */
export function cpuSeconds(pid: number): number {
  const processes = readProcesses();
  if (processes.size === 0) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
  const children = Map.groupBy(processes.keys(), (each) => processes.get(each)?.parent);
  const secondsOf = (each: number): number =>
    (children.get(each) ?? []).reduce(
      (sum, child) => sum + secondsOf(child),
      processes.get(each)?.seconds ?? 0,
    );
  return secondsOf(pid);
}

function readProcesses(): Map<number, ProcessTimes> {
  const processes = new Map<number, ProcessTimes>();
  for (const name of numericNames('/proc')) {
    const times = timesIn(textOf(`/proc/${name}/stat`));
    if (times !== undefined) processes.set(Number(name), times);
  }
  return processes;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. The name in parentheses may contain spaces. */
function timesIn(stat: string): ProcessTimes | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [, parent, ...rest] = fields.map(Number);
  if (parent === undefined) return undefined;
  // utime, stime, cutime, cstime: the last two are those of children that have ended and were waited for.
  const ticks = rest.slice(9, 13).reduce((sum, each) => sum + each, 0);
  return { parent, seconds: ticks / ticksPerSecond };
}

function numericNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Returns '' if the process has ended since it was listed. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
