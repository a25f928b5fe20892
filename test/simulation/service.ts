import type { DynamoDBRecord } from 'aws-lambda';
import {
  defaultBatchesAtOnce,
  type FunctionDefinition,
  type QueueName,
  type Trigger,
} from '../../infra/functions/definition.ts';
import { consumerTimeoutSeconds, workerFunctions } from '../../infra/functions/workers.ts';
import type { DataKeys } from '../../lib/aws/data-keys.ts';
import type { TenantQueue } from '../../lib/aws/queue.ts';
import { guardSchedules } from '../../lib/aws/scheduler-guard.ts';
import { hourMs, minuteMs, secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { maximumReceives } from '../../lib/kernel/receives.ts';
import type { PlatformHttp } from '../../lib/platforms/contract/http.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { dailyLimitsOf } from '../../lib/platforms/registry/daily-limits.ts';
import { usualFeaturesWith } from '../../lib/platforms/registry/features.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import { joinWakeQueues } from '../../lib/publishing/wake-queues.ts';
import { aheadMs } from '../../lib/recovery/sweep.ts';
import { windows } from '../../lib/risks/check-ahead.ts';
import { numbersRetryShard, riskCheckShard } from '../../lib/table/keys.ts';
import type { Database } from '../support/database/database.ts';
import { createBucket } from './cloud/bucket.ts';
import type { Committed } from './cloud/committed.ts';
import { openTools, openVault } from './cloud/dependencies.ts';
import { createFormerReads } from './cloud/former-reads.ts';
import {
  consume,
  createFleet,
  type Fleet,
  type LoadedFunction,
  runAtRate,
  workStream,
} from './cloud/functions.ts';
import { createGateway } from './cloud/gateway.ts';
import { createOpenTransactions } from './cloud/open-transactions.ts';
import { createOverdueIndex } from './cloud/overdue-index.ts';
import { createQueue, type SimulatedQueue } from './cloud/queue.ts';
import { createReceivers } from './cloud/receivers.ts';
import { createSchedules } from './cloud/schedules.ts';
import { createSources } from './cloud/sources.ts';
import { createStreamReader } from './cloud/stream.ts';
import { type AlterRequest, createTable } from './cloud/table.ts';
import { app } from './platforms/platforms.ts';
import type { World } from './world/world.ts';

/** The deployment of the simulated service. */
export interface Deployment {
  /** Maximum number of environments of each consumer of a queue. */
  readonly workers: number;
  /** True if SQS delivers a message again after its consumer did not finish it. */
  readonly redelivers: boolean;
  /** Additional time of each request that the API sends. */
  readonly apiSlownessMs?: number;
  /** True if posts are checked hours ahead. Few scenarios have posts for that, and each run of the checks takes some of them. */
  readonly checksAhead?: boolean;
  /** True if the numbers of live posts are read, at the first two ages. */
  readonly readsNumbers?: boolean;
}

/** A change that a directed run makes. Bugs of the service are planted in its source: see `bugs/`. */
export interface PlantedBug {
  /** Changes a request to the table. */
  readonly alterRequest?: AlterRequest;
}

export type Dependencies = Readonly<Record<string, unknown>>;

export interface ServiceSetting {
  readonly world: World;
  readonly engine: Database;
  readonly tableName: string;
  readonly committed: Committed;
  readonly dataKeys: DataKeys;
  readonly networkTo: (platform: Platform) => PlatformHttp;
  readonly functions: readonly LoadedFunction[];
  /** The function that receives Instagram's webhooks. */
  readonly webhookRoute: LoadedFunction<FunctionDefinition>;
  readonly deployment: Deployment;
  readonly bug?: PlantedBug | undefined;
}

/** True for a shard of the index whose items have a function of their own. */
const isApart = (shard: unknown): boolean =>
  shard === riskCheckShard || /^(STORY-)?NUMBERS[#-]/.test(String(shard));

type StreamTrigger = Extract<Trigger, { kind: 'table-stream' }>;

export const mediaBaseUrl = 'https://media.example.com';
export const dailyLimits = dailyLimitsOf({});
export const publicBaseUrl = 'https://api.example.com';
export const linkBaseUrl = 'https://go.example.com';

/**
 * The deployed service: its real handlers, with the triggers, batch sizes and time limits of the stacks, on simulated
 * queues, schedules and streams.
 */
export function createService(setting: ServiceSetting) {
  const { world, committed, deployment, bug, functions } = setting;
  const transactions = createOpenTransactions(world);
  const formerReads = createFormerReads(world, committed);
  const overdueIndex = createOverdueIndex(world, committed);
  const table = createTable({
    ...setting,
    transactions,
    formerReads,
    overdueIndex,
    alter: bug?.alterRequest,
  });

  const queueNames = workerFunctions.flatMap(({ trigger }) =>
    trigger.kind === 'queue' ? [trigger.queue] : [],
  );
  const queues = Object.fromEntries(
    queueNames.map((name) => [
      name,
      createQueue({
        world,
        name: `the ${name} queue`,
        visibilityMs: 6 * consumerTimeoutSeconds(workerFunctions, name) * secondMs,
        maxReceives: maximumReceives,
        // Only the queue keeps an incoming webhook that was acknowledged, so it is never without redelivery.
        redelivers: deployment.redelivers || name === 'inbound',
      }),
    ]),
  ) as Record<QueueName, SimulatedQueue>;
  const schedules = createSchedules(world, (body, queue) => queues[queue as QueueName].add(body, 0));
  const bucket = createBucket(world, (event) => queues.mediaArrived.add(event, 0));
  const receivers = createReceivers(world);
  const sources = createSources(world);
  const streamDeadLetters: unknown[] = [];

  /** Returns the dependencies of the handlers of one environment, by the names of their wires. */
  const dependenciesOf = (): Dependencies => {
    return {
      table,
      schedules: guardSchedules(schedules, systemClock),
      // The simulated schedules take a queue's name for its URL.
      scheduledQueues: { publish: 'publish', upload: 'upload' },
      mediaBaseUrl,
      stageFeatures: deployment.readsNumbers ? usualFeaturesWith(['insights']) : {},
      dailyLimits,
      publicBaseUrl,
      linkBaseUrl,
      vault: openVault(world, setting.dataKeys, table),
      toolsFor: openTools(world, app, setting.networkTo),
      bucket: bucket.bucket,
      invalidate: bucket.invalidate,
      webhookSender: receivers.sender,
      publishQueue: queues.publish.sender,
      publishDeadLetters: queues.publish.deadLetterSender,
      uploadQueue: queues.upload.sender,
      uploadDeadLetters: queues.upload.deadLetterSender,
      wakeQueues: joinWakeQueues({
        publish: queues.publish.sender as TenantQueue<PublishMessage>,
        upload: queues.upload.sender as TenantQueue<PublishMessage>,
      }),
      distantWakeQueue: queues.distantWake.sender,
      chainQueue: queues.chain.sender,
      importQueue: queues.import.sender,
      renderMediaQueue: queues.renderMedia.sender,
      renditionBucket: bucket.renditionBucket,
      render: bucket.render,
      withFolder: (use: (folder: string) => unknown) => use(''),
      openSource: sources.open,
      pageReader: () => async () => ({ problem: 'the simulation has no pages' }),
      fetchPicture: async () => ({ problem: 'the simulation has no pages' }),
      partUploads: bucket.partUploads,
      webhookQueue: queues.webhook.sender,
      slowWebhookQueue: queues.slowWebhook.sender,
      automationQueue: queues.automation.sender,
      inboundQueue: queues.inbound.sender,
      record: () => undefined,
      recordMetrics: () => undefined,
      streamDeadLetters: { send: async (record: unknown) => void streamDeadLetters.push(record) },
    };
  };

  const periodic: ReturnType<typeof runAtRate>[] = [];
  let checking: ReturnType<typeof runAtRate> | undefined;
  let reading: ReturnType<typeof runAtRate> | undefined;
  for (const loaded of functions) {
    const { trigger, name } = loaded.definition;
    const limit = trigger.kind === 'queue' ? deployment.workers : trigger.kind === 'rate' ? 1 : Infinity;
    // A periodic function that has logged failures throws, for its alarm.
    const mayFailWith = trigger.kind === 'rate' ? /items failed/ : undefined;
    const fleet = createFleet({ world, loaded, limit, mayFailWith, dependenciesOf });
    if (trigger.kind === 'queue') consume(world, queues[trigger.queue], fleet, trigger.batchSize);
    if (trigger.kind === 'table-stream') readStream(fleet, name, trigger);
    if (trigger.kind !== 'rate') continue;
    const isChecker = name === 'check-ahead';
    if (isChecker && !deployment.checksAhead) continue;
    const rate = runAtRate(world, fleet, trigger.everyMinutes);
    if (isChecker) checking = rate;
    else if (name === 'read-numbers' && deployment.readsNumbers) reading = rate;
    else periodic.push(rate);
  }
  const webhookRoute = createFleet({
    world,
    loaded: setting.webhookRoute,
    limit: Infinity,
    dependenciesOf,
  });

  function readStream(fleet: Fleet, name: string, trigger: StreamTrigger): void {
    const { filters, triedForHours = 24, batchesAtOnce = defaultBatchesAtOnce } = trigger;
    const work = (records: readonly DynamoDBRecord[]) => workStream(fleet, records);
    const reader = createStreamReader(world, { name, filters, triedForHours, batchesAtOnce, work });
    // The stream shows a change of an item once reads of the item show it.
    committed.listen((change) => {
      const visibleMs = transactions.visibleMs([change.key]);
      if (visibleMs > world.now()) world.clockwork.at(visibleMs, () => reader.append(change));
      else reader.append(change);
    });
  }

  /** Checks are due some time before the wakes of targets, and at once if they are in their own shard. Each minute of a check is run. */
  if (deployment.checksAhead) {
    committed.listen(({ after }) => {
      if (after?.['dueAt'] === undefined) return;
      const dueMs = Date.parse(String(after['dueAt']));
      const isTask = after['dueShard'] === riskCheckShard;
      const moments = isTask ? [dueMs] : windows.map(({ aheadMs, earlierMs }) => dueMs - aheadMs - earlierMs);
      for (const momentMs of moments.filter((each) => each >= world.now()))
        for (let minute = 0; minute < 5; minute += 1) checking?.planFrom(momentMs + minute * minuteMs);
    });
  }

  /** Numbers are due at the ages of a post, and when they are tried again. A run that fails leaves them to the next ones. */
  if (deployment.readsNumbers) {
    committed.listen(({ kind, after }) => {
      if (kind !== 'postNumbers' || after === undefined) return;
      const dueMs = Date.parse(String(after['dueAt']));
      const ages = after['dueShard'] === numbersRetryShard ? [0] : [hourMs, 25 * hourMs];
      for (const age of ages)
        for (let run = 0; run < 5; run += 1) reading?.planFrom(dueMs + age + run * 15 * minuteMs);
    });
  }

  /** Periodic functions find what the index `overdue` holds, so they run only while something in it is due. */
  committed.listen(({ after }) => {
    if (after?.['dueAt'] !== undefined && !isApart(after['dueShard']))
      planPeriodic(Date.parse(String(after['dueAt'])) - aheadMs);
  });

  /** The next time to look for due items; in the past if nobody looks. */
  let nextLookMs = 0;
  function planPeriodic(dueMs: number): void {
    for (const each of periodic) each.planFrom(dueMs);
    // A sweep may leave alone what is due only since a moment, so every minute counts as long as something is due.
    const lookMs = Math.max(dueMs, world.now()) + minuteMs;
    if (nextLookMs > world.now() && nextLookMs <= lookMs) return;
    nextLookMs = lookMs;
    world.clockwork.at(lookMs, () => {
      // An earlier look has taken the place of this one.
      if (nextLookMs !== lookMs) return;
      const earliest = earliestDueMs();
      if (earliest !== undefined) planPeriodic(Math.max(earliest - aheadMs, world.now()));
    });
  }

  /** Finds the due time of the first item that a sweep reads: a failed target waits for a person, and a held one for operators. */
  function earliestDueMs(): number | undefined {
    let earliest: string | undefined;
    for (const { dueAt, dueShard } of committed.items()) {
      if (typeof dueAt !== 'string' || /^(FAILED|HELD)#/.test(String(dueShard)) || isApart(dueShard))
        continue;
      if (earliest === undefined || dueAt < earliest) earliest = dueAt;
    }
    return earliest === undefined ? undefined : Date.parse(earliest);
  }

  return {
    apiSlownessMs: deployment.apiSlownessMs,
    serveWebhook: createGateway(world, webhookRoute),
    table,
    queues,
    bucket,
    receivers,
    streamDeadLetters,
    dependenciesOf,
  };
}

export type Service = ReturnType<typeof createService>;
