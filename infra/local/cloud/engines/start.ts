/** Starts the engines: listens first, because the model contains the URLs, then creates the engines from the model. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AwsEndpoint, startAwsEndpoint } from '../endpoints/aws-endpoint.ts';
import type { CloudModel, UploadedFile } from '../model.ts';
import { createCloudfrontService } from './cloudfront/invalidations.ts';
import { startDynamodb } from './dynamodb/engine.ts';
import { AwsError } from './errors.ts';
import { openKeyStore } from './kms/key-store.ts';
import { createKmsService } from './kms/protocol.ts';
import { startObjectEvents } from './object-events.ts';
import { openObjectStore } from './s3/object-store.ts';
import { createS3Service } from './s3/service.ts';
import { uploadFiles } from './s3/upload-files.ts';
import { startFiring } from './scheduler/firing.ts';
import { createSchedulerService } from './scheduler/protocol.ts';
import { openScheduleStore } from './scheduler/schedule-store.ts';
import { createTargets } from './scheduler/target.ts';
import type { BufferedService } from './service.ts';
import { openMessageStore } from './sqs/message-store.ts';
import { openMoveTasks } from './sqs/move-tasks.ts';
import { createSqsService } from './sqs/protocol.ts';
import { createQueueEngine } from './sqs/queue-engine.ts';
import { openParameterStore } from './ssm/parameter-store.ts';
import { createSsmService } from './ssm/protocol.ts';
import type { TokenBucket } from './token-bucket.ts';
import { defaultTiming, type EngineOptions, type Engines } from './types.ts';

/**
 * Starts every engine on the requested ports.
 *
 * @throws Error if a port is in use or if no database engine is installed. What has been started is stopped first.
 */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const closers: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    mkdirSync(options.dataDirectory, { recursive: true });
    const log = options.log ?? (() => {});
    const { clock, identities, edges = {} } = options;
    const endpoint = await startAwsEndpoint({
      port: options.port ?? 0,
      identities,
      clock,
      log,
      onCall: options.onAwsCall,
    });
    closers.push(() => endpoint.stop());
    const urls = { endpointUrl: endpoint.url };
    const model = await options.model(urls);
    const engines = await openEngines(model, options, endpoint, edges, closers);
    return { ...urls, ...engines, model, control: endpoint.control, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openEngines(
  model: CloudModel,
  options: EngineOptions,
  endpoint: AwsEndpoint,
  edges: NonNullable<EngineOptions['edges']>,
  closers: (() => unknown)[],
): Promise<Pick<Engines, 'queues' | 'streamReader' | 'upload'>> {
  const { clock, dataDirectory } = options;
  const log = options.log ?? (() => {});
  const inData = (name: string) => join(dataDirectory, name);
  const place = { region: model.region, accountId: model.accountId };

  const queueFile = inData('sqs.sqlite');
  const queues = createQueueEngine({ queues: model.queues, store: openMessageStore(queueFile), clock });
  closers.push(() => queues.close());
  const moveTasks = openMoveTasks(queueFile, queues, clock);
  closers.push(() => moveTasks.close());

  const keyStore = openKeyStore(inData('kms.sqlite'), model.encryptionKeys);
  closers.push(() => keyStore.close());
  const parameterStore = openParameterStore(inData('ssm.sqlite'), model.parameters, clock.now());
  closers.push(() => parameterStore.close());

  const scheduleStore = openScheduleStore(inData('scheduler.sqlite'));
  closers.push(() => scheduleStore.close());
  const targets = createTargets({ ...place, roles: model.roles, queues: model.queues, queueEngine: queues });
  const firing = startFiring({ store: scheduleStore, targets, clock, log });
  closers.push(() => firing.stop());

  const objectStore = openObjectStore(inData('s3'));
  closers.push(() => objectStore.close());
  const delivery = startObjectEvents({
    model,
    store: objectStore,
    queues,
    onObjectEvent: options.onObjectEvent,
    nowMs: clock.now(),
    log,
  });
  closers.push(() => delivery.stop());
  const s3 = createS3Service({
    store: objectStore,
    clock,
    buckets: model.buckets,
    onChange: () => delivery.wake(),
  });

  const dynamodb = await startDynamodb(model, inData('dynamodb'), {
    clock,
    timing: options.databaseTiming ?? defaultTiming,
    bucket: options.buckets?.dynamodb,
    onConsumedCapacity: options.onConsumedCapacity,
  });
  closers.push(() => dynamodb.stop());

  const scheduler = createSchedulerService({
    ...place,
    groupNames: model.scheduleGroups.map(({ name }) => name),
    store: scheduleStore,
    targets,
    firing,
    clock,
    latenessMs: (windowMs) => (options.jitter === 'real' ? Math.floor(Math.random() * windowMs) : 0),
  });
  const upload = (files: readonly UploadedFile[]) => uploadFiles(objectStore, files, clock);
  await upload(model.uploads);
  for (const distribution of model.distributions) edges[distribution.name]?.attach(s3, distribution, clock);
  endpoint.attach({
    s3,
    buffered: {
      sqs: createSqsService({ queues: model.queues, engine: queues, moveTasks }),
      kms: throttled(
        createKmsService({ accountId: model.accountId, keys: model.encryptionKeys, store: keyStore }),
        options.buckets?.kms,
        kmsThrottling,
      ),
      cloudfront: createCloudfrontService({
        distributions: model.distributions,
        clock,
        invalidate: ({ name }, paths) => edges[name]?.invalidate(paths),
      }),
      ssm: createSsmService({ ...place, store: parameterStore, clock, bucket: options.buckets?.ssm }),
      dynamodb: dynamodb.service,
      scheduler: throttled(scheduler, options.buckets?.scheduler, schedulerThrottling),
    },
  });
  return {
    queues,
    upload,
    streamReader: (streamArn, consumerName) => dynamodb.stream(streamArn).reader(consumerName),
  };
}

/** Limits the calls of a service with a quota. @param refusal the service's own error, thrown for a call without a token */
function throttled(
  service: BufferedService,
  bucket: TokenBucket | undefined,
  refusal: AwsError,
): BufferedService {
  return {
    ...service,
    async handle(request, response) {
      if (bucket?.take() === false) throw refusal;
      return service.handle(request, response);
    },
  };
}

/** https://docs.aws.amazon.com/kms/latest/developerguide/throttling.html */
const kmsThrottling = new AwsError(
  'ThrottlingException',
  'You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.',
);

/** https://docs.aws.amazon.com/scheduler/latest/APIReference/CommonErrors.html and API_CreateSchedule.html */
const schedulerThrottling = new AwsError('ThrottlingException', 'Rate exceeded', 429);
