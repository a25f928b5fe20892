import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import { findFailedTargets } from '../../../lib/operating/failed-targets.ts';
import type { DailyLimits } from '../../../lib/platforms/contract/daily-limit.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { dryRunEdit, editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import { effectsOf } from '../../../lib/publishing/relay/effects.ts';
import { getItem } from '../../../lib/table/items.ts';
import { calendarEntryKey, externalIdKey } from '../../../lib/table/keys.ts';
import { readRetention } from '../../../lib/table/retention.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { TargetChanges } from '../../../lib/targets/store.ts';
import { changeTarget, startMs, storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaItem, openFixture, refusalsOf } from './fixture.ts';

const inTwoHours = toTimestamp(startMs + 2 * hourMs);
const failedMs = startMs + minuteMs;
const limits: DailyLimits = { instagram: { posts: 3, timeZone: 'UTC', counts: 'posts' } };

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = { ...(await createTestTable()), retention: readRetention({ posts: 100 }) };
  fixture = await openFixture(table);
});

const unfit: TargetChanges = {
  status: 'failed',
  wakeAt: null,
  failedAt: toTimestamp(failedMs),
  problem: { code: 'media_invalid', text: 'mediaItems[0]: the file cannot be converted for Instagram' },
};

/** A post whose first destination, of two unless told otherwise, has failed before anything was sent for it. */
async function openFailed({
  changes = {},
  failure = unfit,
}: {
  changes?: object;
  failure?: TargetChanges;
} = {}) {
  const { context, instagram, second } = fixture;
  const platforms = [{ accountId: instagram.id }, { accountId: second.id }];
  const { post, targets } = await fixture.create({ scheduledFor: inOneHour, platforms, ...changes });
  const [target] = targets;
  if (!target) throw new Error('no target');
  const failed = await changeTarget(table, target, failure);
  await rollUpPost(table, context.workspaceId, post.id, failedMs);
  const read = () => readPost(context, post.id);
  const edit = (patch: object, now = failedMs + minuteMs) =>
    editPost({ ...context, now }, post.id, EditPostBody.parse(patch));
  return { id: post.id, failed, read, edit };
}

const alone = () => ({ platforms: [{ accountId: fixture.instagram.id }] });
const ofAccount = (targets: readonly Target[], id: string) =>
  targets.find(({ accountId }) => accountId === id);

describe('an edit of a post of which a destination has failed before anything was sent for it', () => {
  it('schedules the destination again, with the other file, and makes nothing else of its failure last', async () => {
    const { failed, read, edit } = await openFailed();
    const other = await storeMedia(table, fixture.context.workspaceId, { filename: 'other.jpg' });
    await edit({ mediaItems: [mediaItem(other)] });
    const { post, targets } = await read();
    expect(post).toMatchObject({ status: 'scheduled', scheduledFor: inOneHour });
    const target = ofAccount(targets, fixture.instagram.id);
    expect(target).toMatchObject({
      status: 'scheduled',
      scheduledFor: inOneHour,
      wakeNumber: failed.wakeNumber + 1,
      attempt: failed.attempt + 1,
      timeline: failed.timeline,
      failures: 0,
    });
    for (const name of ['error', 'errorDetail', 'awaitsFiles']) expect(target).not.toHaveProperty(name);
    expect(target?.dueAt).toBe(target?.wakeAt);
    const range = { sinceMs: startMs, now: failedMs, limit: 1_000 };
    const listed = (await findFailedTargets(table, range)).targets;
    expect(listed.filter(({ postId }) => postId === post.id)).toEqual([]);
  });

  it('takes its time on the calendar and its place of the day again, and gives it a wake', async () => {
    const { failed, edit, read } = await openFailed();
    const entry = () => getItem(table, calendarEntryKey({ ...failed, scheduledFor: inOneHour }));
    const free = effectsOf({ ...failed, status: 'scheduled' }, failed, limits);
    expect(free.map(({ kind }) => kind)).toContain('free time');
    await edit({ content: 'Other' });
    expect(await entry()).toBeDefined();
    const target = ofAccount((await read()).targets, fixture.instagram.id);
    expect(effectsOf(failed, target, limits).map(({ kind }) => kind)).toEqual([
      'schedule wake',
      'settle places',
      'check posts',
      'roll-up',
    ]);
  });

  it('leaves the destinations alone that wait and stay as they are', async () => {
    const { read, edit } = await openFailed();
    const before = ofAccount((await read()).targets, fixture.second.id);
    const own = {
      accountId: fixture.instagram.id,
      customMedia: [mediaItem(fixture.image)],
      customContent: 'Own',
    };
    await edit({ platforms: [own, { accountId: fixture.second.id }] });
    expect(ofAccount((await read()).targets, fixture.second.id)).toEqual(before);
  });

  it('moves all of it to another time', async () => {
    const { read, edit } = await openFailed();
    await edit({ scheduledFor: inTwoHours });
    const { post, targets } = await read();
    expect(post.scheduledFor).toBe(inTwoHours);
    expect(targets.map(({ status, scheduledFor }) => ({ status, scheduledFor }))).toEqual([
      { status: 'scheduled', scheduledFor: inTwoHours },
      { status: 'scheduled', scheduledFor: inTwoHours },
    ]);
  });

  it.each([
    ['makes a draft of it', { scheduledFor: null }, 'draft'],
    ['publishes it at once', { publishNow: true }, 'scheduled'],
  ])('%s', async (_what, patch, status) => {
    const { read, edit } = await openFailed({ changes: alone() });
    await edit(patch);
    const { post, targets } = await read();
    expect(post.status).toBe(status);
    expect(targets).toMatchObject([{ status }]);
  });

  it('removes the destination', async () => {
    const { read, edit } = await openFailed();
    await edit({ platforms: [{ accountId: fixture.second.id }] });
    const { post, targets } = await read();
    expect(targets.map(({ accountId }) => accountId)).toEqual([fixture.second.id]);
    expect(post.status).toBe('scheduled');
  });

  it('is refused if it changes nothing that is published', async () => {
    const { read, edit } = await openFailed({ changes: alone() });
    await expect(edit({ metadata: { row: '12' } })).rejects.toMatchObject({ code: 'post_failed' });
    expect((await read()).post.status).toBe('failed');
  });

  it.each([
    ['a second ago', hourMs + 1_000],
    ['an hour ago', 2 * hourMs],
  ])('must give another time once the time has passed, %s', async (_when, passedMs) => {
    const { read, edit } = await openFailed({ changes: alone() });
    const late = startMs + passedMs;
    const refusals = await refusalsOf(edit({ content: 'Other' }, late));
    expect(refusals).toEqual([expect.stringMatching(/^scheduledFor: /)]);
    expect((await read()).post.status).toBe('failed');
    await edit({ content: 'Other', scheduledFor: toTimestamp(late + hourMs) }, late);
    expect((await read()).post).toMatchObject({ status: 'scheduled', content: 'Other' });
  });

  it('lets a chain whose checks had ended begin after it', async () => {
    const chain = [{ kind: 'crossPost', afterMinutes: 5, accountIds: [fixture.third.id] }];
    const { read, edit } = await openFailed({ changes: { ...alone(), chain } });
    await edit({ scheduledFor: inTwoHours });
    const { post } = await read();
    expect(post.chainWakeAt).toBe(toTimestamp(startMs + 2 * hourMs + 5 * minuteMs));
    expect(post.chain).toMatchObject([{ status: 'waiting' }]);
  });

  it('keeps the post and its external id, which were going to expire', async () => {
    const externalId = 'row 12';
    const labels = { externalId, externalIdUnique: true };
    const { id, read, edit } = await openFailed({ changes: { ...alone(), ...labels } });
    const { workspaceId } = fixture.context;
    const label = () => getItem(table, externalIdKey(workspaceId, sha256(externalId), id));
    expect(await label()).toHaveProperty('expiresAtSeconds');
    await edit({ content: 'Other' });
    const { post, targets } = await read();
    for (const item of [post, ...targets, await label()]) expect(item).not.toHaveProperty('expiresAtSeconds');
    await expect(fixture.create(labels)).rejects.toMatchObject({ code: 'external_id_taken' });
  });

  it('keeps the external id even if it comes in the middle of a roll-up that is then killed', async () => {
    const externalId = 'row 13';
    const { id, failed, read, edit } = await openFailed({ changes: { ...alone(), externalId } });
    const { workspaceId } = fixture.context;
    await edit({ content: 'Other' });
    const again = ofAccount((await read()).targets, fixture.instagram.id) ?? failed;
    await changeTarget(table, again, unfit);
    let edited: Promise<unknown> | undefined;
    let isKilled = false;
    const send = async (command: Parameters<Table['client']['send']>[0]) => {
      if (/Query|Get/.test(command.constructor.name)) return table.client.send(command);
      edited ??= edit({ content: 'Another' });
      await edited;
      if (isKilled) throw new Error('killed');
      isKilled = JSON.stringify(command.input).includes('EXTERNAL#');
      return table.client.send(command);
    };
    const client = { send } as unknown as Table['client'];
    await rollUpPost({ ...table, client }, workspaceId, id, failedMs).catch(() => undefined);
    await rollUpPost(table, workspaceId, id, failedMs);
    expect((await read()).post.status).toBe('scheduled');
    const label = await getItem(table, externalIdKey(workspaceId, sha256(externalId), id));
    expect(label).not.toHaveProperty('expiresAtSeconds');
  });

  it('can be asked for without being made', async () => {
    const { id, read } = await openFailed({ changes: alone() });
    const now = failedMs + minuteMs;
    const { post, problems } = await dryRunEdit({ ...fixture.context, now }, id, { content: 'Other' });
    expect([post.status, problems]).toEqual(['scheduled', []]);
    expect((await read()).post.status).toBe('failed');
  });
});

const call: CallRecord = {
  intentAt: toTimestamp(failedMs),
  token: { containerId: '1' },
  endedAt: toTimestamp(failedMs),
  outcome: 'refused',
  lookups: 0,
  misses: 0,
};

describe.each<[string, TargetChanges]>([
  ['whose last call was made', { ...unfit, calls: [call] }],
  ['that was being prepared', { ...unfit, preparation: { containerId: '1' } }],
])('a failed destination %s', (_what, failure) => {
  it('keeps its post from being edited, and the post says so', async () => {
    const { read, edit } = await openFailed({ failure });
    await expect(edit({ content: 'Other' })).rejects.toMatchObject({ code: 'post_failed' });
    const { post, targets } = await read();
    expect(toPostView(post, '', targets).editable).toBe(false);
  });
});

it('a post says that it can be edited if nothing was sent for what has failed', async () => {
  const { post, targets } = await (await openFailed()).read();
  expect(toPostView(post, '', targets)).toMatchObject({ status: 'publishing', editable: true });
});

it('a post cannot be edited once another destination is live', async () => {
  const { read, edit } = await openFailed();
  const target = ofAccount((await read()).targets, fixture.second.id);
  if (!target) throw new Error('no target');
  await changeTarget(table, target, { status: 'published', wakeAt: null, publishedAt: inOneHour });
  await expect(edit({ content: 'Other' })).rejects.toMatchObject({ code: 'post_live' });
});
