import { describe, expect, it } from 'vitest';
import { type Action, act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import type { Draft } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { instagram, threads } from '../../support/accounts.ts';
import { draftFor, image, video } from '../support/drafts.ts';

describe('what options say about a file', () => {
  const another = { ...image, url: 'https://media.test/media/1/cups.jpg' };
  const asked = (draft: Draft) => draft.destinations[0]?.options;
  const draft = [
    { do: 'attach', media: [image, another] },
    {
      do: 'option',
      accountId: instagram.id,
      name: 'userTags',
      value: [{ username: 'one' }, { username: 'two', mediaIndex: 1 }],
    },
    { do: 'option', accountId: instagram.id, name: 'carouselItems', value: [{ title: 'One' }] },
    { do: 'option', accountId: instagram.id, name: 'photoCoverIndex', value: 1 },
  ] as const satisfies readonly Action[];
  const before = draft.reduce<Draft>(act, draftFor(instagram));

  it('moves with it, also where an account has files of its own', () => {
    const moved = {
      userTags: [
        { username: 'one', mediaIndex: 1 },
        { username: 'two', mediaIndex: 0 },
      ],
      carouselItems: [{}, { title: 'One' }],
      photoCoverIndex: 0,
    };
    expect(asked(act(before, { do: 'attach', media: [another, image] }))).toEqual(moved);
    const changes = { media: [another, image] };
    expect(asked(act(before, { do: 'override', accountId: instagram.id, changes }))).toEqual(moved);
  });

  it('goes with it', () => {
    expect(asked(act(before, { do: 'attach', media: [another] }))).toEqual({
      userTags: [{ username: 'two', mediaIndex: 0 }],
      photoCoverIndex: 0,
    });
  });

  it('stays when a file comes after it', () => {
    expect(asked(act(before, { do: 'attach', media: [image, another, video] }))).toEqual(asked(before));
  });
});

describe('hidden words', () => {
  const hiding = [
    { do: 'write', content: 'It is Kenya again' },
    {
      do: 'option',
      accountId: threads.id,
      name: 'textSpoilers',
      value: [{ offset: 6, length: 5 }],
    },
  ] as const satisfies readonly Action[];
  const before = hiding.reduce<Draft>(act, draftFor(threads));
  const hiddenIn = (draft: Draft) => {
    const ranges = draft.destinations[0]?.options['textSpoilers'] ?? [];
    return (ranges as { offset: number; length: number }[]).map(({ offset, length }) =>
      draft.content.slice(offset, offset + length),
    );
  };

  it.each([
    ['Oh! It is Kenya again', ['Kenya']],
    ['It is Kenya', ['Kenya']],
    ['It is Kenya, again', ['Kenya']],
    ['It is Kenia again', ['Kenia']],
    ['It again', []],
    ['', []],
  ])('stay hidden in “%s”', (content, hidden) => {
    expect(hiddenIn(act(before, { do: 'write', content }))).toEqual(hidden);
  });
});
