import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { resolveTarget } from '../../../lib/posts/resolve.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { idempotencyDays } from '../../../lib/posts/stored/store.ts';
import { readTimeline } from '../../../lib/posts/timeline.ts';
import { ResolveTargetBody } from '../../../lib/posts/verdict.ts';
import { effectsOf } from '../../../lib/publishing/relay/effects.ts';
import { getItem } from '../../../lib/table/items.ts';
import { calendarEntryKey, livePostKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { isSettled, type PostStatus } from '../../../lib/targets/state.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { changeTarget, openWorkspace, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(async () => {
  fixture = await openFixture(table);
});

const endedAt = toTimestamp(startMs + minuteMs);
/** A while after the call. */
const now = startMs + 10 * minuteMs;
const permalink = 'https://instagram.example/p/1';
const live = { outcome: 'live', permalink } as const;
const notLive = { outcome: 'not live' } as const;
const context = () => ({ ...fixture.context, now });

const callThatIs = (outcome: CallRecord['outcome'], changes: Partial<CallRecord> = {}): CallRecord => ({
  intentAt: toTimestamp(startMs),
  token: { container: '1' },
  endedAt,
  outcome,
  lookups: 2,
  misses: 2,
  ...changes,
});

const unknown = {
  code: 'outcome_unknown',
  text: 'outcome unknown: check https://instagram.example/ before retrying',
} as const;

/** A post whose first target has failed with this record of its last call, by default as unknown; `null`: without a call. */
async function failedPost(changes: object = {}, call: CallRecord | null = callThatIs('unknown')) {
  const created = await fixture.create({ scheduledFor: inOneHour, ...changes });
  const [target] = created.targets;
  if (!target) throw new Error('no target');
  await changeTarget(table, target, {
    status: 'failed',
    wakeAt: null,
    failedAt: toTimestamp(startMs + 5 * minuteMs),
    problem: call ? unknown : { code: 'missed', text: 'missed' },
    ...(call && { calls: [call], preparation: call.token }),
  });
  await rollUpPost(table, target.workspaceId, target.postId, now);
  return target;
}

const failAgain = async (target: Target, call: CallRecord) => {
  const { calls = [], ...current } = await find(target);
  const unsettled = { status: 'failed', wakeAt: null, problem: unknown } as const;
  await changeTarget(table, { ...current, calls }, { ...unsettled, calls: [...calls, call] });
};

async function find({ postId, accountId }: Target): Promise<Target> {
  const { targets } = await readPost(context(), postId);
  const found = targets.find((target) => target.accountId === accountId);
  if (!found) throw new Error('no target');
  return found;
}

const resolve = (target: Target, verdict: ResolveTargetBody, key?: string, at = now) =>
  resolveTarget({ ...fixture.context, now: at }, target.postId, target.accountId, verdict, key);

describe('a destination of unknown outcome that a person says is live', () => {
  it('is published at the time of its call, without an error or a place among the failed ones', async () => {
    const target = await failedPost();
    await resolve(target, live);
    const found = await find(target);
    expect(found).toMatchObject({
      status: 'published',
      permalink,
      calledAt: toTimestamp(startMs),
      publishedAt: endedAt,
      calls: [{ outcome: 'live' }],
      verdict: { outcome: 'live', intentAt: toTimestamp(startMs) },
    });
    for (const field of ['error', 'errorDetail', 'wakeAt', 'dueAt', 'dueShard', 'platformPostId'])
      expect(found).not.toHaveProperty(field);
  });

  it('is published no later than now', async () => {
    const target = await failedPost();
    const early = startMs + 1_000;
    await resolve(target, live, undefined, early);
    expect(await find(target)).toMatchObject({ publishedAt: toTimestamp(early) });
  });

  it('makes its post published', async () => {
    const target = await failedPost();
    await resolve(target, live);
    await rollUpPost(table, target.workspaceId, target.postId, now);
    const { post } = await readPost(context(), target.postId);
    expect(post).toMatchObject({ status: 'published', targets: [{ status: 'published', permalink }] });
  });

  it('claims its post at the platform', async () => {
    const target = await failedPost();
    const platformPostId = newId(startMs);
    await resolve(target, { outcome: 'live', platformPostId });
    const { workspaceId, postId, accountId } = target;
    expect(await find(target)).toMatchObject({ platformPostId });
    expect(await getItem(table, livePostKey('instagram', platformPostId))).toMatchObject({
      workspaceId,
      postId,
      accountId,
    });
  });

  it.each(['another post', 'another workspace', 'another destination of the post'])(
    'is refused a post that %s has, and stays as it is',
    async (owner) => {
      const both = [{ accountId: fixture.instagram.id }, { accountId: fixture.second.id }];
      const target = await failedPost({ platforms: both });
      const platformPostId = newId(startMs);
      const { workspaceId, postId } = target;
      if (owner === 'another destination of the post') {
        const sibling = (await readPost(context(), postId)).targets.find(
          ({ accountId }) => accountId !== target.accountId,
        );
        if (!sibling) throw new Error('no sibling');
        await changeTarget(table, sibling, { status: 'published', wakeAt: null, platformPostId });
      } else
        await claimLivePost(table, {
          platform: 'instagram',
          platformPostId,
          workspaceId: owner === 'another post' ? workspaceId : newId(startMs),
          postId: newId(startMs),
          accountId: target.accountId,
        });
      const before = await find(target);
      await expect(resolve(target, { outcome: 'live', platformPostId })).rejects.toMatchObject({
        code: 'platform_post_taken',
        param: 'platformPostId',
      });
      expect(await find(target)).toEqual(before);
    },
  );

  it('is not counted for punctuality', async () => {
    const target = await failedPost();
    const before = await find(target);
    await resolve(target, live);
    const effects = effectsOf(before, await find(target), {}).map(({ kind }) => kind);
    expect(effects).toContain('roll-up');
    expect(effects).not.toContain('count punctuality');
  });

  it('takes its time on the calendar again', async () => {
    const target = await failedPost();
    await resolve(target, live);
    const entry = calendarEntryKey({ ...target, scheduledFor: target.scheduledFor ?? '' });
    expect(await getItem(table, entry)).toMatchObject({ postId: target.postId });
  });

  it('is checked for its chain if the stream does not start it', async () => {
    const step = { kind: 'crossPost', accountIds: [fixture.second.id], afterMinutes: 10 };
    const target = await failedPost({ chain: [step] });
    await resolve(target, live);
    const { post } = await readPost(context(), target.postId);
    expect(post.chainWakeAt).toBe(toTimestamp(now + 5 * minuteMs));
  });

  it('expires with everything that belongs to it, also if its post was about to expire', async () => {
    const keeping = { ...table, retention: { posts: 60, audit: 365, deliveries: 30 } } as Table;
    const target = await failedPost({ externalId: newId(startMs) });
    const { workspaceId, postId } = target;
    await rollUpPost(keeping, workspaceId, postId, now);
    expect((await find(target)).expiresAtSeconds).toBeDefined();
    const platformPostId = newId(startMs);
    await resolveTarget({ ...context(), table: keeping }, postId, target.accountId, {
      outcome: 'live',
      platformPostId,
    });
    // TTL must not remove it before the roll-up.
    expect((await find(target)).expiresAtSeconds).toBeUndefined();
    await rollUpPost(keeping, workspaceId, postId, now);
    const { expiresAtSeconds } = await find(target);
    expect(expiresAtSeconds).toBe(Math.ceil((Date.parse(endedAt) + 60 * dayMs) / 1_000));
    expect(await getItem(table, livePostKey('instagram', platformPostId))).toMatchObject({
      expiresAtSeconds,
    });
  });
});

describe('a destination of unknown outcome that a person says is not live', () => {
  it('stays failed, says what is possible now, and stays where operators find it', async () => {
    const target = await failedPost();
    const { dueAt, dueShard } = await find(target);
    await resolve(target, notLive);
    expect(await find(target)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^not live: .* a retry publishes the post again$/),
      errorDetail: { code: 'not_live' },
      calls: [{ outcome: 'dismissed' }],
      verdict: { outcome: 'not live', intentAt: toTimestamp(startMs) },
      dueAt,
      dueShard,
    });
  });

  it('settles all calls with the same token', async () => {
    const target = await failedPost();
    const { calls: _one, ...failed } = await find(target);
    const calls = [callThatIs('repeated'), callThatIs('unknown')];
    await changeTarget(table, failed, { calls });
    await resolve(target, notLive);
    expect((await find(target)).calls?.map(({ outcome }) => outcome)).toEqual(['dismissed', 'dismissed']);
  });

  it('is prepared again by a retry, without a lookup', async () => {
    const target = await failedPost();
    await resolve(target, notLive);
    await retryPost(context(), target.postId);
    const { status, calls, preparation } = await find(target);
    expect({ status, calls, preparation }).toMatchObject({
      status: 'scheduled',
      calls: [{ outcome: 'dismissed' }],
      preparation: undefined,
    });
  });

  it.each<[string, Partial<CallRecord>, number]>([
    ['while its call may still be running', {}, Date.parse(endedAt) - 1],
    ['while the platform processes it', { isProcessing: true }, now],
  ])('is not believed %s', async (_when, call, at) => {
    const target = await failedPost({}, callThatIs('unknown', call));
    const before = await find(target);
    await expect(resolve(target, notLive, undefined, at)).rejects.toMatchObject({
      code: 'call_may_take_effect',
    });
    expect(await find(target)).toEqual(before);
  });
});

describe('a verdict', () => {
  it.each([
    [live, 'published'],
    [notLive, 'nothing went live'],
  ] as const)('of %o is a step of the try that it is about', async (verdict, event) => {
    const target = await failedPost();
    await resolve(target, verdict);
    const steps = await readTimeline(context(), target.postId);
    expect(steps.at(-1)).toMatchObject({
      event,
      at: toTimestamp(now),
      attempt: 1,
      reason: `resolved by a person: ${verdict.outcome}`,
    });
  });

  it('is in the audit log, with its destination', async () => {
    const target = await failedPost();
    await resolve(target, notLive);
    expect(
      (await auditLogOf(table, target.workspaceId)).map(({ subjectId, note }) => [subjectId, note]),
    ).toContainEqual([target.postId, `destination ${target.accountId}: not live`]);
  });

  it.each([live, notLive])('of %o may be given twice', async (verdict) => {
    const target = await failedPost();
    await resolve(target, verdict);
    const after = await find(target);
    const entries = await auditLogOf(table, target.workspaceId);
    const again = await resolve(target, verdict);
    expect(again.targets).toEqual([after]);
    expect(await auditLogOf(table, target.workspaceId)).toEqual(entries);
  });

  it.each<[ResolveTargetBody, ResolveTargetBody]>([
    [live, notLive],
    [notLive, live],
    [live, { ...live, permalink: 'https://instagram.example/p/2' }],
    [live, { ...live, platformPostId: '2' }],
  ])('of %o cannot become %o', async (first, second) => {
    const target = await failedPost();
    await resolve(target, first);
    const before = await find(target);
    await expect(resolve(target, second)).rejects.toMatchObject({ code: 'already_resolved' });
    expect(await find(target)).toEqual(before);
  });

  it.each<[string, CallRecord | null]>([
    ['has made no call', null],
    ['was refused', callThatIs('refused')],
    ['is proven absent', callThatIs('absent')],
  ])('is refused about a failed destination that %s', async (_what, call) => {
    await expect(resolve(await failedPost({}, call), live)).rejects.toMatchObject({
      code: 'nothing_to_resolve',
    });
  });

  it.each<PostStatus>(['draft', 'scheduled', 'publishing', 'published', 'partial'])(
    'is refused about a destination that is %s',
    async (status) => {
      const { targets } = await fixture.create({ scheduledFor: inOneHour });
      const [target] = targets;
      if (!target) throw new Error('no target');
      const settled = isSettled(status) ? { wakeAt: null } : {};
      if (status !== 'scheduled')
        await changeTarget(table, target, { status, ...settled, calls: [callThatIs('open')] });
      await expect(resolve(target, live)).rejects.toMatchObject({ code: 'nothing_to_resolve' });
    },
  );

  it('finds neither a post of another workspace nor an account that is no destination', async () => {
    const target = await failedPost();
    const { context: other } = await openWorkspace(table, { now });
    const notFound = { code: 'not_found' };
    await expect(resolveTarget(other, target.postId, target.accountId, live)).rejects.toMatchObject(notFound);
    await expect(resolveTarget(context(), target.postId, fixture.third.id, live)).rejects.toMatchObject(
      notFound,
    );
    await expect(resolveTarget(context(), target.postId, 'x', live)).rejects.toMatchObject(notFound);
  });

  it.each([live, notLive])(
    'of %o is committed once, however often it is given at the same time',
    async (verdict) => {
      const target = await failedPost();
      const before = (await auditLogOf(table, target.workspaceId)).length;
      await Promise.all([1, 2, 3].map(() => resolve(target, verdict)));
      expect((await find(target)).timeline).toHaveLength(1);
      expect(await auditLogOf(table, target.workspaceId)).toHaveLength(before + 1);
    },
  );

  it('and a contrary one at the same time: one of them counts', async () => {
    const target = await failedPost();
    const outcomes = await Promise.allSettled([resolve(target, live), resolve(target, notLive)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await find(target)).timeline).toHaveLength(1);
  });

  it('of a destination that is not live is never lost to a retry that has read it before', async () => {
    const target = await failedPost();
    const real = context();
    const slow = {
      ...table,
      client: Object.assign(Object.create(table.client), {
        async send(command: never) {
          if (String((command as object).constructor.name) === 'TransactWriteCommand')
            await resolve(target, notLive);
          return table.client.send(command);
        },
      }),
    };
    await expect(retryPost({ ...real, table: slow }, target.postId)).rejects.toMatchObject({
      code: 'changed_concurrently',
    });
    expect(await find(target)).toMatchObject({ status: 'failed', verdict: notLive });
  });
});

describe('the body of a verdict', () => {
  it.each<[string, object, string[]]>([
    ['live without a name of the post', { outcome: 'live' }, ['permalink']],
    [
      'not live with names of the post',
      { outcome: 'not live', permalink, platformPostId: '1' },
      ['permalink', 'platformPostId'],
    ],
    ['another outcome', { outcome: 'unknown' }, ['outcome']],
    [
      'an address without https',
      { outcome: 'live', permalink: 'http://instagram.example/p/1' },
      ['permalink'],
    ],
    ['a script as an address', { outcome: 'live', permalink: 'javascript:alert(1)' }, ['permalink']],
    ['an id with a space', { outcome: 'live', platformPostId: '1 2' }, ['platformPostId']],
    ['an id that is too long', { outcome: 'live', platformPostId: '1'.repeat(201) }, ['platformPostId']],
  ])('is refused with %s', (_what, body, fields) => {
    const { error } = ResolveTargetBody.safeParse(body);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(fields);
  });
});

describe('an idempotency key', () => {
  it('makes a repeated retry change nothing, also after the destination has failed again', async () => {
    const target = await failedPost({}, callThatIs('refused'));
    await retryPost(context(), target.postId, { idempotencyKey: 'k' });
    const { wakeNumber } = await find(target);
    await retryPost(context(), target.postId, { idempotencyKey: 'k' });
    expect((await find(target)).wakeNumber).toBe(wakeNumber);
    await failAgain(target, callThatIs('refused'));
    const { targets } = await retryPost(context(), target.postId, { idempotencyKey: 'k' });
    expect(targets).toMatchObject([{ status: 'failed' }]);
    await retryPost(context(), target.postId, { idempotencyKey: 'another' });
    expect(await find(target)).toMatchObject({ status: 'scheduled' });
  });

  it('lets one of several retries at the same time through, and all of them succeed', async () => {
    const target = await failedPost({}, callThatIs('refused'));
    const { wakeNumber } = await find(target);
    await Promise.all([1, 2, 3].map(() => retryPost(context(), target.postId, { idempotencyKey: 'k' })));
    expect(await find(target)).toMatchObject({ status: 'scheduled', wakeNumber: wakeNumber + 1 });
  });

  it('is forgotten after 30 days', async () => {
    const target = await failedPost({}, callThatIs('refused'));
    await retryPost(context(), target.postId, { idempotencyKey: 'k' });
    await failAgain(target, callThatIs('refused'));
    const later = { ...context(), now: now + idempotencyDays * dayMs };
    await retryPost(later, target.postId, { idempotencyKey: 'k' });
    expect(await find(target)).toMatchObject({
      status: 'scheduled',
      requests: [{ at: toTimestamp(later.now) }],
    });
  });

  it('keeps a late verdict from settling the next call, on which a new verdict is possible', async () => {
    const target = await failedPost();
    const nextCall = callThatIs('unknown', { intentAt: toTimestamp(startMs + minuteMs) });
    await resolve(target, notLive, 'k');
    await retryPost(context(), target.postId);
    await failAgain(target, nextCall);
    await resolve(target, notLive, 'k');
    expect((await find(target)).calls?.at(-1)).toEqual(nextCall);
    await resolve(target, live, 'another');
    expect(await find(target)).toMatchObject({ status: 'published', permalink });
  });

  it('is refused for another request about the post', async () => {
    const target = await failedPost();
    await resolve(target, notLive, 'k');
    const refused = { code: 'idempotency_key_foreign', param: 'Idempotency-Key' };
    await expect(resolve(target, live, 'k')).rejects.toMatchObject(refused);
    await expect(retryPost(context(), target.postId, { idempotencyKey: 'k' })).rejects.toMatchObject(refused);
    await retryPost(context(), target.postId, { idempotencyKey: 'another' });
  });

  it('of one post says nothing about another', async () => {
    const [first, second] = [
      await failedPost({}, callThatIs('refused')),
      await failedPost({}, callThatIs('refused')),
    ];
    for (const { postId } of [first, second]) await retryPost(context(), postId, { idempotencyKey: 'k' });
    expect([await find(first), await find(second)]).toMatchObject([
      { status: 'scheduled' },
      { status: 'scheduled' },
    ]);
  });

  it('is remembered for the latest 50 requests', async () => {
    const target = await failedPost({}, callThatIs('refused'));
    const { calls: _calls, ...failed } = await find(target);
    const requests = Array.from({ length: 50 }, (_, index) => ({
      keyDigest: String(index),
      bodyDigest: '',
      at: toTimestamp(now),
    }));
    await changeTarget(table, failed, { requests });
    await retryPost(context(), target.postId, { idempotencyKey: 'k' });
    expect((await find(target)).requests).toHaveLength(50);
  });
});
