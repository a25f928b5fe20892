import { readdirSync, readFileSync } from 'node:fs';
import type { CloudObserver } from '@herald/local-cloud/types.ts';
import { indexes } from '../../../lib/table/schema.ts';
import type { TestCloud } from '../../support/local-cloud.ts';

/** Usage of a run, from `begin` to `end`. */
export interface Usage {
  /** Number of AWS calls of the functions of webhooks, keyed by `<function> <action>`. */
  readonly calls: ReadonlyMap<string, number>;
  readonly invocations: ReadonlyMap<string, number>;
  /** Milliseconds of processor time, keyed by what used it. Only on Linux. */
  readonly processorMs: ReadonlyMap<string, number>;
}

export interface UsageMeter {
  readonly observer: CloudObserver;
  begin(cloud: TestCloud): void;
  end(cloud: TestCloud): Usage;
}

const observed = ['announce', 'deliver-webhook', 'deliver-slow-webhook'];

/** Counts what the functions of webhooks use, except capacity. Start it before the cloud. */
export function createUsageMeter(): UsageMeter {
  let calls = new Map<string, number>();
  let invocations = new Map<string, number>();
  let before: Map<string, number> = new Map();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    observer: {
      onAwsCall({ action, principalArn }) {
        const functionName = principalArn.split('/').at(-1) ?? '';
        if (observed.includes(functionName)) count(calls, `${functionName} ${action}`);
      },
      onInvocation({ functionName }) {
        if (observed.includes(functionName)) count(invocations, functionName);
      },
    },
    begin(cloud) {
      [calls, invocations] = [new Map(), new Map()];
      before = processorMs(cloud);
    },
    end(cloud) {
      const processor = new Map(
        [...processorMs(cloud)].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]),
      );
      return { calls: new Map(calls), invocations: new Map(invocations), processorMs: processor };
    },
  };
}

/** The capacity units of a run. */
export interface Capacity {
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface CapacityMeter {
  readonly observer: CloudObserver;
  begin(): void;
  end(): Capacity;
}

/** Counts capacity units. It slows the cloud down: the local database then also writes the indexes of its tables. */
export function createCapacityMeter(): CapacityMeter {
  let used = { readUnits: 0, writeUnits: 0 };
  return {
    observer: {
      onConsumedCapacity({ input, readUnits, writeUnits }) {
        // The reads of sweeps do not belong to deliveries.
        if (input['IndexName'] === indexes.overdue.indexName) return;
        used.readUnits += readUnits;
        used.writeUnits += writeUnits;
      },
    },
    begin() {
      used = { readUnits: 0, writeUnits: 0 };
    },
    end: () => used,
  };
}

/** Milliseconds of a clock tick of the kernel's statistics: 100 ticks per second on every Linux that Node.js supports. */
const tickMs = 10;

/** The processor time of this process, its functions, and its other descendants, since each began. */
function processorMs(cloud: TestCloud): Map<string, number> {
  const functions = new Map(cloud.processes().map((each) => [each.pid, each.function]));
  const used = new Map<string, number>();
  if (process.platform !== 'linux') return used;
  const found = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (statisticsOf(Number(name)) ?? []) : [],
  );
  const parents = new Map(found.map(({ pid, parent }) => [pid, parent]));
  for (const { pid, name, ms } of found) {
    const user =
      pid === process.pid ? 'local cloud' : (functions.get(pid) ?? (isOurs(pid) ? name : undefined));
    if (user !== undefined) used.set(user, (used.get(user) ?? 0) + ms);
  }
  return used;

  function isOurs(pid: number): boolean {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  }
}

interface Statistics {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly ms: number;
}

function statisticsOf(pid: number): Statistics | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), name, ms: (Number(fields[11]) + Number(fields[12])) * tickMs };
  } catch {
    // The process has ended.
    return undefined;
  }
}

/** Describes the usage of each delivery. @param deliveries their number */
export function usageLines({ calls, invocations, processorMs }: Usage, deliveries: number): string[] {
  const list = (amounts: ReadonlyMap<string, number>) =>
    [...amounts]
      .filter(([, amount]) => amount / deliveries >= 0.005)
      .sort(([, one], [, other]) => other - one)
      .map(([name, amount]) => `${name} ${(amount / deliveries).toFixed(2)}`)
      .join(', ');
  return [
    `Invocations per delivery: ${list(invocations)}; AWS calls: ${list(calls)}.`,
    `Processor milliseconds per delivery: ${list(processorMs)}.`,
  ];
}
