import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { HandlerFactory, Wires } from '../../../functions/wire/start.ts';
import {
  defaultTimeoutSeconds,
  type FunctionDefinition,
  type WorkerFunction,
} from '../../../infra/functions/definition.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { accountCheckFor } from '../../../lib/platforms/registry/account-checks.ts';
import { adapterFor } from '../../../lib/platforms/registry/adapters.ts';
import { insightsFor } from '../../../lib/platforms/registry/insights.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import type { Environment, Process, Release } from '../world/process.ts';
import type { InvocationOutcome, World } from '../world/world.ts';
import type { Received, SimulatedQueue } from './queue.ts';
import { nextReleaseReadsRecord } from './releases.ts';

type Handler = (
  event: unknown,
  context: Pick<Context, 'getRemainingTimeInMillis' | 'awsRequestId'>,
) => Promise<unknown>;
type Build = HandlerFactory<Wires, Handler>;

/** A function of the stacks, with the code that its bundle would contain. */
export interface LoadedFunction<Definition extends FunctionDefinition = WorkerFunction> {
  readonly definition: Definition;
  readonly build: Build;
}

/** Loads the code of all background functions, and what that code would load during a run, when it would take real time. */
export async function loadFunctions(): Promise<readonly LoadedFunction[]> {
  await Promise.all([
    import('temporal-polyfill'),
    ...platformNames.flatMap((platform) => [
      adapterFor(platform),
      rulesFor(platform),
      accountCheckFor(platform),
      insightsFor(platform),
    ]),
  ]);
  return Promise.all(workerFunctions.map(load));
}

/** Loads the code of the route that receives Instagram's webhooks. */
export function loadWebhookRoute(): Promise<LoadedFunction<FunctionDefinition>> {
  return load({ name: 'platform-webhook', entry: 'functions/api/platform-webhook.ts', rights: {} });
}

async function load<Definition extends FunctionDefinition>(
  definition: Definition,
): Promise<LoadedFunction<Definition>> {
  const root = join(import.meta.dirname, '../../..');
  const { build } = (await import(join(root, definition.entry))) as { build: Build };
  return { definition, build };
}

export interface FleetSetting {
  readonly world: World;
  readonly loaded: LoadedFunction<FunctionDefinition>;
  /** Maximum number of environments of the function. */
  readonly limit: number;
  /** Creates what the handler depends on, for one environment. */
  readonly dependenciesOf: () => Readonly<Record<string, unknown>>;
  /** Errors that the function may throw on its own. */
  readonly mayFailWith?: RegExp | undefined;
}

interface Warm extends Environment {
  readonly handler: Handler;
}

export type Fleet = ReturnType<typeof createFleet>;

/**
 * The execution environments of one function. Each has its own clock, connections and caches, and serves one invocation at
 * a time. An environment whose process crashed is not used again.
 */
export function createFleet({ world, loaded, limit, dependenciesOf, mayFailWith }: FleetSetting) {
  const { definition, build } = loaded;
  const timeoutMs = (definition.timeoutSeconds ?? defaultTimeoutSeconds) * secondMs;
  let idle: Warm[] = [];
  let busy = 0;
  let made = 0;

  function open(release: Release): Warm {
    made += 1;
    const name = `${definition.name} #${made}`;
    return { name, release, skewMs: world.drawSkewMs(), handler: build(dependenciesOf() as never) };
  }

  function take(): Warm {
    const release = world.releaseNow();
    const warm = idle.find((one) => one.release === release);
    idle = idle.filter((one) => one !== warm);
    return warm ?? open(release);
  }

  return {
    hasFree: () => busy < limit,
    /** @param eventFor the event, as the release that runs understands it */
    async invoke(
      eventFor: (release: Release) => unknown,
      workspaceId?: string,
    ): Promise<InvocationOutcome<unknown>> {
      busy += 1;
      const warm = take();
      const deadlineMs = world.now() + timeoutMs;
      const outcome = await world.invoke(warm, { workspaceId, timeoutMs, mayFailWith }, (process: Process) =>
        warm.handler(eventFor(warm.release), {
          awsRequestId: '',
          getRemainingTimeInMillis: () => deadlineMs - (process.now() - process.skewMs),
        }),
      );
      busy -= 1;
      if (outcome.kind !== 'crashed') idle.push(warm);
      return outcome;
    },
  };
}

/** Lambda's poller of a queue: passes visible messages to the function in batches, as long as an environment is free. */
export function consume(world: World, queue: SimulatedQueue, fleet: Fleet, batchSize: number): void {
  const dispatch = () => {
    while (fleet.hasFree() && queue.hasVisible()) {
      const batch = queue.receive(world.random.integer(1, batchSize));
      if (batch.length > 0) void work(batch);
    }
  };

  async function work(batch: readonly Received[]): Promise<void> {
    const receivedMs = world.now();
    const outcome = await fleet.invoke(() => eventOf(batch), workspaceOf(batch));
    for (const message of batch) queue.settle(message, isDone(outcome, message), receivedMs);
    dispatch();
  }

  queue.whenVisible(() => world.clockwork.after(0, dispatch));
}

function isDone(outcome: InvocationOutcome<unknown>, { id }: Received): boolean {
  if (outcome.kind !== 'done') return false;
  const { batchItemFailures } = outcome.result as SQSBatchResponse;
  return !batchItemFailures.some(({ itemIdentifier }) => itemIdentifier === id);
}

function eventOf(batch: readonly Received[]): SQSEvent {
  return {
    Records: batch.map(({ id, body, receives }) => ({
      messageId: id,
      body,
      receiptHandle: id,
      attributes: {
        ApproximateReceiveCount: String(receives),
        SentTimestamp: '',
        SenderId: '',
        ApproximateFirstReceiveTimestamp: '',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: '',
      awsRegion: '',
    })),
  };
}

/** The workspace that all messages of a batch belong to; `undefined` if they belong to several. */
function workspaceOf(batch: readonly Received[]): string | undefined {
  const workspaces = new Set(
    batch.map(({ body }) => (JSON.parse(body) as { workspaceId?: string }).workspaceId),
  );
  return workspaces.size === 1 ? [...workspaces][0] : undefined;
}

/** Runs a function of the stream, and returns its response. */
export async function workStream(
  fleet: Fleet,
  records: readonly DynamoDBRecord[],
): Promise<DynamoDBBatchResponse | undefined> {
  const outcome = await fleet.invoke((release) => ({
    Records: release === 'next' ? records.map(nextReleaseReadsRecord) : records,
  }));
  return outcome.kind === 'done' ? (outcome.result as DynamoDBBatchResponse) : undefined;
}

/**
 * Runs a function at a fixed rate. Minutes in which it could find nothing are skipped, because they would change nothing
 * and a run has hundreds of them. So are those in the middle of a long outage, in which it could read or send nothing.
 */
export function runAtRate(world: World, fleet: Fleet, everyMinutes: number) {
  const everyMs = everyMinutes * minuteMs;
  // Each schedule has its own second, which does not change.
  const phaseMs = world.random.integer(0, everyMs - 1);
  const planned = new Set<number>();

  return {
    /** Lets the function run at its first regular time at or after the moment. */
    planFrom(momentMs: number): void {
      const fromMs = Math.max(momentMs, world.now(), endOfLongOutage(world) - everyMs);
      const atMs = Math.ceil((fromMs - phaseMs) / everyMs) * everyMs + phaseMs;
      if (planned.has(atMs)) return;
      planned.add(atMs);
      world.clockwork.at(atMs, () => {
        planned.delete(atMs);
        if (fleet.hasFree()) void fleet.invoke(() => ({ id: randomUUID() }));
      });
    },
  };
}

/** Periodic functions meet an outage in this time at its beginning, and once at its end. */
const outageSampleMs = 10 * minuteMs;

/** Returns the end of the present outage of the table or the queue, if nothing new happens in the middle of it; 0 if not. */
function endOfLongOutage(world: World): number {
  const outage = world.outageOf('table') ?? world.outageOf('queue');
  return outage && world.now() > outage.fromMs + outageSampleMs ? outage.untilMs : 0;
}
