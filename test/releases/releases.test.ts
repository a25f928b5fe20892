import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SentQueue } from '../../infra/functions/definition.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { accountFromItem, markAccount } from '../../lib/accounts/store.ts';
import { rollUpPost } from '../../lib/posts/roll-up.ts';
import { getItem, type Item, putItem } from '../../lib/table/items.ts';
import { type IndexShape, indexes } from '../../lib/table/schema.ts';
import { itemChange } from '../../lib/table/stream.ts';
import type { Table } from '../../lib/table/table.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { takeLease } from '../../lib/targets/take.ts';
import { eventsFromChange } from '../../lib/webhooks/events/events-from-changes.ts';
import { messageSchemas, type ReadableForms, readableForms } from '../support/release-schemas.ts';
import {
  acceptedBreaks,
  byVersion,
  digestOf,
  indexChanges,
  readDigests,
  readReleaseFile,
  releases,
} from '../support/releases.ts';
import { readStoredItems } from '../support/stored-items.ts';
import { decoded, kinds, kindsWithSchema } from '../support/stored-kinds.ts';
import { createTestTable } from '../support/table.ts';

type Messages = Readonly<Record<string, readonly Item[]>>;
interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: Parameters<typeof itemChange>[0];
}

const all = [...releases(), 'next'];
const messagesOf = (release: string) => readReleaseFile(release, 'messages') as Messages;

const readers = new Map(
  kindsWithSchema.map(([kind, how]) => [kind, how.read ?? ((item: Item) => how.schema.parse(item))] as const),
);
/** An attribute that a release after this one may have added. */
const unknownAttribute = { fromALaterRelease: { note: 'kept' } };

describe.each(all)('today’s code, with what release %s has left behind,', (release) => {
  const stored = Object.entries(readStoredItems(release));

  it.each(stored)(
    'reads its items of kind %s, also with attributes of a later release',
    (kind, { examples }) => {
      const read = readers.get(kind as never);
      for (const item of examples) {
        expect(() => read?.(item)).not.toThrow();
        expect(() => read?.({ ...item, ...unknownAttribute })).not.toThrow();
      }
      expect(examples.length).toBeGreaterThan(0);
      expect(read).toBeDefined();
    },
  );

  it.each(Object.entries(messagesOf(release)))('reads its messages of the %s queue', (queue, bodies) => {
    expect(messageSchemas).toHaveProperty(queue);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(() => messageSchemas[queue]?.parse(body)).not.toThrow();
      expect(() => messageSchemas[queue]?.parse({ ...body, ...unknownAttribute })).not.toThrow();
    }
  });

  it('reads what its schedules send to the publish queue', () => {
    const inputs = readReleaseFile(release, 'schedules') as readonly Item[];
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) expect(() => messageSchemas['publish']?.parse(input)).not.toThrow();
  });

  it('reads its records of the table’s stream', () => {
    const records = readReleaseFile(release, 'stream') as readonly StreamRecord[];
    const settings = { mediaBaseUrl: 'https://media.example.com', stageFeatures: {} };
    const events = records.flatMap(({ dynamodb }) => {
      const change = itemChange(dynamodb);
      for (const image of [change.before, change.after])
        if (image !== undefined) readers.get(image['kind'] as never)?.(image);
      return eventsFromChange(change, settings);
    });
    expect(events.length).toBeGreaterThan(0);
  });
});

it('each queue that functions send to has messages', () => {
  const queues = workerFunctions.flatMap(({ trigger }) =>
    trigger.kind === 'queue' && trigger.queue !== 'mediaArrived' ? [trigger.queue satisfies SentQueue] : [],
  );
  expect(Object.keys(messageSchemas).sort()).toEqual([...new Set(queues)].sort());
});

describe('the last release, if it runs next to this one or is deployed again,', () => {
  const last = releases().at(-1);
  const ajv = addFormats.default(new Ajv.default({ strict: false, allErrors: true }));
  const validator = (forms: ReadableForms, group: keyof ReadableForms, name: string) => {
    const schema = forms[group][name];
    return schema === undefined ? undefined : ajv.compile(schema);
  };
  const today = readableForms();
  const lastForms = last === undefined ? today : (readReleaseFile(last, 'schemas') as ReadableForms);
  const breaks = acceptedBreaks();

  it.each(kindsWithSchema)('reads items of kind %s as today’s code writes them', (kind, how) => {
    const readByLast = validator(lastForms, 'items', kind);
    // Its code does not know the kind, so it does not read it.
    if (readByLast === undefined || breaks[kind] !== undefined) return;
    const present = validator(today, 'items', kind);
    const written = (readStoredItems()[kind]?.examples ?? []).map((item) => decoded(item, how));
    for (const item of written.filter((each) => present?.(each)))
      expect(readByLast(item) ? [] : readByLast.errors, JSON.stringify(item)).toEqual([]);
  });

  it.each(Object.keys(messageSchemas))(
    'reads messages of the %s queue as today’s code sends them',
    (queue) => {
      const readByLast = validator(lastForms, 'messages', queue);
      if (readByLast === undefined || breaks[`message ${queue}`] !== undefined) return;
      for (const body of messagesOf('next')[queue] ?? [])
        expect(readByLast(body) ? [] : readByLast.errors, JSON.stringify(body)).toEqual([]);
    },
  );

  it('is told from this one by what it cannot read', () => {
    const post = lastForms.items['post'] as { required: string[] };
    const stricter = { ...lastForms, items: { post: { ...post, required: [...post.required, 'newField'] } } };
    const [example] = readStoredItems()['post']?.examples ?? [];
    expect(
      validator(stricter, 'items', 'post')?.(decoded(example ?? {}, { schema: kinds.post as never })),
    ).toBe(false);
  });

  it('accepts a break only with a reason, for something that exists', () => {
    const known = [
      ...kindsWithSchema.map(([kind]) => kind),
      ...Object.keys(messageSchemas).map((each) => `message ${each}`),
    ];
    for (const [what, reason] of Object.entries(breaks)) {
      expect(known).toContain(what);
      expect(reason.length).toBeGreaterThan(20);
    }
  });
});

describe('the files of a release', () => {
  it('never change', () => {
    expect(readDigests()).toEqual(
      Object.fromEntries(releases().map((release) => [release, digestOf(release)])),
    );
  });

  it('are in the order of versions', () => {
    expect(['0.10.0', '0.9.1', '0.9.0', '1.0.0'].sort(byVersion)).toEqual([
      '0.9.0',
      '0.9.1',
      '0.10.0',
      '1.0.0',
    ]);
  });
});

describe('an update by this release keeps what a later one has stored:', () => {
  const workspaceId = '019ca9a0-4e00-7000-8000-000000000001';
  let table: Table;
  beforeAll(async () => {
    table = await createTestTable();
  });

  /** Stores an example of the first release with an attribute that today's code does not know. */
  async function store(kind: string, changes: Item = {}): Promise<Item> {
    const [oldest = 'next'] = all;
    const examples = readStoredItems(oldest)[kind]?.examples ?? [];
    const item = { ...examples.at(-1), ...changes, ...unknownAttribute } as Item;
    await putItem(table, item, {});
    return item;
  }
  const keyOf = (item: Item) => ({ pk: String(item['pk']), sk: String(item['sk']) });

  it('the worker that takes a target', async () => {
    const wakeAt = '2026-03-01T12:00:00.000Z';
    const item = await store('target', { status: 'scheduled', wakeAt, scheduledFor: wakeAt, wakeNumber: 3 });
    const { leaseUntil: _lease, ...free } = item;
    await putItem(table, free, {});
    const now = Date.parse(wakeAt);
    const target = targetFromItem(free);
    const times = { now, nearMs: now, preparableMs: now, untilMs: now + 60_000 };
    const outcome = await takeLease(table, target, { ...times, writeId: 'w' });
    expect(outcome.state).toBe('taken');
    expect(await getItem(table, keyOf(item))).toMatchObject({
      ...unknownAttribute,
      takes: expect.any(Number),
    });
  });

  it('the relay that rolls up a post', async () => {
    const target = await store('target', { status: 'published' });
    const post = await store('post', {
      status: 'scheduled',
      version: 7,
      pk: target['pk'],
      id: target['postId'],
    });
    await rollUpPost(
      table,
      String(target['workspaceId'] ?? workspaceId),
      String(target['postId']),
      Date.now(),
    );
    expect(await getItem(table, keyOf(post))).toMatchObject({ ...unknownAttribute, version: 8 });
  });

  it('the worker that marks an account', async () => {
    const item = await store('account', { status: 'ok' });
    const { disconnectedAt: _at, ...connected } = item;
    await putItem(table, connected, {});
    expect(
      await markAccount(table, accountFromItem(connected), 'expired', 'The token has expired.', Date.now()),
    ).toBe(true);
    expect(await getItem(table, keyOf(item))).toMatchObject({ ...unknownAttribute, status: 'expired' });
  });
});

describe('the table’s indexes', () => {
  const index = (indexName: string, changes: Partial<IndexShape> = {}): IndexShape => ({
    indexName,
    partitionKey: 'p',
    sortKey: 's',
    projection: 'ALL',
    ...changes,
  });
  const [one, two, three] = [index('one'), index('two'), index('three')];

  it.each<[string, readonly IndexShape[], readonly IndexShape[], number]>([
    ['nothing if none differs', [one, two], [two, one], 0],
    ['one creation', [one], [one, two], 1],
    ['one deletion', [one, two], [one], 1],
    ['two creations', [one], [one, two, three], 2],
    ['a deletion and a creation for another name', [one], [two], 2],
    ['a deletion and a creation for another key', [one], [index('one', { sortKey: 't' })], 2],
    [
      'a deletion and a creation for another projection',
      [one],
      [index('one', { projection: 'KEYS_ONLY' })],
      2,
    ],
  ])('need %s', (_what, before, after, changes) => {
    expect(indexChanges(before, after)).toHaveLength(changes);
  });

  it('differ from those of the last release in one at most, because a deployment changes one', () => {
    const last = releases().at(-1);
    if (last === undefined) return;
    const before = readReleaseFile(last, 'table') as readonly IndexShape[];
    expect(indexChanges(before, Object.values(indexes)).slice(1)).toEqual([]);
  });
});
