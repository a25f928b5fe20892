import { describe, expect, it } from 'vitest';
import { type Action, act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import type { Draft } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { keys } from '../../../../lib/panel/pages/compose/draft/places.ts';
import { instagram, pinterest, threads, tiktok } from '../../support/accounts.ts';
import { draftFor, image, video } from '../support/drafts.ts';

const cups = { ...image, url: 'https://media.test/media/1/cups.jpg', altText: 'Two cups' };
const files = [image, cups, image];
const option = (accountId: string, name: string, value: unknown): Action => ({
  do: 'option',
  accountId,
  name,
  value,
});
const all = (draft: Draft, ...actions: readonly Action[]) => actions.reduce<Draft>(act, draft);

/** Everything that can be said about a file, about each of the three. */
const before = all(
  draftFor(instagram, tiktok, pinterest, threads),
  { do: 'attach', media: files },
  { do: 'cover', cover: { image: video, frameMs: 1_500 } },
  option(instagram.id, 'userTags', [
    { username: 'late', mediaIndex: 2 },
    { username: 'first' },
    { username: 'cup', mediaIndex: 1, x: 0.5, y: 0.5 },
  ]),
  option(tiktok.id, 'photoCoverIndex', 1),
  option(pinterest.id, 'carouselItems', [{ title: 'One' }, { title: 'Two' }]),
  option(pinterest.id, 'carouselCoverIndex', 2),
  { do: 'override', accountId: threads.id, changes: { media: [cups] } },
  { do: 'addStep', key: 'a', kind: 'crossPost' },
  { do: 'editStep', key: 'a', changes: { options: { [tiktok.id]: { photoCoverIndex: 1 } } } },
  { do: 'addStep', key: 'b', kind: 'followUp' },
  { do: 'editStep', key: 'b', changes: { media: [cups] } },
);
const remove = (place: number, of: string = keys.media): Action => ({ do: 'removeFile', of, place });
const putBack = (place: number, of: string = keys.media): Action => ({
  do: 'putBack',
  of,
  place,
  before,
});

describe('a file that is removed and put back', () => {
  it.each([0, 1, 2])('has all that was said about it: file %i', (place) => {
    expect(all(before, remove(place), putBack(place))).toEqual(before);
  });

  it.each([
    ['of an account', keys.ownMedia(threads.id)],
    ['of a step', keys.step('b', 'media')],
  ])('is one %s', (_whose, of) => {
    const without = act(before, remove(0, of));
    expect(without).not.toEqual(before);
    expect(without.media).toEqual(before.media);
    expect(act(without, putBack(0, of))).toEqual(before);
  });

  it('keeps what was changed meanwhile', () => {
    const meanwhile = all(
      act(before, remove(1)),
      { do: 'write', content: 'New' },
      { do: 'attach', media: [image] },
      option(instagram.id, 'userTags', [{ username: 'new' }]),
      option(tiktok.id, 'photoCoverIndex', 0),
    );
    const after = act(meanwhile, putBack(1));
    expect(after.content).toBe('New');
    expect(after.media).toEqual([image, cups]);
    expect(after.destinations.slice(0, 3).map(({ options }) => options)).toEqual([
      { userTags: [{ username: 'new' }, { username: 'cup', mediaIndex: 1, x: 0.5, y: 0.5 }] },
      { photoCoverIndex: 0 },
      { carouselItems: [{ title: 'One' }, { title: 'Two' }] },
    ]);
  });

  it('comes to the end of a list that has become shorter', () => {
    const emptied = all(act(before, remove(2)), { do: 'attach', media: [] });
    const after = act(emptied, putBack(2));
    expect(after.media).toEqual([image]);
    expect(after.destinations[0]?.options).toEqual({ userTags: [{ username: 'late', mediaIndex: 0 }] });
  });

  it('does not come back to a list that is gone', () => {
    const inherits = all(act(before, remove(0, keys.ownMedia(threads.id))), {
      do: 'override',
      accountId: threads.id,
      changes: { media: undefined },
    });
    expect(act(inherits, putBack(0, keys.ownMedia(threads.id)))).toBe(inherits);
  });
});
