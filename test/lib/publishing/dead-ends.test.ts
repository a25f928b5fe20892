import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { resolveTarget } from '../../../lib/posts/resolve.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { removed } from '../../../lib/table/update.ts';
import { claimForCertain } from '../../../lib/targets/live-posts.ts';
import { actOf } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, listOnly, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const verbs = ({ platform }: Fixture): string => platform.calls.map(({ verb }) => verb).join(' ');
const unknown = () => new PlatformError('unknown', 'no answer');

/** A person retries the post. */
async function retry(fixture: Fixture): Promise<void> {
  fixture.platform.calls.length = 0;
  await retryPost(contextOf(fixture), fixture.message.postId);
}

const contextOf = ({ message: { workspaceId }, clock }: Fixture) => ({
  table,
  workspaceId,
  now: clock.time,
  ...actOf('key'),
  cursorSecret: 'secret',
});

describe('a post that is not live by the word of a person', () => {
  const unseen = async (isResolved: boolean) => {
    const fixture = await openFixture(table);
    fixture.platform.rule = listOnly;
    fixture.platform.script.goLive = [unknown()];
    await fixture.runToEnd();
    const { postId, accountId } = fixture.message;
    if (isResolved) await resolveTarget(contextOf(fixture), postId, accountId, { outcome: 'not live' });
    await retry(fixture);
    return fixture;
  };

  it.each([
    [true, 'prepare goLive finish'],
    [false, 'lookUp prepare goLive finish'],
  ])(
    'is published again by a retry, which asks the platform first only without that word (%s)',
    async (isResolved, calls) => {
      const fixture = await unseen(isResolved);
      expect(await fixture.runToEnd()).toMatchObject({
        status: 'published',
        calls: [{ outcome: 'dismissed' }, { outcome: 'live' }],
      });
      expect(verbs(fixture)).toBe(calls);
      expect(fixture.platform.ledger).toHaveLength(1);
    },
  );

  it('is live if it appears late and a lookup of the next call finds it', async () => {
    const fixture = await unseen(true);
    const { script } = fixture.platform;
    script.goLive = [unknown()];
    const post = { platformPostId: 'late', permalink: null, isFinished: true, publishedMs: startMs };
    script.lookUp = [{ state: 'live', post }];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'late' });
  });
});

describe('a retry long after a call that can take effect only once', () => {
  it('makes the call again, although its six hours are over', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [unknown()];
    fixture.platform.script.lookUp = [new PlatformError('reauthorise', 'the token is dead')];
    expect((await fixture.runToEnd()).error).toMatch(/^outcome unknown/);
    fixture.clock.time += dayMs;
    await retry(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(verbs(fixture)).toBe('lookUp goLive finish');
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('repeats it once; the next retry prepares and makes a new call', async () => {
    const fixture = await openFixture(table);
    const { script } = fixture.platform;
    script.goLive = [unknown(), new PlatformError('rejected', 'the container cannot be published')];
    script.lookUp = [new PlatformError('reauthorise', 'the token is dead')];
    await fixture.runToEnd();
    fixture.clock.time += dayMs;
    await retry(fixture);
    expect((await fixture.runToEnd()).error).toMatch(/^outcome unknown/);
    expect(verbs(fixture).match(/prepare|goLive/g)).toEqual(['goLive']);
    await retry(fixture);
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      calls: [{ outcome: 'dismissed' }, { outcome: 'dismissed' }, { outcome: 'live' }],
    });
    expect(verbs(fixture)).toBe('lookUp prepare goLive finish');
  });
});

describe('a call that the platform never finishes processing', () => {
  const stuck = async () => {
    const fixture = await openFixture(table);
    fixture.platform.rule = listOnly;
    fixture.platform.script.goLive = [unknown()];
    fixture.platform.adapter.lookUp = async (job) => {
      fixture.platform.calls.push({ verb: 'lookUp', job });
      return { state: 'processing', waitSeconds: 60 };
    };
    await fixture.runToEnd();
    return fixture;
  };

  it('ends as unknown, and says that it may still go live', async () => {
    const fixture = await stuck();
    expect((await fixture.find()).error).toMatch(
      /^outcome unknown: check .* \(the platform has accepted the post and is still processing it\)$/,
    );
  });

  it('is not made again by a retry, because it may still go live', async () => {
    const fixture = await stuck();
    await retry(fixture);
    expect((await fixture.runToEnd()).error).toMatch(/still processing/);
    expect(verbs(fixture)).toBe('lookUp');
  });

  it('is made again by a retry a day later', async () => {
    const fixture = await stuck();
    fixture.clock.time += dayMs;
    await retry(fixture);
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      calls: [{ outcome: 'dismissed' }, { outcome: 'live' }],
    });
    expect(fixture.platform.ledger).toHaveLength(1);
  });
});

it('a post that the platform names as the result of the call is live, although the response to another one has named it, too', async () => {
  const fixture = await openFixture(table);
  const { workspaceId, accountId } = fixture.message;
  const theirs = { platform: 'instagram', workspaceId, accountId, postId: newId(startMs) };
  await claimForCertain(table, { ...theirs, platformPostId: 'post-1' }, startMs);
  fixture.platform.script.goLive = ['reply lost'];
  const target = await fixture.runToEnd();
  expect(target).toMatchObject({ status: 'published', publishedAt: at(0) });
  expect(target).not.toHaveProperty('platformPostId');
  expect(fixture.errors).toHaveLength(1);
});

it('a found post counts as published no earlier than its call', async () => {
  const fixture = await openFixture(table);
  fixture.platform.script.goLive = [unknown()];
  const post = {
    platformPostId: 'p',
    permalink: 'https://p',
    isFinished: true,
    publishedMs: startMs - 20_000,
  };
  fixture.platform.script.lookUp = [{ state: 'live', post }];
  expect(await fixture.runToEnd()).toMatchObject({ status: 'published', publishedAt: at(0) });
});

it('the last call is left to the next worker if this one could end before it', async () => {
  const fixture = await openFixture(table);
  const { adapter, script } = fixture.platform;
  const prepare = adapter.prepare.bind(adapter);
  adapter.prepare = async (job, tools) => {
    fixture.clock.time += 270_000;
    return prepare(job, tools);
  };
  script.goLive = [unknown()];
  await fixture.deliver();
  expect(verbs(fixture)).toBe('prepare');
  expect(await fixture.find()).toMatchObject({ status: 'scheduled', wakeAt: at(270_000) });
  adapter.prepare = prepare;
  script.goLive = [];
  await fixture.deliver(messageOf(await fixture.find()));
  expect(await fixture.status()).toBe('published');
});

it('a retry of a target that an earlier release reported as unknown looks once, and then makes the call', async () => {
  const fixture = await openFixture(table);
  fixture.platform.rule = listOnly;
  const { workspaceId, postId, accountId } = fixture.message;
  const former = {
    status: 'failed',
    intentAt: at(-dayMs),
    wakeAt: removed,
    dueAt: removed,
    dueShard: removed,
  };
  await updateItem(table, targetKey(workspaceId, postId, accountId), { set: former, if: { pk: present } });
  await retry(fixture);
  expect(await fixture.runToEnd()).toMatchObject({
    status: 'published',
    calls: [{ outcome: 'dismissed' }, { outcome: 'live' }],
  });
  expect(verbs(fixture)).toBe('lookUp prepare goLive finish');
});

it('finishing ends with the reason if the id that it learns certainly belongs to another destination', async () => {
  const fixture = await openFixture(table);
  const { workspaceId, accountId } = fixture.message;
  const theirs = { platform: 'instagram', workspaceId, accountId, postId: newId(startMs) };
  await claimForCertain(table, { ...theirs, platformPostId: 'theirs' }, startMs);
  fixture.platform.script.goLive = [{ platformPostId: null, permalink: null }];
  fixture.platform.adapter.finish = async () => ({
    state: 'done',
    post: { platformPostId: 'theirs', permalink: 'https://p' },
  });
  expect(await fixture.runToEnd()).toMatchObject({
    status: 'published',
    error: expect.stringContaining('another destination has claimed'),
  });
  expect(fixture.clock.time).toBe(startMs);
});

it('nothing is prepared while a call is unsettled, even if an earlier release has scheduled the target again', async () => {
  const call = { intentAt: at(-60_000), token: {}, endedAt: at(-30_000), lookups: 0, misses: 0 };
  const fixture = await openFixture(table, { target: { calls: [{ ...call, outcome: 'open' }] } });
  fixture.platform.script.lookUp = [
    { state: 'live', post: { platformPostId: 'late', permalink: null, isFinished: true } },
  ];
  expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'late' });
  expect(verbs(fixture)).toBe('lookUp');
});
