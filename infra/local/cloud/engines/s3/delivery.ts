/** Carries pending notifications to their destinations, again until each has been taken. */

import type { BucketResource } from '../../model.ts';
import type { ObjectEvent } from '../types.ts';
import { notificationOf } from './events.ts';
import type { ObjectStore, PendingEvent } from './object-store.ts';

export interface Delivery {
  /** To be called when there may be something to carry. */
  wake(): void;
  /** Ends new attempts and waits for the one under way. */
  stop(): Promise<void>;
}

const retryMs = 1000;

export function startDelivery(dependencies: {
  readonly store: ObjectStore;
  readonly buckets: readonly BucketResource[];
  readonly place: { readonly region: string; readonly accountId: string };
  readonly deliver: (event: ObjectEvent, bucket: BucketResource) => void | Promise<void>;
  readonly log: (line: string) => void;
}): Delivery {
  const { store, buckets, place, deliver, log } = dependencies;
  const underWay = new Map<number, Promise<void>>();
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  function wake(): void {
    if (stopped) return;
    for (const event of store.pendingEvents()) {
      if (underWay.has(event.id)) continue;
      underWay.set(
        event.id,
        attempt(event).finally(() => underWay.delete(event.id)),
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
        `${change.eventName} of ${change.bucketName} is held back: ${error instanceof Error ? error.message : error}`,
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
      await Promise.all(underWay.values());
    },
  };
}
