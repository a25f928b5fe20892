import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import type { PrepareStep } from '../../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, openStage, type Stage } from './fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const verbs = ({ platform }: Stage): string => platform.calls.map(({ verb }) => verb).join(' ');
const unknown = () => new PlatformError('unknown', 'no answer');

describe('a target that is due', () => {
  it('is prepared, made live, and finished', async () => {
    const stage = await openStage(table);
    expect(await stage.deliver()).toBe('worked');
    expect(verbs(stage)).toBe('prepare goLive finish');
    expect(await stage.find()).toMatchObject({
      status: 'published',
      platformPostId: 'post-1',
      permalink: 'https://platform.example/p/1',
      publishedAt: at(0),
      preparation: { containerId: 'c1' },
    });
    expect(await stage.find()).not.toHaveProperty('wakeAt');
    expect(await stage.find()).not.toHaveProperty('error');
  });

  it('gives the adapter all it needs', async () => {
    const stage = await openStage(table, {
      target: { content: 'Own', options: { altText: 'A' } },
      account: { username: 'me', meta: { pageId: '5' } },
    });
    await stage.deliver();
    expect(stage.platform.calls[0]?.job).toMatchObject({
      reference: stage.message.postId,
      account: { platformAccountId: '17841400000000000', username: 'me', meta: { pageId: '5' } },
      accessToken: 'token',
      content: 'Own',
      media: [{ type: 'image', contentType: 'image/jpeg', sizeBytes: 1_000 }],
      options: { altText: 'A' },
      preparation: {},
    });
  });

  it('goes live once, however many messages come at once and afterwards', async () => {
    const stage = await openStage(table);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => stage.deliver()));
    expect(outcomes.filter((outcome) => outcome === 'worked')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['worked', 'held']));
    expect(await stage.deliver()).toBe('out of date');
    expect(stage.platform.ledger).toHaveLength(1);
  });
});

describe('a target that is not due yet', () => {
  it('sends a message that comes long before its wake back to the queue', async () => {
    const stage = await openStage(table, { target: { wakeAt: at(hourMs), scheduledFor: at(hourMs) } });
    expect(await stage.deliver()).toBe('early');
    expect(stage.enqueued).toEqual([{ message: stage.message, delaySeconds: 900 }]);
    expect(verbs(stage)).toBe('');
  });

  it('is prepared ahead and lets go until its time', async () => {
    const stage = await openStage(table, { target: { scheduledFor: at(5 * minuteMs) } });
    await stage.deliver();
    expect(verbs(stage)).toBe('prepare');
    expect(await stage.find()).toMatchObject({
      status: 'scheduled',
      wakeAt: at(5 * minuteMs),
      wakeNumber: 2,
      preparation: { containerId: 'c1' },
    });
    await stage.runToEnd();
    expect(stage.platform.ledger).toEqual([startMs + 5 * minuteMs]);
  });

  it('waits the last seconds out, and goes live on the second', async () => {
    const stage = await openStage(table, { target: { scheduledFor: at(2_250), wakeAt: at(0) } });
    await stage.deliver();
    expect(stage.platform.ledger).toEqual([startMs + 2_250]);
    expect((await stage.find()).publishedAt).toBe(at(2_250));
  });

  it('is made ready again before its second, not in it', async () => {
    const stage = await openStage(table, { target: { scheduledFor: at(2_000), wakeAt: at(2_000) } });
    const { adapter } = stage.platform;
    const prepare = adapter.prepare.bind(adapter);
    adapter.prepare = async (job, tools) => {
      stage.clock.time += 1_500;
      return prepare(job, tools);
    };
    await stage.deliver();
    expect(stage.platform.ledger).toEqual([startMs + 2_000]);
  });

  it('drops a message of an older wake', async () => {
    const stage = await openStage(table, { target: { wakeNumber: 7 } });
    expect(await stage.deliver({ ...stage.message, wakeNumber: 6 })).toBe('out of date');
    expect(verbs(stage)).toBe('');
  });

  it('drops the message of a target that is gone', async () => {
    const stage = await openStage(table);
    expect(await stage.deliver({ ...stage.message, postId: stage.message.accountId })).toBe('out of date');
  });
});

describe('preparing', () => {
  it('goes step by step, each committed before the next', async () => {
    const stage = await openStage(table);
    stage.platform.script.prepare = [
      { state: 'continue', preparation: { uploaded: 1 } },
      { state: 'waiting', preparation: { uploaded: 2 }, waitSeconds: 2 },
    ];
    await stage.deliver();
    expect(stage.platform.calls.slice(0, 3).map(({ job }) => job.preparation)).toEqual([
      {},
      { uploaded: 1 },
      { uploaded: 2 },
    ]);
    expect(stage.platform.ledger).toEqual([startMs + 2_000]);
  });

  it.each([
    ['in the last minute and a half is put off to the time itself', 20, 100, 100],
    ['before that is taken when the platform says', 9, 100, 9],
    ['at the time or after it as well', 120, 100, 120],
  ])('a look %s', async (_when, waitSeconds, dueSeconds, wakeSeconds) => {
    const stage = await openStage(table, { target: { scheduledFor: at(dueSeconds * 1_000), wakeAt: at(0) } });
    stage.platform.script.prepare = [{ state: 'waiting', preparation: { looks: 1 }, waitSeconds }];
    await stage.deliver();
    expect(await stage.find()).toMatchObject({ wakeAt: at(wakeSeconds * 1_000), preparation: { looks: 1 } });
    await stage.runToEnd();
    expect(stage.platform.ledger).toEqual([startMs + Math.max(waitSeconds, dueSeconds) * 1_000]);
  });

  it('writes nothing for a look that is repeated in place, and looks so for a few seconds only', async () => {
    const stage = await openStage(table);
    const look = (looks: number): PrepareStep => ({
      state: 'waiting',
      preparation: { looks },
      waitSeconds: 1,
    });
    stage.platform.script.prepare = [1, 2, 3, 4].map(look);
    await stage.deliver();
    expect(stage.platform.calls).toHaveLength(4);
    const { timeline, preparation, wakeAt } = await stage.find();
    expect(timeline.map(({ event }) => event)).toEqual(['preparing']);
    expect({ preparation, wakeAt }).toEqual({ preparation: { looks: 4 }, wakeAt: at(4_000) });
  });

  it('leaves a longer wait to the queue', async () => {
    const stage = await openStage(table);
    stage.platform.script.prepare = [{ state: 'waiting', preparation: { uploaded: 1 }, waitSeconds: 30 }];
    await stage.deliver();
    expect(await stage.find()).toMatchObject({
      wakeAt: at(30_000),
      wakeNumber: 2,
      preparation: { uploaded: 1 },
    });
    await stage.runToEnd();
    expect(stage.platform.ledger).toEqual([startMs + 30_000]);
  });

  it('that never ends is left to fresh workers, and given up a day after the time', async () => {
    const stage = await openStage(table);
    stage.platform.adapter.prepare = async () => ({ state: 'waiting', preparation: {}, waitSeconds: 3_600 });
    const target = await stage.runToEnd();
    expect(target).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^missed: it was due at /),
    });
    expect(stage.clock.time).toBeGreaterThan(startMs + dayMs);
  });

  it('stops where the worker’s time ends', async () => {
    const stage = await openStage(table);
    stage.platform.script.prepare = Array.from({ length: 50 }, () => ({
      state: 'waiting' as const,
      preparation: {},
      waitSeconds: 3,
    }));
    await stage.deliver(stage.message, 60);
    expect(stage.clock.time).toBeLessThan(startMs + 60_000);
    expect(await stage.find()).toMatchObject({ status: 'scheduled', wakeNumber: 2 });
  });

  it('that is refused fails the target with the platform’s words', async () => {
    const stage = await openStage(table);
    stage.platform.script.prepare = [new PlatformError('rejected', 'Instagram: too dark (9004)')];
    await stage.deliver();
    expect(await stage.find()).toMatchObject({ status: 'failed', error: 'Instagram: too dark (9004)' });
    expect(stage.platform.ledger).toEqual([]);
  });

  it('that fails for a while is waited out, and goes on', async () => {
    const stage = await openStage(table);
    stage.platform.script.prepare = [
      new PlatformError('retry', 'busy', { retryAfterSeconds: 120 }),
      new PlatformError('unknown', 'no answer'),
      new TypeError('an error of our own'),
    ];
    const target = await stage.runToEnd();
    expect(target).toMatchObject({ status: 'published', failures: 3, firstFailureAt: at(0) });
    expect(stage.platform.ledger[0]).toBeGreaterThan(startMs + 120_000);
    expect(stage.errors).toHaveLength(1);
  });

  it('that only fails is given up after six hours', async () => {
    const stage = await openStage(table);
    stage.platform.adapter.prepare = async () => {
      throw new PlatformError('retry', 'busy');
    };
    const target = await stage.runToEnd();
    expect(target).toMatchObject({ status: 'failed', error: 'busy (given up after 6 hours)' });
    expect(stage.clock.time).toBeLessThanOrEqual(startMs + 6 * hourMs);
  });
});

describe('the last call', () => {
  it('is made under a written intent', async () => {
    const stage = await openStage(table);
    let seen: unknown;
    const { adapter } = stage.platform;
    const goLive = adapter.goLive.bind(adapter);
    adapter.goLive = async (job, tools) => {
      seen = await stage.find();
      return goLive(job, tools);
    };
    await stage.deliver();
    expect(seen).toMatchObject({ status: 'publishing', intentAt: at(0) });
  });

  it('that is refused for good fails the target', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = [new PlatformError('rejected', 'no')];
    await stage.deliver();
    const target = await stage.find();
    expect(target).toMatchObject({ status: 'failed', error: 'no' });
    expect(target).not.toHaveProperty('intentAt');
  });

  it('that certainly did nothing is made again after a wait', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = [new PlatformError('retry', 'busy', { retryAfterSeconds: 60 })];
    await stage.deliver();
    const waiting = await stage.find();
    expect(waiting).toMatchObject({ status: 'scheduled', wakeAt: at(60_000) });
    expect(waiting).not.toHaveProperty('intentAt');
    await stage.runToEnd();
    expect(verbs(stage)).toBe('prepare goLive prepare goLive finish');
    expect(stage.platform.ledger).toEqual([startMs + 60_000]);
  });

  it.each([
    ['an unknown outcome', unknown()],
    ['an error of our own', new TypeError('x')],
  ])('with %s is followed by the question, never by another', async (_what, error) => {
    const stage = await openStage(table);
    stage.platform.script.goLive = [error];
    await stage.deliver();
    expect(await stage.find()).toMatchObject({ status: 'publishing', intentAt: at(0), wakeAt: at(10_000) });
    stage.platform.calls.length = 0;
    stage.clock.time += 9_000;
    await stage.deliver(messageOf(await stage.find()));
    expect(verbs(stage)).toBe('reconcile');
  });

  it('whose reply was lost is found to have worked, at the time it was made', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = ['reply lost'];
    const target = await stage.runToEnd();
    expect(verbs(stage)).toBe('prepare goLive reconcile finish');
    expect(target).toMatchObject({ status: 'published', platformPostId: 'post-1', publishedAt: at(0) });
    expect(stage.platform.ledger).toHaveLength(1);
  });

  it('that proved to have done nothing is made again', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = [unknown()];
    const target = await stage.runToEnd();
    expect(verbs(stage)).toBe('prepare goLive reconcile prepare goLive finish');
    expect(target).toMatchObject({ status: 'published' });
    expect(stage.platform.ledger).toHaveLength(1);
  });

  it('that always proves to have done nothing is given up after six hours', async () => {
    const stage = await openStage(table);
    stage.platform.adapter.goLive = async () => {
      throw unknown();
    };
    const target = await stage.runToEnd();
    expect(target.status).toBe('failed');
    expect(target.error).toContain('given up after 6 hours');
    expect(stage.clock.time).toBeLessThanOrEqual(startMs + 6 * hourMs);
    expect(target.failures).toBeLessThan(60);
  });

  it('that the platform refused in a way that may lie fails once nothing is live', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = [new PlatformError('unknown', 'spam', { ifAbsent: 'rejected' })];
    expect(await stage.runToEnd()).toMatchObject({ status: 'failed', error: 'spam' });
    expect(verbs(stage)).toBe('prepare goLive reconcile');
  });

  it('is asked about with what it has left, and no other call is made', async () => {
    const stage = await openStage(table);
    const preparation = { publishId: 'p1' };
    stage.platform.script.goLive = [new PlatformError('unknown', 'taken', { preparation })];
    stage.platform.script.reconcile = [
      { state: 'live', post: { platformPostId: '1', permalink: 'https://p' } },
    ];
    expect(await stage.runToEnd()).toMatchObject({ status: 'published', platformPostId: '1' });
    const asked = stage.platform.calls.filter(({ verb }) => verb !== 'prepare');
    expect(asked.map(({ verb }) => verb)).toEqual(['goLive', 'reconcile', 'finish']);
    expect(asked.slice(1).map(({ job }) => job.preparation)).toEqual([preparation, preparation]);
  });

  it('whose outcome cannot be told fails in doubt, and says where to look', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = ['reply lost'];
    stage.platform.script.reconcile = [{ state: 'unknown', where: "the account's posts" }];
    const target = await stage.runToEnd();
    expect(target).toMatchObject({
      status: 'failed',
      error: "outcome unknown: check the account's posts before retrying",
      intentAt: at(0),
    });
    expect(stage.platform.ledger).toHaveLength(1);
  });

  it('is asked about again where it is too early to tell or the question fails', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = ['reply lost'];
    stage.platform.script.reconcile = [
      { state: 'pending', waitSeconds: 30 },
      new PlatformError('retry', 'busy'),
      new PlatformError('unknown', 'no answer'),
      new TypeError('x'),
    ];
    expect(await stage.runToEnd()).toMatchObject({ status: 'published' });
    expect(verbs(stage)).toBe(`prepare goLive ${'reconcile '.repeat(5)}finish`);
  });

  it.each([
    ['rejected', 'no such field'],
    ['reauthorise', 'the token is dead'],
  ] as const)('about which the platform answers %s fails in doubt', async (remedy, words) => {
    const stage = await openStage(table);
    stage.platform.script.goLive = ['reply lost'];
    stage.platform.script.reconcile = [new PlatformError(remedy, words)];
    const target = await stage.runToEnd();
    expect(target.error).toBe(`outcome unknown: check the account on instagram before retrying (${words})`);
    expect(stage.platform.ledger).toHaveLength(1);
  });

  it('whose question is never answered fails in doubt after six hours', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = ['reply lost'];
    stage.platform.adapter.reconcile = async () => {
      throw new PlatformError('retry', 'busy');
    };
    expect((await stage.runToEnd()).error).toMatch(/^outcome unknown: .*given up after 6 hours/);
  });
});

describe('finishing', () => {
  it.each([
    ['goes live', 'prepare goLive'],
    ['is found to be live', 'prepare goLive reconcile'],
  ])('is not begun where nothing is left once it %s', async (_how, expected) => {
    const stage = await openStage(table);
    const post = { platformPostId: 'p', permalink: null, isFinished: true };
    if (expected.endsWith('reconcile')) {
      stage.platform.script.goLive = ['reply lost'];
      stage.platform.script.reconcile = [{ state: 'live', post }];
    } else stage.platform.script.goLive = [post];
    const target = await stage.runToEnd();
    expect(verbs(stage)).toBe(expected);
    expect(target).toMatchObject({ status: 'published', platformPostId: 'p', publishedAt: at(0) });
    expect(target).not.toHaveProperty('wakeAt');
    expect(target).not.toHaveProperty('leaseUntil');
  });

  it('that fails leaves the target published, with the reason', async () => {
    const stage = await openStage(table);
    stage.platform.script.finish = [new PlatformError('rejected', 'comments are off')];
    expect(await stage.runToEnd()).toMatchObject({
      status: 'published',
      platformPostId: 'post-1',
      error: 'published, but not finished: comments are off',
    });
  });

  it('with a warning leaves the target published, with the warning', async () => {
    const stage = await openStage(table);
    const post = { platformPostId: 'post-1', permalink: 'https://platform.example/final' };
    stage.platform.script.finish = [{ state: 'done', post, warning: 'no thumbnail' }];
    expect(await stage.runToEnd()).toMatchObject({ status: 'published', error: 'no thumbnail', ...post });
  });

  it('that has to wait with the address known is published meanwhile, and goes on later', async () => {
    const stage = await openStage(table);
    const post = { platformPostId: 'late', permalink: 'https://platform.example/late' };
    stage.platform.script.goLive = [{ platformPostId: null, permalink: null }];
    stage.platform.script.finish = [{ state: 'waiting', post, preparation: { waits: 1 }, waitSeconds: 60 }];
    await stage.deliver();
    expect(await stage.find()).toMatchObject({
      status: 'published',
      platformPostId: 'late',
      wakeAt: at(60_000),
    });
    await stage.runToEnd();
    expect(verbs(stage)).toBe('prepare goLive finish finish');
    expect(stage.platform.calls.at(-1)?.job).toMatchObject({ preparation: { waits: 1 } });
  });

  it('that gets no address holds the target back for a minute, and never makes it live again', async () => {
    const stage = await openStage(table);
    const post = { platformPostId: 'late', permalink: null };
    const waiting = { state: 'waiting', post, preparation: {}, waitSeconds: 40 } as const;
    stage.platform.script.goLive = [{ platformPostId: null, permalink: null }];
    stage.platform.script.finish = [waiting, waiting, { state: 'done', post }];
    await stage.deliver();
    expect(await stage.find()).toMatchObject({
      status: 'publishing',
      platformPostId: 'late',
      publishedAt: at(0),
    });
    const target = await stage.runToEnd();
    expect(target).toMatchObject({ status: 'published' });
    expect(verbs(stage)).toBe('prepare goLive finish finish finish');
  });

  it('that fails for a while is tried again, and never published again', async () => {
    const stage = await openStage(table);
    stage.platform.script.finish = [new PlatformError('retry', 'busy'), new TypeError('x')];
    const target = await stage.runToEnd();
    expect(target).toMatchObject({ status: 'published', publishedAt: at(0) });
    expect(target).not.toHaveProperty('error');
    expect(verbs(stage)).toBe('prepare goLive finish finish finish');
  });
});

describe('the account', () => {
  it('whose token is refused is marked as expired once, and the target fails with the reason', async () => {
    const stage = await openStage(table);
    stage.platform.script.prepare = [new PlatformError('reauthorise', 'the token was revoked')];
    expect(await stage.runToEnd()).toMatchObject({ status: 'failed', error: 'the token was revoked' });
    expect(stage.marks).toEqual(['expired: the token was revoked']);
  });

  it('whose token can be renewed is not marked, and the target goes on at once', async () => {
    const stage = await openStage(table);
    stage.platform.script.prepare = [new PlatformError('reauthorise', 'the token is old')];
    const deliver = () => stage.deliver(undefined, 300, { ...stage.ports, renewToken: async () => true });
    await deliver();
    expect(await stage.find()).toMatchObject({ status: 'scheduled', wakeAt: at(0), wakeNumber: 2 });
    expect(await stage.runToEnd()).toMatchObject({ status: 'published', publishedAt: at(0) });
    expect(stage.marks).toEqual([]);
  });

  it('that the platform restricts is marked with its words', async () => {
    const stage = await openStage(table);
    stage.platform.script.goLive = [new PlatformError('restricted', 'confirm your identity')];
    expect(await stage.runToEnd()).toMatchObject({ status: 'failed', error: 'confirm your identity' });
    expect(stage.marks).toEqual(['error: confirm your identity']);
  });

  it.each([
    ['is disconnected', { disconnectedAt: at(-1) }, 'the account is disconnected: connect it again'],
    [
      'has expired',
      { status: 'expired', statusMessage: 'revoked' },
      "the account's authorization has expired (revoked): connect it again",
    ],
    [
      'is restricted',
      { status: 'error', statusMessage: null },
      'the platform has restricted the account (no reason was given)',
    ],
  ] as const)('that %s fails its targets at their time, not before', async (_what, account, error) => {
    const stage = await openStage(table, { account, target: { scheduledFor: at(hourMs) } });
    await stage.deliver();
    expect(await stage.find()).toMatchObject({ status: 'scheduled', wakeAt: at(hourMs) });
    expect(await stage.runToEnd()).toMatchObject({ status: 'failed', error });
    expect(stage.clock.time).toBe(startMs + hourMs);
    expect(verbs(stage)).toBe('');
  });
});

describe('a file', () => {
  it('that has not arrived is waited for, ten minutes past the time', async () => {
    const stage = await openStage(table, { media: { status: 'pending' } });
    expect(await stage.runToEnd()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: the file was not uploaded',
    });
    expect(stage.clock.time).toBeGreaterThan(startMs + 10 * minuteMs);
    expect(stage.clock.time).toBeLessThan(startMs + hourMs);
  });

  it('that cannot be used fails the target', async () => {
    const stage = await openStage(table, { media: { status: 'invalid', statusMessage: 'over the quota' } });
    expect(await stage.runToEnd()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: the file cannot be used: over the quota',
    });
  });
});

describe('after an outage', () => {
  it('a target is still published up to a day late', async () => {
    const stage = await openStage(table, { nowMs: startMs + dayMs });
    expect(await stage.runToEnd()).toMatchObject({ status: 'published' });
  });

  it('a target that is later than that has been missed', async () => {
    const stage = await openStage(table, { nowMs: startMs + dayMs + 1 });
    expect(await stage.runToEnd()).toMatchObject({
      status: 'failed',
      error: `missed: it was due at ${at(0)}, more than 24 hours ago`,
    });
    expect(verbs(stage)).toBe('');
  });
});

describe('a target whose files were looked into after its post was stored', () => {
  const wide = { probe: { width: 3_000, height: 1_000 } };

  it('fails with what the platform’s rules say, before anything is sent', async () => {
    const stage = await openStage(table, { media: wide });
    await stage.deliver(undefined, undefined, { ...stage.ports, rulesFor });
    expect(verbs(stage)).toBe('');
    expect(await stage.find()).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0]: an image must have a width-to-height ratio from 0.8 to 1.91',
    });
  });

  it('goes on where its preparation was begun', async () => {
    const stage = await openStage(table, { media: wide, target: { preparation: { containerId: 'c1' } } });
    await stage.deliver(undefined, undefined, { ...stage.ports, rulesFor });
    expect(await stage.find()).toMatchObject({ status: 'published' });
  });

  it('waits while its file is being deleted', async () => {
    const stage = await openStage(table, { media: { removedAt: at(0) } });
    await stage.deliver();
    expect(await stage.find()).toMatchObject({ status: 'scheduled', failures: 1 });
  });

  it('fails with the reason where the file is invalid', async () => {
    const statusMessage = 'the file is text/html, not image/jpeg';
    const stage = await openStage(table, { media: { status: 'invalid', statusMessage } });
    await stage.deliver();
    expect(await stage.find()).toMatchObject({
      status: 'failed',
      error: `mediaItems[0]: the file cannot be used: ${statusMessage}`,
    });
  });
});
