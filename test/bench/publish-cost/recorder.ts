import type { CloudObserver } from '@herald/local-cloud/types.ts';
import { noUsage, type Usage } from './prices.ts';
import { announcer, type Purpose, sharesOf } from './shares.ts';

/** Observations from `begin` to `end`. */
export interface Recording {
  /** Number of AWS calls, keyed by `<function> <service> <action>`. */
  readonly calls: ReadonlyMap<string, number>;
  /** Usage by purpose. */
  readonly usage: ReadonlyMap<Purpose, Usage>;
  /** The units of the table, keyed by `<function> <action> <item>`. */
  readonly units: ReadonlyMap<string, Units>;
  /** Calls and billed time, keyed by function. */
  readonly functions: ReadonlyMap<string, FunctionUse>;
}

export interface FunctionUse {
  readonly invocations: number;
  readonly gigabyteSeconds: number;
}

export interface Units {
  readonly purpose: Purpose;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface Recorder {
  readonly observer: CloudObserver;
  begin(): void;
  /**
   * Returns what was recorded since `begin`.
   *
   * @param lines the log lines of all functions since then, as `<function>: <line>`
   */
  end(lines: readonly string[]): Recording;
  /** Restarts the count of quiet milliseconds. */
  touch(): void;
  /** Milliseconds of real time since the last activity. */
  quietMs(): number;
}

/** The actions of services whose calls are observed by HTTP method only. */
const actionNames: Readonly<Record<string, string>> = {
  's3 GET': 'GetObject',
  's3 HEAD': 'HeadObject',
  'scheduler POST': 'CreateSchedule',
  'scheduler DELETE': 'DeleteSchedule',
};

const queueConsumer = 'publish-target';

export interface KnownFunctions {
  memoryMegabytes(functionName: string): number;
  /** Returns true for functions that run periodically even without posts. Their calls are not counted. */
  isPeriodic(functionName: string): boolean;
}

/** Creates a recorder that counts everything the service does for a post. */
export function createRecorder({ memoryMegabytes, isPeriodic }: KnownFunctions): Recorder {
  let totals = emptyTotals();
  let lastMs = performance.now();
  const touch = () => {
    lastMs = performance.now();
  };
  return {
    begin() {
      totals = emptyTotals();
    },
    quietMs: () => performance.now() - lastMs,
    end(lines) {
      const recorded = totals;
      const ofPosts = lines.filter((line) => !isPeriodic(line.split(': ')[0] ?? ''));
      totals = emptyTotals();
      const functions = new Map<string, FunctionUse>();
      for (const { functionName, gigabyteSeconds } of recorded.invocations) {
        const before = functions.get(functionName) ?? { invocations: 0, gigabyteSeconds: 0 };
        functions.set(functionName, {
          invocations: before.invocations + 1,
          gigabyteSeconds: before.gigabyteSeconds + gigabyteSeconds,
        });
      }
      return { calls: recorded.calls, usage: toUsage(recorded, ofPosts), units: recorded.units, functions };
    },
    touch,
    observer: {
      onAwsCall({ service, action, principalArn }) {
        const functionName = functionOf(principalArn);
        if (isPeriodic(functionName)) return;
        touch();
        const name = `${functionName} ${service} ${actionNames[`${service} ${action}`] ?? action}`;
        totals.calls.set(name, (totals.calls.get(name) ?? 0) + 1);
      },
      onConsumedCapacity(consumed) {
        const { action, principalArn = '' } = consumed;
        const functionName = functionOf(principalArn);
        if (isPeriodic(functionName)) return;
        for (const { item, ...share } of sharesOf(consumed, functionName)) {
          const name = `${functionName} ${action} ${item}`;
          const { readUnits, writeUnits } = totals.units.get(name) ?? { readUnits: 0, writeUnits: 0 };
          totals.units.set(name, {
            purpose: share.purpose,
            readUnits: readUnits + share.readUnits,
            writeUnits: writeUnits + share.writeUnits,
          });
        }
      },
      onInvocation({ functionName, payload, durationMs }) {
        if (isPeriodic(functionName)) return;
        touch();
        const gigabyteSeconds = (durationMs / 1_000) * (memoryMegabytes(functionName) / 1_024);
        totals.invocations.push({ functionName, gigabyteSeconds });
        if (functionName !== queueConsumer) return;
        totals.batches += 1;
        totals.messages += (JSON.parse(payload) as { Records: readonly unknown[] }).Records.length;
      },
    },
  };
}

const functionOf = (principalArn: string): string => principalArn.split('/').at(-1) ?? '';

interface Totals {
  readonly calls: Map<string, number>;
  readonly units: Map<string, Units>;
  readonly invocations: { readonly functionName: string; readonly gigabyteSeconds: number }[];
  batches: number;
  messages: number;
}

const emptyTotals = (): Totals => ({
  calls: new Map(),
  units: new Map(),
  invocations: [],
  batches: 0,
  messages: 0,
});

/**
 * The bytes that Lambda itself writes for an invocation: `platform.start` and `platform.report` as JSON, at the level INFO.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-advanced.html
 */
const platformBytes = 700;
/** A line of API Gateway's access log. */
const accessBytes = 400;

function toUsage(
  { calls, units, invocations, batches, messages }: Totals,
  lines: readonly string[],
): ReadonlyMap<Purpose, Usage> {
  const usage = new Map<Purpose, Usage>();
  const add = (purpose: Purpose, used: Partial<Usage>) => {
    const sum = { ...(usage.get(purpose) ?? noUsage) };
    for (const [item, number] of Object.entries(used)) sum[item as keyof Usage] += number;
    usage.set(purpose, sum);
  };
  const count = (ending: string) =>
    [...calls].reduce((sum, [name, times]) => sum + (name.endsWith(ending) ? times : 0), 0);
  add('engine', {
    apiRequests: 1,
    schedules: count(' scheduler CreateSchedule') - count(' scheduler DeleteSchedule'),
    // Each message was sent in a request, by a function or a schedule. Receiving a batch is one request, deleting it another.
    queueRequests: messages + 2 * batches,
    keyCalls: count(' kms Decrypt') + count(' kms GenerateDataKey'),
    objectReads: count(' GetObject') + count(' HeadObject'),
  });
  const written = lines.reduce((sum, line) => sum + Buffer.byteLength(line.slice(line.indexOf(': ') + 2)), 0);
  add('logs', { logMegabytes: (written + platformBytes * invocations.length + accessBytes) / 1e6 });
  for (const { functionName, gigabyteSeconds } of invocations)
    add(functionName === announcer ? 'webhooks' : 'engine', { invocations: 1, gigabyteSeconds });
  for (const { purpose, readUnits, writeUnits } of units.values()) add(purpose, { readUnits, writeUnits });
  return usage;
}
