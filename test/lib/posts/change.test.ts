import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { dayMs, hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { toListedPostView } from '../../../lib/posts/view/to-view.ts';
import { LeaseLostError } from '../../../lib/table/lease.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { PostStatus } from '../../../lib/targets/state.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { changeTarget, startMs, storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaItem, openFixture } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
});

/** The code of a refusal to change or delete a post in this status. */
const refusalIn: Readonly<Partial<Record<PostStatus, string>>> = {
  publishing: 'post_publishing',
  published: 'post_live',
  partial: 'post_live',
  failed: 'post_failed',
};
const notFound = { code: 'not_found', message: 'post not found' };
const inTwoHours = '2026-03-01T14:00:00.000Z';

const callThatEnded = (outcome: CallRecord['outcome']): CallRecord => ({
  intentAt: toTimestamp(startMs),
  token: { container: '1' },
  endedAt: toTimestamp(startMs),
  outcome,
  lookups: 0,
  misses: 0,
});

/** A scheduled post whose only target is in this state. */
async function postIn(status: PostStatus, changes: object = {}, calls: CallRecord[] = []) {
  const { post, targets } = await fixture.create({ scheduledFor: inOneHour, ...changes });
  const [target] = targets;
  if (!target) throw new Error('no target');
  const settled = status === 'scheduled' ? {} : { wakeAt: null };
  await changeTarget(table, target, { status, ...settled, ...(calls.length > 0 && { calls }) });
  return post.id;
}

/** The table, with something that happens before each transaction. */
function beforeTransactions(real: Table, happen: () => Promise<unknown>): Table {
  const send = async (command: Parameters<Table['client']['send']>[0]) => {
    if (command instanceof TransactWriteCommand) await happen();
    return real.client.send(command);
  };
  return { ...real, client: { send } as unknown as Table['client'] };
}

/** Returns a function that does something at its first call only. */
function once(act: () => Promise<unknown>): () => Promise<unknown> {
  let first: Promise<unknown> | undefined;
  return () => {
    first ??= act();
    return first;
  };
}

describe('an edited post', () => {
  it('has targets that name its version, so that a worker does not take an old text for the new one', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    await editPost(fixture.context, post.id, { content: 'New' });
    const edited = await readPost(fixture.context, post.id);
    expect(edited.post.version).toBe(post.version + 1);
    expect(edited.targets.map(({ postVersion }) => postVersion)).toEqual(
      edited.targets.map(() => edited.post.version),
    );
  });

  it('is woken at its new time, and its old wake is obsolete', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    await editPost(fixture.context, post.id, { scheduledFor: inTwoHours, content: 'New' });
    const found = await readPost(fixture.context, post.id);
    expect(found.post).toMatchObject({ content: 'New', scheduledFor: inTwoHours, createdAt: post.createdAt });
    expect(found.targets).toMatchObject([{ scheduledFor: inTwoHours, wakeNumber: 2, status: 'scheduled' }]);
  });

  it('keeps what its destinations do about daily limits until a request changes it', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour, onQuota: 'fail' });
    const onQuota = async () => toListedPostView((await readPost(fixture.context, post.id)).post, '').onQuota;
    await editPost(fixture.context, post.id, { content: 'New' });
    expect(await onQuota()).toBe('fail');
    await editPost(fixture.context, post.id, { onQuota: 'wait' });
    expect(await onQuota()).toBe('wait');
  });

  it('no longer waits for a daily limit: it is tried at its new time', async () => {
    const { post, targets } = await fixture.create({ scheduledFor: inOneHour });
    const [target] = targets;
    if (!target) throw new Error('no target');
    const limitedUntil = '2026-03-02T08:00:00.000Z';
    await changeTarget(table, target, {
      limitedSince: inOneHour,
      limitedUntil,
      wakeAt: limitedUntil,
      problem: { code: 'platform_rejected', text: 'waiting' },
    });
    await editPost(fixture.context, post.id, { scheduledFor: inTwoHours });
    const [changed] = (await readPost(fixture.context, post.id)).targets;
    for (const name of ['limitedSince', 'limitedUntil', 'error']) expect(changed).not.toHaveProperty(name);
  });

  describe('whose destinations are being prepared', () => {
    const preparation = { containerId: '1' };
    /** A post with two prepared destinations, the second with a text of its own. */
    async function preparedPost(changes: object = {}) {
      const { post, targets } = await fixture.create({
        ...changes,
        scheduledFor: inOneHour,
        platforms: [
          { accountId: fixture.instagram.id },
          { accountId: fixture.second.id, customContent: 'Own' },
        ],
      });
      const prepared = { preparation, preparingSince: toTimestamp(startMs), wakeAt: inOneHour };
      for (const target of targets) await changeTarget(table, target, prepared);
      return readPost(fixture.context, post.id);
    }

    it.each<[string, EditPostBody]>([
      ['its metadata', { metadata: { campaign: 'spring' } }],
      ['its external id', { externalId: 'row 7' }],
      ['its behaviour at a daily limit', { onQuota: 'fail' }],
      ['its time zone', { timezone: 'Europe/Berlin' }],
      ['a text, to the same text', { content: 'Hello' }],
      ['its time, to the same time', { scheduledFor: inOneHour }],
    ])('keeps them as they are if a request changes only %s', async (_what, patch) => {
      const before = await preparedPost();
      await editPost(fixture.context, before.post.id, patch);
      const after = await readPost(fixture.context, before.post.id);
      expect(after.targets).toEqual(before.targets);
      expect(after.post.version).toBe(before.post.version + 1);
    });

    it('keeps those that a request leaves alone', async () => {
      const { post, targets } = await preparedPost();
      const platforms = [
        { accountId: fixture.instagram.id, scheduledFor: inTwoHours },
        { accountId: fixture.second.id, customContent: 'Own' },
      ];
      await editPost(fixture.context, post.id, EditPostBody.parse({ platforms }));
      const after = await readPost(fixture.context, post.id);
      const find = (found: readonly Target[], { id }: Account) => found.find((one) => one.accountId === id);
      expect(find(after.targets, fixture.second)).toEqual(find(targets, fixture.second));
      const moved = find(after.targets, fixture.instagram);
      expect(moved).toMatchObject({ scheduledFor: inTwoHours, wakeNumber: 3 });
    });

    it.each<[string, number, boolean]>([
      ['keeps what it has', 20, true],
      ['prepares it again, because that may not last', 20.01, false],
    ])(
      '%s if a request changes only its time, to one %f hours after its preparation',
      async (_what, hours, isKept) => {
        const { post } = await preparedPost();
        const scheduledFor = toTimestamp(startMs + hours * hourMs);
        await editPost(fixture.context, post.id, { scheduledFor });
        for (const { wakeAt = '', ...target } of (await readPost(fixture.context, post.id)).targets) {
          expect(target).toMatchObject({ scheduledFor });
          expect(target.preparation).toEqual(isKept ? preparation : undefined);
          // The platform is asked again in time, in case it has lost it.
          expect(wakeAt < scheduledFor).toBe(true);
        }
      },
    );

    it.each([
      ['still to be sent', true],
      ['sent', undefined],
    ])(
      'leaves a file that is %s to the workers that it is left to if a request changes only its time',
      async (_state, sendsFile) => {
        const platforms = [{ accountId: fixture.youtube.id, platformSpecificData: { title: 'Video' } }];
        const mediaItems = [mediaItem(fixture.video)];
        const { post, targets } = await fixture.create({ platforms, mediaItems, scheduledFor: inOneHour });
        expect(targets).toMatchObject([{ sendsFile: true }]);
        for (const target of targets)
          await changeTarget(table, target, {
            preparation,
            preparingSince: toTimestamp(startMs),
            wakeAt: inOneHour,
            sendsFile: sendsFile ?? null,
          });
        await editPost(fixture.context, post.id, { scheduledFor: inTwoHours });
        const [edited] = (await readPost(fixture.context, post.id)).targets;
        expect(edited).toMatchObject({ scheduledFor: inTwoHours, preparation });
        expect(edited?.sendsFile).toBe(sendsFile);
      },
    );

    it.each<[string, EditPostBody, boolean]>([
      ['the text', { content: 'Another text' }, true],
      [
        'the options',
        { platforms: [{ accountId: '', platformSpecificData: { title: 'New' } }] } as unknown as EditPostBody,
        true,
      ],
      ['the text and the time', { content: 'Another text', scheduledFor: inTwoHours }, true],
      ['the time, by more than a day', { scheduledFor: toTimestamp(startMs + 30 * hourMs) }, true],
      ['the files', { mediaItems: [] }, false],
    ])(
      'whose platform keeps the upload keep it or not if a request changes %s',
      async (_what, patch, isKept) => {
        const platforms = [{ accountId: fixture.youtube.id, platformSpecificData: { title: 'Video' } }];
        const mediaItems = [mediaItem(fixture.video)];
        const { post, targets } = await fixture.create({ platforms, mediaItems, scheduledFor: inOneHour });
        const upload = { uploadId: 'upload-1', videoId: 'video-1' };
        for (const target of targets)
          await changeTarget(table, target, {
            preparation: upload,
            preparingSince: toTimestamp(startMs),
            wakeAt: inOneHour,
            sendsFile: null,
          });
        const changes = { filename: 'other.mp4', contentType: 'video/mp4' };
        const other = await storeMedia(table, fixture.context.workspaceId, changes);
        const given: EditPostBody = isKept ? patch : { mediaItems: [mediaItem(other)] };
        const own = given.platforms?.map((entry) => ({ ...entry, accountId: fixture.youtube.id }));
        await editPost(fixture.context, post.id, { ...given, ...(own && { platforms: own }) });
        const [edited] = (await readPost(fixture.context, post.id)).targets;
        expect(edited?.preparation).toEqual(isKept ? upload : undefined);
        expect(edited?.sendsFile).toBe(isKept ? undefined : true);
        // It needs work before its time: to change what YouTube has, or to upload again.
        expect((edited?.wakeAt ?? '') < (edited?.scheduledFor ?? '')).toBe(true);
      },
    );

    it('keep what a worker notes about them while a request changes the text', async () => {
      const platforms = [{ accountId: fixture.youtube.id, platformSpecificData: { title: 'Video' } }];
      const mediaItems = [mediaItem(fixture.video)];
      const { post, targets } = await fixture.create({ platforms, mediaItems, scheduledFor: inOneHour });
      const [target] = targets;
      if (!target) throw new Error('no target');
      const upload = { uploadId: 'upload-1', videoId: 'video-1' };
      const changes = { preparation: upload, preparingSince: toTimestamp(startMs) };
      const prepared = await changeTarget(table, target, changes);
      // The worker notes that it adds the video to a playlist, after the edit has read the target.
      const preparation = { ...upload, isAddSent: true };
      const noting = once(() => updateTarget(table, prepared, { preparation }, 'note'));
      const context = { ...fixture.context, table: beforeTransactions(table, noting) };
      await editPost(context, post.id, { content: 'Another text' });
      const after = await readPost(fixture.context, post.id);
      expect(after.post.content).toBe('Another text');
      expect(after.targets).toMatchObject([{ preparation }]);
    });

    it('leave no upload behind if a request makes them drafts, which keep their time', async () => {
      const platforms = [{ accountId: fixture.youtube.id, platformSpecificData: { title: 'Video' } }];
      const mediaItems = [mediaItem(fixture.video)];
      const { post, targets } = await fixture.create({ platforms, mediaItems, scheduledFor: inOneHour });
      for (const target of targets)
        await changeTarget(table, target, {
          preparation: { uploadId: 'upload-1', videoId: 'video-1' },
          preparingSince: toTimestamp(startMs),
          wakeAt: inOneHour,
          sendsFile: null,
        });
      await editPost(fixture.context, post.id, { isDraft: true });
      const [draft] = (await readPost(fixture.context, post.id)).targets;
      expect(draft).toMatchObject({ status: 'draft', scheduledFor: inOneHour });
      // The relay discards the upload of a target that has lost it.
      expect(draft?.preparation).toBeUndefined();
    });

    it.each<[string, EditPostBody]>([
      ['alone', {}],
      ['together with the time', { scheduledFor: inTwoHours }],
    ])('prepares them again if a request changes the cover %s', async (_how, patch) => {
      const { post } = await preparedPost({ mediaItems: [mediaItem(fixture.video)] });
      const coverUrl = mediaItem(fixture.image).url;
      await editPost(fixture.context, post.id, { ...patch, coverUrl });
      const after = await readPost(fixture.context, post.id);
      expect(after.targets).toHaveLength(2);
      for (const target of after.targets) expect(target.preparation).toBeUndefined();
    });

    it('prepares those of an earlier release again, which did not note when they were prepared', async () => {
      const { post, targets } = await preparedPost();
      for (const target of targets) await changeTarget(table, target, { preparingSince: null });
      await editPost(fixture.context, post.id, { scheduledFor: inTwoHours });
      for (const target of (await readPost(fixture.context, post.id)).targets)
        expect(target.preparation).toBeUndefined();
    });

    it('prepares again those whose text it changes', async () => {
      const { post, targets } = await preparedPost();
      await editPost(fixture.context, post.id, { content: 'New' });
      const after = await readPost(fixture.context, post.id);
      const prepared = after.targets.filter((target) => target.preparation !== undefined);
      expect(prepared).toEqual(targets.filter(({ content }) => content === 'Own'));
    });

    it('makes a late destination due now if a request changes its text, so that it is neither missed nor late', async () => {
      const { post } = await preparedPost();
      const later = { ...fixture.context, now: Date.parse(inTwoHours) };
      await editPost(later, post.id, { content: 'New' });
      const after = await readPost(later, post.id);
      const times = after.targets.map(({ content = 'New', scheduledFor }) => [content, scheduledFor]);
      expect(Object.fromEntries(times)).toEqual({ New: inTwoHours, Own: inOneHour });
      expect(after.post.scheduledFor).toBe(inOneHour);
    });

    it('cannot have their chain changed once one of them is live, even if the post does not show it yet', async () => {
      const step = { kind: 'crossPost', accountIds: [fixture.third.id], afterMinutes: 10 };
      const { post, targets } = await preparedPost({ chain: [step] });
      const [target] = targets;
      if (!target) throw new Error('no target');
      const { table: real } = fixture.context;
      const slow = {
        ...real,
        client: Object.assign(Object.create(real.client), {
          async send(command: never) {
            // The target goes live after the edit has read it.
            if (String((command as object).constructor.name) === 'TransactWriteCommand')
              await changeTarget(table, target, { status: 'published', wakeAt: null }).catch(() => undefined);
            return real.client.send(command);
          },
        }),
      };
      const patch = EditPostBody.parse({ chain: [{ ...step, afterMinutes: 20 }] });
      await expect(editPost({ ...fixture.context, table: slow }, post.id, patch)).rejects.toMatchObject({
        code: 'post_live',
      });
    });

    it('keeps the time of a late destination', async () => {
      const before = await preparedPost();
      const later = { ...fixture.context, now: Date.parse(inTwoHours) };
      await editPost(later, before.post.id, { metadata: { campaign: 'spring' } });
      const after = await readPost(later, before.post.id);
      expect(after.targets).toEqual(before.targets);
      expect(after.post.scheduledFor).toBe(inOneHour);
    });
  });

  it('keeps the fields that the request does not contain', async () => {
    const { post, targets } = await fixture.create({
      scheduledFor: inOneHour,
      platforms: [
        { accountId: fixture.instagram.id, customContent: 'Own', platformSpecificData: { altText: 'A' } },
      ],
    });
    await editPost(fixture.context, post.id, { content: 'New' });
    const found = await readPost(fixture.context, post.id);
    expect(found.post).toMatchObject({ scheduledFor: inOneHour, mediaItems: post.mediaItems });
    expect(found.targets).toMatchObject([
      { content: 'Own', options: { altText: 'A' }, wakeAt: targets[0]?.wakeAt },
    ]);
  });

  it('becomes a draft without a wake', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    await editPost(fixture.context, post.id, { scheduledFor: null });
    const found = await readPost(fixture.context, post.id);
    expect(found.post.status).toBe('draft');
    expect(found.targets[0]).not.toHaveProperty('wakeAt');
  });

  it('takes all concurrent edits, one after the other', async () => {
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    await Promise.all(['A', 'B', 'C'].map((content) => editPost(fixture.context, post.id, { content })));
    const found = await readPost(fixture.context, post.id);
    expect(found.post.version).toBe(4);
    expect(found.targets[0]?.wakeNumber).toBe(4);
  });

  it('has no destination that a worker of a removed one could take for it', async () => {
    const both = [{ accountId: fixture.instagram.id }, { accountId: fixture.second.id }];
    const { post, targets } = await fixture.create({ scheduledFor: inOneHour, platforms: both });
    const [seen] = targets;
    if (!seen) throw new Error('no target');
    await editPost(fixture.context, post.id, { platforms: both.slice(1) });
    await editPost(fixture.context, post.id, { platforms: both, content: 'New' });
    const changed = updateTarget(table, seen, { status: 'publishing' }, 'w');
    await expect(changed).rejects.toThrow(LeaseLostError);
    const [back] = (await readPost(fixture.context, post.id)).targets.filter(
      ({ accountId }) => accountId === seen.accountId,
    );
    expect(back?.wakeNumber).toBeGreaterThan(seen.wakeNumber);
  });

  it.each<PostStatus>(['publishing', 'published', 'partial', 'failed'])(
    'cannot be one that is %s',
    async (status) => {
      const id = await postIn(status, {}, [callThatEnded('refused')]);
      await expect(editPost(fixture.context, id, { content: 'x' })).rejects.toMatchObject({
        code: refusalIn[status],
      });
    },
  );
});

describe('a deleted post', () => {
  it.each<PostStatus>(['draft', 'scheduled', 'failed'])(
    'is not found any more if it was %s',
    async (status) => {
      const id = await postIn(status);
      await removePost(fixture.context, id);
      await expect(readPost(fixture.context, id)).rejects.toMatchObject(notFound);
      await expect(removePost(fixture.context, id)).rejects.toMatchObject(notFound);
    },
  );

  it.each<PostStatus>(['publishing', 'published', 'partial'])('cannot be one that is %s', async (status) => {
    const id = await postIn(status);
    await expect(removePost(fixture.context, id)).rejects.toMatchObject({ code: refusalIn[status] });
    await readPost(fixture.context, id);
  });

  it('cannot be one that begins to go live while it is deleted', async () => {
    const { post, targets } = await fixture.create({ scheduledFor: inOneHour });
    const [target] = targets;
    if (!target) throw new Error('no target');
    const begin = once(() => changeTarget(table, target, { status: 'publishing' }));
    const racing = beforeTransactions(table, begin);
    await expect(removePost({ ...fixture.context, table: racing }, post.id)).rejects.toMatchObject({
      code: 'post_publishing',
    });
    expect((await readPost(fixture.context, post.id)).targets).toMatchObject([{ status: 'publishing' }]);
  });

  it('releases its idempotency key', async () => {
    const { post } = await fixture.create({ idempotencyKey: 'again' });
    await removePost(fixture.context, post.id);
    expect(await fixture.create({ idempotencyKey: 'again' })).toMatchObject({ replayed: false });
  });

  it('does not release a key that has expired and that another post has taken', async () => {
    const old = await fixture.create({ idempotencyKey: 'taken' });
    const later = startMs + 31 * dayMs;
    const newer = await fixture.create({ idempotencyKey: 'taken' }, {}, later);
    await removePost({ ...fixture.context, now: later }, old.post.id);
    expect(await fixture.create({ idempotencyKey: 'taken' }, {}, later)).toMatchObject({
      replayed: true,
      post: { id: newer.post.id },
    });
  });

  it('cannot be one of another workspace, which stays unchanged', async () => {
    const { post } = await fixture.create();
    const other = await openFixture(table);
    await expect(removePost(other.context, post.id)).rejects.toMatchObject(notFound);
    await expect(editPost(other.context, post.id, { content: 'x' })).rejects.toMatchObject(notFound);
    await expect(retryPost(other.context, post.id)).rejects.toMatchObject(notFound);
    await readPost(fixture.context, post.id);
  });
});

describe('an edited post', () => {
  it('keeps the records of earlier last calls', async () => {
    const id = await postIn('scheduled', {}, [callThatEnded('absent')]);
    await editPost(fixture.context, id, { content: 'Changed while it waits for another try' });
    const { targets } = await readPost(fixture.context, id);
    expect(targets).toMatchObject([{ calls: [{ outcome: 'absent', token: { container: '1' } }] }]);
  });

  it('keeps them for a destination that one change removes and a later one brings back', async () => {
    const id = await postIn('scheduled', {}, [callThatEnded('absent')]);
    const withTargets = (...accounts: readonly Account[]) =>
      EditPostBody.parse({ platforms: accounts.map((account) => ({ accountId: account.id })) });
    await editPost(fixture.context, id, withTargets(fixture.second));
    await editPost(fixture.context, id, { content: 'Another change in between' });
    await editPost(fixture.context, id, withTargets(fixture.second, fixture.instagram));
    const { targets } = await readPost(fixture.context, id);
    const restored = targets.find(({ accountId }) => accountId === fixture.instagram.id);
    expect(restored?.calls).toEqual([callThatEnded('absent')]);
    expect(targets.find(({ accountId }) => accountId === fixture.second.id)?.calls).toBeUndefined();
  });
});

describe('a retried post', () => {
  it('has its failed target due now, with a new wake and without its error', async () => {
    const id = await postIn('failed');
    const now = startMs + 5_000;
    await retryPost({ ...fixture.context, now }, id);
    const { targets } = await readPost(fixture.context, id);
    expect(targets).toMatchObject([
      { status: 'scheduled', wakeAt: toTimestamp(now), wakeNumber: 2, failures: 0 },
    ]);
    expect(targets[0]).not.toHaveProperty('error');
  });

  it('is refused after 200 last calls, so that their records fit into the item', async () => {
    const id = await postIn(
      'failed',
      {},
      Array.from({ length: 200 }, () => callThatEnded('refused')),
    );
    await expect(retryPost(fixture.context, id)).rejects.toMatchObject({ code: 'retries_exhausted' });
    const { targets } = await readPost(fixture.context, id);
    expect(targets).toMatchObject([{ status: 'failed' }]);
  });

  it('first looks up a last call of unknown outcome', async () => {
    const id = await postIn('failed', {}, [callThatEnded('unknown')]);
    await retryPost(fixture.context, id);
    const { targets } = await readPost(fixture.context, id);
    expect(targets).toMatchObject([{ status: 'publishing', calls: [{ outcome: 'unknown' }] }]);
  });

  it.each(['refused', 'absent', 'dismissed'] as const)(
    'is prepared again after a last call that is %s, and keeps its record',
    async (outcome) => {
      const id = await postIn('failed', {}, [callThatEnded(outcome)]);
      await retryPost(fixture.context, id);
      const { targets } = await readPost(fixture.context, id);
      expect(targets).toMatchObject([{ status: 'scheduled', calls: [{ outcome }] }]);
    },
  );

  it('is retried once if several requests ask for it concurrently', async () => {
    const id = await postIn('failed');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => retryPost(fixture.context, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await readPost(fixture.context, id)).targets[0]?.wakeNumber).toBe(2);
  });

  it.each<PostStatus>(['draft', 'scheduled', 'publishing', 'published', 'partial'])(
    'cannot be one that is %s',
    async (status) => {
      await expect(retryPost(fixture.context, await postIn(status))).rejects.toMatchObject({
        code: 'nothing_to_retry',
      });
    },
  );
});
