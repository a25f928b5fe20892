import { describe, expect, it } from 'vitest';
import {
  attemptsOf,
  convertedFiles,
  dueMsOf,
  hasMadeFiles,
  isConversionFailure,
  offsetText,
  stepsByTarget,
  summaryOf,
  withFileNames,
} from '../../../lib/panel/pages/post/steps.ts';
import { countsOf, firstCommentOf, mostUrgentFirst } from '../../../lib/panel/pages/post/targets.ts';
import { ConversionFailure } from '../../../lib/publishing/adapt-files.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { instagram, linkedin, pinterest, tiktok } from '../support/accounts.ts';
import { failedTargetOf, later, liveSteps, liveTargetOf, stepOf } from '../support/post-page.ts';
import { listedPostOf, targetOf } from '../support/posts.ts';

const due = '2026-03-02T08:00:00.000Z';

describe('how a destination went', () => {
  const post = listedPostOf(1, { scheduledFor: due });
  const dueMs = Date.parse(due);

  it('has its preparation, its lateness and its call', () => {
    expect(summaryOf(liveTargetOf(instagram, due, 31), liveSteps(instagram, due, 31), dueMs)).toBe(
      'Prepared from 4 min 1 s before to 12 s before the planned time. Called 31 ms late. Live 366 ms after the call.',
    );
  });

  it('counts the tries that failed, and has the preparation of the last one', () => {
    const steps = [
      stepOf(tiktok, later(due, -9_000_000), 'preparing'),
      stepOf(tiktok, later(due, -8_000_000), 'failed'),
      stepOf(tiktok, later(due, 1_000), 'preparing'),
      stepOf(tiktok, later(due, 2_000), 'preparing'),
      stepOf(tiktok, later(due, 3_000), 'trying again'),
    ];
    expect(summaryOf(targetOf(tiktok, { scheduledFor: due }), steps, dueMs)).toBe(
      'Prepared from 1 s after to 2 s after the planned time. 2 tries without success. Not live.',
    );
  });

  it('is measured from its own time, or from that of the post', () => {
    expect(dueMsOf(targetOf(instagram), post)).toBe(dueMs);
    const own = later(due, 60_000);
    expect(dueMsOf(targetOf(instagram, { scheduledFor: own }), post)).toBe(dueMs + 60_000);
    expect(dueMsOf(targetOf(instagram, { status: 'draft' }), listedPostOf(1))).toBeUndefined();
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
    expect(mostUrgentFirst(targets).map(({ platform }) => platform)).toEqual([
      'pinterest',
      'tiktok',
      'linkedin',
      'instagram',
    ]);
    expect(
      countsOf(listedPostOf(1, { platforms: [...targets, targetOf(instagram)] })).map(
        ({ condition, number }) => [condition, number],
      ),
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

describe('the files of a destination', () => {
  it.each([
    ['mediaItems[0] is being converted for Instagram', 'file 1 is being converted for Instagram'],
    ['platforms[1].customMedia[2]: the file is being deleted', 'file 3: the file is being deleted'],
    ['mediaItems[0]: converted to JPEG; coverUrl: scaled', 'file 1: converted to JPEG; the cover: scaled'],
    ['the account was deleted', 'the account was deleted'],
  ])('are named as people count them: %s', (said, shown) => {
    expect(withFileNames(said)).toBe(shown);
  });

  it('say which of them were sent in another form', () => {
    const file = (renditionId: string | null) => ({ mediaId: instagram.id, sha256: null, renditionId });
    expect(convertedFiles({ files: [] })).toEqual([]);
    expect(convertedFiles({ files: [file('ab'), file(null), file('cd')] })).toEqual([1, 3]);
  });

  it('exist as they are sent once they are ready, or were sent', () => {
    const waiting = stepOf(instagram, due, 'waiting');
    expect(hasMadeFiles(undefined, instagram.id)).toBe(false);
    expect(hasMadeFiles([waiting, stepOf(tiktok, due, 'files ready')], instagram.id)).toBe(false);
    expect(hasMadeFiles([waiting, stepOf(instagram, due, 'files ready')], instagram.id)).toBe(true);
    expect(hasMadeFiles([stepOf(instagram, due, 'published')], instagram.id)).toBe(true);
  });

  it('that cannot be converted are told from those that are refused', () => {
    const { message } = new ConversionFailure(
      'mediaItems[0]',
      { platform: 'instagram' } as Target,
      'it is damaged',
    );
    expect(isConversionFailure(message)).toBe(true);
    expect(isConversionFailure('mediaItems[0]: the file is invalid')).toBe(false);
    expect(isConversionFailure(null)).toBe(false);
  });
});
