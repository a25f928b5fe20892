import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build as buildAnnounce } from '../../../functions/streams/announce.ts';
import { build as buildRelay } from '../../../functions/streams/relay.ts';
import { openLogger } from '../../../functions/wire/logger.ts';
import { hourMs, minuteMs, secondMs, systemClock, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { plannedImport } from '../../../lib/media/imports/plan-import.ts';
import type { ImportMessage } from '../../../lib/media/imports/schemas.ts';
import { mediaItem } from '../../../lib/media/store.ts';
import { dailyLimitsOf } from '../../../lib/platforms/registry/daily-limits.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import type { Table } from '../../../lib/table/table.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { aTarget } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
  // These tests cause warnings and errors.
  openLogger().setLogLevel('SILENT');
});
afterAll(() => openLogger().setLogLevel('WARN'));

type Handler = (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

let enqueued: PublishMessage[];
let imported: ImportMessage[];
let deadLetters: unknown[];
let relay: Handler;
let announce: Handler;
let acceptsDistant: boolean;
let refusesMessageFor: string | undefined;
beforeEach(() => {
  enqueued = [];
  imported = [];
  deadLetters = [];
  acceptsDistant = true;
  refusesMessageFor = undefined;
  const shared = {
    table,
    streamDeadLetters: { send: async (record: unknown) => void deadLetters.push(record) },
    recordMetrics: () => {},
  };
  relay = buildRelay({
    ...shared,
    dailyLimits: dailyLimitsOf({}),
    stageFeatures: {},
    wakeQueues: {
      send: async (message) => {
        if (message.postId === refusesMessageFor) throw new Error('the queue does not answer');
        // Without the check that follows each.
        if (message.checkAt !== undefined) enqueued.push(message);
      },
      sendAll: async () => new Set(),
    },
    chainQueue: { send: async () => {}, sendAll: async () => new Set() },
    importQueue: {
      send: async (message) => {
        if (message.mediaId === refusesMessageFor) throw new Error('the queue does not answer');
        imported.push(message);
      },
      sendAll: async () => new Set(),
    },
    distantWakeQueue: {
      send: async () => {
        if (!acceptsDistant) throw new Error('the queue does not answer');
      },
      sendAll: async () => new Set(),
    },
  }) as unknown as Handler;
  const webhookQueue = { send: async () => {}, sendAll: async () => new Set<never>() };
  announce = buildAnnounce({
    ...shared,
    webhookQueue,
    mediaBaseUrl: 'https://media.example.com',
    stageFeatures: {},
  }) as unknown as Handler;
});

let made = 0;

/** The record of a new item, committed some time ago. */
function insertionOf(item: object, ageMs = 0): DynamoDBRecord {
  made += 1;
  return {
    eventID: `event-${made}`,
    eventName: 'INSERT',
    dynamodb: {
      NewImage: marshall(item, { removeUndefinedValues: true }) as never,
      ApproximateCreationDateTime: (systemClock() - ageMs) / secondMs,
      SequenceNumber: String(made),
    },
  };
}

/** A target of another post whose wake is this far ahead. */
function waiting(aheadMs: number): Target {
  const wakeAt = toTimestamp(systemClock() + aheadMs);
  return aTarget({ postId: newId(systemClock()), scheduledFor: wakeAt, wakeAt });
}

/** Delivers records as the stream does: again from the first that failed, at most `times` times. @returns what is left */
async function deliver(handler: Handler, records: readonly DynamoDBRecord[], times = 5) {
  let left = records;
  for (let time = 0; time < times && left.length > 0; time += 1) {
    const { batchItemFailures } = await handler({ Records: [...left] }, {} as Context);
    const [failed] = batchItemFailures;
    const index = left.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed?.itemIdentifier);
    left = index < 0 ? [] : left.slice(index);
  }
  return left;
}

/** A file that was requested some time ago, to be imported. */
const importing = (awaitsPost?: true) => {
  const url = new URL('https://files.example.com/a.jpg?secret=1');
  const now = systemClock();
  const uploadedBy = { kind: 'key', id: newId(now) } as const;
  const media = plannedImport({ workspaceId: newId(now), id: newId(now), url, uploadedBy, now });
  return awaitsPost && media.import ? { ...media, import: { ...media.import, awaitsPost } } : media;
};

describe('the record of a file that is to be imported', () => {
  it('sets off its import, with the ids alone', async () => {
    const media = importing();
    expect(await deliver(relay, [insertionOf(mediaItem(media))])).toEqual([]);
    expect(imported).toEqual([{ workspaceId: media.workspaceId, mediaId: media.id }]);
  });

  it('sets off nothing while its post need not be stored', async () => {
    expect(await deliver(relay, [insertionOf(mediaItem(importing(true)))])).toEqual([]);
    expect(imported).toEqual([]);
  });

  it('is repeated for a minute if the queue does not accept the message, and then left to the sweep', async () => {
    const media = importing();
    refusesMessageFor = media.id;
    const record = insertionOf(mediaItem(media));
    expect(await deliver(relay, [record])).toEqual([record]);
    const old = insertionOf(mediaItem(media), 2 * minuteMs);
    expect(await deliver(relay, [old])).toEqual([]);
    expect(imported).toEqual([]);
  });
});

describe('while the queue of distant wakes is unavailable', () => {
  it('targets whose wake is near get one message each, and nothing blocks the stream', async () => {
    acceptsDistant = false;
    const near = Array.from({ length: 60 }, () => waiting(minuteMs));
    const records = [waiting(hourMs), ...near].map((target) => insertionOf(targetItem(target)));
    expect(await deliver(relay, records, 9)).toEqual([]);
    expect(enqueued.map(({ postId }) => postId)).toEqual(near.map(({ postId }) => postId));
    expect(deadLetters).toEqual([]);
  });
});

describe('a message that the queue does not accept', () => {
  it('is tried again, but the messages behind it are not sent twice', async () => {
    const targets = Array.from({ length: 5 }, () => waiting(minuteMs));
    refusesMessageFor = targets[1]?.postId;
    const records = targets.map((target) => insertionOf(targetItem(target)));
    const left = await deliver(relay, records);
    expect(left).toEqual(records.slice(1));
    refusesMessageFor = undefined;
    expect(await deliver(relay, left)).toEqual([]);
    expect(enqueued.map(({ postId }) => postId).sort()).toEqual(targets.map(({ postId }) => postId).sort());
  });
});

describe.each([
  ['relay', () => relay, () => ({ ...targetItem(waiting(minuteMs)), status: 'of a newer release' })],
  [
    'relay, because nobody can say what follows from it,',
    () => relay,
    () => ({ ...targetItem(waiting(minuteMs)), platform: 'youtube', scheduledFor: 'never' }),
  ],
  [
    'announce',
    () => announce,
    () => ({ kind: 'post', pk: 'POST#1', sk: 'POST', settledResult: 'a', status: 'of a newer release' }),
  ],
])('a record that cannot be read by %s', (_name, handlerOf, unreadable) => {
  const readable = () => insertionOf(targetItem(waiting(minuteMs)));

  it('is left to a newer release, and the records before it are done', async () => {
    const records = [readable(), readable(), insertionOf(unreadable(), 9 * minuteMs), readable()];
    expect(await deliver(handlerOf(), records)).toEqual(records.slice(2));
    expect(deadLetters).toEqual([]);
  });

  it('goes to the dead-letter queue after ten minutes, and blocks nothing longer', async () => {
    const broken = insertionOf(unreadable(), 10 * minuteMs + secondMs);
    expect(await deliver(handlerOf(), [readable(), broken, readable()])).toEqual([]);
    expect(deadLetters).toEqual([broken]);
  });
});

describe('records behind one that cannot be read', () => {
  it('are worked once', async () => {
    const behind = [waiting(minuteMs), waiting(minuteMs)];
    const broken = { ...targetItem(waiting(minuteMs)), status: 'of a newer release' };
    const records = [broken, ...behind.map(targetItem)].map((item) => insertionOf(item));
    expect(await deliver(relay, records)).toEqual(records);
    expect(enqueued.map(({ postId }) => postId)).toEqual(behind.map(({ postId }) => postId));
  });
});
