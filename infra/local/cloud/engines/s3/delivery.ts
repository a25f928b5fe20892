/** Delivers pending notifications to their destinations, and retries until each is accepted. */

import type { BucketResource } from '../../model.ts';
import type { ObjectEvent } from '../types.ts';
import { notificationOf } from './events.ts';
import type { ObjectStore, PendingEvent } from './object-store.ts';

export interface Delivery {
  /** Looks for notifications. Call this when there may be new ones. */
  wake(): void;
  /** Starts no more attempts and waits for the running ones. */
  stop(): Promise<void>;
}

const retryMs = 1000;

/** @param dependencies.deliver throws or rejects if the delivery must be retried. */
export function startDelivery(dependencies: {
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
