import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { createPost, type PostsContext } from '../../../lib/posts/create.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import { setRhythm } from '../../../lib/rhythm/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { actOf } from '../../support/acts.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { freeLeftTimes } from '../../support/freed-times.ts';
import { aPerson } from '../../support/members.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';
import { openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(async () => {
  fixture = await openFixture(table);
});

const auto = { scheduledFor: 'auto' };
const at = (time: string) => `2026-03-${time}:00.000Z`;

/** Creates a post and returns when it is due. */
async function timeOf(changes: object = auto): Promise<string | undefined> {
  return (await fixture.create(changes)).post.scheduledFor;
}

async function timesOf(count: number, changes: object = auto): Promise<(string | undefined)[]> {
  const times: (string | undefined)[] = [];
  for (let index = 0; index < count; index += 1) times.push(await timeOf(changes));
  return times;
}

const withRhythm = (accountId: string, changes: object, context: PostsContext = fixture.context) =>
  setRhythm(context, accountId, Rhythm.parse(changes));

describe('a post that asks for a slot', () => {
  it('is scheduled for the first slot that its rhythm allows and its platform can meet', async () => {
    // An image on Instagram takes a minute to prepare.
    const { post, targets } = await fixture.create(auto);
    expect(post).toMatchObject({ status: 'scheduled', scheduledFor: at('01T12:01') });
    expect(targets).toMatchObject([
      { status: 'scheduled', scheduledFor: at('01T12:01'), wakeAt: at('01T12:00') },
    ]);
  });

  it('keeps gap, cap and window relative to earlier posts', async () => {
    expect(await timesOf(7)).toEqual(
      ['01T12:01', '01T14:01', '01T16:01', '02T09:00', '02T11:00', '02T13:00', '03T09:00'].map(at),
    );
  });

  it('uses the rhythm that was set for its account and key', async () => {
    await withRhythm(fixture.instagram.id, {
      gapMinutes: 30,
      dailyCap: 2,
      dayWindow: { from: '20:00', to: '22:00' },
      timezone: 'Europe/Berlin',
    });
    expect(await timesOf(3)).toEqual([at('01T19:00'), at('01T19:30'), at('02T19:00')]);
  });

  it('uses the rhythm of the panel for every person, with one daily cap', async () => {
    const by = (person: string): PostsContext => ({ ...fixture.context, actor: aPerson({ id: person }) });
    await withRhythm(fixture.instagram.id, { gapMinutes: 30, dailyCap: 2 }, by('ada'));
    const timeFor = async (context: PostsContext) =>
      (await createPost(context, fixture.body(auto), { rawBody: '' })).post.scheduledFor;
    expect([await timeFor(by('ada')), await timeFor(by('bob')), await timeFor(by('ada'))]).toEqual(
      ['01T12:01', '01T12:31', '02T09:00'].map(at),
    );
  });

  it('keeps the buffer to posts that others have scheduled, but not to drafts', async () => {
    await fixture.create({ scheduledFor: at('01T12:10') });
    await fixture.create({ scheduledFor: at('01T12:26'), isDraft: true });
    expect(await timeOf()).toBe(at('01T12:25'));
  });

  it('takes the earliest slot that fits all its accounts', async () => {
    await timeOf();
    const platforms = [{ accountId: fixture.instagram.id }, { accountId: fixture.youtube.id }];
    const media = { mediaItems: [], content: '' };
    await withRhythm(fixture.youtube.id, { dayWindow: { from: '15:00', to: '16:00' } });
    const planned = await createPost(
      {
        ...fixture.context,
        rulesFor: () => ({
          options: { schema: z.looseObject({}), brought: {} },
          leadSeconds: () => 0,
          check: () => [],
        }),
      },
      fixture.body({ ...auto, ...media, platforms }),
      { rawBody: '' },
    );
    expect(planned.targets.map(({ scheduledFor }) => scheduledFor)).toEqual([at('01T15:00'), at('01T15:00')]);
  });

  it('lets a destination keep its own time', async () => {
    const other = await storeAccount(table, fixture.context.workspaceId, { platformAccountId: '2' });
    const { post, targets } = await fixture.create({
      ...auto,
      platforms: [{ accountId: fixture.instagram.id }, { accountId: other.id, scheduledFor: at('01T12:00') }],
    });
    expect(post.scheduledFor).toBe(at('01T12:01'));
    expect(targets.map(({ scheduledFor }) => scheduledFor)).toEqual([at('01T12:01'), at('01T12:00')]);
  });

  it('has no time while it is a draft', async () => {
    const { post } = await fixture.create({ ...auto, isDraft: true });
    expect(post).toMatchObject({ status: 'draft' });
    expect(post.scheduledFor).toBeUndefined();
    expect(await timeOf()).toBe(at('01T12:01'));
  });

  it('is the same post if the request is repeated', async () => {
    const first = await fixture.create(auto, { idempotencyKey: 'once' });
    const again = await fixture.create(auto, { idempotencyKey: 'once' });
    expect(again).toMatchObject({ replayed: true, post: { id: first.post.id } });
    expect(await timeOf()).toBe(at('01T14:01'));
  });

  it('is refused if a single destination asks for a slot', async () => {
    const platforms = [{ accountId: fixture.instagram.id, scheduledFor: 'auto' }];
    expect(await refusalsOf(fixture.create({ platforms }))).toEqual([
      'platforms[0].scheduledFor: must be a time: auto is only allowed for the whole post',
    ]);
  });

  it('can be validated without taking a slot', async () => {
    expect((await validatePost(fixture.context, fixture.body(auto))).problems).toEqual([]);
    expect(await timeOf()).toBe(at('01T12:01'));
  });
});

describe('slots of different keys', () => {
  it('keep a buffer from each other, but no gap and no common cap', async () => {
    const other = { ...fixture.context, ...actOf(newId(startMs)) };
    const create = (context: PostsContext) => createPost(context, fixture.body(auto), { rawBody: '' });
    const times: (string | undefined)[] = [];
    for (const context of [fixture.context, other, fixture.context, other]) {
      times.push((await create(context)).post.scheduledFor);
    }
    expect(times).toEqual(['01T12:01', '01T12:16', '01T14:01', '01T14:16'].map(at));
  });

  it('follow separate rhythms', async () => {
    const other = { ...fixture.context, ...actOf(newId(startMs)) };
    await withRhythm(fixture.instagram.id, { dayWindow: { from: '18:00', to: '19:00' } }, other);
    expect(await timeOf()).toBe(at('01T12:01'));
    expect((await createPost(other, fixture.body(auto), { rawBody: '' })).post.scheduledFor).toBe(
      at('01T18:00'),
    );
  });
});

describe('a slot is free again once its post', () => {
  const [first, second] = [at('01T12:01'), at('01T14:01')];

  it('was deleted', async () => {
    const { post } = await fixture.create(auto);
    await removePost(fixture.context, post.id);
    expect(await timesOf(2)).toEqual([first, second]);
  });

  it('was moved', async () => {
    const { post } = await fixture.create(auto);
    await editPost(fixture.context, post.id, { scheduledFor: at('05T12:00') });
    expect(await timesOf(2)).toEqual([first, second]);
  });

  it('became a draft', async () => {
    const { post } = await fixture.create(auto);
    await editPost(fixture.context, post.id, { scheduledFor: null });
    expect(await timesOf(2)).toEqual([first, second]);
  });

  it('left the account', async () => {
    const other = await storeAccount(table, fixture.context.workspaceId, { platformAccountId: '2' });
    const { post } = await fixture.create(auto);
    await editPost(fixture.context, post.id, { platforms: [{ accountId: other.id }] });
    expect(await timesOf(2)).toEqual([first, second]);
  });

  it('failed, and its retry takes a new time', async () => {
    const { post, targets } = await fixture.create(auto);
    const [target] = targets;
    if (!target) throw new Error('no target');
    const failed = await updateTarget(table, target, { status: 'failed', wakeAt: null }, 'w');
    await freeLeftTimes(table, target, failed);
    expect(await timesOf(2)).toEqual([first, second]);
    const now = Date.parse(at('01T18:00'));
    await retryPost({ ...fixture.context, now }, post.id);
    const next = await createPost({ ...fixture.context, now }, fixture.body(auto), { rawBody: '' });
    expect(next.post.scheduledFor).toBe(at('01T18:15'));
  });
});

describe('an edit', () => {
  it('gives a draft a slot', async () => {
    const { post } = await fixture.create();
    const edited = await editPost(fixture.context, post.id, auto);
    expect(edited.post).toMatchObject({ status: 'scheduled', scheduledFor: at('01T12:01') });
    expect(await timeOf()).toBe(at('01T14:01'));
  });

  it('that asks for a slot can keep the slot that the post already has', async () => {
    const { post } = await fixture.create(auto);
    expect((await editPost(fixture.context, post.id, auto)).post.scheduledFor).toBe(at('01T12:01'));
  });

  it('to `auto` of a time that the request gave makes it count as automatic', async () => {
    const { post } = await fixture.create({ scheduledFor: at('01T12:01') });
    await editPost(fixture.context, post.id, auto);
    expect(await timeOf()).toBe(at('01T14:01'));
  });

  it('of the text leaves the slot as it is', async () => {
    const { post } = await fixture.create(auto);
    const edited = await editPost(fixture.context, post.id, { content: 'New' });
    expect(edited.post.scheduledFor).toBe(at('01T12:01'));
    expect(await timeOf()).toBe(at('01T14:01'));
  });
});

describe('concurrent requests for slots on one account', () => {
  it('get thirty slots that keep gap and cap', async () => {
    const created = await Promise.all(Array.from({ length: 30 }, () => fixture.create(auto)));
    const times = created.map(({ post }) => Date.parse(post.scheduledFor ?? '')).sort((a, b) => a - b);
    expect(new Set(times).size).toBe(30);
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(120 * minuteMs);
    }
    const days = Map.groupBy(times, (time) => toTimestamp(time).slice(0, 10));
    expect([...days.values()].map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 3));
  });

  it('never share a slot, even with posts to fifty accounts among them', async () => {
    const { workspaceId } = fixture.context;
    const accounts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        storeAccount(table, workspaceId, { platformAccountId: `${index}` }),
      ),
    );
    const everywhere = { ...auto, platforms: accounts.map(({ id }) => ({ accountId: id })) };
    const here = { ...auto, platforms: [{ accountId: accounts[7]?.id }] };
    const created = await Promise.all(
      [everywhere, here, everywhere, here, here].map((body) => fixture.create(body)),
    );
    const times = created.map(({ post }) => post.scheduledFor).sort();
    expect(times).toEqual(['01T12:01', '01T14:01', '01T16:01', '02T09:00', '02T11:00'].map(at));
  });
});

describe('a full calendar', () => {
  const once = { dailyCap: 1, gapMinutes: 1, dayWindow: { from: '12:00', to: '12:02' } };

  it('is a 400 that names scheduledFor, with the usual number of reads', async () => {
    await withRhythm(fixture.instagram.id, once);
    const many = Array.from({ length: 91 }, (_, day) => toTimestamp(startMs + day * dayMs + minuteMs));
    for (const scheduledFor of many) await fixture.create({ scheduledFor });
    const { counted, requests } = countRequests(fixture.context);
    expect(await refusalsOf(createPost(counted, fixture.body(auto), { rawBody: '' }))).toEqual([
      'scheduledFor: no slot is free within 90 days',
    ]);
    // What the post refers to; rhythm and version; the account's calendar.
    expect(requests).toEqual(['BatchGetCommand', 'BatchGetCommand', 'QueryCommand']);
    expect((await validatePost(fixture.context, fixture.body(auto))).problems).toEqual([
      { field: 'scheduledFor', code: 'slot_unavailable', message: 'no slot is free within 90 days' },
    ]);
  });

  it('has free slots again when time has passed', async () => {
    await withRhythm(fixture.instagram.id, once);
    await fixture.create({ scheduledFor: at('01T12:01') });
    const now = startMs + 23 * hourMs;
    expect((await fixture.create(auto, {}, now)).post.scheduledFor).toBe(at('02T12:00'));
  });
});

it('a slot costs one batch of reads, and one query per account, more than a post without', async () => {
  const other = await storeAccount(table, fixture.context.workspaceId, { platformAccountId: '2' });
  const platforms = [{ accountId: fixture.instagram.id }, { accountId: other.id }];
  const { counted, requests } = countRequests(fixture.context);
  await createPost(counted, fixture.body({ ...auto, platforms }), { rawBody: '' });
  expect(requests).toEqual([
    'BatchGetCommand',
    'BatchGetCommand',
    'QueryCommand',
    'QueryCommand',
    'TransactWriteCommand',
  ]);
});

it('fails with `slots_contended` if every claim loses against another request', async () => {
  const contended = { ...fixture.context, table: { ...table, backOff: async () => {} } };
  // Before each write of this request, another request claims a slot.
  const { counted } = countRequests(contended, async (name) => {
    if (name === 'TransactWriteCommand') await fixture.create(auto);
  });
  await expect(createPost(counted, fixture.body(auto), { rawBody: '' })).rejects.toMatchObject({
    code: 'slots_contended',
    retryAfterSeconds: 2,
  });
});
