import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { type Patience, until } from './client.ts';
import { advance, passing } from './clock.ts';

/** The publish queue, with an administrator's credentials. */
export interface PublishQueue {
  send(message: string): Promise<void>;
  /** Waits until a worker has a message, and has sent the one that takes over if it crashes. */
  hasWaitingWorker(): Promise<void>;
  /**
   * Waits until no message is in progress and exactly this many are delayed. The clock may jump then. It first moves the
   * clock second by second until workers' takeover messages have arrived: until then, one of them could be counted for a
   * wake that is not sent yet, and that wake would be delayed from the time after the jump.
   */
  rests(delayedMessages: number): Promise<void>;
  /** An option for `until`: moves the clock whenever all workers are idle. */
  skippingWaits(): Patience;
  close(): void;
}

interface Counts {
  readonly inWork: number;
  readonly delayed: number;
}

/** Longer than most waits, so that no worker sleeps through the rest of one in real time. */
const secondsAtOnce = 15;
/** Longer than a takeover message's delay. */
const restSeconds = 16;

export function openPublishQueue(cloud: CloudVisit): PublishQueue {
  const { awsEndpoint: endpoint, administrator: credentials, model } = cloud;
  const sqs = new SQSClient({ region: model.region, endpoint, credentials });
  const queue = model.queues.find(({ redrive, name }) => redrive !== undefined && name.includes('Publish'));
  if (queue === undefined) throw new Error('the template has no publish queue');
  const { url: QueueUrl } = queue;

  async function counts(): Promise<Counts> {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    const count = (kind: '' | 'NotVisible' | 'Delayed') =>
      Number(Attributes[`ApproximateNumberOfMessages${kind}`]);
    return { inWork: count('') + count('NotVisible'), delayed: count('Delayed') };
  }

  return {
    hasWaitingWorker: async () => {
      await until(counts, ({ inWork, delayed }) => inWork > 0 && delayed > 0);
    },
    send: async (MessageBody) => void (await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }))),
    rests: async (delayedMessages) => {
      for (let moved = 0; moved < restSeconds; moved += 1) {
        // The messages of a worker that was killed come back only when the clock is moved.
        await until(counts, ({ inWork }) => inWork === 0, passing(cloud, 1, Number.POSITIVE_INFINITY));
        await advance(cloud, 1);
      }
      await until(counts, ({ inWork, delayed }) => inWork === 0 && delayed === delayedMessages);
    },
    skippingWaits: () => ({
      async meanwhile() {
        if ((await counts()).inWork === 0) await advance(cloud, secondsAtOnce);
      },
    }),
    close: () => sqs.destroy(),
  };
}
