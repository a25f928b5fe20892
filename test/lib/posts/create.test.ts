import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import { overdueKeys } from '../../../lib/targets/wake.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaItem, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
});

const stored = (postId: string) => findPost(table, fixture.context.workspaceId, postId);

/** Runs each hook after the first command of its name that follows the hook before. */
function tableWithHooks(real: Table, hooks: [string, () => Promise<unknown>][]): Table {
  const client = new Proxy(real.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: object) => {
            const sent = target.send(command as Parameters<typeof target.send>[0]);
            await sent.catch(() => {});
            if (hooks[0]?.[0] === command.constructor.name) await hooks.shift()?.[1]();
            return sent;
          }
        : Reflect.get(target, name, target),
  });
  return { ...real, client };
}

describe('a created post', () => {
  it('without a time is a draft, and its targets have no wake', async () => {
    const { post, targets } = await fixture.create();
    expect(post).toMatchObject({ status: 'draft', content: 'Hello', version: 1 });
    expect(post.scheduledFor).toBeUndefined();
    expect(targets).toMatchObject([{ status: 'draft', accountId: fixture.instagram.id, position: 0 }]);
    expect(targets[0]).not.toHaveProperty('wakeAt');
    expect(await stored(post.id)).toEqual({ post, targets });
  });

  it('with a time is scheduled, and each target is woken early by its platform’s lead', async () => {
    const platforms = [{ accountId: fixture.youtube.id }, { accountId: fixture.instagram.id }];
    const { post, targets } = await fixture.create({
      platforms,
      mediaItems: [mediaItem(fixture.video)],
      scheduledFor: inOneHour,
    });
    expect(post).toMatchObject({ status: 'scheduled', scheduledFor: inOneHour });
    expect(targets.map(({ accountId }) => accountId)).toEqual(platforms.map(({ accountId }) => accountId));
    for (const target of targets) {
      expect(target).toMatchObject({ status: 'scheduled', scheduledFor: inOneHour, wakeNumber: 1 });
      expect(Date.parse(target.wakeAt ?? '')).toBeGreaterThan(startMs);
      expect(Date.parse(target.wakeAt ?? '')).toBeLessThan(Date.parse(inOneHour));
    }
    const found = await stored(post.id);
    expect(found?.post).toEqual(post);
    const waiting = targets.map((target) => ({ ...target, ...overdueKeys(target) }));
    expect(found?.targets).toEqual(expect.arrayContaining(waiting));
  });

  it('with publishNow is due now', async () => {
    const { post, targets } = await fixture.create({ publishNow: true });
    const now = toTimestamp(startMs);
    expect(post).toMatchObject({ status: 'scheduled', scheduledFor: now });
    expect(targets[0]).toMatchObject({ scheduledFor: now, wakeAt: now });
  });

  it('with a time that has just passed is due now', async () => {
    const { post, targets } = await fixture.create({ scheduledFor: toTimestamp(startMs - 599_000) });
    expect([post.scheduledFor, targets[0]?.wakeAt]).toEqual([toTimestamp(startMs), toTimestamp(startMs)]);
  });

  it('that is marked as a draft keeps its time and has no wake', async () => {
    const { post, targets } = await fixture.create({ scheduledFor: inOneHour, isDraft: true });
    expect(post).toMatchObject({ status: 'draft', scheduledFor: inOneHour });
    expect(targets).toMatchObject([{ status: 'draft', scheduledFor: inOneHour }]);
    expect(targets[0]).not.toHaveProperty('wakeAt');
  });

  it('can have a time, content and files for each destination', async () => {
    const later = '2026-03-02T09:00:00.000Z';
    const { post, targets } = await fixture.create({
      platforms: [
        { accountId: fixture.instagram.id, customContent: 'Own', scheduledFor: later },
        {
          accountId: fixture.youtube.id,
          customMedia: [mediaItem(fixture.video)],
          platformSpecificData: { title: 'T', deep: [{ '': 1e-7 }] },
          scheduledFor: inOneHour,
        },
      ],
    });
    expect(post).toMatchObject({ status: 'scheduled', scheduledFor: inOneHour, content: 'Hello' });
    expect(targets).toMatchObject([
      { content: 'Own', scheduledFor: later },
      { scheduledFor: inOneHour, options: { title: 'T', deep: [{ '': 1e-7 }] } },
    ]);
    expect(targets[0]).not.toHaveProperty('mediaItems');
    expect(targets[1]?.mediaItems).toMatchObject([{ mediaId: fixture.video.id }]);
  });

  it('is not found by another workspace', async () => {
    const other = await openFixture(table);
    const { post } = await fixture.create();
    expect(await findPost(table, other.context.workspaceId, post.id)).toBeUndefined();
  });

  it('stores any text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string(),
        async (content, note) => {
          fc.pre(note.isWellFormed());
          const platforms = [{ accountId: fixture.instagram.id, platformSpecificData: { note } }];
          const { post } = await fixture.create({ content, platforms });
          const found = await stored(post.id);
          expect(found?.post.content).toBe(content);
          expect(found?.targets[0]?.options).toEqual({ note });
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('an idempotency key', () => {
  it('makes one post of twenty concurrent requests, and returns it to all of them', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 20 }, () => fixture.create({ idempotencyKey: 'twenty', scheduledFor: inOneHour })),
    );
    expect(new Set(attempts.map(({ post }) => post.id)).size).toBe(1);
    expect(attempts.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const [first] = attempts;
    expect(attempts.every(({ targets }) => targets[0]?.accountId === first?.targets[0]?.accountId)).toBe(
      true,
    );
  });

  it('in the header counts if the body has none, and is the same key in both', async () => {
    const first = await fixture.create({}, { idempotencyKey: 'header' });
    expect(await fixture.create({}, { idempotencyKey: 'header' })).toMatchObject({ replayed: true });
    const inBody = await fixture.create({ idempotencyKey: 'header' });
    expect([inBody.replayed, inBody.post.id]).toEqual([true, first.post.id]);
  });

  it('in the body takes precedence over the one in the header', async () => {
    await fixture.create({ idempotencyKey: 'one' }, { idempotencyKey: 'two' });
    expect(await fixture.create({ idempotencyKey: 'two' })).toMatchObject({ replayed: false });
    expect(await fixture.create({}, { idempotencyKey: 'one' })).toMatchObject({ replayed: true });
  });

  it('replays the first post whatever the second request says, even after its time has passed', async () => {
    const first = await fixture.create({ idempotencyKey: 'late', scheduledFor: inOneHour });
    const again = await fixture.create(
      { idempotencyKey: 'late', scheduledFor: inOneHour, content: 'Other' },
      {},
      startMs + 3 * dayMs,
    );
    expect([again.replayed, again.post.id, again.post.content]).toEqual([true, first.post.id, 'Hello']);
  });

  it('replays even if the accounts of the second request do not exist', async () => {
    await fixture.create({ idempotencyKey: 'gone' });
    const platforms = [{ accountId: '0190a0e0-0000-7000-8000-000000000000' }];
    expect(await fixture.create({ idempotencyKey: 'gone', platforms })).toMatchObject({ replayed: true });
  });

  it('is checked only if the request is well-formed', async () => {
    await fixture.create({ idempotencyKey: 'shape' });
    expect(await refusalsOf(fixture.create({ idempotencyKey: 'shape', scheduledFor: '?' }))).toHaveLength(1);
  });

  it('stays unused after a refusal', async () => {
    await refusalsOf(fixture.create({ idempotencyKey: 'free', scheduledFor: '2020-01-01T00:00Z' }));
    expect(await fixture.create({ idempotencyKey: 'free' })).toMatchObject({ replayed: false });
  });

  it.each(['read', 'commit'])('is free if the post is deleted after the %s that found it', async (found) => {
    const key = { idempotencyKey: `deleted after the ${found}` };
    let winner = found === 'read' ? await fixture.create(key) : undefined;
    const deleteWinner = () => removePost(fixture.context, winner?.post.id ?? '');
    const hooks: [string, () => Promise<unknown>][] =
      found === 'read'
        ? [['BatchGetCommand', deleteWinner]]
        : [
            ['BatchGetCommand', async () => (winner = await fixture.create(key))],
            ['TransactWriteCommand', deleteWinner],
          ];
    const context = { ...fixture.context, table: tableWithHooks(table, hooks) };
    const { post, replayed } = await createPost(context, fixture.body(key), { rawBody: '{}' });
    expect([replayed, await stored(post.id)]).toMatchObject([false, { post }]);
    expect(await fixture.create(key)).toMatchObject({ replayed: true, post: { id: post.id } });
  });

  it('is separate for each workspace', async () => {
    const other = await openFixture(table);
    await fixture.create({ idempotencyKey: 'shared' });
    expect(await other.create({ idempotencyKey: 'shared' })).toMatchObject({ replayed: false });
  });

  it('expires after 30 days, and can then be used for a new post', async () => {
    const first = await fixture.create({ idempotencyKey: 'old' });
    expect(await fixture.create({ idempotencyKey: 'old' }, {}, startMs + 29 * dayMs)).toMatchObject({
      replayed: true,
    });
    const newer = await fixture.create({ idempotencyKey: 'old' }, {}, startMs + 31 * dayMs);
    expect(newer).toMatchObject({ replayed: false });
    expect(newer.post.id).not.toBe(first.post.id);
    expect(await fixture.create({ idempotencyKey: 'old' }, {}, startMs + 32 * dayMs)).toMatchObject({
      replayed: true,
      post: { id: newer.post.id },
    });
  });
});

describe('a repeated x-request-id', () => {
  it('identifies the same request only with the same body', async () => {
    const first = await fixture.create({}, { requestId: 'r', rawBody: '{"a":1}' });
    const again = await fixture.create({}, { requestId: 'r', rawBody: '{"a":1}' });
    const other = await fixture.create({}, { requestId: 'r', rawBody: '{"a": 1}' });
    expect([again.post.id, again.replayed]).toEqual([first.post.id, true]);
    expect(other.replayed).toBe(false);
  });

  it('is ignored if there is an idempotency key', async () => {
    await fixture.create({ idempotencyKey: 'k1' }, { requestId: 'q', rawBody: 'same' });
    expect(await fixture.create({ idempotencyKey: 'k2' }, { requestId: 'q', rawBody: 'same' })).toMatchObject(
      {
        replayed: false,
      },
    );
  });

  it('is never taken for an equal idempotency key', async () => {
    await fixture.create({ idempotencyKey: 'r2' });
    expect(await fixture.create({}, { requestId: 'r2', rawBody: '{}' })).toMatchObject({ replayed: false });
  });
});
