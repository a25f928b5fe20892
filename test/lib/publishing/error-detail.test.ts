import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { PlatformRules } from '../../../lib/platforms/contract/rules.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { toListedPostView, toPostView } from '../../../lib/posts/view/to-view.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { Table } from '../../../lib/table/table.ts';
import { outcomeCodes } from '../../../lib/targets/outcome-codes.ts';
import { toErrorDetail } from '../../../lib/targets/problem.ts';
import { actOf, operatorAct } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** The destination as the API shows it: in a read of the post, and in lists and events. */
async function shown({ message: { workspaceId, postId }, clock }: Fixture) {
  await rollUpPost(table, workspaceId, postId, clock.time);
  const found = await findPost(table, workspaceId, postId);
  if (!found) throw new Error('the post was deleted');
  const read = toPostView(found.post, 'https://media.example.com', found.targets).platforms[0];
  const listed = toListedPostView(found.post, 'https://media.example.com').platforms[0];
  return { read, listed };
}

const rejects = (fixture: Fixture, error: unknown): void => {
  fixture.platform.script.prepare = [error as Error];
};
const platformSaid = (
  remedy: ConstructorParameters<typeof PlatformError>[0],
  message: string,
  more: ConstructorParameters<typeof PlatformError>[2] = {},
) => new PlatformError(remedy, message, { status: 400, ...more });

type Fixtured = Parameters<typeof openFixture>[1];

interface Failure {
  readonly options?: Fixtured;
  readonly arrange?: (fixture: Fixture) => Promise<void> | void;
  readonly ports?: (fixture: Fixture) => Partial<Fixture['ports']>;
  readonly detail: {
    readonly code: string;
    readonly category: string;
    readonly platformMessage: string | null;
  };
}

const refusesAll: PlatformRules = {
  check: () => [{ field: 'mediaItems[0]', message: 'is too wide', code: 'media_ratio' }],
  warnings: () => [],
  leadSeconds: () => 0,
} as unknown as PlatformRules;

const failures: Readonly<Record<string, Failure>> = {
  'the platform refuses the post': {
    arrange: (fixture) =>
      rejects(fixture, platformSaid('rejected', 'Instagram: no such aspect ratio (36003)')),
    detail: {
      code: 'platform_rejected',
      category: 'content',
      platformMessage: 'Instagram: no such aspect ratio (36003)',
    },
  },
  'the platform refuses the app': {
    arrange: (fixture) =>
      rejects(fixture, platformSaid('rejected', 'the app is in development', { concerns: 'app' })),
    detail: { code: 'app_refused', category: 'platform', platformMessage: 'the app is in development' },
  },
  'the platform refuses the token, and there is no other': {
    arrange: (fixture) => rejects(fixture, platformSaid('reauthorise', 'session expired', { status: 401 })),
    detail: { code: 'account_expired', category: 'reconnect', platformMessage: 'session expired' },
  },
  'the token lacks a permission': {
    arrange: (fixture) =>
      rejects(fixture, platformSaid('reauthorise', 'missing scope', { concerns: 'feature' })),
    detail: { code: 'permission_missing', category: 'reconnect', platformMessage: 'missing scope' },
  },
  'the platform has restricted the account': {
    arrange: (fixture) => rejects(fixture, platformSaid('restricted', 'the account is blocked')),
    detail: { code: 'account_restricted', category: 'platform', platformMessage: 'the account is blocked' },
  },
  'the account had expired before': {
    options: { account: { status: 'expired', statusMessage: 'session expired' } },
    detail: { code: 'account_expired', category: 'reconnect', platformMessage: null },
  },
  'the account is disconnected': {
    options: { account: { disconnectedAt: at(-hourMs) } },
    detail: { code: 'account_disconnected', category: 'reconnect', platformMessage: null },
  },
  'a daily limit is used up and the post must not wait': {
    options: { post: { onQuota: 'fail' } },
    arrange: (fixture) =>
      rejects(
        fixture,
        platformSaid('retry', 'quotaExceeded', { isDailyLimit: true, retryAfterSeconds: 3_600 }),
      ),
    detail: { code: 'quota_exhausted', category: 'retryable', platformMessage: 'quotaExceeded' },
  },
  'a file was deleted': {
    options: {
      post: { mediaItems: [{ mediaId: newId(startMs), type: 'image', objectKey: 'gone.jpg' } as never] },
    },
    detail: { code: 'media_missing', category: 'content', platformMessage: null },
  },
  'a file was never uploaded': {
    options: { media: { status: 'pending' } },
    detail: { code: 'media_missing', category: 'content', platformMessage: null },
  },
  'a file is invalid': {
    options: { media: { status: 'invalid', statusMessage: 'it is no image' } },
    detail: { code: 'media_invalid', category: 'content', platformMessage: null },
  },
  'the content does not meet the rules': {
    ports: () => ({ rulesFor: () => refusesAll }),
    detail: { code: 'content_invalid', category: 'content', platformMessage: null },
  },
  'nobody worked it for a day': {
    arrange: (fixture) => {
      fixture.clock.time += dayMs + 1;
    },
    detail: { code: 'missed', category: 'retryable', platformMessage: null },
  },
  'the platform is down for six hours': {
    arrange: (fixture) => {
      fixture.platform.adapter.prepare = async () => {
        throw platformSaid('retry', 'HTTP 503', { status: 503 });
      };
    },
    detail: { code: 'platform_unavailable', category: 'retryable', platformMessage: 'HTTP 503' },
  },
  'nobody can say what became of the call': {
    arrange: ({ platform: { script } }) => {
      script.goLive = ['reply lost'];
      script.lookUp = [new PlatformError('rejected', 'the list is closed')];
    },
    detail: { code: 'outcome_unknown', category: 'unknown', platformMessage: null },
  },
};

describe('a destination fails with a detail that programs can read if', () => {
  it.each(Object.entries(failures))(
    '%s',
    async (_what, { options, arrange, ports, detail }) => {
      const fixture = await openFixture(table, options);
      await arrange?.(fixture);
      Object.assign(fixture.ports, ports?.(fixture));
      expect((await fixture.runToEnd({ maxWakes: 400 })).status).toBe('failed');
      const { read, listed } = await shown(fixture);
      expect(read).toMatchObject({ error: expect.any(String), errorDetail: { ...detail, retryAt: null } });
      expect(read).toMatchObject({ ...listed });
      expect(listed).toMatchObject({ errorDetail: detail });
    },
    120_000,
  );

  it('and a retry removes it with the error', async () => {
    const fixture = await openFixture(table);
    rejects(fixture, platformSaid('rejected', 'no'));
    await fixture.runToEnd();
    const { workspaceId, postId } = fixture.message;
    await retryPost(
      { table, workspaceId, now: fixture.clock.time, ...actOf('key'), cursorSecret: 'secret' },
      postId,
    );
    expect((await shown(fixture)).read).toMatchObject({ error: null, errorDetail: null });
  });
});

describe('a destination that is not at its end', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture(table);
  });

  it('says in a backoff why and when it is tried again, and nothing more once it has advanced', async () => {
    rejects(fixture, platformSaid('retry', 'HTTP 503', { status: 503 }));
    await fixture.deliver();
    const { wakeAt } = await fixture.find();
    const detail = { code: 'platform_unavailable', category: 'retryable', platformMessage: 'HTTP 503' };
    expect((await shown(fixture)).read).toMatchObject({
      status: 'scheduled',
      error: 'trying again: HTTP 503',
      errorDetail: { ...detail, retryAt: wakeAt },
    });
    await fixture.runToEnd();
    expect((await shown(fixture)).read).toMatchObject({
      status: 'published',
      error: null,
      errorDetail: null,
    });
  });

  it('has no problem any more while it is prepared after a backoff', async () => {
    fixture.platform.script.prepare = [
      platformSaid('retry', 'HTTP 503', { status: 503 }),
      { state: 'waiting', preparation: { containerId: 'c1' }, waitSeconds: 60 },
    ];
    await fixture.deliver();
    fixture.clock.time = Date.parse((await fixture.find()).wakeAt ?? '');
    await fixture.deliver(messageOf(await fixture.find()));
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', preparation: { containerId: 'c1' } });
    expect((await shown(fixture)).read).toMatchObject({ error: null, errorDetail: null });
  });

  it('says when a limit of the platform ends', async () => {
    rejects(fixture, platformSaid('retry', 'full', { isDailyLimit: true, retryAfterSeconds: 10 * 3_600 }));
    await fixture.deliver();
    const { wakeAt } = await fixture.find();
    const detail = {
      code: 'quota_exhausted',
      category: 'retryable',
      platformMessage: 'full',
      retryAt: wakeAt,
    };
    expect((await shown(fixture)).listed).toMatchObject({ status: 'scheduled', errorDetail: detail });
  });

  it('is paused without a time, because nobody knows when a pause ends', async () => {
    const { workspaceId } = fixture.message;
    const context = { ...operatorAct('pause.begin'), table, now: startMs };
    await putPause(context, { scope: { kind: 'workspace', workspaceId }, reason: 'moving house' });
    await fixture.deliver();
    expect((await shown(fixture)).read).toMatchObject({
      error: expect.stringContaining('moving house'),
      errorDetail: { code: 'paused', category: 'retryable', platformMessage: null, retryAt: null },
    });
  });

  it('is tried again after an error of our own', async () => {
    fixture.platform.script.prepare = [new Error('a bug')];
    await fixture.deliver();
    const { wakeAt } = await fixture.find();
    expect((await shown(fixture)).read).toMatchObject({
      error: 'trying again: an error on our side',
      errorDetail: { code: 'internal', category: 'retryable', platformMessage: null, retryAt: wakeAt },
    });
  });

  it('names the account that must be connected again before the due time, and is looked at then', async () => {
    const dueMs = startMs + 10 * minuteMs;
    const waiting = await openFixture(table, {
      account: { status: 'expired' },
      target: { scheduledFor: at(10 * minuteMs), wakeAt: at(0) },
    });
    await waiting.deliver();
    expect((await shown(waiting)).read).toMatchObject({
      status: 'scheduled',
      errorDetail: { code: 'account_expired', category: 'reconnect', retryAt: at(dueMs - startMs) },
    });
  });

  it('is live, and says what it lacks', async () => {
    fixture.platform.script.finish = [platformSaid('rejected', 'comments are closed')];
    await fixture.runToEnd();
    expect((await shown(fixture)).read).toMatchObject({
      status: 'published',
      error: 'published, but not finished: comments are closed',
      errorDetail: { code: 'extra_failed', platformMessage: 'comments are closed', retryAt: null },
    });
  });
});

it('a renewed token is tried immediately, which is no problem to show', async () => {
  const fixture = await openFixture(table);
  rejects(fixture, platformSaid('reauthorise', 'expired', { status: 401 }));
  Object.assign(fixture.ports, { renewToken: async () => true });
  await fixture.deliver();
  expect(await fixture.find()).not.toHaveProperty('errorDetail');
});

it('an outage updates a post once, not at each failed try', async () => {
  const fixture = await openFixture(table);
  fixture.platform.script.prepare = [1, 2, 3].map(() => platformSaid('retry', 'HTTP 503', { status: 503 }));
  const { workspaceId, postId } = fixture.message;
  const versions: number[] = [];
  for (let tries = 0; tries < 3; tries += 1) {
    fixture.clock.time = Date.parse((await fixture.find()).wakeAt ?? '') + secondMs;
    await fixture.deliver(messageOf(await fixture.find()));
    // Before the next try is due.
    await rollUpPost(table, workspaceId, postId, fixture.clock.time - minuteMs);
    versions.push((await findPost(table, workspaceId, postId))?.post.version ?? 0);
  }
  expect(versions).toEqual([2, 2, 2]);
});

describe('an item of an earlier release', () => {
  it('with an error has the detail `unknown`', () => {
    expect(toErrorDetail({ error: 'no' })).toEqual({
      code: 'unknown',
      category: 'unknown',
      platformMessage: null,
      retryAt: null,
    });
  });

  it('without an error has none', () => {
    expect(toErrorDetail({})).toBeNull();
  });
});

it.each(Object.entries(outcomeCodes))(
  'the code %s has a meaning and a remedy in sentences',
  (_code, described) => {
    expect(described.meaning).toMatch(/^[A-Z].*\.$/);
    expect(described.remedy).toMatch(/^[A-Z].*\.$/);
  },
);
