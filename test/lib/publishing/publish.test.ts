import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { PrepareStep, PublishJob } from '../../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { PlatformRequest } from '../../../lib/platforms/contract/http.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { resolveTarget } from '../../../lib/posts/resolve.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { ResolveTargetBody } from '../../../lib/posts/verdict.ts';
import { disproveLive } from '../../../lib/publishing/disprove.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { deleteItem, getItem, putItem } from '../../../lib/table/items.ts';
import { formerKeyOfLivePost, mediaKey, postKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimLivePost, findLivePost } from '../../../lib/targets/live-posts.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { actOf } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { isCertainRead } from '../../support/certain-read.ts';
import { stopTime } from '../../support/stopped-time.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, listOnly, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const lastCall = async (fixture: Fixture) => (await fixture.find()).calls?.at(-1);
const verbs = ({ platform }: Fixture): string => platform.calls.map(({ verb }) => verb).join(' ');
const unknown = () => new PlatformError('unknown', 'it failed, says the platform', { status: 500 });

describe('a target that is due', () => {
  it('is prepared, made live, and finished', async () => {
    const fixture = await openFixture(table);
    expect(await fixture.deliver()).toBe('worked');
    expect(verbs(fixture)).toBe('prepare goLive finish');
    expect(await fixture.find()).toMatchObject({
      status: 'published',
      platformPostId: 'post-1',
      permalink: 'https://platform.example/p/1',
      publishedAt: at(0),
      preparation: { containerId: 'c1' },
    });
    expect(await fixture.find()).not.toHaveProperty('wakeAt');
    expect(await fixture.find()).not.toHaveProperty('error');
  });

  it('gives the adapter all that it needs', async () => {
    const fixture = await openFixture(table, {
      target: { content: 'Own', options: { altText: 'A' } },
      account: { username: 'me', meta: { pageId: '5' } },
    });
    await fixture.deliver();
    expect(fixture.platform.calls[0]?.job).toMatchObject({
      reference: fixture.message.postId,
      account: { platformAccountId: '17841400000000000', username: 'me', meta: { pageId: '5' } },
      accessToken: 'token',
      content: 'Own',
      media: [{ type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000 }],
      options: { altText: 'A' },
      preparation: {},
    });
  });

  it('keeps from the adapter, at every step, the options of other platforms that such a post does not take', async () => {
    const options = { link: 'https://example.com/', title: 'T', altText: 'A' };
    const fixture = await openFixture(table, {
      target: { platform: 'facebook', options },
      account: { platform: 'facebook' },
    });
    await fixture.deliver(undefined, undefined, { ...fixture.ports, rulesFor });
    expect(verbs(fixture)).toBe('prepare goLive finish');
    for (const { job } of fixture.platform.calls) expect(job.options).toEqual({ altText: 'A' });
    expect(await fixture.find()).toMatchObject({ status: 'published', options });
  });

  it('tells the adapter when the work ends, so that it leaves nothing running', async () => {
    const fixture = await openFixture(table);
    const { adapter, calls } = fixture.platform;
    const ended: (boolean | undefined)[] = [];
    const prepare = adapter.prepare.bind(adapter);
    adapter.prepare = (job, tools) => {
      ended.push(job.worker?.ended.aborted);
      return prepare(job, tools);
    };
    await fixture.deliver();
    expect(ended).toEqual([false]);
    expect(calls.map(({ job }) => job.worker?.ended.aborted)).toContain(true);
    expect(calls.every(({ job }) => job.worker?.ended.aborted ?? true)).toBe(true);
  });

  it('goes live once, however many messages come at the same time or later', async () => {
    const fixture = await openFixture(table);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => fixture.deliver()));
    expect(outcomes.filter((outcome) => outcome === 'worked')).toHaveLength(1);
    expect(outcomes.every((outcome) => ['worked', 'held', 'obsolete'].includes(outcome))).toBe(true);
    expect(await fixture.deliver()).toBe('obsolete');
    expect(fixture.platform.ledger).toHaveLength(1);
  });
});

describe('a live post that nobody can see any more', () => {
  it('fails its target, without an id, so that a retry publishes it again', async () => {
    const fixture = await openFixture(table);
    const reason = 'YouTube could not process the video';
    const post = { platformPostId: 'post-1', permalink: 'https://platform.example/p/1' };
    fixture.platform.script.finish = [
      { state: 'waiting', post, preparation: {}, waitSeconds: 600 },
      { state: 'lost', reason },
    ];
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({
      status: 'failed',
      error: reason,
      errorDetail: { code: 'platform_rejected', platformMessage: reason },
    });
    for (const name of ['platformPostId', 'permalink', 'publishedAt', 'calledAt', 'wakeAt'])
      expect(target).not.toHaveProperty(name);
    expect(target.timeline.map(({ event }) => event).slice(-3)).toEqual(['published', 'waiting', 'failed']);
  });
});

describe('a target that is not due yet', () => {
  it('keeps the notes of a step that was interrupted', async () => {
    const fixture = await openFixture(table);
    const adapter = {
      ...fixture.platform.adapter,
      prepare: async ({ note }: PublishJob): Promise<PrepareStep> => {
        await note?.({ isAddSent: true });
        throw new Error('the worker is killed');
      },
    };
    await fixture.deliver(undefined, 300, { ...fixture.ports, adapterFor: () => adapter });
    expect(await fixture.find()).toMatchObject({ preparation: { isAddSent: true } });
  });

  it('sends a message that comes long before its wake back to the queue', async () => {
    const fixture = await openFixture(table, { target: { wakeAt: at(hourMs), scheduledFor: at(hourMs) } });
    expect(await fixture.deliver()).toBe('early');
    expect(fixture.enqueued).toEqual([{ message: { ...fixture.message, sends: 1 }, delaySeconds: 900 }]);
    expect(verbs(fixture)).toBe('');
  });

  it('is prepared ahead of its time, and released until then', async () => {
    const fixture = await openFixture(table, { target: { scheduledFor: at(5 * minuteMs) } });
    await fixture.deliver();
    expect(verbs(fixture)).toBe('prepare');
    expect(await fixture.find()).toMatchObject({
      status: 'scheduled',
      wakeAt: at(5 * minuteMs),
      wakeNumber: 2,
      preparation: { containerId: 'c1' },
    });
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([startMs + 5 * minuteMs]);
  });

  it('waits in place for the last seconds, and goes live on the second', async () => {
    const fixture = await openFixture(table, { target: { scheduledFor: at(2_250), wakeAt: at(0) } });
    await fixture.deliver();
    expect(fixture.platform.ledger).toEqual([startMs + 2_250]);
    expect((await fixture.find()).publishedAt).toBe(at(2_250));
  });

  it('is prepared again before its due time, not at it', async () => {
    const fixture = await openFixture(table, { target: { scheduledFor: at(2_000), wakeAt: at(2_000) } });
    const { adapter } = fixture.platform;
    const prepare = adapter.prepare.bind(adapter);
    adapter.prepare = async (job, tools) => {
      fixture.clock.time += 1_500;
      return prepare(job, tools);
    };
    await fixture.deliver();
    expect(fixture.platform.ledger).toEqual([startMs + 2_000]);
  });

  it('drops a message of an older wake', async () => {
    const fixture = await openFixture(table, { target: { wakeNumber: 7 } });
    expect(await fixture.deliver({ ...fixture.message, wakeNumber: 6 })).toBe('obsolete');
    expect(verbs(fixture)).toBe('');
  });

  it('waits a second for a post that reads do not show yet, and then publishes it', async () => {
    const fixture = await openFixture(table);
    const key = postKey(fixture.message.workspaceId, fixture.message.postId);
    const post = await getItem(table, key);
    await deleteItem(table, key, unconditionally);
    await fixture.deliver();
    await putItem(table, { ...key, ...post }, unconditionally);
    const waiting = await fixture.find();
    expect(waiting).toMatchObject({ status: 'scheduled', wakeAt: at(1_000) });
    expect(waiting.leaseUntil).toBeUndefined();
    fixture.clock.time += 1_000;
    await fixture.deliver(messageOf(waiting));
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('waits a second for an edit that reads of its post do not show yet, and then publishes the new text', async () => {
    const fixture = await openFixture(table, { target: { postVersion: 2 } });
    const key = postKey(fixture.message.workspaceId, fixture.message.postId);
    const before = await getItem(table, key);
    expect(before).toMatchObject({ version: 1 });
    await fixture.deliver();
    const waiting = await fixture.find();
    expect(waiting).toMatchObject({ status: 'scheduled', wakeAt: at(1_000) });
    expect(verbs(fixture)).toBe('');
    await putItem(table, { ...key, ...before, version: 2, content: 'Edited' }, unconditionally);
    fixture.clock.time += 1_000;
    await fixture.deliver(messageOf(waiting));
    expect(fixture.platform.calls[0]?.job.content).toBe('Edited');
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('drops the message of a deleted target', async () => {
    const fixture = await openFixture(table);
    expect(await fixture.deliver({ ...fixture.message, postId: fixture.message.accountId })).toBe('obsolete');
  });
});

describe('preparing', () => {
  it('goes step by step', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [
      { state: 'continue', preparation: { uploaded: 1 } },
      { state: 'waiting', preparation: { uploaded: 2 }, waitSeconds: 1 },
    ];
    await fixture.deliver();
    expect(fixture.platform.calls.slice(0, 3).map(({ job }) => job.preparation)).toEqual([
      {},
      { uploaded: 1 },
      { uploaded: 2 },
    ]);
    expect(fixture.platform.ledger).toEqual([startMs + 1_000]);
  });

  it.each([
    ['in the last 90 seconds before the due time happens at the due time', 20, 100, 100],
    ['before that happens when the platform says', 9, 100, 9],
    ['after the due time happens when the platform says', 120, 100, 120],
  ])('a status check %s', async (_when, waitSeconds, dueSeconds, wakeSeconds) => {
    const fixture = await openFixture(table, {
      target: { scheduledFor: at(dueSeconds * 1_000), wakeAt: at(0) },
    });
    fixture.platform.script.prepare = [{ state: 'waiting', preparation: { looks: 1 }, waitSeconds }];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      wakeAt: at(wakeSeconds * 1_000),
      preparation: { looks: 1 },
    });
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([startMs + Math.max(waitSeconds, dueSeconds) * 1_000]);
  });

  it('writes nothing between status checks in place, and checks in place for a second only', async () => {
    const fixture = await openFixture(table);
    const waiting = (looks: number): PrepareStep => ({
      state: 'waiting',
      preparation: { looks },
      waitSeconds: 1,
    });
    fixture.platform.script.prepare = [1, 2].map(waiting);
    await fixture.deliver();
    expect(fixture.platform.calls).toHaveLength(2);
    const { timeline, preparation, wakeAt } = await fixture.find();
    expect(timeline.map(({ event }) => event)).toEqual(['preparing']);
    expect({ preparation, wakeAt }).toEqual({ preparation: { looks: 2 }, wakeAt: at(2_000) });
  });

  it('leaves a longer wait to the queue', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [{ state: 'waiting', preparation: { uploaded: 1 }, waitSeconds: 30 }];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      wakeAt: at(30_000),
      wakeNumber: 2,
      preparation: { uploaded: 1 },
    });
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([startMs + 30_000]);
  });

  it('counts from its first step, however many workers continue it', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [1, 2, 3].map((uploaded) => ({
      state: 'waiting',
      preparation: { uploaded },
      waitSeconds: 30,
    }));
    expect(await fixture.runToEnd()).toMatchObject({ publishedAt: at(90_000), preparingSince: at(0) });
  });

  it('that never ends is left to later workers, and given up a day after the due time', async () => {
    const fixture = await openFixture(table);
    fixture.platform.adapter.prepare = async () => ({
      state: 'waiting',
      preparation: {},
      waitSeconds: 3_600,
    });
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^missed: it was due at /),
    });
    expect(fixture.clock.time).toBeGreaterThan(startMs + dayMs);
  });

  it('stops when the worker’s time ends', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = Array.from({ length: 50 }, () => ({
      state: 'waiting' as const,
      preparation: {},
      waitSeconds: 3,
    }));
    await fixture.deliver(fixture.message, 60);
    expect(fixture.clock.time).toBeLessThan(startMs + 60_000);
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', wakeNumber: 2 });
  });

  it('that is refused fails the target with the platform’s message', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [new PlatformError('rejected', 'Instagram: too dark (9004)')];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({ status: 'failed', error: 'Instagram: too dark (9004)' });
    expect(fixture.platform.ledger).toEqual([]);
  });

  it('that fails transiently is retried until it succeeds', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [
      new PlatformError('retry', 'busy', { retryAfterSeconds: 120 }),
      new PlatformError('unknown', 'no answer'),
      new TypeError('an internal error'),
    ];
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'published', failures: 3, firstFailureAt: at(0) });
    expect(fixture.platform.ledger[0]).toBeGreaterThan(startMs + 120_000);
    expect(fixture.errors).toHaveLength(1);
  });

  it('that fails transiently continues where its error says', async () => {
    const fixture = await openFixture(table);
    const preparation = { renewals: 1 };
    fixture.platform.script.prepare = [
      { state: 'continue', preparation: { containerId: 'broken' } },
      new PlatformError('retry', 'the download failed', { preparation }),
      new PlatformError('retry', 'busy'),
    ];
    await fixture.runToEnd();
    expect(fixture.platform.calls[2]?.job.preparation).toEqual(preparation);
    expect(fixture.platform.calls[3]?.job.preparation).toEqual(preparation);
  });

  it('that always fails is given up after six hours', async () => {
    const fixture = await openFixture(table);
    fixture.platform.adapter.prepare = async () => {
      throw new PlatformError('retry', 'busy');
    };
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'failed', error: 'busy (given up after 6 hours)' });
    expect(fixture.clock.time).toBeLessThanOrEqual(startMs + 6 * hourMs);
  });
});

describe('the last call', () => {
  it('is made after its intent is committed', async () => {
    const fixture = await openFixture(table);
    let seen: unknown;
    const { adapter } = fixture.platform;
    const goLive = adapter.goLive.bind(adapter);
    adapter.goLive = async (job, tools) => {
      seen = await fixture.find();
      return goLive(job, tools);
    };
    await fixture.deliver();
    expect(seen).toMatchObject({
      status: 'publishing',
      calls: [{ intentAt: at(0), token: { containerId: 'c1' }, endedAt: at(35_000), outcome: 'open' }],
    });
    expect(await lastCall(fixture)).toMatchObject({ endedAt: at(0), outcome: 'live' });
  });

  it('that is rejected fails the target', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [new PlatformError('rejected', 'no')];
    await fixture.deliver();
    const target = await fixture.find();
    expect(target).toMatchObject({
      status: 'failed',
      error: 'no',
      calls: [{ outcome: 'refused', proof: 'no' }],
    });
  });

  it('that certainly had no effect is made again after a wait', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [new PlatformError('retry', 'busy', { retryAfterSeconds: 60 })];
    await fixture.deliver();
    const waiting = await fixture.find();
    expect(waiting).toMatchObject({ status: 'scheduled', wakeAt: at(60_000) });
    await fixture.runToEnd();
    expect((await fixture.find()).calls).toMatchObject([{ outcome: 'refused' }, { outcome: 'live' }]);
    expect(verbs(fixture)).toBe('prepare goLive prepare goLive finish');
    expect(fixture.platform.ledger).toEqual([startMs + 60_000]);
  });

  it.each([
    ['an unknown outcome', unknown(), at(0)],
    ['an internal error', new TypeError('x'), at(35_000)],
  ])('with %s is looked up two seconds later, before anything else', async (_what, error, endedAt) => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [error];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({ status: 'publishing', wakeAt: at(2_000) });
    expect(await lastCall(fixture)).toMatchObject({ outcome: 'open', endedAt });
    fixture.platform.calls.length = 0;
    fixture.clock.time += 1_000;
    await fixture.deliver(messageOf(await fixture.find()));
    expect(verbs(fixture)).toBe('lookUp');
  });

  it('whose reply was lost is found to have taken effect, at the time it was made', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = ['reply lost'];
    const target = await fixture.runToEnd();
    expect(verbs(fixture)).toBe('prepare goLive lookUp finish');
    expect(target).toMatchObject({ status: 'published', platformPostId: 'post-1', publishedAt: at(0) });
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('that left no trace is made again with the same token and preparation, if it can take effect only once', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [unknown()];
    const target = await fixture.runToEnd();
    // At 2, 4 and 8 seconds, before the platform's reads have caught up; then twice more, at 10 and 15 seconds.
    expect(verbs(fixture)).toBe(`prepare goLive ${'lookUp '.repeat(5)}goLive finish`);
    expect(target).toMatchObject({
      status: 'published',
      calls: [
        { token: { containerId: 'c1' }, outcome: 'absent' },
        { token: { containerId: 'c1' }, outcome: 'live' },
      ],
    });
    expect(fixture.platform.ledger).toEqual([startMs + 15_000]);
  });

  it('that left no trace is never made again if a second one could make a second post', async () => {
    const fixture = await openFixture(table);
    fixture.platform.rule = listOnly;
    fixture.platform.script.goLive = [unknown()];
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({
      status: 'failed',
      error: "outcome unknown: check the account's posts before retrying",
      calls: [{ outcome: 'unknown' }],
    });
    expect(verbs(fixture).match(/goLive/g)).toHaveLength(1);
    expect(fixture.clock.time).toBe(startMs + 65_000);
  });

  it('whose repeat is refused does not count as absent, because the first one may be the reason', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = ['reply lost', new PlatformError('rejected', 'the container is used')];
    fixture.platform.script.lookUp = Array.from({ length: 9 }, () => ({ state: 'unseen' as const }));
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'published', platformPostId: 'post-1' });
    expect(target.calls).toMatchObject([{ outcome: 'absent' }, { outcome: 'live' }]);
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('that never shows a trace, however often it is made, ends as unknown after six hours', async () => {
    const hoursAgo = (hours: number) => at(-hours * hourMs);
    const call = { intentAt: hoursAgo(5.9), token: {}, endedAt: hoursAgo(5.8), outcome: 'open' as const };
    const fixture = await openFixture(table, {
      target: { status: 'publishing', calls: [{ ...call, lookups: 9, misses: 1 }] },
    });
    fixture.platform.adapter.goLive = async () => {
      throw unknown();
    };
    const target = await fixture.runToEnd();
    expect(target.error).toMatch(/^outcome unknown: check the account's posts .*for 6 hours/);
    expect(fixture.clock.time).toBeGreaterThan(startMs + 0.1 * hourMs);
    expect(fixture.clock.time).toBeLessThan(startMs + 0.2 * hourMs);
    expect(target.calls?.length).toBeGreaterThan(1);
  });

  it('that the platform refused unreliably ends as unknown, with the refusal, if the post is not found', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [new PlatformError('unknown', 'spam', { ifAbsent: 'rejected' })];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: "outcome unknown: check the account's posts before retrying (spam)",
    });
    expect(verbs(fixture).match(/goLive/g)).toHaveLength(1);
  });

  it('that failed at the platform for certain is prepared and made again', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [unknown()];
    fixture.platform.script.lookUp = [
      { state: 'absent', proof: 'the container has expired', preparation: { renewals: 1 } },
    ];
    const target = await fixture.runToEnd();
    expect(verbs(fixture)).toBe('prepare goLive lookUp prepare goLive finish');
    expect(target.calls).toMatchObject([
      { outcome: 'absent', proof: 'the container has expired' },
      { outcome: 'live' },
    ]);
    expect(fixture.platform.calls[3]?.job.preparation).toEqual({ renewals: 1 });
  });

  it('is looked up with what it created at the platform', async () => {
    const fixture = await openFixture(table);
    const preparation = { containerId: 'created' };
    fixture.platform.script.goLive = [new PlatformError('unknown', 'taken', { preparation })];
    fixture.platform.script.lookUp = [
      { state: 'live', post: { platformPostId: '1', permalink: 'https://p' } },
    ];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: '1' });
    const asked = fixture.platform.calls.filter(({ verb }) => verb !== 'prepare');
    expect(asked.map(({ verb }) => verb)).toEqual(['goLive', 'lookUp', 'finish']);
    expect(asked.slice(1).map(({ job }) => job)).toMatchObject([
      { preparation, call: { token: preparation } },
      { preparation, call: { token: preparation } },
    ]);
  });

  it('continues where its refusal says', async () => {
    const fixture = await openFixture(table);
    const preparation = { renewals: 1 };
    fixture.platform.script.goLive = [new PlatformError('retry', 'the container is lost', { preparation })];
    await fixture.runToEnd();
    expect(fixture.platform.calls[2]?.job.preparation).toEqual(preparation);
  });

  it.each([
    ['after two seconds', undefined, 2],
    ['after the time that the platform asks for', 15, 15],
    ['after a minute at the latest', 3_600, 60],
  ])('is looked up for the first time %s', async (_when, retryAfterSeconds, seconds) => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [new PlatformError('unknown', 'accepted', { retryAfterSeconds })];
    await fixture.deliver();
    expect((await fixture.find()).wakeAt).toBe(at(seconds * 1_000));
  });

  it('is looked up again while the platform processes it, or if a lookup fails', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = ['reply lost'];
    fixture.platform.script.lookUp = [
      { state: 'processing', waitSeconds: 30 },
      new PlatformError('retry', 'busy'),
      new PlatformError('unknown', 'no answer'),
      new TypeError('x'),
    ];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(verbs(fixture)).toBe(`prepare goLive ${'lookUp '.repeat(5)}finish`);
  });

  it('that the platform processes for too long ends as unknown', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = ['reply lost'];
    fixture.platform.adapter.lookUp = async () => ({ state: 'processing', waitSeconds: 60 });
    expect((await fixture.runToEnd()).error).toMatch(/^outcome unknown/);
    expect(fixture.clock.time).toBeLessThan(startMs + 12 * minuteMs);
  });

  it.each([
    ['rejected', 'no such field'],
    ['reauthorise', 'the token is dead'],
  ] as const)('fails the target with an unknown outcome if the lookup fails as %s', async (remedy, words) => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = ['reply lost'];
    fixture.platform.script.lookUp = [new PlatformError(remedy, words)];
    const target = await fixture.runToEnd();
    expect(target.error).toBe(`outcome unknown: check the account's posts before retrying (${words})`);
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('that the platform processes still counts as processed when the platform cannot be asked any more', async () => {
    const fixture = await openFixture(table);
    const processing = { state: 'processing', waitSeconds: 30 } as const;
    let lookups = 0;
    fixture.platform.script.goLive = [unknown()];
    fixture.platform.adapter.lookUp = async () => {
      lookups += 1;
      if (lookups === 1) return processing;
      throw new PlatformError('retry', 'busy');
    };
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      calls: [{ outcome: 'unknown', isProcessing: true }],
    });
  });

  it('fails the target with an unknown outcome if the lookup fails for six hours', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = ['reply lost'];
    fixture.platform.adapter.lookUp = async () => {
      throw new PlatformError('retry', 'busy');
    };
    expect((await fixture.runToEnd()).error).toMatch(/^outcome unknown: .*given up after 6 hours/);
  });
});

describe('finishing', () => {
  it.each([
    ['goes live', 'prepare goLive'],
    ['is found to be live', 'prepare goLive lookUp'],
  ])('is skipped if nothing is left to do once the target %s', async (_how, expected) => {
    const fixture = await openFixture(table);
    const post = { platformPostId: 'p', permalink: null, isFinished: true };
    if (expected.endsWith('lookUp')) {
      fixture.platform.script.goLive = ['reply lost'];
      fixture.platform.script.lookUp = [{ state: 'live', post: { ...post, publishedMs: startMs } }];
    } else fixture.platform.script.goLive = [post];
    const target = await fixture.runToEnd();
    expect(verbs(fixture)).toBe(expected);
    expect(target).toMatchObject({ status: 'published', platformPostId: 'p', publishedAt: at(0) });
    expect(target).not.toHaveProperty('wakeAt');
    expect(target).not.toHaveProperty('leaseUntil');
  });

  it('that fails leaves the target published, with the reason', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.finish = [new PlatformError('rejected', 'comments are off')];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      platformPostId: 'post-1',
      error: 'published, but not finished: comments are off',
    });
  });

  it('goes on without a file that was deleted after the target went live', async () => {
    const fixture = await openFixture(table);
    const post = { platformPostId: 'post-1', permalink: 'https://platform.example/p/1' };
    const waiting = { state: 'waiting', post, preparation: {}, waitSeconds: 1_800 } as const;
    fixture.platform.script.finish = [waiting, { state: 'done', post }];
    await fixture.deliver();
    const { workspaceId, postId } = await fixture.find();
    const [file] = (await findPost(table, workspaceId, postId))?.post.mediaItems ?? [];
    await deleteItem(table, mediaKey(workspaceId, file?.mediaId ?? ''), {});
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'published', ...post });
    expect(target.error).toBeUndefined();
    expect(fixture.platform.calls.at(-1)).toMatchObject({
      verb: 'finish',
      job: { media: [{ type: 'image' }] },
    });
  });

  it('with a warning leaves the target published, with the warning', async () => {
    const fixture = await openFixture(table);
    const post = { platformPostId: 'post-1', permalink: 'https://platform.example/final' };
    fixture.platform.script.finish = [{ state: 'done', post, warning: 'no thumbnail' }];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', error: 'no thumbnail', ...post });
  });

  it('that must wait although the permalink is known continues later, with the target published', async () => {
    const fixture = await openFixture(table);
    const post = { platformPostId: 'late', permalink: 'https://platform.example/late' };
    fixture.platform.script.goLive = [{ platformPostId: null, permalink: null }];
    fixture.platform.script.finish = [{ state: 'waiting', post, preparation: { waits: 1 }, waitSeconds: 60 }];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      status: 'published',
      platformPostId: 'late',
      wakeAt: at(60_000),
    });
    await fixture.runToEnd();
    expect(verbs(fixture)).toBe('prepare goLive finish finish');
    expect(fixture.platform.calls.at(-1)?.job).toMatchObject({ preparation: { waits: 1 } });
  });

  it('that gets no permalink keeps the target `publishing` for a minute, and never makes it live again', async () => {
    const fixture = await openFixture(table);
    const post = { platformPostId: 'late', permalink: null };
    const waiting = { state: 'waiting', post, preparation: {}, waitSeconds: 40 } as const;
    fixture.platform.script.goLive = [{ platformPostId: null, permalink: null }];
    fixture.platform.script.finish = [waiting, waiting, { state: 'done', post }];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      status: 'publishing',
      platformPostId: 'late',
      publishedAt: at(0),
    });
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'published' });
    expect(verbs(fixture)).toBe('prepare goLive finish finish finish');
  });

  it('commits what it notes, and continues with it after a failure', async () => {
    const fixture = await openFixture(table);
    const { adapter } = fixture.platform;
    const seen: unknown[] = [];
    adapter.finish = async (job) => {
      seen.push(job.preparation['isCommentSent']);
      if (seen.length === 3) return { state: 'done', post: job.live };
      await job.note({ ...job.preparation, isCommentSent: true });
      expect(await fixture.find()).toMatchObject({ preparation: { isCommentSent: true } });
      throw seen.length === 1 ? new TypeError('x') : new PlatformError('retry', 'busy');
    };
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(seen).toEqual([undefined, true, true]);
  });

  it('that fails transiently is retried, and the target is never made live again', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.finish = [new PlatformError('retry', 'busy'), new TypeError('x')];
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'published', publishedAt: at(0) });
    expect(target).not.toHaveProperty('error');
    expect(verbs(fixture)).toBe('prepare goLive finish finish finish');
  });
});

describe('finishing that only reads', () => {
  beforeEach(() => stopTime());
  afterEach(() => void vi.useRealTimers());

  const unfinished = { platformPostId: 'post-1', permalink: null };
  const known = { platformPostId: 'post-1', permalink: 'https://platform.example/1' };

  async function openReading(): Promise<Fixture> {
    const fixture = await openFixture(table);
    fixture.platform.finishesByReading = true;
    fixture.platform.script.goLive = [unfinished];
    return fixture;
  }

  it('comes before the commit as live, which then also says that the target is finished', async () => {
    const fixture = await openReading();
    const before: Partial<Target>[] = [];
    const { finish } = fixture.platform.adapter;
    fixture.platform.script.finish = [{ state: 'done', post: known }];
    fixture.platform.adapter.finish = async (...call) => {
      before.push(await fixture.find());
      return finish(...call);
    };
    await fixture.deliver();
    expect(before).toMatchObject([{ status: 'publishing', calls: [{ outcome: 'open' }] }]);
    const target = await fixture.find();
    expect(target).toMatchObject({ status: 'published', ...known, publishedAt: at(0) });
    expect(target).not.toHaveProperty('wakeAt');
    expect(target).not.toHaveProperty('leaseUntil');
    expect(target.timeline.map(({ event }) => event)).toEqual(['going live', 'published']);
    expect(verbs(fixture)).toBe('prepare goLive finish');
  });

  it('that must wait is not asked twice, and goes on after the commit as live', async () => {
    const fixture = await openReading();
    fixture.platform.script.finish = [
      { state: 'waiting', post: unfinished, preparation: { waits: 1 }, waitSeconds: 40 },
      { state: 'done', post: known },
    ];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      status: 'publishing',
      publishedAt: at(0),
      wakeAt: at(40_000),
    });
    expect(verbs(fixture)).toBe('prepare goLive finish');
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', ...known });
  });

  it('with a warning leaves the target published, with the warning', async () => {
    const fixture = await openReading();
    fixture.platform.script.finish = [{ state: 'done', post: known, warning: 'no permalink' }];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', error: 'no permalink' });
    expect(verbs(fixture)).toBe('prepare goLive finish');
  });

  it.each([
    ['fails', new PlatformError('reauthorise', 'the token was revoked'), 'published, but not finished'],
    ['breaks', new TypeError('x'), undefined],
  ])(
    'that %s is repeated after the commit as live, which it never prevents',
    async (_what, error, reason) => {
      const fixture = await openReading();
      fixture.platform.script.finish = [error, error];
      await fixture.deliver();
      expect(verbs(fixture)).toBe('prepare goLive finish finish');
      const target = await fixture.runToEnd();
      expect(target).toMatchObject({ status: 'published', platformPostId: 'post-1', publishedAt: at(0) });
      if (reason) expect(target.error).toContain(reason);
      else expect(target).not.toHaveProperty('error');
    },
  );

  it('that hangs is given up after two seconds, with its request, and repeated after the commit as live', async () => {
    const fixture = await openReading();
    const signals: (AbortSignal | undefined)[] = [];
    const tools = {
      ...(await fixture.ports.toolsFor('instagram')),
      http: {
        send: ({ signal }: PlatformRequest) => {
          signals.push(signal);
          return new Promise<never>(() => {});
        },
        connectAhead: async () => {},
        addressOf: (url: string) => url,
      },
    };
    const { finish } = fixture.platform.adapter;
    fixture.platform.adapter.finish = async (job, given) => {
      if (signals.length > 0) return finish(job, given);
      const reading = given.http.send({ method: 'GET', url: 'https://platform.example/p' });
      void vi.advanceTimersByTimeAsync(2_000);
      await reading;
      throw new Error('the request has ended');
    };
    fixture.platform.script.finish = [{ state: 'done', post: known }];
    await fixture.deliver(undefined, 300, { ...fixture.ports, toolsFor: async () => tools });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    const target = await fixture.find();
    expect(target).toMatchObject({ status: 'published', ...known });
    expect(target.timeline.map(({ event }) => event)).toEqual(['going live', 'published', 'finished']);
  });

  it('is left for afterwards if the worker has no time for it', async () => {
    const fixture = await openReading();
    const { goLive } = fixture.platform.adapter;
    fixture.platform.adapter.goLive = async (...call) => {
      fixture.clock.time += 299_000;
      return goLive(...call);
    };
    fixture.platform.script.finish = [{ state: 'done', post: known }];
    await fixture.deliver();
    const { timeline } = await fixture.find();
    expect(timeline.map(({ event }) => event)).toEqual(['going live', 'published', 'finished']);
  });

  it('is not done ahead for a post that was recognized by its looks: its claim must not come before', async () => {
    const fixture = await openReading();
    fixture.platform.script.goLive = ['reply lost'];
    fixture.platform.adapter.lookUp = async ({ call }) => {
      await call.isTaken('post-1');
      return { state: 'live', post: { ...unfinished, publishedMs: startMs } };
    };
    const seen: string[] = [];
    fixture.platform.adapter.finish = async () => {
      seen.push((await fixture.find()).publishedAt ?? 'not live yet');
      return { state: 'done', post: known };
    };
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', ...known });
    expect(seen).toEqual([at(0)]);
  });
});

describe('the account', () => {
  it('whose token is refused is marked as expired once, and the target fails with the reason', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [new PlatformError('reauthorise', 'the token was revoked')];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'failed', error: 'the token was revoked' });
    expect(fixture.marks).toEqual(['expired: the token was revoked [while publishing a post]']);
  });

  it('whose token can be renewed is not marked, and the target continues immediately', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [new PlatformError('reauthorise', 'the token is old')];
    const deliver = () => fixture.deliver(undefined, 300, { ...fixture.ports, renewToken: async () => true });
    await deliver();
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', wakeAt: at(0), wakeNumber: 2 });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', publishedAt: at(0) });
    expect(fixture.marks).toEqual([]);
  });

  it('that the platform restricts is marked with the platform’s message', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [new PlatformError('restricted', 'confirm your identity')];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'failed', error: 'confirm your identity' });
    expect(fixture.marks).toEqual(['error: confirm your identity [while publishing a post]']);
  });

  it.each([
    ['is disconnected', { disconnectedAt: at(-1) }, 'the account is disconnected: connect it again'],
    [
      'has expired',
      { status: 'expired', statusMessage: 'revoked' },
      "the account's authorization has expired (revoked): connect it again",
    ],
  ] as const)('that %s fails its targets at their due time, not before', async (_what, account, error) => {
    const fixture = await openFixture(table, { account, target: { scheduledFor: at(hourMs) } });
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs) });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'failed', error });
    expect(fixture.clock.time).toBe(startMs + hourMs);
    expect(verbs(fixture)).toBe('');
  });
});

describe('an account that the platform has restricted', () => {
  const restricted = {
    status: 'error',
    statusMessage: 'confirm your identity',
    statusSince: at(-1),
  } as const;
  const refusal = () => new PlatformError('restricted', 'confirm your identity');

  it('is tried at the usual time, and marked as ok once a post of it is live', async () => {
    const fixture = await openFixture(table, { account: restricted });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', publishedAt: at(0) });
    expect(fixture.marks).toEqual(['ok after error']);
  });

  it('is tried again at the due time if it is refused during preparation', async () => {
    const target = { scheduledFor: at(hourMs) };
    const fixture = await openFixture(table, { account: restricted, target });
    fixture.platform.script.prepare = [refusal()];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs) });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', publishedAt: at(hourMs) });
  });

  it('fails its target at the due time if it is still restricted then', async () => {
    const fixture = await openFixture(table, { account: restricted });
    fixture.platform.script.prepare = [refusal()];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'failed', error: 'confirm your identity' });
  });

  it('publishes although the mark cannot be cleared', async () => {
    const fixture = await openFixture(table, { account: restricted });
    const clearMark = () => Promise.reject(new Error('no table'));
    await fixture.deliver(undefined, 300, { ...fixture.ports, clearMark });
    expect(await fixture.find()).toMatchObject({ status: 'published' });
    expect(fixture.errors).toHaveLength(1);
  });
});

describe('a refusal of one feature', () => {
  const refused = (remedy: 'restricted' | 'reauthorise') =>
    new PlatformError(remedy, 'no permission to comment', { concerns: 'feature' });

  it.each(['restricted', 'reauthorise'] as const)(
    '(%s) fails the post that needs it, and does not mark the account',
    async (remedy) => {
      const fixture = await openFixture(table);
      fixture.platform.script.goLive = [refused(remedy)];
      expect(await fixture.runToEnd()).toMatchObject({ status: 'failed', error: 'no permission to comment' });
      expect(fixture.marks).toEqual([]);
    },
  );

  it('after the post is live leaves the post published, and does not mark the account', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.finish = [refused('restricted')];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      error: 'published, but not finished: no permission to comment',
    });
    expect(fixture.marks).toEqual([]);
  });

  it('of a lookup leaves the outcome unknown, and does not mark the account', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [unknown()];
    fixture.platform.script.lookUp = [refused('restricted')];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^outcome unknown: .*no permission to comment/),
    });
    expect(fixture.marks).toEqual([]);
  });
});

describe('a file', () => {
  it('that has not been uploaded is awaited until ten minutes after the due time', async () => {
    const fixture = await openFixture(table, { media: { status: 'pending' } });
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: the file image.jpg was not uploaded',
    });
    expect(fixture.clock.time).toBe(startMs + 10 * minuteMs);
    expect(verbs(fixture)).toBe('');
  });

  it('that cannot be used fails the target', async () => {
    const fixture = await openFixture(table, {
      media: { status: 'invalid', statusMessage: 'over the quota' },
    });
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: the file image.jpg cannot be used: over the quota',
    });
  });
});

describe('after an outage', () => {
  it('publishes a target up to a day late', async () => {
    const fixture = await openFixture(table, { nowMs: startMs + dayMs });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });

  it('fails a target that is more than a day late', async () => {
    const fixture = await openFixture(table, { nowMs: startMs + dayMs + 1 });
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: `missed: it was due at ${at(0)}, more than 24 hours ago`,
    });
    expect(verbs(fixture)).toBe('');
  });
});

describe('a target whose files were probed after its post was stored', () => {
  const wide = { probe: { width: 3_000, height: 1_000 } };

  it('fails with the violated platform rule before anything is sent', async () => {
    const fixture = await openFixture(table, { media: wide });
    await fixture.deliver(undefined, undefined, { ...fixture.ports, rulesFor });
    expect(verbs(fixture)).toBe('');
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error:
        'mediaItems[0]: an image must have a width-to-height ratio from 0.8 to 1.91; set fit to pad or crop',
    });
  });

  it('tells the adapter their shape', async () => {
    const fixture = await openFixture(table, { media: { probe: { ...wide.probe, durationMs: 1_500 } } });
    await fixture.deliver();
    const shape = { widthPixels: 3_000, heightPixels: 1_000, durationSeconds: 1.5 };
    for (const { job } of fixture.platform.calls) expect(job.media).toMatchObject([shape]);
    expect(fixture.platform.calls).not.toEqual([]);
  });

  it('continues if its preparation has begun', async () => {
    const fixture = await openFixture(table, { media: wide, target: { preparation: { containerId: 'c1' } } });
    await fixture.deliver(undefined, undefined, { ...fixture.ports, rulesFor });
    expect(await fixture.find()).toMatchObject({ status: 'published' });
  });

  it('waits while its file is being deleted', async () => {
    const fixture = await openFixture(table, { media: { removedAt: at(0) } });
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', failures: 1 });
  });

  it('fails with the reason if the file is invalid', async () => {
    const statusMessage = 'the file is text/html, not image/jpeg';
    const fixture = await openFixture(table, { media: { status: 'invalid', statusMessage } });
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: `mediaItems[0]: the file image.jpg cannot be used: ${statusMessage}`,
    });
  });
});

/** A wake after the due time: its target is taken before anything is read. */
const takenFirst = { scheduledFor: at(-1_000) };

describe('an internal error', () => {
  /** The ports of a worker whose next request of a kind fails once. */
  function failingOnce(fixture: Fixture, fails: (command: unknown) => boolean): PublishingPorts {
    let hasFailed = false;
    const { client } = fixture.ports.table;
    const failing = new Proxy(client, {
      get: (real, name) =>
        name === 'send'
          ? async (command: unknown) => {
              if (!hasFailed && fails(command)) {
                hasFailed = true;
                throw new Error('the table does not answer');
              }
              return real.send(command as Parameters<typeof real.send>[0]);
            }
          : Reflect.get(real, name, real),
    });
    return { ...fixture.ports, table: { ...fixture.ports.table, client: failing } };
  }

  it('in a read releases the target, and another try comes two seconds later', async () => {
    const fixture = await openFixture(table, { target: takenFirst });
    expect(await fixture.deliver(undefined, 300, failingOnce(fixture, isCertainRead))).toBe('failed');
    const released = await fixture.find();
    expect(released).toMatchObject({ status: 'scheduled', wakeAt: at(2_000), takes: 1 });
    expect(released).not.toHaveProperty('leaseUntil');
    expect(fixture.errors).toHaveLength(1);
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toHaveLength(1);
    expect(fixture.clock.time).toBeLessThanOrEqual(startMs + 2_000);
  });

  it('is followed by another try within about a minute, however often it has happened', async () => {
    const fixture = await openFixture(table, { target: takenFirst });
    for (let tries = 1; tries <= 8; tries += 1) {
      const triedMs = fixture.clock.time;
      const { wakeNumber } = await fixture.find();
      const ports = { ...failingOnce(fixture, isCertainRead), chance: () => 0.999 };
      expect(await fixture.deliver({ ...fixture.message, wakeNumber }, 300, ports)).toBe('failed');
      const { wakeAt = '' } = await fixture.find();
      const waitMs = Date.parse(wakeAt) - triedMs;
      expect(waitMs).toBeLessThanOrEqual(62_000);
      expect(waitMs).toBeGreaterThanOrEqual(tries > 5 ? 60_000 : 2_000);
      fixture.clock.time = Date.parse(wakeAt);
    }
  });

  it('in the commit of the outcome is followed by a lookup two seconds later', async () => {
    const fixture = await openFixture(table);
    await fixture.deliver(
      undefined,
      300,
      failingOnce(
        fixture,
        (command) =>
          command instanceof UpdateCommand &&
          Object.values(command.input.ExpressionAttributeValues ?? {}).includes('published'),
      ),
    );
    expect(await fixture.find()).toMatchObject({ status: 'publishing', wakeAt: at(2_000) });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
    expect(fixture.platform.ledger).toHaveLength(1);
  });
});

describe('a worker that was killed', () => {
  it('is replaced by its own message when its lease ends, without the sweep', async () => {
    const fixture = await openFixture(table);
    const killed = new Promise<never>(() => {});
    const prepares = Promise.withResolvers<void>();
    fixture.platform.adapter.prepare = () => {
      prepares.resolve();
      return killed;
    };
    void fixture.deliver();
    await prepares.promise;
    expect(fixture.enqueued).toHaveLength(1);
    const [armed] = fixture.enqueued;
    expect(armed).toEqual({ message: { ...fixture.message, sends: 1 }, delaySeconds: 15 });
    expect(await fixture.find()).toMatchObject({ leaseUntil: at(14_000) });
    fixture.clock.time += 15_000;
    fixture.platform.adapter.prepare = async () => ({ state: 'ready', preparation: { containerId: 'c2' } });
    expect(await fixture.deliver(armed?.message)).toBe('worked');
    expect(fixture.platform.ledger).toEqual([startMs + 15_000]);
  });

  it('was still able to publish if the queue refused the message that would replace it', async () => {
    const fixture = await openFixture(table);
    const enqueue = () => Promise.reject(new Error('the queue refuses it'));
    expect(await fixture.deliver(undefined, 300, { ...fixture.ports, enqueue })).toBe('worked');
    expect(fixture.platform.ledger).toEqual([startMs]);
    expect(fixture.errors).toHaveLength(1);
  });

  it('is replaced by the sweep at the end of a long chain of messages, which Lambda would take for a loop', async () => {
    const fixture = await openFixture(table);
    expect(await fixture.deliver({ ...fixture.message, sends: 12 })).toBe('worked');
    expect(fixture.enqueued).toEqual([]);
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('keeps the target as long as it renews its lease', async () => {
    const fixture = await openFixture(table);
    let beat: () => Promise<void> = async () => {};
    const every: PublishingPorts['every'] = (_milliseconds, task) => {
      beat = task;
      return () => {};
    };
    fixture.platform.adapter.prepare = async (job) => {
      for (let beats = 0; beats < 5; beats += 1) {
        fixture.clock.time += 6_000;
        await beat();
        expect(await fixture.deliver(fixture.enqueued[0]?.message)).toBe('held');
      }
      return { state: 'ready', preparation: job.preparation };
    };
    expect(await fixture.deliver(undefined, 300, { ...fixture.ports, every })).toBe('worked');
    // One message at the start, and one with each heartbeat. Those that find the target held are dropped.
    expect(fixture.enqueued.map(({ delaySeconds }) => delaySeconds)).toEqual([15, 15, 15, 15, 15, 15]);
    expect(fixture.platform.ledger).toEqual([startMs + 30_000]);
  });
});

it('a message that finds a lease without its last heartbeat waits for the end of that lease', async () => {
  const fixture = await openFixture(table, { target: { leaseUntil: at(5_500), attempt: 1 } });
  expect(await fixture.deliver()).toBe('held');
  expect(fixture.enqueued).toEqual([{ message: { ...fixture.message, sends: 1 }, delaySeconds: 6 }]);
});

describe('a post at the platform', () => {
  it('belongs to the target that claims it first: another one with the same text does not get it', async () => {
    const fixture = await openFixture(table);
    const { workspaceId, accountId } = fixture.message;
    await claimLivePost(table, {
      platform: 'instagram',
      workspaceId,
      accountId,
      platformPostId: 'post-1',
      postId: newId(startMs),
    });
    fixture.platform.rule = listOnly;
    fixture.platform.script.goLive = [unknown()];
    fixture.platform.adapter.lookUp = async ({ call }) =>
      (await call.isTaken('post-1'))
        ? { state: 'unseen' }
        : { state: 'live', post: { platformPostId: 'post-1', permalink: null } };
    expect((await fixture.runToEnd()).error).toMatch(/^outcome unknown/);
  });

  it('belongs to its target even if another workspace has connected the same account', async () => {
    const theirs = await openFixture(table);
    await theirs.deliver();
    const ours = await openFixture(table);
    expect(ours.message.workspaceId).not.toBe(theirs.message.workspaceId);
    ours.platform.rule = listOnly;
    ours.platform.script.goLive = [unknown()];
    ours.platform.adapter.lookUp = async ({ call }) =>
      (await call.isTaken('post-1'))
        ? { state: 'unseen' }
        : { state: 'live', post: { platformPostId: 'post-1', permalink: null, isFinished: true } };
    expect(await ours.runToEnd()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('outcome unknown'),
    });
    expect((await theirs.find()).platformPostId).toBe('post-1');
  });

  it('that an earlier release has claimed for another post of the account is taken', async () => {
    const fixture = await openFixture(table);
    const { workspaceId, accountId } = fixture.message;
    const key = formerKeyOfLivePost(workspaceId, accountId, 'post-1');
    await putItem(table, { ...key, workspaceId, accountId, postId: newId(startMs) }, unconditionally);
    fixture.platform.script.goLive = [unknown()];
    const taken: boolean[] = [];
    fixture.platform.adapter.lookUp = async ({ call }) => {
      taken.push(await call.isTaken('post-1'), await call.isTaken('post-2'));
      return { state: 'live', post: { platformPostId: 'post-2', permalink: null, isFinished: true } };
    };
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-2' });
    expect(taken).toEqual([true, false]);
  });

  it('that was claimed between lookup and commit is looked up again', async () => {
    const fixture = await openFixture(table);
    const { workspaceId, accountId } = fixture.message;
    const theirs = {
      platform: 'instagram',
      workspaceId,
      accountId,
      platformPostId: 'claimed',
      postId: newId(startMs),
    };
    fixture.platform.script.goLive = [unknown()];
    fixture.platform.adapter.lookUp = async ({ call }) => {
      const platformPostId = (await call.isTaken('claimed')) ? 'ours' : 'claimed';
      await claimLivePost(table, theirs);
      return { state: 'live', post: { platformPostId, permalink: null, isFinished: true } };
    };
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'ours' });
    expect(fixture.errors).toEqual([]);
  });

  describe('that another target has recognized as its own by its looks', () => {
    /** A target whose request was lost, and that has found the other one's post. */
    async function mistaken(): Promise<Fixture> {
      const fixture = await openFixture(table);
      fixture.platform.rule = listOnly;
      fixture.platform.script.goLive = [unknown()];
      fixture.platform.adapter.lookUp = async ({ call }) =>
        (await call.isTaken('post-1'))
          ? { state: 'unseen' }
          : { state: 'live', post: { platformPostId: 'post-1', permalink: 'https://p', isFinished: true } };
      expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
      return fixture;
    }
    const repair = (fixture: Fixture) =>
      sweepOverdue(
        sweepPorts(table, () => fixture.clock.time + minuteMs),
        Number.POSITIVE_INFINITY,
      );

    it('belongs to the target whose response names it, and the outcome of the other is unknown', async () => {
      const [theirs, ours] = [await mistaken(), await openFixture(table)];
      await ours.deliver();
      expect(await ours.find()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
      expect(ours.errors).toEqual([]);
      for (let sweeps = 0; sweeps < 2; sweeps += 1) await repair(theirs);
      const { platformPostId, permalink, publishedAt, wakeAt, ...target } = await theirs.find();
      expect({ platformPostId, permalink, publishedAt, wakeAt }).toEqual({});
      expect(target).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/^outcome unknown: .* is another's; check the account/),
        errorDetail: { code: 'outcome_unknown' },
        calls: [{ outcome: 'unknown' }],
        dueAt: toTimestamp(theirs.clock.time + minuteMs),
        dueShard: expect.stringContaining('FAILED'),
      });
      expect(target.timeline.at(-1)).toMatchObject({ event: 'failed', reason: target.error });
    });

    it('belongs to the target whose platform names it when the post is finished', async () => {
      const [theirs, ours] = [await mistaken(), await openFixture(table)];
      ours.platform.script.goLive = [{ platformPostId: null, permalink: null }];
      ours.platform.script.finish = [
        { state: 'done', post: { platformPostId: 'post-1', permalink: 'https://p' } },
      ];
      expect(await ours.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
      expect((await ours.find()).error).toBeUndefined();
      await repair(theirs);
      expect(await theirs.find()).toMatchObject({ status: 'failed', calls: [{ outcome: 'unknown' }] });
    });

    it('stays with the target whose response names it, if one that finishes has only recognized it', async () => {
      const [theirs, ours] = [await openFixture(table), await openFixture(table)];
      theirs.platform.script.goLive = [{ platformPostId: null, permalink: null }];
      theirs.platform.adapter.finish = async ({ call, live }) => {
        const isTaken = await call.isTaken('post-1');
        return { state: 'done', post: isTaken ? live : { platformPostId: 'post-1', permalink: null } };
      };
      expect(await theirs.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
      await ours.deliver();
      expect(await ours.find()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
    });

    it('is not taken from its target by one that finishes and has recognized it by its looks before', async () => {
      const [theirs, ours] = [await mistaken(), await openFixture(table)];
      ours.platform.script.goLive = [{ platformPostId: null, permalink: null }];
      ours.platform.adapter.finish = async ({ call }) => {
        await call.isTaken('post-1');
        return { state: 'done', post: { platformPostId: 'post-1', permalink: null } };
      };
      expect(await ours.runToEnd()).toMatchObject({ status: 'published', error: expect.any(String) });
      await repair(theirs);
      expect(await theirs.find()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
    });

    it('is not found again by a retry of the other target, which makes a call of its own', async () => {
      const [theirs, ours] = [await mistaken(), await openFixture(table)];
      await ours.deliver();
      await repair(theirs);
      const { workspaceId, postId } = theirs.message;
      const context = { table, workspaceId, now: theirs.clock.time, ...actOf('key'), cursorSecret: 's' };
      await retryPost(context, postId);
      expect(theirs.platform.ledger).toHaveLength(0);
      expect(await theirs.runToEnd()).toMatchObject({
        status: 'published',
        calls: [{ outcome: 'dismissed' }, { outcome: 'live' }],
      });
      expect(theirs.platform.ledger).toHaveLength(1);
    });

    it.each([
      ['live', { outcome: 'live', platformPostId: 'another' }, 'published'],
      ['not live', { outcome: 'not live' }, 'failed'],
    ] as const)(
      'is proven to be no word on the other target: a person may then say that it is %s',
      async (_verdict, verdict, status) => {
        const [theirs, ours] = [await openFixture(table), await openFixture(table)];
        theirs.platform.rule = listOnly;
        theirs.platform.script.goLive = [unknown()];
        expect(await theirs.runToEnd()).toMatchObject({ status: 'failed' });
        const { workspaceId, postId, accountId } = theirs.message;
        const resolve = (word: ResolveTargetBody) => {
          const context = { table, workspaceId, now: theirs.clock.time, ...actOf('key'), cursorSecret: 's' };
          return resolveTarget(context, postId, accountId, word);
        };
        await resolve({ outcome: 'live', platformPostId: 'post-1' });
        await ours.deliver();
        await repair(theirs);
        expect(await theirs.find()).toMatchObject({ status: 'failed', calls: [{ outcome: 'unknown' }] });
        await resolve(verdict);
        expect(await theirs.find()).toMatchObject({ status, verdict: { outcome: verdict.outcome } });
      },
    );

    it('is held against the other target once: a repeat of the correction leaves its later post alone', async () => {
      const [theirs, ours] = [await mistaken(), await openFixture(table)];
      await ours.deliver();
      await repair(theirs);
      const { workspaceId, postId, accountId } = theirs.message;
      const context = { table, workspaceId, now: theirs.clock.time, ...actOf('key'), cursorSecret: 's' };
      await retryPost(context, postId);
      theirs.platform.script.goLive = [{ platformPostId: 'post-2', permalink: null, isFinished: true }];
      const live = await theirs.runToEnd();
      expect(live).toMatchObject({ status: 'published', platformPostId: 'post-2' });
      const disproved = { workspaceId, postId, accountId, platform: live.platform, platformPostId: 'post-1' };
      await disproveLive(theirs.ports, disproved);
      expect(await theirs.find()).toEqual(live);
    });

    it('stays with a target whose response has named it before', async () => {
      const [first, second] = [await openFixture(table), await openFixture(table)];
      await first.deliver();
      await second.deliver();
      await repair(first);
      expect(await first.find()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
      expect(await second.find()).toMatchObject({ status: 'published' });
      expect((await second.find()).platformPostId).toBeUndefined();
    });
  });

  it('is claimed for the target that it makes live', async () => {
    const fixture = await openFixture(table);
    await fixture.deliver();
    const { workspaceId, accountId, postId } = fixture.message;
    const owner = await findLivePost(
      table,
      { platform: 'instagram', platformPostId: 'post-1' },
      fixture.message,
    );
    expect(owner).toEqual({ workspaceId, postId, accountId });
  });
});

describe('a retry after an unknown outcome', () => {
  const retried = async () => {
    const fixture = await openFixture(table);
    fixture.platform.rule = listOnly;
    fixture.platform.script.goLive = [unknown()];
    await fixture.runToEnd();
    const { workspaceId, postId } = fixture.message;
    const context = { table, workspaceId, now: fixture.clock.time, ...actOf('key'), cursorSecret: 'secret' };
    await retryPost(context, postId);
    fixture.platform.calls.length = 0;
    return fixture;
  };

  it('asks the platform once more, and then makes the call that the person asked for', async () => {
    const fixture = await retried();
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      calls: [{ outcome: 'dismissed' }, { outcome: 'live' }],
    });
    expect(verbs(fixture)).toBe('lookUp prepare goLive finish');
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('finds a post that the platform has listed since', async () => {
    const fixture = await retried();
    fixture.platform.script.lookUp = [
      { state: 'live', post: { platformPostId: 'late', permalink: null, isFinished: true } },
    ];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'late' });
    expect(verbs(fixture)).toBe('lookUp');
  });
});
