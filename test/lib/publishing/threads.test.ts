import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { resolveTarget } from '../../../lib/posts/resolve.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { expireTogether, expiryOf } from '../../../lib/posts/stored/expiry.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { disproveLive } from '../../../lib/publishing/disprove.ts';
import { withRestoredCall } from '../../../lib/recovery/restore/doubtful.ts';
import { getItem } from '../../../lib/table/items.ts';
import { livePostKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { actOf, operatorAct } from '../../support/acts.ts';
import { changeTarget, referenceTo, startMs, storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { type Fixture, listOnly, openFixture as open } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const part = (content: string) => ({ content, mediaItems: [] });
const thread = [part('Two'), part('Three')];

const openFixture = (options: Parameters<typeof open>[1] = {}) =>
  open(table, { ...options, target: { platform: 'threads', content: 'One', thread, ...options.target } });

const refused = () => new PlatformError('rejected', 'the platform refused it');
const lost = 'reply lost';

/** The last calls that were made, as the text and the post that it replies to. */
const made = ({ platform }: Fixture) =>
  platform.calls.flatMap(({ verb, job }) => (verb === 'goLive' ? [`${job.content} > ${job.replyTo}`] : []));

const contextOf = ({ message: { workspaceId }, clock }: Fixture) => ({
  table,
  workspaceId,
  now: clock.time,
  ...actOf('key'),
  cursorSecret: 'secret',
});
const retry = (fixture: Fixture) => retryPost(contextOf(fixture), fixture.message.postId);

describe('a thread', () => {
  it('goes live part by part, each as a reply to the one before', async () => {
    const fixture = await openFixture();
    const target = await fixture.runToEnd();
    expect(made(fixture)).toEqual(['One > undefined', 'Two > post-1', 'Three > post-2']);
    expect(target).toMatchObject({
      status: 'published',
      platformPostId: 'post-1',
      permalink: 'https://platform.example/p/1',
      publishedAt: toTimestamp(startMs),
      parts: [1, 2, 3].map((number) => ({
        platformPostId: `post-${number}`,
        permalink: `https://platform.example/p/${number}`,
      })),
    });
    expect(target.parts?.some(({ isUnfinished }) => isUnfinished)).toBe(false);
  });

  it('lets the claims of all its parts expire with it', async () => {
    const fixture = await openFixture();
    await fixture.runToEnd();
    const { workspaceId, postId } = fixture.message;
    const found = await findPost(table, workspaceId, postId);
    if (!found) throw new Error('no post');
    await expireTogether(table, found, 1_900_000_000);
    for (const id of ['post-1', 'post-2', 'post-3'])
      expect(await getItem(table, livePostKey('threads', id))).toMatchObject({
        expiresAtSeconds: 1_900_000_000,
      });
  });

  it('is being published until its last part is live, and claims the post of each', async () => {
    const fixture = await openFixture();
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({ status: 'publishing', platformPostId: 'post-1' });
    await fixture.runToEnd();
    for (const id of ['post-1', 'post-2', 'post-3'])
      expect(await getItem(table, livePostKey('threads', id))).toMatchObject({
        postId: fixture.message.postId,
        isCertain: true,
      });
  });

  it('says in its timeline which part a step is about', async () => {
    const { timeline } = await (await openFixture()).runToEnd();
    const steps = timeline.map(({ event, laterEvent = event, reason }) => [laterEvent, reason]);
    expect(steps).toContainEqual(['published', 'part 1 of 3']);
    expect(steps).toContainEqual(['going live', 'part 2 of 3']);
    expect(steps).toContainEqual(['part published', 'part 3 of 3']);
  });

  it('gives each part its own files, and the options to the first', async () => {
    const fixture = await openFixture({ target: { options: { topicTag: 'x' } } });
    const { workspaceId } = fixture.message;
    const file = await storeMedia(table, workspaceId, { filename: 'two.jpg' });
    const two = { content: '', mediaItems: [referenceTo(file)] };
    await changeTarget(table, await fixture.find(), { thread: [two, part('Three')] });
    await fixture.runToEnd();
    const jobs = fixture.platform.calls.filter(({ verb }) => verb === 'goLive').map(({ job }) => job);
    expect(jobs.map(({ media }) => media.length)).toEqual([1, 1, 0]);
    expect(jobs[1]?.media[0]?.mediaId).toBe(file.id);
    expect(jobs.map(({ options }) => options)).toEqual([{ topicTag: 'x' }, {}, {}]);
  });

  it('does not begin before the files of all parts have arrived', async () => {
    const fixture = await openFixture();
    const file = await storeMedia(table, fixture.message.workspaceId, { status: 'pending' });
    const last = { content: 'Two', mediaItems: [referenceTo(file)] };
    await changeTarget(table, await fixture.find(), { thread: [last] });
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('platforms[0].platformSpecificData.thread[0].mediaItems[0]'),
    });
    expect(fixture.platform.ledger).toEqual([]);
  });

  it('waits for the id of a part before the next replies to it', async () => {
    const fixture = await openFixture();
    fixture.platform.script.goLive = [{ platformPostId: null, permalink: null }];
    const post = { platformPostId: 'late', permalink: 'https://platform.example/late' };
    fixture.platform.script.finish = [
      { state: 'waiting', post: { platformPostId: null, permalink: null }, preparation: {}, waitSeconds: 8 },
      { state: 'done', post },
    ];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      platformPostId: 'late',
      parts: [{ platformPostId: 'late' }, {}, {}],
    });
    expect(made(fixture).slice(0, 2)).toEqual(['One > undefined', 'Two > late']);
  });
});

describe('the retention time of a thread', () => {
  const days = 30;
  const begin = async () => {
    const fixture = await openFixture();
    fixture.platform.script.goLive = [
      { platformPostId: 'a', permalink: 'https://platform.example/a' },
      refused(),
    ];
    await fixture.runToEnd();
    fixture.clock.time += 20 * dayMs;
    await retry(fixture);
    return fixture;
  };
  const daysUntilExpiry = async ({ message: { workspaceId, postId }, clock }: Fixture) => {
    const found = await findPost(table, workspaceId, postId);
    if (!found) throw new Error('no post');
    const endMs = (expiryOf(found, { posts: days }) ?? Number.NaN) * 1_000;
    return Math.round((endMs - clock.time) / dayMs);
  };

  it('begins with its last part', async () => {
    const fixture = await begin();
    await fixture.runToEnd();
    expect(await daysUntilExpiry(fixture)).toBe(days);
  });

  it('begins with its failure', async () => {
    const fixture = await begin();
    fixture.platform.script.goLive = [refused()];
    await fixture.runToEnd();
    expect(await daysUntilExpiry(fixture)).toBe(days);
  });
});

describe('a part of a thread', () => {
  it('whose call was refused fails the thread in part, and a retry continues with it', async () => {
    const fixture = await openFixture();
    fixture.platform.script.goLive = [
      { platformPostId: 'a', permalink: 'https://platform.example/a' },
      refused(),
    ];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'partial',
      error: 'the platform refused it (part 2 of 3)',
      errorDetail: { code: 'platform_rejected' },
      publishedAt: toTimestamp(startMs),
      parts: [{ platformPostId: 'a' }],
    });
    fixture.clock.time += minuteMs;
    const { scheduledFor } = await fixture.find();
    await retry(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', scheduledFor });
    expect(made(fixture).slice(2)).toEqual(['Two > a', 'Three > post-1']);
  });

  it('whose call got no answer is looked up, and not made again', async () => {
    const fixture = await openFixture();
    const first = { platformPostId: 'a', permalink: 'https://platform.example/a' };
    fixture.platform.script.goLive = [first, lost];
    fixture.platform.script.lookUp = [{ state: 'live', post: { platformPostId: 'b', permalink: null } }];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(made(fixture)).toEqual(['One > undefined', 'Two > a', 'Three > b']);
    const asked = fixture.platform.calls.find(({ verb }) => verb === 'lookUp')?.job;
    expect(asked).toMatchObject({ content: 'Two', replyTo: 'a' });
  });

  it('that a lookup proves absent is made again, while the thread stays in public', async () => {
    const fixture = await openFixture();
    const first = { platformPostId: 'a', permalink: 'https://platform.example/a' };
    fixture.platform.script.goLive = [first, new PlatformError('unknown', 'no answer')];
    fixture.platform.script.lookUp = [{ state: 'absent', proof: 'it has expired', preparation: {} }];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(made(fixture)).toEqual(['One > undefined', 'Two > a', 'Two > a', 'Three > post-1']);
  });

  it('is not taken for another part of the same text', async () => {
    const fixture = await openFixture({ target: { thread: [part('Same'), part('Same')] } });
    fixture.platform.script.goLive = [
      { platformPostId: 'a', permalink: 'https://platform.example/a' },
      { platformPostId: 'b', permalink: 'https://platform.example/b' },
      lost,
    ];
    const taken: boolean[] = [];
    const { lookUp } = fixture.platform.adapter;
    const adapter: typeof fixture.platform.adapter = {
      ...fixture.platform.adapter,
      async lookUp(job, tools) {
        for (const id of ['a', 'b', 'c']) taken.push(await job.call.isTaken(id));
        return lookUp(job, tools);
      },
    };
    Object.assign(fixture.ports, { adapterFor: () => adapter });
    fixture.platform.script.lookUp = [{ state: 'live', post: { platformPostId: 'c', permalink: null } }];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(taken).toEqual([true, true, false]);
  });

  describe('of unknown outcome', () => {
    const openUnknown = async () => {
      const fixture = await openFixture();
      fixture.platform.rule = listOnly;
      const first = { platformPostId: 'a', permalink: 'https://platform.example/a' };
      fixture.platform.script.goLive = [first, new PlatformError('unknown', 'no answer')];
      fixture.platform.script.lookUp = Array.from({ length: 20 }, () => ({ state: 'unseen' as const }));
      expect(await fixture.runToEnd()).toMatchObject({
        status: 'partial',
        error: expect.stringMatching(/^outcome unknown: .*\(part 2 of 3\)$/),
        errorDetail: { code: 'outcome_unknown' },
      });
      fixture.platform.script.lookUp = [{ state: 'unseen' }];
      return fixture;
    };
    const resolve = (fixture: Fixture, verdict: Parameters<typeof resolveTarget>[3]) => {
      const { postId, accountId } = fixture.message;
      return resolveTarget(contextOf(fixture), postId, accountId, verdict);
    };

    it('fails the thread in part, and a retry asks once more and then continues', async () => {
      const fixture = await openUnknown();
      await retry(fixture);
      expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
      expect(made(fixture).slice(2)).toEqual(['Two > a', 'Three > post-1']);
    });

    it('is live by the word of a person, and the rest of the thread follows', async () => {
      const fixture = await openUnknown();
      await resolve(fixture, { outcome: 'live', platformPostId: 'b' });
      expect(await fixture.runToEnd()).toMatchObject({
        status: 'published',
        platformPostId: 'a',
        parts: [{ platformPostId: 'a' }, { platformPostId: 'b' }, { platformPostId: 'post-1' }],
      });
      expect(made(fixture).slice(2)).toEqual(['Three > b']);
    });

    it('is not live as another part of the thread, whatever a person says', async () => {
      const fixture = await openUnknown();
      await expect(resolve(fixture, { outcome: 'live', platformPostId: 'a' })).rejects.toMatchObject({
        code: 'platform_post_taken',
        message: 'platformPostId: another part of the thread has the post a of the platform',
      });
      expect(await fixture.find()).toMatchObject({ status: 'partial', parts: [{ platformPostId: 'a' }] });
    });

    it('is live by the word of a person, and the part after it has the full time for its retries', async () => {
      const fixture = await openUnknown();
      const firstFailureAt = toTimestamp(fixture.clock.time - 7 * 60 * minuteMs);
      await changeTarget(table, await fixture.find(), { failures: 9, firstFailureAt });
      await resolve(fixture, { outcome: 'live', platformPostId: 'b' });
      fixture.platform.script.goLive = [new PlatformError('retry', 'busy')];
      expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    });

    it('is not live by the word of a person, and a retry publishes it without a lookup', async () => {
      const fixture = await openUnknown();
      fixture.clock.time += minuteMs;
      await resolve(fixture, { outcome: 'not live' });
      expect(await fixture.find()).toMatchObject({ status: 'partial', errorDetail: { code: 'not_live' } });
      fixture.platform.calls.length = 0;
      await retry(fixture);
      expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
      expect(made(fixture)).toEqual(['Two > a', 'Three > post-1']);
      expect(fixture.platform.calls.some(({ verb }) => verb === 'lookUp')).toBe(false);
    });
  });

  it('waits for a limit of its own for a day, even if the part before it has waited', async () => {
    const fixture = await openFixture();
    const limit = (hours: number) =>
      new PlatformError('retry', 'too many posts', { isDailyLimit: true, retryAfterSeconds: hours * 3_600 });
    fixture.platform.script.goLive = [
      limit(20),
      { platformPostId: 'a', permalink: 'https://platform.example/a' },
      limit(10),
    ];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });

  it('is not published once its account is gone', async () => {
    const fixture = await openFixture();
    await fixture.deliver();
    fixture.platform.script.prepare = [new PlatformError('reauthorise', 'the token is dead')];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'partial',
      errorDetail: { code: 'account_expired' },
    });
    expect(fixture.platform.ledger).toHaveLength(1);
  });
});

describe('a thread', () => {
  it('of which a release without threads has published the first part is completed by a retry', async () => {
    const fixture = await openFixture();
    await fixture.deliver();
    const { parts: _unknown, ...first } = await fixture.find();
    await changeTarget(table, first, { status: 'published', wakeAt: null, parts: null });
    await retry(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', parts: [{}, {}, {}] });
    expect(made(fixture)).toEqual(['One > undefined', 'Two > post-1', 'Three > post-2']);
  });

  it('that has begun is not held by a pause', async () => {
    const fixture = await openFixture();
    await fixture.deliver();
    const { workspaceId } = fixture.message;
    const operator = { ...operatorAct('pause.begin'), table, now: fixture.clock.time };
    await putPause(operator, { scope: { kind: 'workspace', workspaceId }, reason: 'moving house' });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });

  it('whose first part turns out to be another target’s keeps the claims of its other parts for a month', async () => {
    const fixture = await openFixture();
    const { platform } = await fixture.runToEnd();
    const { workspaceId, postId, accountId } = fixture.message;
    await disproveLive(fixture.ports, { workspaceId, postId, accountId, platform, platformPostId: 'post-1' });
    const expiresAtSeconds = Math.ceil((fixture.clock.time + 30 * dayMs) / 1_000);
    for (const id of ['post-2', 'post-3'])
      expect(await getItem(table, livePostKey(platform, id))).toMatchObject({ expiresAtSeconds });
    expect(await getItem(table, livePostKey(platform, 'post-1'))).not.toHaveProperty('expiresAtSeconds');
  });

  it('whose first part turns out to be another target’s is of unknown outcome, and begins again by a retry', async () => {
    const fixture = await openFixture();
    fixture.platform.rule = listOnly;
    const live = await fixture.runToEnd();
    const { workspaceId, postId, accountId } = fixture.message;
    const disproved = { workspaceId, postId, accountId, platform: live.platform, platformPostId: 'post-1' };
    await disproveLive(fixture.ports, disproved);
    const failed = await fixture.find();
    expect(failed).toMatchObject({ status: 'failed', errorDetail: { code: 'outcome_unknown' } });
    expect(failed).not.toHaveProperty('parts');
    expect(failed.calls?.map(({ outcome }) => outcome)).toEqual(['live', 'live', 'live', 'unknown']);
    expect(failed.calls?.at(-1)?.intentAt).toBe(failed.calls?.[0]?.intentAt);
    fixture.platform.script.lookUp = Array.from({ length: 20 }, () => ({ state: 'unseen' as const }));
    await retry(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-4' });
    expect(made(fixture).slice(3)).toEqual(['One > undefined', 'Two > post-4', 'Three > post-5']);
  });
});

describe('a thread in a restored table', () => {
  it('is looked for part by part, until the platform shows none', async () => {
    const fixture = await openFixture();
    await fixture.deliver();
    const gap = { sinceMs: fixture.clock.time, untilMs: fixture.clock.time + minuteMs };
    const target = await fixture.find();
    await changeTarget(table, target, { calls: withRestoredCall(target, gap) });
    fixture.clock.time = gap.untilMs;
    fixture.platform.script.lookUp = [
      { state: 'live', post: { platformPostId: 'b', permalink: null } },
      ...Array.from({ length: 20 }, () => ({ state: 'unseen' as const })),
    ];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'partial',
      error: expect.stringMatching(/^outcome unknown: .*restored.*\(part 3 of 3\)$/),
    });
    expect(made(fixture)).toEqual(['One > undefined']);
  });

  it('is looked for part by part if a person says that one is live', async () => {
    const fixture = await openFixture({ target: { thread: [...thread, part('Four')] } });
    await fixture.deliver();
    const gap = { sinceMs: fixture.clock.time, untilMs: fixture.clock.time + minuteMs };
    const target = await fixture.find();
    await changeTarget(table, target, { calls: withRestoredCall(target, gap) });
    fixture.clock.time = gap.untilMs;
    fixture.platform.script.lookUp = Array.from({ length: 40 }, () => ({ state: 'unseen' as const }));
    await fixture.runToEnd();
    const { postId, accountId } = fixture.message;
    const live = (platformPostId: string) =>
      resolveTarget(contextOf(fixture), postId, accountId, { outcome: 'live', platformPostId });
    await live('b');
    await live('b');
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'partial',
      error: expect.stringMatching(/^outcome unknown: .*\(part 3 of 4\)$/),
    });
    await live('c');
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'partial',
      error: expect.stringMatching(/^outcome unknown: .*\(part 4 of 4\)$/),
      parts: [{}, { platformPostId: 'b' }, { platformPostId: 'c' }],
    });
    expect(made(fixture)).toEqual(['One > undefined']);
  });
});
