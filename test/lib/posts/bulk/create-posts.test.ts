import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seesAccount } from '../../../../lib/access/actor.ts';
import { hourMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { maxOpenImports } from '../../../../lib/media/imports/open-import.ts';
import { dailyLimitsOf } from '../../../../lib/platforms/registry/daily-limits.ts';
import {
  type BulkContext,
  type BulkIdempotency,
  createPosts,
  type PostResult,
  validatePosts,
} from '../../../../lib/posts/bulk/create-posts.ts';
import { type CreatedPost, createPost } from '../../../../lib/posts/create.ts';
import { queryPosts } from '../../../../lib/posts/list/read-page.ts';
import { findPost } from '../../../../lib/posts/stored/store.ts';
import { Rhythm } from '../../../../lib/rhythm/schemas.ts';
import { setRhythm } from '../../../../lib/rhythm/store.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { auditLogOf } from '../../../support/audit-log.ts';
import { startMs } from '../../../support/builders.ts';
import { openImportsOf, setOpenImports } from '../../../support/open-imports.ts';
import { countRequests } from '../../../support/requests.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, mediaItem } from '../fixture.ts';
import { openBulkFixture } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openBulkFixture>>;
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(async () => {
  fixture = await openBulkFixture(table);
});

const unknownId = '0190a0e0-0000-7000-8000-000000000000';
const at = (time: string) => `2026-03-${time}:00.000Z`;

const create = (items: readonly unknown[], idempotency: BulkIdempotency = {}, changes: object = {}) =>
  createPosts({ ...fixture.bulk, ...changes }, items, idempotency);

/** `created`, `replayed`, or the code of the error. */
const outcomes = (results: readonly PostResult<CreatedPost>[]) =>
  results.map((result) =>
    result.state === 'refused' ? result.error.code : result.done.replayed ? 'replayed' : 'created',
  );
const postOf = (result: PostResult<CreatedPost> | undefined) => {
  if (result?.state !== 'done') throw new Error('the post was refused', { cause: result?.error });
  return result.done.post;
};
const timesOf = (results: readonly PostResult<CreatedPost>[]) =>
  results.map((result) => postOf(result).scheduledFor);

/** All posts of the workspace. */
const storedPosts = async () => (await queryPosts(table, fixture.context.workspaceId, { limit: 500 })).posts;

describe('a bulk of posts', () => {
  it('creates each post as a request for it alone does', async () => {
    const { instagram, youtube, video, item } = fixture;
    const items = [
      item({ scheduledFor: inOneHour }),
      item({ content: 'draft', isDraft: true }),
      item({
        platforms: [{ accountId: youtube.id, platformSpecificData: { title: 'Bread' } }],
        mediaItems: [mediaItem(video)],
        publishNow: true,
        chain: [
          { kind: 'followUp', accountIds: [instagram.id], content: 'More', mediaItems: item().mediaItems },
        ],
      }),
    ];
    const results = await create(items);
    expect(outcomes(results)).toEqual(['created', 'created', 'created']);
    for (const [index, item] of items.entries()) {
      const alone = await createPost(fixture.bulk, fixture.bulk.parse(item).body, { rawBody: '' });
      const { post, targets } = (await findPost(
        table,
        fixture.context.workspaceId,
        postOf(results[index]).id,
      )) ?? {
        targets: [],
      };
      const { id: _id, ...shown } = alone.post;
      expect(post).toMatchObject(shown);
      expect(targets).toMatchObject(alone.targets.map(({ postId: _postId, ...target }) => target));
    }
  });

  const mixed: readonly [
    what: string,
    change: (f: typeof fixture) => unknown,
    outcome: string,
    param?: string,
  ][] = [
    [
      'with an account that nobody knows',
      (f) => f.item({ platforms: [{ accountId: unknownId }] }),
      'account_unknown',
      'platforms[0].accountId',
    ],
    [
      'with an id that is none',
      (f) => f.item({ platforms: [{ accountId: 'x' }] }),
      'field_format',
      'platforms[0].accountId',
    ],
    ['with a number as its content', (f) => f.item({ content: 7 }), 'field_type', 'content'],
    ['that is a text', () => 'post', 'field_type', 'body'],
    ['that is null', () => null, 'field_type', 'body'],
    ['that is a list', () => [], 'field_type', 'body'],
    [
      'with a time in the past',
      (f) => f.item({ scheduledFor: '2020-01-01T00:00Z' }),
      'time_in_past',
      'scheduledFor',
    ],
    ['with a time that is none', (f) => f.item({ scheduledFor: 'soon' }), 'field_format', 'scheduledFor'],
    [
      'with a file of another host',
      (f) => f.item({ mediaItems: [{ type: 'image', url: 'ftp://x/y' }] }),
      'url_not_allowed',
      'mediaItems[0].url',
    ],
    [
      'that its platform refuses',
      (f) => f.item({ mediaItems: [], scheduledFor: inOneHour }),
      'media_required',
      'mediaItems',
    ],
  ];

  it.each(mixed)('refuses a post %s by itself, with the field', async (_what, wrong, code, param) => {
    const { item } = fixture;
    const results = await create([item(), wrong(fixture), item()]);
    expect(outcomes(results)).toEqual(['created', code, 'created']);
    expect(results[1]).toMatchObject({ error: { param } });
    expect(await storedPosts()).toHaveLength(2);
  });

  it('refuses accounts that the key may not use as unknown ones', async () => {
    const { item, second, instagram, bulk } = fixture;
    const actor = { ...bulk.actor, accountIds: [second.id] } as typeof bulk.actor;
    expect(seesAccount(actor, instagram.id)).toBe(false);
    const results = await create([item(), item({ platforms: [{ accountId: second.id }] })], {}, { actor });
    expect(outcomes(results)).toEqual(['account_unknown', 'created']);
    expect(results[0]).toMatchObject({ error: { message: 'platforms[0].accountId: no such account' } });
  });

  it('writes an entry of the audit log for each created post', async () => {
    const results = await create([fixture.item(), null, fixture.item()]);
    const log = await auditLogOf(table, fixture.context.workspaceId);
    expect(log.map(({ subjectId }) => subjectId).toSorted()).toEqual(
      [results[0], results[2]].map((result) => postOf(result).id).toSorted(),
    );
  });

  it('reports a failure of the table as failed, and creates the other posts', async () => {
    const { item, bulk, failures } = fixture;
    let writes = 0;
    const { counted } = countRequests(bulk, async (name) => {
      if (name === 'TransactWriteCommand') writes += 1;
      if (name === 'TransactWriteCommand' && writes === 2) throw new Error('connection reset');
    });
    const results = await createPosts(counted, [item(), item(), item()], {});
    expect(outcomes(results).toSorted()).toEqual(['created', 'created', 'internal']);
    expect(failures).toMatchObject([{ error: { message: 'connection reset' } }]);
  });

  it('begins no post after its time, and says so', async () => {
    const { item, bulk } = fixture;
    let clockMs = startMs;
    const items = Array.from({ length: 20 }, (_, index) => item({ idempotencyKey: `late ${index}` }));
    const { counted } = countRequests({ ...bulk, clock: () => clockMs }, async (name) => {
      if (name === 'TransactWriteCommand') clockMs += 4_000;
    });
    const first = await createPosts(counted, items, {});
    const count = (results: typeof first, outcome: string) =>
      outcomes(results).filter((each) => each === outcome).length;
    expect(count(first, 'not_started')).toBeGreaterThan(0);
    expect(count(first, 'created')).toBeGreaterThan(5);
    expect(await storedPosts()).toHaveLength(count(first, 'created'));
    const again = await create(items);
    expect(count(again, 'replayed')).toBe(count(first, 'created'));
    expect(count(again, 'created')).toBe(count(first, 'not_started'));
  });
});

describe('the requests to the table', () => {
  it('are one batch for each 100 items that are read, and a transaction for each post', async () => {
    const { bulk, instagram, youtube, second, item, video } = fixture;
    const platforms = [instagram, youtube, second].map(({ id }) => ({ accountId: id }));
    const items = Array.from({ length: 100 }, (_, index) =>
      item({
        platforms,
        mediaItems: [mediaItem(video)],
        scheduledFor: toTimestamp(startMs + (index + 1) * hourMs),
        idempotencyKey: `line ${index}`,
      }),
    );
    const { counted, requests } = countRequests(bulk);
    const results = await createPosts(counted, items, {});
    expect(new Set(outcomes(results))).toEqual(new Set(['created']));
    const byName = Object.groupBy(requests, (name) => name);
    expect(byName['TransactWriteCommand']).toHaveLength(100);
    expect(byName['BatchGetCommand']).toHaveLength(2);
    // The five days of YouTube's limit (Pacific time) that the posts are on.
    expect(byName['QueryCommand']).toHaveLength(5);
    expect(requests).toHaveLength(107);
  });

  it('read a calendar once for all posts that ask for a slot', async () => {
    const { bulk, item } = fixture;
    const { counted, requests } = countRequests(bulk);
    const items = Array.from({ length: 10 }, () => item({ scheduledFor: 'auto' }));
    expect(new Set(outcomes(await createPosts(counted, items, {})))).toEqual(new Set(['created']));
    const byName = Object.groupBy(requests, (name) => name);
    expect(byName['TransactWriteCommand']).toHaveLength(10);
    expect(byName['BatchGetCommand']).toHaveLength(2);
    expect(byName['QueryCommand']).toHaveLength(1);
  });
});

describe('an idempotency key', () => {
  it('of each post makes a repeated request create nothing', async () => {
    const items = [fixture.item({ idempotencyKey: 'a' }), fixture.item({ idempotencyKey: 'b' })];
    const first = await create(items);
    const again = await create(items);
    expect([outcomes(first), outcomes(again)]).toEqual([
      ['created', 'created'],
      ['replayed', 'replayed'],
    ]);
    expect(again.map((result) => postOf(result).id)).toEqual(first.map((result) => postOf(result).id));
  });

  it('of the request is one key for each place, for posts without their own', async () => {
    const items = [fixture.item(), fixture.item({ idempotencyKey: 'own' }), fixture.item()];
    const first = await create(items, { idempotencyKey: 'import' });
    expect(outcomes(first)).toEqual(['created', 'created', 'created']);
    expect(outcomes(await create(items, { idempotencyKey: 'import' }))).toEqual(Array(3).fill('replayed'));
    expect(outcomes(await create(items, { idempotencyKey: 'other' }))).toEqual([
      'created',
      'replayed',
      'created',
    ]);
  });

  it('is one key for a repeated x-request-id with the same post at the same place', async () => {
    const items = [fixture.item(), fixture.item()];
    expect(outcomes(await create(items, { requestId: 'r' }))).toEqual(['created', 'created']);
    expect(outcomes(await create(items, { requestId: 'r' }))).toEqual(['replayed', 'replayed']);
    const changed = [fixture.item(), fixture.item({ content: 'Other' })];
    expect(outcomes(await create(changed, { requestId: 'r' }))).toEqual(['replayed', 'created']);
  });

  const twice: readonly [what: string, first: object, second: object][] = [
    ['both have times', { scheduledFor: inOneHour }, { scheduledFor: inOneHour }],
    ['the first asks for a slot', { scheduledFor: 'auto' }, { scheduledFor: inOneHour }],
    ['both ask for a slot', { scheduledFor: 'auto' }, { scheduledFor: 'auto' }],
  ];
  it.each(twice)(
    'that two posts of a request have makes the second a replay if %s',
    async (_what, ...changes) => {
      const items = changes.map((change) => fixture.item({ ...change, idempotencyKey: 'twice' }));
      const results = await create([...items, fixture.item()]);
      expect(outcomes(results)).toEqual(['created', 'replayed', 'created']);
      expect(postOf(results[1]).id).toBe(postOf(results[0]).id);
    },
  );

  it('of a refused post is free for the next post of the request', async () => {
    const wrong = fixture.item({ idempotencyKey: 'free', scheduledFor: '2020-01-01T00:00Z' });
    const results = await create([wrong, fixture.item({ idempotencyKey: 'free' })]);
    expect(outcomes(results)).toEqual(['time_in_past', 'created']);
  });

  it('of a post that the key may not see is a conflict', async () => {
    await create([fixture.item({ idempotencyKey: 'hidden' })]);
    const actor = { ...fixture.bulk.actor, accountIds: [fixture.second.id] };
    const results = await create([fixture.item({ idempotencyKey: 'hidden' })], {}, { actor });
    expect(results[0]).toMatchObject({ error: { kind: 'conflict' } });
  });
});

describe('posts that import files', () => {
  const files = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => ({ url: `https://files.example.com/${name}-${index}.jpg` }));
  const free = (count: number) => setOpenImports(table, fixture.context.workspaceId, maxOpenImports - count);

  it.each([
    ['with times', { scheduledFor: inOneHour }],
    ['in slots', { scheduledFor: 'auto' }],
  ])(
    'are refused above the limit, in the order of the request, and stop no other: %s',
    async (_what, timing) => {
      await free(7);
      const { second, item, instagram } = fixture;
      const to = (accountId: string, count: number) =>
        item({ ...timing, platforms: [{ accountId }], mediaItems: files(count, `${count}-of-${accountId}`) });
      const results = await create([
        to(instagram.id, 3),
        to(second.id, 4),
        to(instagram.id, 1),
        item({ ...timing, platforms: [{ accountId: second.id }] }),
        to(second.id, 1),
      ]);
      const refused = 'too_many_imports';
      expect(outcomes(results)).toEqual(['created', 'created', refused, 'created', refused]);
      expect(results[2]).toMatchObject({ error: { param: 'mediaItems[0].url', retryAfterSeconds: 60 } });
      expect(await storedPosts()).toHaveLength(3);
      expect(await openImportsOf(table, fixture.context.workspaceId)).toBe(maxOpenImports);
    },
  );

  it('can be sent again once there is room, and then only the missing ones are created', async () => {
    await free(2);
    const items = ['a', 'b', 'c'].map((name) => fixture.item({ isDraft: true, mediaItems: files(1, name) }));
    const key = { idempotencyKey: 'again when there is room' };
    expect(outcomes(await create(items, key))).toEqual(['created', 'created', 'too_many_imports']);
    await free(1);
    expect(outcomes(await create(items, key))).toEqual(['replayed', 'replayed', 'created']);
  });

  it('take one transaction each', async () => {
    const { counted, requests } = countRequests(fixture.bulk);
    const items = Array.from({ length: 10 }, (_, index) =>
      fixture.item({ isDraft: true, mediaItems: files(2, `${index}`) }),
    );
    const results = await createPosts(counted, items, {});
    expect(outcomes(results)).toEqual(items.map(() => 'created'));
    expect(requests.filter((name) => name === 'TransactWriteCommand')).toHaveLength(10);
  });

  it('are valid in a dry run, whatever is open', async () => {
    await free(0);
    const results = await validatePosts(fixture.bulk, [
      fixture.item({ mediaItems: files(2, 'dry'), scheduledFor: inOneHour }),
    ]);
    expect(results).toMatchObject([{ state: 'done', done: { problems: [] } }]);
  });
});

describe('posts that ask for a slot', () => {
  const auto = { scheduledFor: 'auto' };

  it('get different slots, in the order of the request', async () => {
    const results = await create(Array.from({ length: 5 }, () => fixture.item(auto)));
    expect(timesOf(results)).toEqual(['01T12:01', '01T14:01', '01T16:01', '02T09:00', '02T11:00'].map(at));
  });

  it('get the slots that they would get one after another, whatever their accounts are', async () => {
    const { item, instagram, second, bulk } = fixture;
    const accountsOf: readonly string[][] = [
      [instagram.id],
      [second.id],
      [instagram.id, second.id],
      [second.id],
      [instagram.id],
    ];
    const items = accountsOf.map((ids) =>
      item({ ...auto, platforms: ids.map((accountId) => ({ accountId })) }),
    );
    const other = await openBulkFixture(table);
    const rename = (text: string) =>
      text
        .replaceAll(instagram.id, other.instagram.id)
        .replaceAll(second.id, other.second.id)
        .replaceAll(fixture.image.objectKey, other.image.objectKey);
    const oneByOne: (string | undefined)[] = [];
    for (const each of items) {
      const body = other.bulk.parse(JSON.parse(rename(JSON.stringify(each)))).body;
      oneByOne.push((await createPost(other.bulk, body, { rawBody: '' })).post.scheduledFor);
    }
    expect(timesOf(await createPosts(bulk, items, {}))).toEqual(oneByOne);
  });

  it('keep the buffer to the times that other posts of the request give', async () => {
    const results = await create([fixture.item(auto), fixture.item({ scheduledFor: at('01T12:10') })]);
    expect(timesOf(results)).toEqual([at('01T12:25'), at('01T12:10')]);
  });

  it('keep the buffer to the own time of a destination of an earlier post of the request', async () => {
    const { instagram, second, item } = fixture;
    const platforms = [{ accountId: instagram.id }, { accountId: second.id, scheduledFor: at('01T12:05') }];
    const results = await create([
      item({ ...auto, platforms }),
      item({ ...auto, platforms: [{ accountId: second.id }] }),
    ]);
    expect(timesOf(results)).toEqual([at('01T12:01'), at('01T12:20')]);
  });

  it('get other slots if somebody claims one in the meantime', async () => {
    const { item, bulk } = fixture;
    let claims = 0;
    const { counted } = countRequests(bulk, async (name) => {
      if (name !== 'TransactWriteCommand') return;
      claims += 1;
      if (claims === 2) await createPost(bulk, bulk.parse(item(auto)).body, { rawBody: '' });
    });
    const results = await createPosts(counted, [item(auto), item(auto), item(auto)], {});
    const stored = (await storedPosts()).map(({ scheduledFor }) => scheduledFor).toSorted();
    expect(outcomes(results)).toEqual(['created', 'created', 'created']);
    expect(stored).toEqual(['01T12:01', '01T14:01', '01T16:01', '02T09:00'].map(at));
  });

  it('are refused if no slot is left, without stopping the others', async () => {
    const { item, instagram, second, context } = fixture;
    await setRhythm(context, instagram.id, Rhythm.parse({ gapMinutes: 10_080, dailyCap: 1 }));
    const items = [
      ...Array.from({ length: 14 }, () => item(auto)),
      item({ ...auto, platforms: [{ accountId: second.id }] }),
    ];
    const results = await create(items);
    expect(outcomes(results)).toEqual([...Array(13).fill('created'), 'slot_unavailable', 'created']);
  });
});

describe('posts on a day with a limit', () => {
  it('count each other, so that exactly those beyond the limit are refused', async () => {
    const { item, youtube, video } = fixture;
    const post = item({
      platforms: [{ accountId: youtube.id }],
      mediaItems: [mediaItem(video)],
      scheduledFor: inOneHour,
      onQuota: 'fail',
    });
    const dailyLimits = dailyLimitsOf({ youtube: 5 });
    const results = await create(Array(12).fill(post), {}, { dailyLimits });
    expect(outcomes(results).filter((each) => each === 'created')).toHaveLength(5);
  });
});

describe('a dry run', () => {
  it('says what is wrong with each post, and stores nothing', async () => {
    const { item, bulk } = fixture;
    const { counted, requests } = countRequests(bulk);
    const items = [
      item({ scheduledFor: 'auto' }),
      item({ mediaItems: [], scheduledFor: inOneHour }),
      item({ content: 1 }),
      item({ platforms: [{ accountId: unknownId }] }),
    ];
    const results = await validatePosts(counted, items);
    expect(results).toMatchObject([
      { state: 'done', done: { problems: [] } },
      { state: 'done', done: { problems: [{ field: 'mediaItems' }] } },
      { state: 'refused', error: { param: 'content' } },
      { state: 'done', done: { problems: [{ field: 'platforms[0].accountId' }] } },
    ]);
    expect(requests.filter((name) => !/^(BatchGet|Query)Command$/.test(name))).toEqual([]);
    expect(await storedPosts()).toEqual([]);
  });
});

describe('any way to send posts in parts and repeat them', () => {
  const posts = fc.array(
    fc.record({
      account: fc.constantFrom('instagram', 'second', 'both', 'unknown'),
      time: fc.constantFrom('auto', 'given', 'draft'),
      key: fc.option(fc.integer({ min: 0, max: 5 })),
    }),
    { minLength: 1, maxLength: 10 },
  );
  /** Number of posts of each part, and the number of transactions after which it crashes. */
  const parts = fc.array(
    fc.record({
      size: fc.integer({ min: 1, max: 6 }),
      crashAfter: fc.option(fc.nat(4)),
      isLost: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );

  it('creates each post once', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(posts, parts, async (specs, plan) => {
        const one = await openBulkFixture(table);
        const ids = {
          instagram: [one.instagram.id],
          second: [one.second.id],
          both: [one.instagram.id, one.second.id],
          unknown: [unknownId],
        };
        const times = {
          auto: { scheduledFor: 'auto' },
          given: { scheduledFor: inOneHour },
          draft: { isDraft: true },
        };
        const items = specs.map(({ account, time, key }, index) =>
          one.item({
            ...times[time],
            platforms: ids[account].map((accountId) => ({ accountId })),
            idempotencyKey: key === null ? `line ${index}` : `shared ${key}`,
          }),
        );
        const send = (part: readonly unknown[], context: BulkContext) => createPosts(context, part, {});
        let next = 0;
        for (const { size, crashAfter, isLost } of plan) {
          const part = items.slice(next, next + size);
          let left = crashAfter ?? Number.POSITIVE_INFINITY;
          const { counted } = countRequests(one.bulk, async (name) => {
            if (left <= 0) throw new Error('crashed');
            if (name === 'TransactWriteCommand') left -= 1;
          });
          await send(part, counted).catch(() => undefined);
          // A part whose response is lost is sent again, from any place.
          if (!isLost) next += size;
        }
        const results = await send(items, one.bulk);
        const expected = specs.map(({ account }) => (account === 'unknown' ? 'invalid' : 'done'));
        const keys = specs.map(({ key }, index) => (key === null ? `line ${index}` : `shared ${key}`));
        const stored = (await queryPosts(table, one.context.workspaceId, { limit: 500 })).posts;
        const goodKeys = new Set(keys.filter((_key, index) => expected[index] === 'done'));
        expect(stored).toHaveLength(goodKeys.size);
        for (const [index, result] of results.entries()) {
          if (!goodKeys.has(keys[index] ?? '')) expect(result.state).toBe('refused');
          else if (expected[index] === 'done') expect(result.state).toBe('done');
        }
        const found = await Promise.all(stored.map(({ id }) => findPost(table, one.context.workspaceId, id)));
        const slots = found
          .flatMap((post) => post?.targets ?? [])
          .filter(({ autoKeyId }) => autoKeyId !== undefined)
          .map(({ accountId, scheduledFor }) => `${accountId} ${scheduledFor}`);
        expect(new Set(slots).size).toBe(slots.length);
      }),
      { numRuns: 25 },
    );
  });
});
