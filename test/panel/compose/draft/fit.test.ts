import { describe, expect, it } from 'vitest';
import type { DraftMedia } from '../../../../lib/panel/media/draft-media.ts';
import { isAboutFit, withoutFitHint } from '../../../../lib/panel/media/fit.tsx';
import { type Action, act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import { type Draft, isWorthKeeping } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { fitAction } from '../../../../lib/panel/pages/compose/draft/fit.ts';
import { hasTabs, placeAll } from '../../../../lib/panel/pages/compose/draft/places.ts';
import { toRequest } from '../../../../lib/panel/pages/compose/draft/to-request.ts';
import { fileProblems } from '../../../../lib/platforms/shared/media-rules.ts';
import { instagram, pinterest } from '../../support/accounts.ts';
import { draftFor, image } from '../support/drafts.ts';

const all = (draft: Draft, ...actions: readonly Action[]) => actions.reduce<Draft>(act, draft);
const tall: DraftMedia = {
  ...image,
  url: 'https://media.test/media/5/tall.jpg',
  shape: { padColor: '#000000' },
};

/** The request after the remedy of a problem with this field. */
function remedied(draft: Draft, field: string, accountId: string | null = null) {
  const [finding] = placeAll([{ field, code: 'media_ratio', message: 'is too tall', accountId }], draft);
  if (finding === undefined) throw new Error('the finding has a place');
  const action = fitAction(draft, finding, 'crop');
  return toRequest(action === undefined ? draft : act(draft, action), 'send');
}

describe('the remedy for a shape that a platform does not take', () => {
  const two = all(draftFor(instagram, pinterest), { do: 'attach', media: [image, tall] });

  it('is set at the shared file, where each account has it from', () => {
    const { mediaItems, platforms } = remedied(two, 'mediaItems[1]', instagram.id);
    expect(mediaItems?.map(({ fit }) => fit)).toEqual([undefined, 'crop']);
    expect(mediaItems?.[1]).toMatchObject({ padColor: '#000000' });
    expect(platforms?.map(({ fit }) => fit)).toEqual([undefined, undefined]);
  });

  it('is set at the account’s own file', () => {
    const own = all(two, { do: 'override', accountId: pinterest.id, changes: { media: [tall] } });
    const { mediaItems, platforms } = remedied(own, 'platforms[1].customMedia[0]', pinterest.id);
    expect(mediaItems?.every(({ fit }) => fit === undefined)).toBe(true);
    expect(platforms?.[1]?.customMedia).toMatchObject([{ fit: 'crop' }]);
  });

  it('is set at the file of a step', () => {
    const withStep = all(
      two,
      { do: 'addStep', key: 'a', kind: 'followUp' },
      { do: 'editStep', key: 'a', changes: { accountIds: [instagram.id], media: [tall] } },
    );
    expect(remedied(withStep, 'chain[0].mediaItems[0]').chain).toMatchObject([
      { mediaItems: [{ fit: 'crop' }] },
    ]);
  });

  it('is set at the account for a cover, which has no shape of its own', () => {
    const { platforms } = remedied(two, 'coverUrl', instagram.id);
    expect(platforms?.map(({ fit }) => fit)).toEqual(['crop', undefined]);
  });

  it('changes nothing if the account is gone', () => {
    expect(remedied(two, 'coverUrl', 'gone')).toEqual(toRequest(two, 'send'));
  });
});

describe('the shape of an account', () => {
  const own: Action = {
    do: 'override',
    accountId: instagram.id,
    changes: { shape: { fit: 'pad', padColor: '#1a2b3c' } },
  };

  it('is sent with the account, kept while it is taken out, and given up', () => {
    const draft = all(draftFor(instagram, pinterest), own);
    expect(toRequest(draft, 'send').platforms).toMatchObject([{ fit: 'pad', padColor: '#1a2b3c' }, {}]);
    const toggle: Action = { do: 'toggle', account: instagram };
    const back = all(draft, toggle, toggle);
    expect(back.destinations.at(-1)?.shape).toEqual({ fit: 'pad', padColor: '#1a2b3c' });
    const without = act(draft, { ...own, changes: { shape: undefined } });
    expect(toRequest(without, 'send').platforms?.[0]).toEqual({ accountId: instagram.id });
  });

  it('is something of its own: the account has a tab, and the draft is kept', () => {
    const plain = draftFor(instagram);
    expect([hasTabs(plain), isWorthKeeping(plain)]).toEqual([false, false]);
    const draft = act(plain, own);
    expect([hasTabs(draft), isWorthKeeping(draft)]).toEqual([true, true]);
  });
});

describe('a message of the service about a shape', () => {
  const [problem] = fileProblems(
    'mediaItems[0]',
    { type: 'image', contentType: 'image/jpeg', widthPixels: 1_000, heightPixels: 2_000 },
    { bytes: 1_000, ratio: { min: 0.8, max: 1.91 } },
    'a feed image',
  );
  const message = problem?.message ?? '';

  it('is known, as it is and as a sentence, and shown without the advice for programs', () => {
    for (const each of [message, `${message}.`]) {
      expect(isAboutFit(each)).toBe(true);
      expect(withoutFitHint(each)).toBe(each.replace('; set fit to pad or crop', ''));
    }
    expect(withoutFitHint(message)).toBe('a feed image must have a width-to-height ratio from 0.8 to 1.91');
  });

  it.each(['a feed image must be at most 8 MiB', 'set fit to pad or crop elsewhere'])(
    'is not mistaken for another one: %s',
    (other) => {
      expect(isAboutFit(other)).toBe(false);
      expect(withoutFitHint(other)).toBe(other);
    },
  );
});
