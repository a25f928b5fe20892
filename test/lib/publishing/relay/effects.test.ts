import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../lib/kernel/clock.ts';
import type { Platform } from '../../../../lib/platforms/contract/names.ts';
import { accountLimits } from '../../../../lib/platforms/registry/account-limits.ts';
import { effectsOf } from '../../../../lib/publishing/relay/effects.ts';
import { heldShard } from '../../../../lib/table/keys.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { aTarget, startMs } from '../../../support/builders.ts';

const { wakeAt: _wakeAt, ...idle } = aTarget();
const draft: Target = { ...idle, status: 'draft' };
const waiting = aTarget();
const laterMs = startMs + 60_000;
const rewoken = aTarget({ ...waiting, wakeAt: toTimestamp(laterMs), wakeNumber: 2 });
const publishing: Target = { ...waiting, status: 'publishing' };
const settled: Target = { ...idle, ...waiting, status: 'published' };
delete (settled as { wakeAt?: string }).wakeAt;

settled.platformPostId = '17';
const removal = { state: 'requested', by: 'service' } as const;
const withRemoval: Target = { ...settled, removal, wakeAt: toTimestamp(startMs), wakeNumber: 2 };
const risk = {
  since: toTimestamp(startMs),
  checkedAt: toTimestamp(startMs),
  findings: [{ code: 'account_expired' as const, message: 'connect it again' }],
};
const checkedAgain = { ...risk, checkedAt: toTimestamp(laterMs) };

/** The effects as text, such as `schedule wake 1, unschedule wake 1, roll-up`; a number is a wake's. */
function effectsAsText(before: Target | undefined, after: Target | undefined): string {
  return effectsOf(before, after, {})
    .map((effect) => ('message' in effect ? `${effect.kind} ${effect.message.wakeNumber}` : effect.kind))
    .join(', ');
}

describe('the effects of a change of a target', () => {
  it.each<[string, Target | undefined, Target | undefined, string]>([
    ['a draft is stored', undefined, draft, ''],
    ['a scheduled target is stored', undefined, waiting, 'schedule wake 1'],
    ['a draft is scheduled', draft, aTarget({ ...waiting, wakeNumber: 2 }), 'schedule wake 2, roll-up'],
    ['it gets another wake', waiting, rewoken, 'schedule wake 2, unschedule wake 1'],
    ['the sweep sends its wake again', waiting, { ...waiting, dueAt: toTimestamp(laterMs) }, ''],
    ['a worker takes it for the first time', waiting, { ...waiting, attempt: 2, takes: 1 }, ''],
    [
      'a worker takes it after another has crashed',
      { ...waiting, takes: 1 },
      { ...waiting, attempt: 3, takes: 2 },
      '',
    ],
    [
      'its worker renews its lease',
      { ...waiting, leaseUntil: toTimestamp(startMs) },
      { ...waiting, leaseUntil: toTimestamp(laterMs) },
      '',
    ],
    [
      'a pause holds it: it stays in its shard',
      waiting,
      { ...rewoken, dueShard: heldShard('platform#youtube', waiting.postId), error: 'paused' },
      'schedule wake 2, unschedule wake 1, roll-up',
    ],
    [
      'it is moved to another time',
      waiting,
      { ...rewoken, scheduledFor: rewoken.wakeAt },
      'schedule wake 2, unschedule wake 1, free time, roll-up',
    ],
    [
      'it becomes a draft again',
      waiting,
      { ...draft, wakeNumber: 2 },
      'unschedule wake 1, free time, roll-up',
    ],
    ['it is deleted', waiting, undefined, 'unschedule wake 1, free time'],
    ['a settled one is deleted', settled, undefined, 'free time'],
    ['a draft is deleted', draft, undefined, ''],
    ['a worker takes it', waiting, { ...waiting, attempt: 2, leaseUntil: toTimestamp(laterMs) }, ''],
    [
      'one with an upload at its platform is deleted',
      { ...waiting, preparation: { uploadId: '1' } },
      undefined,
      'unschedule wake 1, free time, discard upload',
    ],
    ['a step is committed', waiting, { ...waiting, preparation: { containerId: '1' } }, ''],
    ['it is about to go live', waiting, { ...waiting, status: 'publishing' as const, calls: [] }, ''],
    [
      'the outcome of its last call is unknown',
      { ...waiting, status: 'publishing' },
      { ...waiting, status: 'publishing', wakeNumber: waiting.wakeNumber + 1 },
      'schedule wake 2, unschedule wake 1, roll-up',
    ],
    [
      'somebody asks to take it down',
      settled,
      { ...settled, removal, wakeAt: toTimestamp(startMs), wakeNumber: 2 },
      'schedule wake 2, roll-up',
    ],
    [
      'an earlier release ends the wake of its removal',
      withRemoval,
      { ...settled, removal },
      'unschedule wake 2, resume removal',
    ],
    [
      'its post is gone',
      withRemoval,
      { ...settled, removal: { ...removal, state: 'removed' }, removedAt: toTimestamp(laterMs) },
      'unschedule wake 2, stop automation, roll-up',
    ],
    ['it goes live', { ...waiting, status: 'publishing' }, settled, 'roll-up'],
    ['it gets its permalink', settled, { ...settled, permalink: 'https://x.example/1' }, 'roll-up'],
    ['it gets its id', settled, { ...settled, platformPostId: '1' }, 'roll-up'],
    ['it gets a warning', settled, { ...settled, error: 'no comment' }, 'roll-up'],
    ['it fails', waiting, { ...settled, status: 'failed', error: 'no' }, 'free time, roll-up'],
    [
      'it goes live and its post has a chain',
      { ...publishing, startsChain: true },
      { ...settled, startsChain: true },
      'run chain, roll-up',
    ],
    [
      'a part of it goes live',
      { ...publishing, startsChain: true },
      { ...settled, status: 'partial', startsChain: true },
      'run chain, roll-up',
    ],
    [
      'more of it goes live',
      { ...settled, status: 'partial', startsChain: true },
      { ...settled, startsChain: true },
      'roll-up',
    ],
    ['one with a chain is stored live', undefined, { ...settled, startsChain: true }, 'run chain'],
    [
      'one with a chain fails',
      { ...publishing, startsChain: true },
      { ...settled, status: 'failed', startsChain: true },
      'free time, roll-up',
    ],
    ['it is retried', { ...settled, status: 'failed' }, rewoken, 'schedule wake 2, roll-up'],
    [
      'the first one of a post with a chain goes live',
      { ...waiting, status: 'publishing', startsChain: true },
      { ...settled, startsChain: true },
      'run chain, roll-up',
    ],
    [
      'it changes while it is live',
      { ...settled, startsChain: true },
      { ...settled, startsChain: true, status: 'partial' },
      'roll-up',
    ],
    ['a risk is found', waiting, { ...waiting, risk }, 'roll-up'],
    ['a risk is found again', { ...waiting, risk }, { ...waiting, risk: checkedAgain }, ''],
    ['its risk ends', { ...waiting, risk }, waiting, 'roll-up'],
    ['it goes live in spite of a risk', { ...publishing, risk }, settled, 'roll-up'],
    [
      'it is at risk, and an edit plans it anew',
      { ...waiting, risk },
      { ...rewoken, attempt: 2, risk },
      'schedule wake 2, unschedule wake 1, check posts',
    ],
    [
      'it is at risk, and an edit that began before has left that out',
      { ...waiting, risk },
      { ...rewoken, attempt: 2 },
      'schedule wake 2, unschedule wake 1, check posts, roll-up',
    ],
    [
      'it is at risk, and becomes a draft',
      { ...waiting, risk },
      { ...waiting, status: 'draft', wakeAt: undefined, wakeNumber: 2, attempt: 2 },
      'unschedule wake 1, free time, roll-up',
    ],
    [
      'it is at risk, and a worker looks again later',
      { ...waiting, risk },
      { ...rewoken, risk },
      'schedule wake 2, unschedule wake 1',
    ],
    [
      'it waits for a limit of its account',
      waiting,
      { ...rewoken, error: 'full', errorDetail: { code: 'quota_exhausted' } },
      'schedule wake 2, unschedule wake 1, check posts, roll-up',
    ],
    ['it changes invisibly', settled, { ...settled, failures: 3 }, ''],
    ['it does not change', waiting, waiting, ''],
  ])('%s', (_what, before, after, effects) => {
    expect(effectsAsText(before, after)).toBe(effects);
  });

  describe('have the posts of a day checked that it takes or leaves', () => {
    const day = (time: string) => ({ scheduledFor: time, wakeAt: time });
    const one = { ...waiting, platform: 'youtube', ...day('2030-01-01T10:00:00.000Z') } as Target;
    const other = { ...one, ...day('2030-01-03T10:00:00.000Z'), wakeNumber: 2 } as Target;
    const reel = { ...one, platform: 'facebook', options: { contentType: 'reel' } } as Target;
    const limits = { youtube: { posts: 2, timeZone: 'UTC', counts: 'videos' } };
    const subjects = (before: Target | undefined, after: Target | undefined) =>
      effectsOf(before, after, limits, [], accountLimits).flatMap((effect) =>
        effect.kind === 'check posts' ? [effect.subject] : [],
      );
    const ofApp = (date: string, isLeft?: true) => ({
      ...{ kind: 'day', platform: 'youtube', day: date },
      ...(isLeft && { isLeft }),
    });
    const { workspaceId, accountId } = reel;
    const ofAccount = (date: string) => ({ kind: 'account', workspaceId, accountId, day: date });

    it.each([
      ['a video is planned', undefined, one, [ofApp('2030-01-01')]],
      ['it is moved', one, other, [ofApp('2030-01-03'), ofApp('2030-01-01', true)]],
      ['it is withdrawn', one, { ...one, status: 'draft' } as Target, [ofApp('2030-01-01', true)]],
      ['it is deleted', one, undefined, [ofApp('2030-01-01', true)]],
      ['its work begins', one, { ...one, preparation: { video: '1' } } as Target, []],
      ['a reel is planned', undefined, reel, [ofAccount('2030-01-01')]],
      ['it is deleted', reel, undefined, [ofAccount('2030-01-01')]],
      ['a photo is planned', undefined, { ...reel, options: {} } as Target, []],
      ['it does not change', reel, reel, []],
    ])('%s', (_what, before, after, expected) => {
      expect(subjects(before, after)).toEqual(expected);
    });
  });

  it('contain the message of exactly that wake, at its time', () => {
    const { workspaceId, postId, accountId } = rewoken;
    expect(effectsOf(waiting, rewoken, {})).toEqual([
      {
        kind: 'schedule wake',
        message: { workspaceId, postId, accountId, wakeNumber: 2, wakeAt: rewoken.wakeAt },
        wakeMs: laterMs,
        queue: 'publish',
        aheadMs: -999,
      },
      {
        kind: 'unschedule wake',
        message: { workspaceId, postId, accountId, wakeNumber: 1, wakeAt: waiting.wakeAt },
        wakeMs: startMs,
        queue: 'publish',
        aheadMs: 1_000,
      },
    ]);
  });
});

describe('the places of a target', () => {
  const limits = { youtube: { posts: 100, timeZone: 'UTC', counts: 'uploads' } };
  const planned = aTarget({ platform: 'youtube', scheduledFor: '2026-03-02T12:00:00.000Z' });
  const moved = { ...planned, scheduledFor: '2026-03-03T12:00:00.000Z' };
  const begun = { ...planned, preparation: { session: '1' } };
  const live = { ...begun, status: 'published' as const, publishedAt: '2026-03-02T12:00:01.000Z' };

  it.each<[string, Target | undefined, Target | undefined, string[]]>([
    ['it is planned', undefined, planned, ['2026-03-02']],
    ['it is moved to another day', planned, moved, ['2026-03-02', '2026-03-03']],
    ['it is moved within its day', planned, { ...planned, scheduledFor: '2026-03-02T13:00:00.000Z' }, []],
    ['its preparation begins', planned, begun, ['2026-03-02']],
    ['its preparation continues', begun, { ...begun, preparation: { session: '2' } }, []],
    ['it goes live', begun, live, []],
    ['it is deleted', planned, undefined, ['2026-03-02']],
    ['a draft is stored', undefined, { ...planned, status: 'draft' }, []],
    ['its platform has no daily limit', undefined, { ...planned, platform: 'instagram' }, []],
  ])('are settled in each day that changes if %s', (_what, before, after, days) => {
    const settled = effectsOf(before, after, limits).flatMap((effect) =>
      effect.kind === 'settle places' ? effect.places : [],
    );
    const { workspaceId, postId, accountId, platform } = planned;
    expect(settled).toEqual(
      days.map((day) => ({ workspaceId, postId, accountId, platform, day, timeZone: 'UTC' })),
    );
  });
});

describe('the numbers of a target', () => {
  const live: Target = {
    ...settled,
    platform: 'instagram',
    platformPostId: '17895695668004550',
    publishedAt: toTimestamp(startMs),
  };
  const noted = (before: Target | undefined, after: Target, counted: readonly Platform[] = ['instagram']) =>
    effectsOf(before, after, {}, counted).filter(({ kind }) => kind === 'note numbers').length;

  it.each<[string, Target | undefined, Target, number]>([
    ['when it goes live', publishing, live, 1],
    ['if it is live when it is stored', undefined, live, 1],
    ['not again when it changes later', live, { ...live, attempt: 9 }, 0],
    ['not before that', waiting, publishing, 0],
    ['not if it has failed', publishing, { ...publishing, status: 'failed' }, 0],
    [
      'not as a draft at the platform, which nobody sees',
      publishing,
      { ...live, options: { draft: true } },
      0,
    ],
    ['not where they may not be kept', publishing, { ...live, platform: 'pinterest' }, 0],
  ])('are noted %s', (_when, before, after, times) => {
    expect(noted(before, after, ['instagram', 'pinterest'])).toBe(times);
  });

  it('are not noted where the stage has not enabled them', () => {
    expect(noted(publishing, live, ['youtube'])).toBe(0);
  });
});
