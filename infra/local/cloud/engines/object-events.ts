/** Delivers bucket notifications: to queues, subject to the queue's policy; elsewhere through `onObjectEvent`. */

import type { Caller } from '../identity/policy-decision.ts';
import type { BucketResource, CloudModel } from '../model.ts';
import { requireAccess } from './errors.ts';
import { notificationOf, testEvent } from './s3/events.ts';
import type { ObjectStore, PendingEvent } from './s3/object-store.ts';
import type { EngineOptions, ObjectEvent, QueueEngine } from './types.ts';

const s3: Caller = { principal: { kind: 'service', service: 's3.amazonaws.com' }, policies: [] };

/** Sends S3's test event to each newly configured queue and starts to deliver pending notifications. */
export function startObjectEvents(dependencies: {
  readonly model: CloudModel;
  readonly store: ObjectStore;
  readonly queues: QueueEngine;
  readonly onObjectEvent: EngineOptions['onObjectEvent'];
  readonly nowMs: number;
  readonly log: (line: string) => void;
}): Delivery {
  const { model, store, queues, onObjectEvent, nowMs, log } = dependencies;
  const queuesByArn = new Map(model.queues.map((queue) => [queue.arn, queue]));

  /** @throws AwsError if the queue's policy does not allow this bucket to send. */
  function sendToQueue(queueArn: string, bucket: BucketResource, body: object): void {
    requireAccess(s3, {
      action: 'sqs:SendMessage',
      resource: queueArn,
      resourcePolicy: queuesByArn.get(queueArn)?.policy,
      context: { 'aws:SourceArn': bucket.arn, 'aws:SourceAccount': model.accountId },
    });
    queues.send({ queueArn, body: JSON.stringify(body), senderId: 's3.amazonaws.com' });
  }

  for (const bucket of model.buckets) {
    for (const { destinationArn } of bucket.notifications) {
      if (!queuesByArn.has(destinationArn) || !store.addDestination(bucket.name, destinationArn)) continue;
      try {
        sendToQueue(destinationArn, bucket, testEvent(bucket.name, nowMs));
      } catch (error) {
        log(
          `Bucket ${bucket.name} cannot notify ${destinationArn}: ${error instanceof Error ? error.message : error}`,
        );
      }
    }
  }

  return startDelivery({
    store,
    buckets: model.buckets,
    place: model,
    log,
    async deliver(event, bucket) {
      if (queuesByArn.has(event.destinationArn))
        sendToQueue(event.destinationArn, bucket, event.notification);
      else await onObjectEvent?.(event);
    },
  });
}

interface Delivery {
  /** Looks for notifications. Call this when there may be new ones. */
  wake(): void;
  /** Starts no more attempts and waits for the running ones. */
  stop(): Promise<void>;
}

const retryMs = 1000;

/**
 * Delivers pending notifications, and retries until each is accepted.
 *
 * @param dependencies.deliver throws or rejects if the delivery must be retried.
 */
function startDelivery(dependencies: {
  readonly store: ObjectStore;
  readonly buckets: readonly BucketResource[];
  readonly place: { readonly region: string; readonly accountId: string };
  readonly deliver: (event: ObjectEvent, bucket: BucketResource) => void | Promise<void>;
  readonly log: (line: string) => void;
}): Delivery {
  const { store, buckets, place, deliver, log } = dependencies;
  const running = new Map<number, Promise<void>>();
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  function wake(): void {
    if (stopped) return;
    for (const event of store.pendingEvents()) {
      if (running.has(event.id)) continue;
      running.set(
        event.id,
        attempt(event).finally(() => running.delete(event.id)),
      );
    }
  }

  async function attempt({ id, destinationArn, change }: PendingEvent): Promise<void> {
    const bucket = buckets.find(({ name }) => name === change.bucketName);
    try {
      if (bucket)
        await deliver({ destinationArn, notification: notificationOf(change, bucket, place) }, bucket);
      store.eventDelivered(id);
    } catch (error) {
      log(
        `${change.eventName} of bucket ${change.bucketName} was not delivered and is retried: ${error instanceof Error ? error.message : error}`,
      );
      clearTimeout(retry);
      retry = setTimeout(wake, retryMs).unref();
    }
  }

  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await Promise.all(running.values());
    },
  };
}
