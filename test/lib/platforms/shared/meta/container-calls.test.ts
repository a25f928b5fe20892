import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FinishJob } from '../../../../../lib/platforms/contract/adapter.ts';
import type { Preparation } from '../../../../../lib/platforms/contract/live-post.ts';
import { absenceRules } from '../../../../../lib/platforms/instagram/absence.ts';
import { absenceRule as threadsRule } from '../../../../../lib/platforms/threads/absence.ts';
import { type Fixture, openFixture } from '../../../../contract/fixture.ts';
import { rowOf } from '../../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../../support/fixture-server.ts';
import { type Publisher, publisherOf } from '../../../../support/publisher.ts';

const platforms = [
  {
    platform: 'instagram',
    create: 'media',
    publish: 'media_publish',
    list: 'media_list',
    missing: '100/33',
    lost: '24/2207008',
  },
  {
    platform: 'threads',
    create: 'threads',
    publish: 'threads_publish',
    list: 'threads_list',
    missing: '24/4279009',
    lost: '24/4279009',
  },
] as const;

const hourMs = 3_600_000;

let fixtures: FixtureServer;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());

describe.each(platforms)('on $platform', ({ platform, create, publish, list, missing, lost }) => {
  const row = rowOf(platform);
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture(row, fixtures);
  });
  afterEach(() => fixture.close());

  const requests = async (operation: string) => {
    const all = (await fixture.control('requests')) as unknown as { operation: string; status: number }[];
    return all.filter((request) => request.operation === operation).length;
  };
  const prepared = async (content = row.content) => {
    const { job } = await fixture.publisher({ media: ['image.jpg'], options: {} });
    const publisher = publisherOf(
      fixture.adapter,
      { ...job, content },
      fixture.tools,
      fixture.clock,
      fixture.idle,
    );
    await publisher.prepare();
    return publisher;
  };
  const loseResponse = async (publisher: Publisher) => {
    await fixture.plan(publish, 'drop-reply');
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
  };
  const onlyPost = async () => {
    const [post, ...others] = await fixture.posts();
    expect(others).toEqual([]);
    return post;
  };

  const silentCall = {
    sinceMs: Date.UTC(2026, 10, 20, 20),
    endedMs: Date.UTC(2026, 10, 20, 20),
    isTaken: async () => false,
  };

  /** A publisher whose container exists, and was not polled. */
  async function created() {
    const { job } = await fixture.publisher({ media: ['image.jpg'], options: {} });
    const { preparation } = await fixture.adapter.prepare(job, fixture.tools);
    const publisher = publisherOf(
      fixture.adapter,
      { ...job, preparation },
      fixture.tools,
      fixture.clock,
      fixture.idle,
    );
    return { publisher, container: String(preparation['container']) };
  }

  /** A publisher whose container reads ERROR. */
  async function failed(): Promise<Publisher> {
    await fixture.plan('container_processing', `error:${platform === 'instagram' ? '2207082' : 'UNKNOWN'}`);
    const { publisher } = await created();
    fixture.clock.time += 2_000;
    await fixture.idle();
    return publisher;
  }

  describe('a call whose response was lost', () => {
    it.each([
      ['all reads lag by 30 seconds', { readLagSeconds: 30 }],
      ['all reads lag by 90 seconds', { readLagSeconds: 90 }],
      ['texts come back changed', { changesTexts: true }],
      ['200 other posts followed', { readLagSeconds: 90, otherPosts: 200 }],
    ])('is found, with its time, although %s', async (_name, settings) => {
      const publisher = await prepared('See https://example.com/harbour  at six\n#coffee');
      await fixture.set(settings);
      await loseResponse(publisher);
      const post = await onlyPost();
      const verdict = await publisher.reconcile();
      expect(verdict).toMatchObject({ kind: 'live', post: { platformPostId: post?.id } });
      if (verdict.kind !== 'live') return;
      expect(Math.abs((verdict.post.publishedMs ?? 0) - (post?.publishedAt ?? 0))).toBeLessThan(1_000);
    });

    it('is live without an id while only the status shows it, and the id is found later', async () => {
      const publisher = await prepared();
      await fixture.set({ listLagSeconds: 90 });
      await loseResponse(publisher);
      const verdict = await publisher.reconcile();
      expect(verdict).toEqual({ kind: 'live', post: { platformPostId: null, permalink: null } });
      if (verdict.kind !== 'live') return;
      const { post, warning } = await publisher.finish(verdict.post);
      expect(warning).toBeUndefined();
      expect(post.platformPostId).toBe((await onlyPost())?.id);
    });

    it('is not resolved with a post that another target has claimed', async () => {
      const other = await prepared();
      const { platformPostId } = await other.goLive();
      const publisher = await prepared();
      publisher.taken.add(platformPostId ?? '');
      await publisher.crashAtLastCall(false);
      expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    });

    it('is not resolved with a later post that differs only in its link', async () => {
      const publisher = await prepared('Read https://example.com/1');
      await publisher.crashAtLastCall(false);
      await (await prepared('Read https://example.com/2')).goLive();
      expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    });

    it.each(['container_status', list])(
      'ends as unknown, without a fault of the account, if %s may not be read',
      async (operation) => {
        const publisher = await prepared();
        await publisher.crashAtLastCall(false);
        await fixture.plan(operation, 'error:10', 50);
        expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
      },
    );

    it('is not resolved with an older post that has the same text', async () => {
      await (await prepared()).goLive();
      fixture.clock.time += 120_000;
      const publisher = await prepared();
      await publisher.crashAtLastCall(false);
      expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
    });

    it('leads to no second container if the status lags and then cannot be read for a minute', async () => {
      const publisher = await prepared();
      await fixture.set({ readLagSeconds: 46 });
      const containers = await requests(create);
      await loseResponse(publisher);
      fixture.clock.time += 45_000;
      await fixture.plan('container_status', `error:${missing}`, 8);
      expect((await publisher.reconcile()).kind).not.toBe('absent');
      expect(await requests(create)).toBe(containers);
      await onlyPost();
    });

    it.each([false, true])(
      'never leads to a second post while everything lags, if a second publish succeeds: %s',
      async (publishesAgain) => {
        const publisher = await prepared();
        await fixture.set({ readLagSeconds: 'forever', publishesAgain });
        await loseResponse(publisher);
        expect(await publisher.reconcile()).toMatchObject({ kind: 'unknown' });
        await onlyPost();
        expect(await requests(publish)).toBe(1);
      },
    );

    it.each(['ERROR', 'EXPIRED'])(
      'is live if the list shows its post, although the container reads %s',
      async (state) => {
        const publisher = await prepared();
        await publisher.crashAtLastCall(true);
        const { http } = fixture.tools;
        const send: typeof http.send = async (request) => {
          const response = await http.send(request);
          const isStatus = request.query?.['fields']?.includes('status') === true;
          return isStatus ? { ...response, json: { id: '1', status_code: state, status: state } } : response;
        };
        const call = { ...silentCall, token: fixture.adapter.tokenOf(publisher.job) };
        const tools = { ...fixture.tools, http: { ...http, send } };
        expect(await fixture.adapter.lookUp({ ...publisher.job, call }, tools)).toMatchObject({
          state: 'live',
          post: { platformPostId: (await onlyPost())?.id },
        });
      },
    );
  });

  describe('a call that was never made', () => {
    it('ends as unknown, because a status or list without the post proves nothing', async () => {
      const publisher = await prepared();
      await publisher.crashAtLastCall(false);
      const begun = fixture.clock.time;
      await expect(publisher.reconcile()).resolves.toMatchObject({ kind: 'unknown' });
      // 5 + 45 seconds until the call has ended, 120 seconds of lag, and twice 60 between three lookups.
      expect(fixture.clock.time - begun).toBe(290_000);
    });

    it.each([
      ['has expired', prepared, 25 * hourMs],
      ['has failed', failed, 0],
    ])('is absent if the container %s, and a new one is published', async (_name, publisherWith, waitMs) => {
      const publisher = await publisherWith();
      await publisher.crashAtLastCall(false);
      fixture.clock.time += waitMs;
      expect(await publisher.reconcile()).toMatchObject({ kind: 'absent', preparation: { renewals: 1 } });
      await publisher.publish();
      await onlyPost();
    });

    it('is processing while the container reads IN_PROGRESS, and never absent', async () => {
      await fixture.plan('container_processing', 'timeout');
      const { publisher, container } = await created();
      const call = { ...silentCall, token: { container } };
      const lookUp = fixture.adapter.lookUp({ ...publisher.job, call }, fixture.tools);
      expect(await lookUp).toMatchObject({ state: 'processing' });
    });
  });

  describe('a refused call', () => {
    it('that names a lost container leads to a new one, immediately', async () => {
      await fixture.set({ losesContainers: true });
      const publisher = await prepared();
      const containers = await requests(create);
      await fixture.set({ losesContainers: false });
      await expect(publisher.goLive()).rejects.toMatchObject({
        remedy: 'retry',
        platformCode: lost,
        retryAfterSeconds: 1,
        preparation: { renewals: 1 },
      });
      expect(publisher.calls.at(-1)?.outcome).toBe('refused');
      await publisher.publish();
      await onlyPost();
      expect(await requests(create)).toBe(containers + 1);
      expect(await requests(publish)).toBe(2);
    });

    it('fails the post if every container is lost', async () => {
      await fixture.set({ losesContainers: true });
      const { job } = await fixture.publisher({ media: ['image.jpg'], options: {} });
      const publisher = publisherOf(fixture.adapter, job, fixture.tools, fixture.clock, fixture.idle);
      await expect(publisher.publish()).rejects.toMatchObject({ remedy: 'rejected', platformCode: lost });
      expect(await requests(publish)).toBe(4);
    });

    it('proves nothing if the container reads PUBLISHED: the platform repeated the call itself', async () => {
      const publisher = await prepared();
      await fixture.plan(publish, `error-after:${lost}`);
      await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
      expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
      await onlyPost();
    });

    it('leads to no new container while nobody knows whether the old one was published', async () => {
      const publisher = await prepared();
      const containers = await requests(create);
      await fixture.plan(publish, `error-after:${lost}`);
      await fixture.plan('container_status', 'error:500');
      await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'retry', preparation: undefined });
      await publisher.publish();
      await onlyPost();
      expect(await requests(create)).toBe(containers);
    });
  });

  it('a container that reads PUBLISHED before the call is looked up instead of published again', async () => {
    await fixture.set({ publishesAgain: true });
    const publisher = await prepared();
    await publisher.goLive();
    await publisher.prepare();
    await expect(publisher.goLive()).rejects.toMatchObject({ remedy: 'unknown' });
    expect(await requests(publish)).toBe(1);
    expect(await publisher.reconcile()).toMatchObject({ kind: 'live' });
  });

  it('the record of a call has the container, and nothing else', async () => {
    const publisher = await prepared();
    const token = fixture.adapter.tokenOf(publisher.job);
    expect(token).toEqual({ container: expect.stringMatching(/^\d+$/) });
  });

  it('a preparation that an earlier release stored is still read', async () => {
    const publisher = await prepared();
    const former = { ...publisher.job.preparation, firstIntentAt: 1, isReplySent: true };
    const step = await fixture.adapter.prepare({ ...publisher.job, preparation: former }, fixture.tools);
    expect(step.state).toBe('ready');
  });

  it('no rule allows a second call with the same container', () => {
    for (const rule of [...Object.values(absenceRules), threadsRule]) expect(rule.usedOnce).toBeUndefined();
  });

  describe('the first comment', () => {
    const comments = async () =>
      (await fixture.control(platform === 'instagram' ? 'comments' : 'replies')).map(({ text }) => text);
    const commenting = async () => {
      const { job } = await fixture.publisher({ media: ['image.jpg'], options: { firstComment: 'First!' } });
      const publisher = publisherOf(fixture.adapter, job, fixture.tools, fixture.clock, fixture.idle);
      await publisher.prepare();
      return { publisher, live: await publisher.goLive() };
    };
    const call = platform === 'instagram' ? 'comments' : publish;

    /** Finishes until the worker is killed: right after its first comment, and with what was committed before it. */
    const finishUntilKilled = async (publisher: Publisher, live: FinishJob['live']) => {
      let preparation: Preparation = publisher.job.preparation;
      const note = async (noted: Preparation) => {
        preparation = noted;
      };
      for (let steps = 0; steps < 20; steps += 1) {
        const job = { ...publisher.job, preparation, live, note, call: { ...silentCall, token: {} } };
        const step = await fixture.adapter.finish(job, fixture.tools);
        if (step.state !== 'waiting') break;
        preparation = step.preparation;
        fixture.clock.time += step.waitSeconds * 1_000;
      }
      return publisherOf(
        fixture.adapter,
        { ...publisher.job, preparation },
        fixture.tools,
        fixture.clock,
        fixture.idle,
      );
    };

    it.each([
      ['and the platform shows the comment', {}],
      ['and its lists lag', { listLagSeconds: 'forever', publishesAgain: true }],
      ['and all its reads lag', { readLagSeconds: 60, publishesAgain: true }],
    ])('is posted once if the worker is killed after its call, %s', async (_name, settings) => {
      const { publisher, live } = await commenting();
      await fixture.set(settings);
      const successor = await finishUntilKilled(publisher, live);
      await successor.crashAtLastCall(false);
      expect((await successor.finish(live)).post.platformPostId).toBe(live.platformPostId);
      expect(await comments()).toEqual(['First!']);
    });

    it('is missing, with a warning, if its call had an unknown outcome and it does not appear', async () => {
      const { publisher, live } = await commenting();
      const before = await requests(call);
      await fixture.plan(call, 'error:500');
      const { warning } = await publisher.finish(live);
      expect(warning).toContain('The first comment may be missing');
      expect(await requests(call)).toBe(before + 1);
      expect(await comments()).toEqual([]);
    });

    it('is posted again if its call was certainly refused', async () => {
      const { publisher, live } = await commenting();
      await fixture.plan(call, 'rate-limit');
      await fixture.set({ regainAccessMinutes: 1 });
      expect((await publisher.finish(live)).warning).toBeUndefined();
      expect(await comments()).toEqual(['First!']);
    });
  });

  it('reads the list only as far as the call, whatever follows', async () => {
    for (let number = 0; number < 3; number += 1) await (await prepared(`Earlier ${number}`)).goLive();
    fixture.clock.time += hourMs;
    const publisher = await prepared();
    await loseResponse(publisher);
    await publisher.reconcile();
    expect(await requests(list)).toBe(1);
  });
});
