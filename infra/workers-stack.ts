import { Duration, Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { BundleDirectory } from './bundling.ts';
import type { OperatorAlarms } from './constructs/alarms.ts';
import { createDashboard } from './constructs/dashboard.ts';
import type { HttpApi } from './constructs/http-api.ts';
import { callableOf } from './constructs/live-alias.ts';
import { PostScheduler } from './constructs/post-scheduler.ts';
import type { DataResources, PublishingResources } from './constructs/resources.ts';
import { type Right, rightsOnData, rightsToPublish, rightsToSend } from './constructs/rights.ts';
import { saveQuery } from './constructs/saved-query.ts';
import { createServiceFunction } from './constructs/service-function.ts';
import { ServiceMetrics } from './constructs/service-metrics.ts';
import { alarmPeriodic, alarmSilence } from './constructs/silence-alarms.ts';
import { reportSwitchedOff } from './constructs/switched-off.ts';
import {
  consumeQueue,
  readTableStream,
  rightsToConsume,
  rightsToReadStream,
  runEvery,
} from './constructs/triggers.ts';
import { createDeadLetters, WorkQueue } from './constructs/work-queue.ts';
import { concurrencyBounds, publishPollerRange } from './functions/concurrency.ts';
import { type QueueName, sendsToItself, type WorkerFunction } from './functions/definition.ts';
import { consumerTimeoutSeconds } from './functions/workers.ts';
import { workerQueries } from './saved-queries.ts';
import { environmentOf, type Stage } from './stages.ts';

export interface WorkersStackProps {
  readonly stage: Stage;
  readonly bundles: BundleDirectory;
  readonly functions: readonly WorkerFunction[];
  readonly data: DataResources;
  readonly table: ITableV2;
  readonly mediaArrivals: WorkQueue;
  readonly webhooks: WorkQueue;
  readonly inbound: WorkQueue;
  readonly api: HttpApi;
  readonly alarms: OperatorAlarms;
}

/** Everything that runs in the background: queues, Scheduler, periodic rules, their functions, and the dashboard. */
export class WorkersStack extends Stack {
  private readonly queues: Readonly<Record<QueueName, WorkQueue>>;
  /** The dead-letter queues by the name of the function that reads the stream. */
  private readonly streamDeadLetters: Readonly<Record<string, Queue>>;
  private readonly scheduler: PostScheduler;

  constructor(scope: Construct, id: string, props: WorkersStackProps) {
    super(scope, id, { env: environmentOf(props.stage) });
    const { stage, functions, alarms, mediaArrivals, webhooks, inbound } = props;
    const publish = new WorkQueue(this, 'Publish', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'publish'),
      impact: 'Posts wait in the publish queue',
      // A message may be sent up to 15 minutes before it is due.
      alarmAfterMinutes: 20,
      stage,
      group: 'publishing',
      alarms,
    });
    const upload = new WorkQueue(this, 'Upload', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'upload'),
      impact: 'Files wait to be sent to platforms',
      // An upload may take minutes, and its message stays in the queue for as long. Some are sent 15 minutes ahead.
      alarmAfterMinutes: 30,
      stage,
      group: 'publishing',
      alarms,
    });
    const distantWakes = new WorkQueue(this, 'DistantWake', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'distantWake'),
      impact: 'Posts wait for their schedules',
      alarmAfterMinutes: 5,
      stage,
      group: 'publishing',
      alarms,
    });
    const chain = new WorkQueue(this, 'Chain', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'chain'),
      impact: 'Follow-up posts are late',
      alarmAfterMinutes: 5,
      stage,
      group: 'background',
      alarms,
    });
    const automation = new WorkQueue(this, 'Automation', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'automation'),
      impact: 'Comments are not answered',
      alarmAfterMinutes: 5,
      stage,
      group: 'background',
      alarms,
    });
    const imports = new WorkQueue(this, 'Import', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'import'),
      impact: 'Files are not imported',
      // A large file takes minutes, and its message stays in the queue for as long.
      alarmAfterMinutes: 30,
      stage,
      group: 'background',
      alarms,
    });
    const renderMedia = new WorkQueue(this, 'RenderMedia', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'renderMedia'),
      impact: 'Files are not converted',
      // A file that crashes the renderer comes back after half an hour.
      alarmAfterMinutes: 60,
      stage,
      group: 'publishing',
      alarms,
    });
    const slowWebhooks = new WorkQueue(this, 'SlowWebhook', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(functions, 'slowWebhook'),
      impact: 'Webhooks are late',
      // Endpoints that never respond may fill it, which makes only slow endpoints late.
      alarmAfterMinutes: 60,
      stage,
      group: 'background',
      alarms,
    });
    this.queues = {
      import: imports,
      renderMedia,
      slowWebhook: slowWebhooks,
      publish,
      upload,
      distantWake: distantWakes,
      chain,
      webhook: webhooks,
      mediaArrived: mediaArrivals,
      inbound,
      automation,
    };
    this.scheduler = new PostScheduler(this, 'Scheduler', {
      targets: [publish.queue, upload.queue],
      alarms,
      stage,
    });
    this.streamDeadLetters = this.createStreamDeadLetters(props);
    const handlers = new Map(functions.map((each) => [each.name, this.addWorker(each, props)]));
    for (const query of workerQueries) saveQuery(this, query, handlers);
    const metrics = new ServiceMetrics(props.stage.name);
    metrics.alarm(this, alarms);
    alarmSilence(this, { handlers, publishQueue: publish.queue, alarms });
    reportSwitchedOff(this, alarms);
    alarms.compose(this);
    if (props.stage.hasAlarms) this.createDashboard(props, metrics);
  }

  private createDashboard({ api, stage, table }: WorkersStackProps, metrics: ServiceMetrics): void {
    const { mediaArrived, ...queues } = this.queues;
    createDashboard(this, {
      api,
      metrics,
      table,
      queues: { ...queues, 'media arrived': mediaArrived },
      otherDeadLetters: { schedules: this.scheduler.deadLetters, ...this.streamDeadLetters },
      stageName: stage.name,
    });
  }

  private addWorker(definition: WorkerFunction, props: WorkersStackProps): LambdaFunction {
    const { stage, bundles, data } = props;
    const { rights } = definition;
    const publishing = this.publishingResources();
    const handler = createServiceFunction(this, definition, {
      stage,
      bundles,
      settings: {
        MEDIA_BASE_URL: data.mediaBaseUrl,
        PLATFORM_FEATURES: JSON.stringify(stage.features ?? {}),
        LINK_BASE_URL: props.api.linkUrl,
        DAILY_LIMITS: JSON.stringify(stage.dailyLimits),
        PLAIN_HTTP_HOSTS: '',
      },
      rights: [
        ...rightsOnData(rights, data),
        ...rightsToSend(rights.sends, { ...data.queues, ...publishing.queues }),
        ...rightsToPublish(rights, publishing),
        ...this.rightsOfTrigger(definition, data),
      ],
      allowsLoops: sendsToItself(definition),
    });
    this.connect(callableOf(handler, definition.name, stage), definition, props);
    return handler;
  }

  private rightsOfTrigger(definition: WorkerFunction, data: DataResources): Right[] {
    const { trigger } = definition;
    switch (trigger.kind) {
      case 'queue':
        return rightsToConsume(this.queues[trigger.queue].queue);
      case 'table-stream':
        return rightsToReadStream(data, this.deadLettersOf(definition));
      case 'rate':
        return [];
    }
  }

  private connect(
    handler: IFunction,
    definition: WorkerFunction,
    { stage, functions, data, alarms }: WorkersStackProps,
  ): void {
    const { name, trigger } = definition;
    const bounds = concurrencyBounds(functions, stage);
    switch (trigger.kind) {
      case 'queue': {
        const maximumConcurrency = bounds.queues[name] ?? 2;
        const { publishPollers } = stage;
        consumeQueue(this, handler, {
          queue: this.queues[trigger.queue].queue,
          batchSize: trigger.batchSize,
          maximumConcurrency,
          pollers:
            trigger.queue === 'publish' && publishPollers !== undefined
              ? publishPollerRange(publishPollers, maximumConcurrency)
              : undefined,
        });
        return;
      }
      case 'table-stream':
        readTableStream(this, handler, {
          streamArn: data.tableStreamArn,
          filters: trigger.filters,
          triedForHours: trigger.triedForHours,
          parallelization: bounds.batchesAtOnce[name] ?? 1,
          deadLetters: this.deadLettersOf(definition),
        });
        alarms.add(this, `${name}-behind`, {
          metric: handler.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
          above: 60_000,
          periods: 3,
          heading: trigger.impact.late,
          description: `${name} is more than a minute behind the table's stream. Look at its errors.`,
          group: trigger.impact.group,
        });
        return;
      case 'rate':
        runEvery(this, handler, trigger.everyMinutes);
        alarmPeriodic(this, handler, { ...trigger, alarms });
    }
  }

  /**
   * Creates a dead-letter queue for each reader of the stream.
   *
   * @throws Error if there are more than two readers: DynamoDB throttles a shard that more than two read.
   */
  private createStreamDeadLetters({ stage, functions, alarms }: WorkersStackProps): Record<string, Queue> {
    const readers = functions.flatMap(({ name, trigger }) =>
      trigger.kind === 'table-stream' ? [{ name, impact: trigger.impact.lost }] : [],
    );
    if (readers.length > 2) throw new Error('the table’s stream allows at most two readers');
    return Object.fromEntries(
      readers.map(({ name, impact }) => [
        name,
        createDeadLetters(this, `${name}-dead-letters`, {
          impact,
          sender: 'the event source mapping of the table stream',
          alarms,
          stage,
          name: `${name}deadletters`,
        }),
      ]),
    );
  }

  private deadLettersOf({ name }: WorkerFunction): Queue {
    const queue = this.streamDeadLetters[name];
    if (queue === undefined) throw new Error(`${name} does not read the stream`);
    return queue;
  }

  private publishingResources(): PublishingResources {
    const { publish, upload, distantWake, chain, automation, import: imports } = this.queues;
    const { renderMedia, slowWebhook } = this.queues;
    return {
      queues: {
        publish: publish.queue,
        upload: upload.queue,
        distantWake: distantWake.queue,
        chain: chain.queue,
        automation: automation.queue,
        import: imports.queue,
        renderMedia: renderMedia.queue,
        slowWebhook: slowWebhook.queue,
      },
      deadLetters: { publish: publish.deadLetters, upload: upload.deadLetters },
      scheduleGroupName: this.scheduler.groupName,
      schedulesArn: this.scheduler.schedulesArn,
      scheduleRoleArn: this.scheduler.role.roleArn,
      scheduleDeadLetterArn: this.scheduler.deadLetters.queueArn,
    };
  }
}
