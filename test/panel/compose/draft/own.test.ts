import { describe, expect, it } from 'vitest';
import { type Action, act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import type { Draft } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { fromPost } from '../../../../lib/panel/pages/compose/draft/from-post.ts';
import { localProblems, placeOf } from '../../../../lib/panel/pages/compose/draft/places.ts';

import { optionsOf, toRequest } from '../../../../lib/panel/pages/compose/draft/to-request.ts';
import { CreatePostBody } from '../../../../lib/posts/request/schemas.ts';
import { instagram, pinterest, threads } from '../../support/accounts.ts';
import { draftFor, storedAs, video, zone } from '../support/drafts.ts';

const all = (draft: Draft, ...actions: readonly Action[]) => actions.reduce<Draft>(act, draft);
const at = (time: string): Action => ({
  do: 'plan',
  when: { kind: 'at', time: { date: '2027-03-14', time } },
});
const timesOf = (draft: Draft) => {
  const { scheduledFor, platforms } = toRequest(draft, 'send');
  return [scheduledFor, platforms?.map((each) => each.scheduledFor)];
};

describe('the time of an account', () => {
  const own = {
    do: 'override',
    accountId: threads.id,
    changes: { time: { date: '2027-03-14', time: '12:00' } },
  } as const;

  it('is the post’s, and moves with it, until it is set', () => {
    const before = all(draftFor(instagram, threads), at('09:30'));
    expect(timesOf(before)).toEqual(['2027-03-14T08:30:00.000Z', [undefined, undefined]]);
    const after = all(before, own, at('10:30'));
    expect(timesOf(after)).toEqual(['2027-03-14T09:30:00.000Z', [undefined, '2027-03-14T11:00:00.000Z']]);
  });

  it('stays if the post is moved to the same one and on', () => {
    const after = all(draftFor(threads), at('09:30'), own, at('12:00'), at('13:00'));
    expect(timesOf(after)).toEqual(['2027-03-14T12:00:00.000Z', ['2027-03-14T11:00:00.000Z']]);
  });

  it.each([
    ['is not complete', { date: '2027-03-14', time: '' }, 'Enter a date and a time, or use the post’s time.'],
    ['is past', { date: '2027-03-13', time: '12:00' }, 'This time is in the past.'],
  ])('is a problem at its field if it %s', (_what, time, message) => {
    const draft = all(draftFor(instagram, threads), at('09:30'), { ...own, changes: { time } });
    const now = Date.parse('2027-03-14T00:00:00.000Z');
    const found = localProblems(draft, { isNew: true, now });
    expect(found.map((each) => [each.place, each.message])).toEqual([
      [{ key: `${threads.id}-time`, tab: threads.id }, message],
    ]);
  });
});

describe('the cover of an account', () => {
  const before = all(
    draftFor(instagram, pinterest),
    { do: 'attach', media: [video] },
    { do: 'cover', cover: { frameMs: 2_000 } },
  );
  const shownAt = (draft: Draft) => draft.destinations.map((each) => optionsOf(draft, each));

  it('is the shared frame until it has its own', () => {
    expect(shownAt(before)).toEqual([{ thumbOffset: 2_000 }, { coverKeyFrameSeconds: 2 }]);
    const own = act(before, { do: 'ownCover', accountId: instagram.id, cover: { frameMs: 500 } });
    expect(shownAt(own)).toEqual([{ thumbOffset: 500 }, { coverKeyFrameSeconds: 2 }]);
    expect(act(own, { do: 'ownCover', accountId: instagram.id, cover: {} })).toEqual(before);
  });

  it('is shared again in a post where all have the same, but for one with an image', () => {
    const cover = { address: 'https://covers.test/a.jpg' };
    const image = act(before, { do: 'ownCover', accountId: pinterest.id, cover });
    for (const draft of [before, image]) {
      const stored = storedAs(CreatePostBody.parse(toRequest(draft, 'keep')), draft);
      const { frameMs, destinations } = fromPost(stored, zone);
      expect({ frameMs, options: destinations.map(({ options }) => options) }).toEqual({
        frameMs: 2_000,
        options: draft.destinations.map(({ options }) => options),
      });
    }
  });

  it('is an image or a frame, never both', () => {
    const cover = { address: 'https://covers.test/a.jpg' };
    const image = act(before, { do: 'ownCover', accountId: pinterest.id, cover });
    expect(shownAt(image)[1]).toEqual({ coverImageUrl: cover.address });
    const frame = act(image, { do: 'ownCover', accountId: pinterest.id, cover: { frameMs: 3_000 } });
    expect(shownAt(frame)[1]).toEqual({ coverKeyFrameSeconds: 3 });
  });

  it('has its problems at its own field', () => {
    const field = 'platforms[0].platformSpecificData.thumbOffset';
    expect(placeOf(field, before)).toEqual({ key: 'cover', tab: 'all' });
    const own = act(before, { do: 'ownCover', accountId: instagram.id, cover: { frameMs: 500 } });
    expect(placeOf(field, own)).toEqual({ key: `${instagram.id}-cover`, tab: instagram.id });
  });
});
