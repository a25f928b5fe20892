import { beforeEach, describe, expect, it } from 'vitest';
import { endConnection } from '../../../lib/accounts/connection-store.ts';
import { findAccount } from '../../../lib/accounts/store.ts';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { resolveTarget } from '../../../lib/posts/resolve.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { unpublishPost } from '../../../lib/posts/unpublish.ts';
import { disproveLive } from '../../../lib/publishing/disprove.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { postKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimForCertain } from '../../../lib/targets/live-posts.ts';
import { markRemoved } from '../../../lib/targets/mark-removed.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { actOf, operatorAct } from '../../support/acts.ts';
import { changeTarget, startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { type Fixture, openFixture as open } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const live = {
  platform: 'facebook',
  status: 'published',
  platformPostId: '1_1',
  permalink: 'https://platform.example/p/1',
  publishedAt: toTimestamp(startMs - hourMs),
  wakeAt: undefined,
} as const satisfies Partial<Target>;

const openFixture = (target: Partial<Target> = {}, account: object = {}) =>
  open(table, { target: { ...live, ...target }, account: { platform: 'facebook', ...account } });

const contextOf = ({ message: { workspaceId }, clock }: Fixture) => ({
  table,
  workspaceId,
  now: clock.time,
  ...actOf('key'),
  cursorSecret: 'secret',
  stageFeatures: {},
});
const unpublish = (fixture: Fixture) => unpublishPost(contextOf(fixture), fixture.message.postId, {});
const removals = ({ platform }: Fixture) => platform.deletions.length;
const published = ({ platform }: Fixture) => platform.ledger.length;
const stepsOf = ({ timeline }: Target) => timeline.map(({ event, laterEvent = event }) => laterEvent);

const refused = () => new PlatformError('rejected', 'the platform refused it');
const down = () => new PlatformError('retry', 'the platform is down', { status: 503 });

describe('taking a live target down', () => {
  it('deletes its post once, and leaves its status as it is', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const target = await fixture.runToEnd();
    expect(fixture.platform.deleted).toEqual(['1_1']);
    expect(target).toMatchObject({
      status: 'published',
      platformPostId: '1_1',
      removedAt: expect.any(String),
      removal: { state: 'removed', by: 'service', gone: ['1_1'] },
    });
    expect(target.leaseUntil).toBeUndefined();
    expect(stepsOf(target).slice(-3)).toEqual(['removal requested', 'removing', 'removed']);
  });

  it('commits the intent before the call', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const seen: (string[] | undefined)[] = [];
    const { adapter } = fixture.platform;
    const removePost = async () => {
      seen.push((await fixture.find()).removal?.intended);
      return 'deleted' as const;
    };
    const ports = { ...fixture.ports, adapterFor: () => ({ ...adapter, removePost }) };
    await fixture.deliver(messageOf(await fixture.find()), 300, ports);
    expect(seen).toEqual([['1_1']]);
  });

  it('takes the wake of a target that is not finished, so that no first comment follows', async () => {
    const fixture = await openFixture({ wakeAt: toTimestamp(startMs), wakeNumber: 7 });
    const waiting = messageOf(await fixture.find());
    await unpublish(fixture);
    expect(await fixture.deliver(waiting)).toBe('obsolete');
    await fixture.runToEnd();
    expect(fixture.platform.calls).toEqual([]);
    expect(fixture.platform.deleted).toEqual(['1_1']);
  });

  it.each<[string, () => 'reply lost' | PlatformError, number]>([
    ['was lost', () => 'reply lost', 2],
    ['was an error that may be tried again', down, 2],
    ['was a rate limit', () => new PlatformError('retry', 'slow down', { status: 429 }), 2],
    [
      'was a daily limit',
      () => new PlatformError('retry', 'no more today', { isDailyLimit: true, retryAfterSeconds: 3_600 }),
      2,
    ],
  ])('repeats a call whose response %s', async (_what, answer, calls) => {
    const fixture = await openFixture();
    fixture.platform.script.removePost = [answer()];
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ removal: { state: 'removed', by: 'service' } });
    expect(removals(fixture)).toBe(calls);
    expect(fixture.platform.deleted).toEqual(['1_1']);
  });

  it('shows why it waits, and until when, and forgets that afterwards', async () => {
    const fixture = await openFixture();
    fixture.platform.script.removePost = [down()];
    await unpublish(fixture);
    await fixture.deliver(messageOf(await fixture.find()));
    const { removal, wakeAt, error } = await fixture.find();
    expect(removal).toMatchObject({
      state: 'requested',
      error: 'trying again: the platform is down',
      errorDetail: { code: 'platform_unavailable', retryAt: wakeAt },
    });
    expect(error).toBeUndefined();
    expect((await fixture.runToEnd()).removal).not.toHaveProperty('error');
  });

  it('gives up after six hours of failures, and tries again when it is asked to', async () => {
    const fixture = await openFixture();
    fixture.platform.script.removePost = Array.from({ length: 1_000 }, down);
    await unpublish(fixture);
    const target = await fixture.runToEnd({ maxWakes: 1_000 });
    expect(target).toMatchObject({
      status: 'published',
      removal: { state: 'failed', errorDetail: { code: 'platform_unavailable' } },
    });
    expect(target.removedAt).toBeUndefined();
    expect(fixture.clock.time).toBeLessThan(startMs + 6 * hourMs + minuteMs);
    fixture.platform.script.removePost = [];
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ removal: { state: 'removed' } });
  });

  it('ends with the reason of the platform if it refuses', async () => {
    const fixture = await openFixture();
    fixture.platform.script.removePost = [refused()];
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      removal: {
        state: 'failed',
        error: 'the platform refused it',
        errorDetail: { code: 'platform_rejected' },
      },
    });
    expect(removals(fixture)).toBe(1);
  });

  it('says that somebody else has deleted the post, if the first call finds nothing', async () => {
    const fixture = await openFixture();
    fixture.platform.script.removePost = ['gone'];
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ removal: { state: 'removed', by: 'person' } });
  });

  it('looks again if the platform does not know a post that has just gone live', async () => {
    const fixture = await openFixture({ publishedAt: toTimestamp(startMs - 1) });
    fixture.platform.script.removePost = ['gone'];
    await unpublish(fixture);
    await fixture.runToEnd();
    expect(fixture.platform.deleted).toEqual(['1_1']);
  });

  it('believes the platform after some minutes', async () => {
    const fixture = await openFixture({ publishedAt: toTimestamp(startMs - 1) });
    fixture.platform.script.removePost = Array.from({ length: 1_000 }, () => 'gone' as const);
    await unpublish(fixture);
    const { removal } = await fixture.runToEnd({ maxWakes: 100 });
    expect(removal).toMatchObject({ state: 'removed', by: 'service' });
    expect(fixture.clock.time).toBeLessThan(startMs + 15 * minuteMs);
  });

  it('says that it has deleted the post itself, if a crashed worker was about to', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const crash = new Promise<never>(() => {});
    const removePost = async (): Promise<'deleted'> => {
      fixture.platform.deleted.push('1_1');
      return crash;
    };
    const ports = {
      ...fixture.ports,
      adapterFor: () => ({ ...fixture.platform.adapter, removePost }),
    };
    void fixture.deliver(messageOf(await fixture.find()), 300, ports);
    while ((await fixture.find()).removal?.intended === undefined) await Promise.resolve();
    await Promise.resolve();
    expect(await fixture.runToEnd()).toMatchObject({ removal: { state: 'removed', by: 'service' } });
  });

  it('fails if the account must be connected again', async () => {
    const fixture = await openFixture({}, { status: 'expired', statusMessage: 'the token was revoked' });
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({
      removal: { state: 'failed', errorDetail: { code: 'account_expired' } },
    });
    expect(removals(fixture)).toBe(0);
  });

  it('fails if the account was disconnected meanwhile', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const { accountId, workspaceId } = await fixture.find();
    const account = await findAccount(table, workspaceId, accountId);
    if (!account) throw new Error('no account');
    await endConnection(table, account, fixture.clock.time, []);
    expect(await fixture.runToEnd()).toMatchObject({
      removal: { state: 'failed', errorDetail: { code: 'account_disconnected' } },
    });
  });

  it('marks the account if its token is refused', async () => {
    const fixture = await openFixture();
    fixture.platform.script.removePost = [new PlatformError('reauthorise', 'the token was revoked')];
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({
      removal: { state: 'failed', errorDetail: { code: 'account_expired' } },
    });
    expect(fixture.marks).toEqual(['expired: the token was revoked [while deleting a post]']);
  });

  it('does not wait for the end of a pause, which is of publishing', async () => {
    const fixture = await openFixture();
    const { workspaceId } = fixture.message;
    const operator = { table, now: startMs, ...operatorAct('pause.begin') };
    await putPause(operator, { scope: { kind: 'workspace', workspaceId }, reason: 'an incident' });
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ removal: { state: 'removed' } });
  });

  it('ends after six hours if it crashes every worker', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const target = await fixture.find();
    await changeTarget(table, target, { takes: 11, takenSince: toTimestamp(startMs - 7 * hourMs) });
    expect(await fixture.deliver(messageOf(target))).toBe('given up');
    expect(await fixture.find()).toMatchObject({
      status: 'published',
      removal: { state: 'failed', errorDetail: { code: 'internal' } },
    });
  });
});

describe('a post that is another target’s', () => {
  it('is not deleted once its owner is proven', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const other = { workspaceId: newId(startMs), postId: newId(startMs), accountId: newId(startMs) };
    await claimForCertain(table, { platform: 'facebook', platformPostId: '1_1', ...other }, startMs);
    expect(await fixture.runToEnd()).toMatchObject({
      removal: { state: 'failed', errorDetail: { code: 'outcome_unknown' } },
    });
    expect(fixture.platform.deleted).toEqual([]);
  });

  it('ends the removal of the target that was taken for its owner', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const { workspaceId, postId, accountId, platform } = await fixture.find();
    const record = { platform, platformPostId: '1_1', workspaceId, postId, accountId };
    await disproveLive({ table, now: () => startMs, uniqueId: () => 'write' }, record);
    expect(await fixture.find()).toMatchObject({ status: 'failed', removal: { state: 'failed' } });
    await expect(retryPost(contextOf(fixture), postId)).rejects.toThrow('no destination');
  });
});

describe('a target that was taken down', () => {
  it('is never published again', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    await fixture.runToEnd();
    await expect(retryPost(contextOf(fixture), fixture.message.postId)).rejects.toThrow('no destination');
    expect(published(fixture)).toBe(0);
  });

  it.each(['scheduled', 'publishing', 'published', 'partial'] as const)(
    'has no work left, even if it were %s',
    async (status) => {
      const removal = { state: 'removed', by: 'service' } as const;
      const fixture = await openFixture({ status, removal, wakeAt: toTimestamp(startMs) });
      expect(await fixture.deliver()).toBe('lost');
      expect(fixture.platform.calls).toEqual([]);
    },
  );

  it('is left alone by a repeated request', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    const requested = await fixture.find();
    fixture.clock.time += minuteMs;
    await unpublish(fixture);
    expect(await fixture.find()).toEqual(requested);
    const removed = await fixture.runToEnd();
    await unpublish(fixture);
    expect(await fixture.find()).toEqual(removed);
    expect(removals(fixture)).toBe(1);
  });

  it('gets another wake if an earlier release has ended its own', async () => {
    const fixture = await openFixture();
    await unpublish(fixture);
    await changeTarget(table, await fixture.find(), { wakeAt: undefined });
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ removal: { state: 'removed' } });
  });
});

describe('a thread that is taken down', () => {
  const parts = ['1_1', '1_2', '1_3'].map((platformPostId) => ({
    platformPostId,
    permalink: `https://platform.example/${platformPostId}`,
    publishedAt: live.publishedAt,
  }));
  const thread = ['Two', 'Three'].map((content) => ({ content, mediaItems: [] }));

  it('loses all its parts, the last one first', async () => {
    const fixture = await openFixture({ thread, parts });
    await unpublish(fixture);
    const target = await fixture.runToEnd();
    expect(fixture.platform.deleted).toEqual(['1_3', '1_2', '1_1']);
    expect(target).toMatchObject({ status: 'published', removal: { state: 'removed', by: 'service' } });
    expect(stepsOf(target).filter((step) => step === 'part removed')).toHaveLength(2);
  });

  it('says what is left if a part cannot be deleted', async () => {
    const fixture = await openFixture({ thread, parts });
    fixture.platform.script.removePost = ['deleted', refused()];
    await unpublish(fixture);
    expect(await fixture.runToEnd()).toMatchObject({
      removal: {
        state: 'failed',
        error: 'the platform refused it (2 of 3 parts are still live)',
        gone: ['1_3'],
      },
    });
  });

  it('does not continue if it is live in part', async () => {
    const fixture = await openFixture({ status: 'partial', thread, parts: parts.slice(0, 1) });
    await unpublish(fixture);
    await expect(retryPost(contextOf(fixture), fixture.message.postId)).rejects.toThrow('no destination');
    expect(await fixture.runToEnd()).toMatchObject({ status: 'partial', removal: { state: 'removed' } });
    await expect(retryPost(contextOf(fixture), fixture.message.postId)).rejects.toThrow('no destination');
    expect(published(fixture)).toBe(0);
  });

  it('does not continue because a person says that a part is live after all', async () => {
    const call: CallRecord = {
      intentAt: toTimestamp(startMs - hourMs),
      endedAt: toTimestamp(startMs - hourMs),
      token: {},
      outcome: 'unknown',
      lookups: 2,
      misses: 2,
    };
    const fixture = await openFixture({
      ...{ status: 'partial', thread, parts: parts.slice(0, 1), calls: [call] },
    });
    await markRemoved(table, await fixture.find(), fixture.clock.time, 'write');
    const { postId, accountId } = fixture.message;
    const verdict = { outcome: 'live', permalink: 'https://platform.example/2' } as const;
    await resolveTarget(contextOf(fixture), postId, accountId, verdict);
    const target = await fixture.find();
    expect(target.wakeAt).toBeUndefined();
    expect(target.status).toBe('published');
  });
});

describe('a step of the chain of a post that was taken down', () => {
  const child = async (changes: Partial<Target>[]) => {
    const fixture = await open(table, {});
    const { workspaceId, postId } = fixture.message;
    const parent = await storePost(
      table,
      workspaceId,
      changes.map((each) => ({ ...live, accountId: newId(startMs), ...each })),
    );
    await rollUpPost(table, workspaceId, parent.post.id, startMs);
    const set = { parentPostId: parent.post.id };
    await updateItem(table, postKey(workspaceId, postId), { set, if: {} });
    return fixture;
  };
  const removal = { state: 'requested', by: 'service' } as const;

  it('is not published', async () => {
    const fixture = await child([{ removal }, { status: 'failed' }]);
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      errorDetail: { code: 'taken_down' },
    });
    expect(published(fixture)).toBe(0);
  });

  it('is published while another destination is live', async () => {
    const fixture = await child([{ removal }, {}]);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });
});
