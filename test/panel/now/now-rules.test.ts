import { describe, expect, it } from 'vitest';
import { byAge, concernsOf } from '../../../lib/panel/pages/now/concerns.ts';
import { entriesOf } from '../../../lib/panel/pages/now/next-day.ts';
import { formatShare, worstOf } from '../../../lib/panel/pages/now/punctuality.ts';
import { conditionOfPost } from '../../../lib/panel/posts/state.ts';
import {
  dayMs,
  instagram,
  linkedin,
  pinterest,
  type some,
  threads,
  tiktok,
  youtube,
} from '../support/accounts.ts';
import { endpointOf } from '../support/now.ts';
import { failedTargetOf, liveTargetOf } from '../support/post-page.ts';
import { listedPostOf, targetOf } from '../support/posts.ts';

const now = Date.now();
const known = { accounts: undefined, now };
const at = (ms: number) => new Date(now + ms).toISOString();
const minute = 60_000;
const hour = 60 * minute;
const scheduled = (number: number, ms: number, accounts = [instagram]) =>
  listedPostOf(number, { scheduledFor: at(ms), platforms: accounts.map((account) => targetOf(account)) });
const waits = {
  error: 'waiting for a limit of the platform',
  errorDetail: {
    code: 'quota_exhausted',
    category: 'retryable' as const,
    platformMessage: null,
    retryAt: null,
  },
};
const failed = (number: number, platforms: ReturnType<typeof targetOf>[]) =>
  listedPostOf(number, { status: 'failed', platforms });
const nothing = {
  posts: [],
  atRisk: [],
  entries: [],
  accounts: undefined,
  endpoints: [],
  storage: undefined,
};
const byId = (accounts: typeof some) => new Map(accounts.map((account) => [account.id, account]));

describe('what needs a person', () => {
  it('is a post at risk, unless its account is a concern of its own', () => {
    const risk = {
      since: at(0),
      checkedAt: at(0),
      findings: [
        {
          code: 'platform_rejected',
          category: 'content' as const,
          message: 'Pinterest no longer lists the board',
          param: null,
          by: 'author' as const,
        },
      ],
    };
    const post = listedPostOf(1, {
      scheduledFor: at(3 * hour),
      platforms: [targetOf(pinterest, { risk }), targetOf(instagram)],
    });
    const facts = { ...nothing, atRisk: [post] };
    expect(concernsOf({ ...facts, accounts: byId([instagram, pinterest]) }, now)).toMatchObject([
      { kind: 'atRisk', post, target: { accountId: pinterest.id } },
    ]);
    expect(concernsOf({ ...facts, accounts: byId([instagram]) }, now)).toEqual([]);
  });

  it('is no post whose account was connected again, before the service has checked it again', () => {
    const finding = {
      code: 'account_expired',
      category: 'reconnect' as const,
      message: 'connect it again',
      param: null,
      by: 'account_owner' as const,
    };
    const post = listedPostOf(1, {
      scheduledFor: at(3 * hour),
      platforms: [targetOf(pinterest, { risk: { since: at(0), checkedAt: at(0), findings: [finding] } })],
    });
    const accounts = byId([pinterest]);
    expect(concernsOf({ ...nothing, atRisk: [post], accounts }, now)).toEqual([]);
    expect(conditionOfPost(post, { accounts, now })).toBe('scheduled');
    expect(conditionOfPost(post)).toBe('atRisk');
  });

  it('is nothing if all is well, or if nothing is known yet', () => {
    expect(concernsOf(nothing, now)).toEqual([]);
    const posts = [scheduled(1, hour)];
    const storage = { usedBytes: 89, quotaBytes: 100 };
    const endpoints = [endpointOf(1), endpointOf(2, { status: 'disabled', isActive: false })];
    const accounts = byId([instagram, pinterest]);
    expect(
      concernsOf({ ...nothing, entries: entriesOf(posts, known), accounts, endpoints, storage }, now),
    ).toEqual([]);
  });

  it('begins with the most urgent', () => {
    const failed = (number: number, status: 'failed' | 'partial', target: ReturnType<typeof targetOf>) =>
      listedPostOf(number, {
        status,
        platforms: status === 'partial' ? [target, liveTargetOf(youtube, at(0), 1)] : [target],
      });
    const posts = [
      failed(1, 'partial', failedTargetOf(instagram, 'content')),
      failed(2, 'failed', failedTargetOf(instagram, 'content')),
      failed(3, 'failed', failedTargetOf(instagram, 'unknown')),
    ];
    const planned = [
      scheduled(4, hour, [tiktok]),
      listedPostOf(5, { scheduledFor: at(-hour), platforms: [targetOf(instagram, waits)] }),
    ];
    const found = concernsOf(
      {
        posts,
        atRisk: [],
        entries: entriesOf(planned, known),
        accounts: byId([linkedin, threads, tiktok, instagram]),
        endpoints: [
          endpointOf(1, { status: 'failing', statusMessage: 'refused' }),
          endpointOf(2, { status: 'disabled', isActive: false, statusMessage: 'disabled: it answered 410' }),
        ],
        storage: { usedBytes: 95, quotaBytes: 100 },
      },
      now,
    );
    expect(
      found.map((concern) => [concern.kind, 'account' in concern ? concern.accountId : concern.key]),
    ).toEqual([
      ['post', posts[2]?.id],
      ['post', posts[1]?.id],
      ['post', posts[0]?.id],
      ['account', tiktok.id],
      ['waiting', `waiting ${planned[1]?.id} ${at(-hour)}`],
      ['account', linkedin.id],
      ['account', threads.id],
      ['endpoint', endpointOf(2).id],
      ['endpoint', endpointOf(1).id],
      ['storage', 'storage'],
    ]);
  });

  it('names once what waits for an account, also for one that is gone', () => {
    const posts = [scheduled(1, hour, [tiktok, instagram]), scheduled(2, 2 * hour, [tiktok])];
    const found = concernsOf({ ...nothing, entries: entriesOf(posts, known), accounts: byId([tiktok]) }, now);
    expect(
      found.map((each) => each.kind === 'account' && [each.accountId, each.risk, each.entries.length]),
    ).toEqual([
      [tiktok.id, 'expired', 2],
      [instagram.id, 'disconnected', 1],
    ]);
  });

  it('is about the destination that has failed, while others are on their way', () => {
    const platforms = [failedTargetOf(tiktok, 'retryable'), targetOf(instagram, { status: 'publishing' })];
    const post = listedPostOf(1, { status: 'publishing', platforms });
    expect(concernsOf({ ...nothing, posts: [post] }, now)).toMatchObject([{ condition: 'failed' }]);
  });

  it.each([
    ['an expired account', tiktok, byId([tiktok, instagram]), 'account'],
    ['an account that is gone', youtube, byId([instagram]), 'account'],
    ['an account that works again', instagram, byId([instagram]), 'cause'],
  ])('is one thing for all posts that %s has stopped', (_name, account, accounts, kind) => {
    const posts = [1, 2, 3].map((number) => failed(number, [failedTargetOf(account, 'reconnect')]));
    const found = concernsOf({ ...nothing, posts, accounts }, now);
    expect(found.filter((each) => each.kind !== 'account' || each.failed.length > 0)).toMatchObject([
      { kind, accountId: account.id, [kind === 'cause' ? 'posts' : 'failed']: posts },
    ]);
    expect(found.filter((each) => each.kind === 'post')).toEqual([]);
  });

  it('is one thing for all posts that an outage of a platform has stopped, whatever their accounts', () => {
    const other = { ...instagram, id: pinterest.id };
    const posts = [instagram, other].map((account, number) =>
      failed(number, [failedTargetOf(account, 'retryable')]),
    );
    const accounts = byId([instagram, other]);
    expect(concernsOf({ ...nothing, posts, accounts }, now)).toMatchObject([
      { kind: 'cause', accountId: undefined, platform: 'instagram', posts },
    ]);
    expect(concernsOf({ ...nothing, posts: posts.slice(1), accounts }, now)).toMatchObject([
      { kind: 'post' },
    ]);
  });

  it.each([
    ['a retry might publish again', [failedTargetOf(instagram, 'unknown')]],
    ['its author has to correct', [failedTargetOf(instagram, 'content')]],
    [
      'another cause has stopped too',
      [failedTargetOf(instagram, 'reconnect'), failedTargetOf(pinterest, 'content')],
    ],
  ])('is each post alone that %s', (_name, platforms) => {
    const posts = [1, 2].map((number) => failed(number, platforms));
    const found = concernsOf({ ...nothing, posts, accounts: byId([instagram, pinterest]) }, now);
    expect(found.map(({ kind }) => kind)).toEqual(['post', 'post']);
  });

  it('is apart if it is more than two weeks old', () => {
    const posts = [-13, -15].map((days, number) => listedPostOf(number, { updatedAt: at(days * dayMs) }));
    expect(byAge(posts, now)).toEqual({ recent: [posts[0]], older: [posts[1]] });
  });
});

describe('the next 24 hours', () => {
  it('begin now: they are in order, with what is late and still to go out, without what has gone out', () => {
    const live = (number: number, ms: number) =>
      listedPostOf(number, { scheduledFor: at(ms), platforms: [liveTargetOf(instagram, at(ms), 1)] });
    const posts = [scheduled(1, hour), live(2, -minute), live(3, -16 * minute), scheduled(4, -20 * hour)];
    const later = [scheduled(5, dayMs + minute), listedPostOf(6), scheduled(7, dayMs)];
    expect(entriesOf([...posts, ...later], known).map(({ post }) => post.id.slice(-1))).toEqual([
      '4',
      '1',
      '7',
    ]);
  });

  it('have a post at each time of its destinations', () => {
    const platforms = [targetOf(instagram), targetOf(linkedin, { scheduledFor: at(2 * hour) })];
    const post = listedPostOf(1, { scheduledFor: at(hour), platforms });
    expect(
      entriesOf([post], known).map((entry) => [entry.at, entry.targets.map(({ platform }) => platform)]),
    ).toEqual([
      [at(hour), ['instagram']],
      [at(2 * hour), ['linkedin']],
    ]);
  });

  it.each([
    [[], 'draft'],
    [[targetOf(instagram), targetOf(linkedin)], 'scheduled'],
    [[targetOf(instagram, { status: 'publishing' }), liveTargetOf(linkedin, at(0), 1)], 'publishing'],
    [[targetOf(instagram, waits), targetOf(linkedin)], 'waiting'],
    [[failedTargetOf(instagram, 'unknown'), liveTargetOf(linkedin, at(0), 1)], 'unknown'],
  ])('say of %j that it is %s', (platforms, condition) => {
    const post = listedPostOf(1, {
      scheduledFor: at(0),
      platforms: platforms.map((target) => ({ ...target, scheduledFor: null })),
    });
    expect(entriesOf([post], known)).toMatchObject([{ condition }]);
  });
});

describe('the punctuality', () => {
  it('finds the post of the worst figure, within its error, and no post that does not count', () => {
    const of = (number: number, lateMs: number) =>
      listedPostOf(number, { platforms: [liveTargetOf(instagram, at(0), lateMs)] });
    const posts = [of(1, 30), of(2, 1_898), of(3, 7_200_000)];
    expect(worstOf(posts, 1_905)).toEqual({ post: posts[1], lateMs: 1_898 });
    expect(worstOf(posts, 500)).toBeUndefined();
  });

  it.each([
    [1, '100%'],
    [0.9999, '99.9%'],
    [0.9953, '99.5%'],
    [0, '0%'],
  ])('shows the share %d as %s', (share, text) => {
    expect(formatShare(share, 'en-GB')).toBe(text);
  });
});
