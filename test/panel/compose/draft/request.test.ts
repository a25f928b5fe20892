import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { act } from '../../../../lib/panel/pages/compose/draft/actions.ts';
import type { Draft } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { fromPost } from '../../../../lib/panel/pages/compose/draft/from-post.ts';
import { changesOf, toRequest } from '../../../../lib/panel/pages/compose/draft/to-request.ts';
import { CreatePostBody, EditPostBody } from '../../../../lib/posts/request/schemas.ts';
import { instagram, threads, tiktok } from '../../support/accounts.ts';
import { idOf } from '../../support/ids.ts';
import { draftFor, drafts, image, storedAs, video, zone } from '../support/drafts.ts';

const empty = draftFor();

describe('a draft and the post that it becomes', () => {
  it('say the same in both directions, whatever is in them', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const asked = CreatePostBody.parse(toRequest(draft, 'keep'));
        const again = CreatePostBody.parse(toRequest(fromPost(storedAs(asked, draft), zone), 'keep'));
        expect({ ...again, idempotencyKey: '' }).toEqual({ ...asked, idempotencyKey: '' });
      }),
    );
  });

  it('need no change as long as nothing is edited', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const stored = fromPost(storedAs(CreatePostBody.parse(toRequest(draft, 'keep')), draft), zone);
        expect(changesOf({ draft: stored, isDraft: true }, stored, 'keep')).toBeUndefined();
        expect(changesOf({ draft: stored, isDraft: false }, stored, 'send')).toBeUndefined();
      }),
    );
  });

  it('are changed by requests that the service takes', () => {
    fc.assert(
      fc.property(drafts, drafts, fc.boolean(), (before, after, isDraft) => {
        const change = changesOf({ draft: before, isDraft }, { ...after, id: before.id }, 'keep');
        if (change?.platforms?.length !== 0) EditPostBody.optional().parse(change);
      }),
    );
  });
});

describe('a stored file', () => {
  it('is known by its id, which its address has', () => {
    const url = `https://media.test/media/${idOf(7)}/${idOf(8)}/beans.jpg`;
    const post = storedAs(
      CreatePostBody.parse({ ...toRequest(empty, 'keep'), mediaItems: [{ url }] }),
      empty,
    );
    expect(fromPost(post, zone).media).toEqual([{ url, type: 'image', mediaId: idOf(8) }]);
  });
});

describe('a request', () => {
  it.each([
    [
      'at a time',
      { kind: 'at', time: { date: '2026-03-14', time: '09:30' } },
      { scheduledFor: '2026-03-14T08:30:00.000Z' },
    ],
    [
      'at the second of two times',
      { kind: 'at', time: { date: '2026-10-25', time: '02:30', isSecond: true } },
      { scheduledFor: '2026-10-25T01:30:00.000Z' },
    ],
    ['without a time that is not complete', { kind: 'at', time: { date: '2026-03-', time: '' } }, {}],
    ['in the next slot', { kind: 'slot' }, { scheduledFor: 'auto' }],
    ['now', { kind: 'now' }, { publishNow: true }],
  ] as const)('goes out %s', (_what, when, timing) => {
    const { scheduledFor, publishNow } = toRequest({ ...empty, when }, 'send');
    expect({ ...(scheduledFor && { scheduledFor }), ...(publishNow && { publishNow }) }).toEqual(timing);
  });

  it('gives the shared comment and the frame of the cover to accounts that take them and have no own', () => {
    let draft = draftFor(instagram, tiktok, threads);
    draft = act(draft, { do: 'attach', media: [video] });
    draft = act(draft, { do: 'comment', text: 'Link in bio' });
    draft = act(draft, { do: 'cover', cover: { frameMs: 2_500 } });
    draft = act(draft, { do: 'option', accountId: threads.id, name: 'firstComment', value: '' });
    expect(toRequest(draft, 'send').platforms?.map((each) => each.platformSpecificData)).toEqual([
      { firstComment: 'Link in bio', thumbOffset: 2_500 },
      { videoCoverTimestampMs: 2_500 },
      undefined,
    ]);
  });
});

describe('a change', () => {
  const stored = (changes: Partial<Draft>) => ({ ...draftFor(instagram), ...changes });
  const at = (time: string) => ({ kind: 'at', time: { date: '2026-03-14', time } }) as const;
  it.each([
    [
      'only what is new',
      stored({}),
      true,
      (draft: Draft) => act(draft, { do: 'write', content: 'New' }),
      'keep',
      { content: 'New' },
    ],
    [
      'a draft, scheduled for its time',
      stored({ when: at('09:30') }),
      true,
      (draft: Draft) => draft,
      'send',
      { isDraft: false },
    ],
    [
      'a draft with a new time',
      stored({}),
      true,
      (draft: Draft) => ({ ...draft, when: at('10:00') }),
      'keep',
      { scheduledFor: '2026-03-14T09:00:00.000Z', isDraft: true },
    ],
    [
      'a draft without its time',
      stored({ when: at('09:30') }),
      true,
      (draft: Draft) => ({ ...draft, when: { kind: 'at' } as const }),
      'keep',
      { scheduledFor: null },
    ],
    [
      'a new time',
      stored({ when: at('09:30') }),
      false,
      (draft: Draft) => ({ ...draft, when: at('10:00') }),
      'send',
      { scheduledFor: '2026-03-14T09:00:00.000Z' },
    ],
    [
      'a draft again',
      stored({ when: at('09:30') }),
      false,
      (draft: Draft) => draft,
      'keep',
      { isDraft: true },
    ],
    [
      'at once',
      stored({ when: at('09:30') }),
      false,
      (draft: Draft) => ({ ...draft, when: { kind: 'now' } as const }),
      'send',
      { publishNow: true },
    ],
    [
      'no cover',
      stored({ cover: image }),
      true,
      ({ cover: _, ...draft }: Draft) => draft,
      'keep',
      { coverUrl: null },
    ],
  ] as const)('is %s', (_what, before, isDraft, edit, intent, request) => {
    expect(changesOf({ draft: before, isDraft }, edit(before), intent)).toEqual(request);
  });

  it('sends the own times of accounts with a new time, which would take them away', () => {
    const time = { date: '2026-03-15', time: '12:00' };
    const before = act(stored({ when: at('09:30') }), {
      do: 'override',
      accountId: instagram.id,
      changes: { time },
    });
    const { platforms } =
      changesOf({ draft: before, isDraft: false }, { ...before, when: at('10:00') }, 'send') ?? {};
    expect(platforms).toEqual([{ accountId: instagram.id, scheduledFor: '2026-03-15T11:00:00.000Z' }]);
  });

  it('keeps the seconds of a time that nobody has edited', () => {
    const exact = '2026-03-14T08:30:17.000Z';
    const before = stored({ when: { kind: 'at', time: { date: '2026-03-14', time: '09:30', exact } } });
    expect(toRequest(before, 'keep').scheduledFor).toBe(exact);
    expect(changesOf({ draft: before, isDraft: true }, { ...before, content: 'x' }, 'keep')).toEqual({
      content: 'x',
    });
  });
});
