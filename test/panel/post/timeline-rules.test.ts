import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byUrgency, countsOf, firstCommentOf } from '../../../lib/panel/pages/post/targets.ts';
import {
  attemptsOf,
  laneOf,
  offsetsOf,
  stepsByTarget,
} from '../../../lib/panel/pages/post/timeline/lanes.ts';
import { scaleFor } from '../../../lib/panel/pages/post/timeline/scale.ts';
import { laneText, offsetText, tickText } from '../../../lib/panel/pages/post/timeline/words.ts';
import { instagram, linkedin, pinterest, tiktok } from '../support/accounts.ts';
import { failedTargetOf, later, liveSteps, liveTargetOf, stepOf } from '../support/post-page.ts';
import { listedPostOf, targetOf } from '../support/posts.ts';

const due = '2026-03-02T08:00:00.000Z';

describe('the scale', () => {
  const offsets = fc.array(fc.integer({ min: -400 * 86_400_000, max: 400 * 86_400_000 }), { maxLength: 40 });

  it('shows all that it is for, in order', () => {
    fc.assert(
      fc.property(offsets, (given) => {
        const { at } = scaleFor(given);
        const positions = given.toSorted((one, other) => one - other).map(at);
        expect(positions.every((position) => position >= 0 && position <= 1)).toBe(true);
        expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      }),
    );
  });

  it('always names the planned time, and no two ticks overlap', () => {
    fc.assert(
      fc.property(offsets, (given) => {
        const { ticks } = scaleFor(given);
        expect(ticks.map(({ offsetMs }) => offsetMs)).toContain(0);
        for (const [place, { position }] of ticks.entries())
          expect(position - (ticks[place - 1]?.position ?? -1)).toBeGreaterThan(0.11);
      }),
    );
  });

  it('has room for four minutes of preparation and 31 ms of lateness', () => {
    const { at, ticks } = scaleFor([-241_000, 31, 397]);
    expect(at(31) - at(0)).toBeGreaterThan(0.04);
    expect(at(0) - at(-241_000)).toBeGreaterThan(0.4);
    expect(ticks.map(({ offsetMs }) => tickText(offsetMs))).toEqual(['−1 min', '−1 s', 'Planned', '+1 s']);
  });
});

describe('the lane of a destination', () => {
  const post = listedPostOf(1, { scheduledFor: due });

  it('has its preparation, its lateness and its call', () => {
    const lane = laneOf(liveTargetOf(instagram, due, 31), post, liveSteps(instagram, due, 31));
    expect(lane).toMatchObject({
      preparation: { fromMs: -241_000, toMs: -12_000 },
      lateness: { fromMs: 0, toMs: 31 },
      call: { fromMs: 31, toMs: 397 },
    });
    expect(lane && Math.max(...offsetsOf(lane))).toBe(31 + 1_420);
    expect(lane && laneText(lane)).toBe(
      'Prepared from 4 min 1 s before to 12 s before the planned time. Called 31 ms late. Live 366 ms after the call.',
    );
  });

  it('shows each try that failed, and the preparation of the last one', () => {
    const steps = [
      stepOf(tiktok, later(due, -9_000_000), 'preparing'),
      stepOf(tiktok, later(due, -8_000_000), 'failed'),
      stepOf(tiktok, later(due, 1_000), 'preparing'),
      stepOf(tiktok, later(due, 2_000), 'preparing'),
      stepOf(tiktok, later(due, 3_000), 'trying again'),
    ];
    const lane = laneOf(targetOf(tiktok, { scheduledFor: due }), post, steps);
    expect(lane?.preparation).toEqual({ fromMs: 1_000, toMs: 2_000 });
    expect(lane?.marks.map(({ kind }) => kind)).toEqual(['step', 'bad', 'step', 'step', 'again']);
    expect(lane && laneText(lane)).toContain('2 tries without success. Not live.');
  });

  it.each([
    ['of a draft', targetOf(instagram, { status: 'draft' }), listedPostOf(1), liveSteps(instagram, due, 1)],
    ['to which nothing has happened', targetOf(instagram), post, []],
  ])('does not exist %s', (_which, target, of, steps) => {
    expect(laneOf(target, of, steps)).toBeUndefined();
  });

  it('says how far a step is from the planned time', () => {
    expect([-241_000, 0, 31].map(offsetText)).toEqual(['4 min 1 s before', 'on time', '31 ms after']);
  });
});

describe('the steps', () => {
  it('belong to their destinations, and to their attempts', () => {
    const steps = [...liveSteps(instagram, due, 31), stepOf(linkedin, due, 'failed')];
    const byTarget = stepsByTarget([{ ...stepOf(instagram, due, 'created'), accountId: null }, ...steps]);
    expect([...byTarget.keys()]).toEqual([instagram.id, linkedin.id]);
    expect(
      attemptsOf(byTarget.get(instagram.id) ?? []).map(({ attempt, steps }) => [attempt, steps.length]),
    ).toEqual([
      [1, 1],
      [2, 1],
      [3, 3],
    ]);
  });
});

describe('the destinations', () => {
  const targets = [
    liveTargetOf(instagram, due, 3),
    targetOf(linkedin),
    failedTargetOf(tiktok, 'content'),
    failedTargetOf(pinterest, 'unknown'),
  ];

  it('begin with what needs a person', () => {
    expect(byUrgency(targets).map(({ platform }) => platform)).toEqual([
      'pinterest',
      'tiktok',
      'linkedin',
      'instagram',
    ]);
    expect(
      countsOf([...targets, targetOf(instagram)]).map(({ condition, number }) => [condition, number]),
    ).toEqual([
      ['unknown', 1],
      ['failed', 1],
      ['scheduled', 2],
      ['published', 1],
    ]);
  });

  it.each([
    ['scheduled', null, 'planned'],
    ['publishing', null, 'pending'],
    ['published', null, 'added'],
    ['published', 'extra_failed', 'unsure'],
    ['failed', 'missed', 'never'],
  ] as const)('that are %s (%s) have a first comment that is %s', (status, code, state) => {
    const errorDetail = code && { code, category: 'platform' as const, platformMessage: null, retryAt: null };
    const platformSpecificData = { firstComment: 'Order here' };
    expect(firstCommentOf({ status, errorDetail, platformSpecificData })).toEqual({
      text: 'Order here',
      state,
    });
    expect(
      firstCommentOf({ status, errorDetail, platformSpecificData: { firstComment: 7 } }),
    ).toBeUndefined();
  });
});
