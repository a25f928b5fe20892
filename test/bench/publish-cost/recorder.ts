import type { CloudObserver } from '../../../infra/local/cloud/types.ts';
import { indexes } from '../../../lib/table/schema.ts';
import type { Usage } from './prices.ts';

/** What was observed from `begin` to `end`. */
export interface Recording {
  /** Number of AWS calls, keyed by `<function> <service> <action>`. */
  readonly calls: ReadonlyMap<string, number>;
  readonly usage: Usage;
}

export interface Recorder {
  readonly observer: CloudObserver;
  begin(): void;
  /** Returns what was recorded since `begin`. */
  end(): Recording;
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
  /** Whether it runs periodically even without posts. Its calls are not counted. */
  isPeriodic(functionName: string): boolean;
}

/** Creates a recorder that counts everything the service does for a post. */
export function createRecorder({ memoryMegabytes, isPeriodic }: KnownFunctions): Recorder {
  let calls = new Map<string, number>();
  let totals = emptyTotals();
  let lastMs = performance.now();
  const touch = () => {
    lastMs = performance.now();
  };
  return {
    begin() {
      calls = new Map();
      totals = emptyTotals();
    },
    quietMs: () => performance.now() - lastMs,
    end: () => ({ calls: new Map(calls), usage: toUsage(calls, totals) }),
    touch,
    observer: {
      onAwsCall({ service, action, principalArn }) {
        const functionName = principalArn.split('/').at(-1) ?? '';
        if (isPeriodic(functionName)) return;
        touch();
        const name = `${functionName} ${service} ${actionNames[`${service} ${action}`] ?? action}`;
        calls.set(name, (calls.get(name) ?? 0) + 1);
      },
      onConsumedCapacity({ input, readUnits, writeUnits }) {
        // Only periodic functions query this index.
        if (input['IndexName'] === indexes.overdue.indexName) return;
        totals.readUnits += readUnits;
        totals.writeUnits += writeUnits;
      },
      onInvocation({ functionName, payload, durationMs }) {
        if (isPeriodic(functionName)) return;
        touch();
        totals.invocations += 1;
        totals.gigabyteSeconds += (durationMs / 1_000) * (memoryMegabytes(functionName) / 1_024);
        if (functionName !== queueConsumer) return;
        totals.batches += 1;
        totals.messages += (JSON.parse(payload) as { Records: readonly unknown[] }).Records.length;
      },
    },
  };
}

function emptyTotals() {
  return { readUnits: 0, writeUnits: 0, invocations: 0, gigabyteSeconds: 0, batches: 0, messages: 0 };
}

function toUsage(calls: ReadonlyMap<string, number>, totals: ReturnType<typeof emptyTotals>): Usage {
  const count = (ending: string) =>
    [...calls].reduce((sum, [name, times]) => sum + (name.endsWith(ending) ? times : 0), 0);
  const sends = count(' sqs SendMessage');
  // A message that no function sent came from a schedule. Receiving a batch is one request, deleting it another.
  const schedules = totals.messages - sends;
  return {
    writeUnits: totals.writeUnits,
    readUnits: totals.readUnits,
    apiRequests: 1,
    invocations: totals.invocations,
    gigabyteSeconds: totals.gigabyteSeconds,
    queueRequests: totals.messages + 2 * totals.batches,
    schedules,
    keyCalls: count(' kms Decrypt') + count(' kms GenerateDataKey'),
    objectReads: count(' GetObject') + count(' HeadObject'),
  };
}
