import type { CloudObserver } from '../../../infra/local/cloud.ts';
import type { Usage } from './prices.ts';

/** What was observed since the recording began. */
export interface Recording {
  /** Calls of AWS, by `<function> <service> <action>`. */
  readonly calls: ReadonlyMap<string, number>;
  readonly usage: Usage;
}

export interface Recorder {
  readonly observer: CloudObserver;
  begin(): void;
  /** The recording so far. */
  read(): Recording;
  /** Milliseconds since anything was done, in real time. */
  quietMs(): number;
}

/** These services name their actions by method and path. */
const actionNames: Readonly<Record<string, string>> = {
  's3 GET': 'GetObject',
  's3 HEAD': 'HeadObject',
  'scheduler POST': 'CreateSchedule',
  'scheduler DELETE': 'DeleteSchedule',
};

/** It runs every minute whether there are posts or not. */
const withoutPosts = new Set(['sweep']);
const queueConsumer = 'publish-target';

/** Counts what a post sets off. What comes about every minute by itself is left out. */
export function createRecorder(memoryMegabytes: (functionName: string) => number): Recorder {
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
    read: () => ({ calls, usage: toUsage(calls, totals) }),
    observer: {
      onAwsCall({ service, action, principalArn }) {
        const functionName = principalArn.split('/').at(-1) ?? '';
        if (withoutPosts.has(functionName)) return;
        touch();
        const name = `${functionName} ${service} ${actionNames[`${service} ${action}`] ?? action}`;
        calls.set(name, (calls.get(name) ?? 0) + 1);
      },
      onConsumedCapacity({ input, readUnits, writeUnits }) {
        if (input['IndexName'] === 'overdue') return;
        totals.readUnits += readUnits;
        totals.writeUnits += writeUnits;
      },
      onInvocation({ functionName, payload, durationMs }) {
        if (withoutPosts.has(functionName)) return;
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
  // A message that no function sent was sent by a schedule. Taking a batch is one request, deleting it another.
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
