import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Action, act } from '../../../lib/panel/pages/compose/draft/actions.ts';
import { countsOf } from '../../../lib/panel/pages/compose/draft/counts.ts';
import { type Draft, isWorthKeeping, newDraft } from '../../../lib/panel/pages/compose/draft/draft.ts';
import { fromPost } from '../../../lib/panel/pages/compose/draft/from-post.ts';
import { KeptDrafts, parseKept } from '../../../lib/panel/pages/compose/draft/kept.ts';
import { countByTab, placeAll, placeOf } from '../../../lib/panel/pages/compose/draft/places.ts';
import { rebase } from '../../../lib/panel/pages/compose/draft/rebase.ts';
import { changesOf, toRequest } from '../../../lib/panel/pages/compose/draft/to-request.ts';
import { accountName } from '../../../lib/panel/pages/compose/parts/context.ts';
import { CreatePostBody, EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { instagram, threads, tiktok, youtube } from '../support/accounts.ts';
import { idOf } from '../support/ids.ts';
import { drafts, image, storedAs, video } from './support/drafts.ts';

const zone = 'Europe/Berlin';
const empty = newDraft(idOf(1), zone);
const withAccounts = (
  ...accounts: readonly { id: string; platform: Draft['destinations'][number]['platform'] }[]
) => accounts.reduce((draft, account) => act(draft, { do: 'toggle', account }), empty);

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
    let draft = withAccounts(instagram, tiktok, threads);
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
  const before = draft.reduce<Draft>(act, withAccounts(instagram));

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
  const before = hiding.reduce<Draft>(act, withAccounts(threads));
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

describe('a change', () => {
  const stored = (changes: Partial<Draft>) => ({ ...withAccounts(instagram), ...changes });
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

describe('what a person does', () => {
  it('brings back what was typed for an account that is taken out', () => {
    const written = act(withAccounts(instagram), {
      do: 'override',
      accountId: instagram.id,
      changes: { content: 'Own' },
    });
    const out = act(written, { do: 'toggle', account: instagram });
    expect(out.destinations).toEqual([]);
    expect(isWorthKeeping(out)).toBe(true);
    expect(act(out, { do: 'toggle', account: instagram }).destinations).toEqual(written.destinations);
  });

  it('inherits again', () => {
    const written = act(withAccounts(instagram), {
      do: 'override',
      accountId: instagram.id,
      changes: { content: '' },
    });
    expect(toRequest(written, 'keep').platforms?.[0]).toHaveProperty('customContent', '');
    const back = act(written, { do: 'override', accountId: instagram.id, changes: { content: undefined } });
    expect(back).toEqual(withAccounts(instagram));
  });

  it('moves steps within the chain', () => {
    const [one, two] = ['one', 'two'];
    let draft = act(empty, { do: 'addStep', key: 'one', kind: 'followUp' });
    draft = act(draft, { do: 'addStep', key: 'two', kind: 'crossPost' });
    const order = (each: Draft) => each.chain.map(({ key }) => key);
    expect(order(act(draft, { do: 'moveStep', key: 'two', by: -1 }))).toEqual([two, one]);
    expect(order(act(draft, { do: 'moveStep', key: 'two', by: 1 }))).toEqual([one, two]);
  });
});

describe('a problem belongs to the field', () => {
  const own = act(
    act(withAccounts(instagram, youtube), {
      do: 'override',
      accountId: youtube.id,
      changes: { content: 'x', media: [video] },
    }),
    { do: 'addStep', key: 'a', kind: 'followUp' },
  );
  const step = act(own, { do: 'editStep', key: 'a', changes: { accountIds: [tiktok.id] } });
  it.each([
    ['content', 'content', 'all'],
    ['mediaItems', 'media', 'all'],
    ['mediaItems[2].url', 'media', 'all', 2],
    ['coverUrl', 'cover', 'all'],
    ['scheduledFor', 'when', undefined],
    ['platforms', 'accounts', undefined],
    ['platforms[1].accountId', 'accounts', undefined],
    ['platforms[1].customContent', `${youtube.id}-content`, youtube.id],
    ['platforms[1].customMedia[0]', `${youtube.id}-media`, youtube.id, 0],
    ['platforms[1].scheduledFor', 'when', undefined],
    ['platforms[1].platformSpecificData.title', `${youtube.id}-option-title`, youtube.id],
    ['platforms[0].platformSpecificData.userTags[0].x', `${instagram.id}-option-userTags`, instagram.id],
    ['platforms[0].platformSpecificData.firstComment', 'comment', 'all'],
    ['platforms[0].platformSpecificData.thumbOffset', 'cover', 'all'],
    ['chain[0].content', 'step-a-content', undefined],
    ['chain[0].accountIds[0]', 'step-a-accounts', undefined],
    [`chain[0].options.${tiktok.id}.privacyLevel`, `step-a-${tiktok.id}-option-privacyLevel`, undefined],
    ['chain', 'accounts', undefined],
    ['something.new', 'accounts', undefined],
  ] as const)('%s: %s', (field, key, tab, file?: number) => {
    expect(placeOf(field, step)).toEqual({ key, ...(tab && { tab }), ...(file !== undefined && { file }) });
  });

  it('is listed once for each account, and counted on its tab', () => {
    const finding = {
      field: 'content',
      code: 'content_too_long',
      message: 'is too long',
      accountId: instagram.id,
    };
    const placed = placeAll([finding, finding, { ...finding, accountId: youtube.id }], own);
    expect(placed).toHaveLength(2);
    expect([...countByTab(placed)]).toEqual([['all', 2]]);
  });
});

describe('a platform counts a text', () => {
  it.each([
    ['instagram', 'Kaffee ☕️ #a #b', [], [11 + 4, 2]],
    ['threads', '👍', [], [4]],
    ['youtube', 'ü', [], [2]],
    ['linkedin', '(a)', [], [5]],
    ['tiktok', '👍', [], [2]],
  ] as const)('%s: %s', (platform, content, media, used) => {
    const counts = countsOf(platform, { content, media, options: {} });
    expect(counts.slice(0, used.length).map((each) => each.used)).toEqual(used);
  });

  it('differently with a video, and not at all in a story', () => {
    const most = (media: Draft['media']) => countsOf('tiktok', { content: '', media, options: {} })[0]?.most;
    expect([most([image]), most([video])]).toEqual([4_000, 2_200]);
    expect(countsOf('instagram', { content: 'x', media: [], options: { contentType: 'story' } })).toEqual([]);
  });
});

describe('changes by two people', () => {
  it('come together, and what both have changed is named', () => {
    const mine = { ...empty, content: 'mine', firstComment: 'mine' };
    const theirs = { ...empty, content: 'theirs', media: [image] };
    expect(rebase(empty, mine, theirs)).toEqual({
      draft: { ...empty, content: 'mine', firstComment: 'mine', media: [image] },
      conflicts: ['content'],
    });
  });
});

describe('an account', () => {
  it('is named with its platform if others in the workspace have the same name', () => {
    const twins = [instagram, threads].map((each) => ({ ...each, displayName: 'Nordlicht' }));
    const accounts = new Map([...twins, youtube].map((each) => [each.id, each]));
    expect([...accounts.keys()].map((id) => accountName(accounts, id))).toEqual([
      'Nordlicht (Instagram)',
      'Nordlicht (Threads)',
      youtube.displayName,
    ]);
  });
});

describe('what a browser keeps', () => {
  const memory = () => {
    const values = new Map<string, string>();
    return {
      values,
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => void values.set(name, value),
      removeItem: (name: string) => void values.delete(name),
      key: (place: number) => [...values.keys()][place] ?? null,
      get length() {
        return values.size;
      },
    };
  };
  const owner = { personId: 'person-1', workspaceId: idOf(2) };

  it('is what was typed, for the same person and workspace, the last edited first', () => {
    const storage = memory();
    const kept = new KeptDrafts(() => storage, owner);
    fc.assert(
      fc.property(drafts, (draft) => {
        storage.values.clear();
        kept.set({ draft, editedAt: 1 });
        expect(kept.get(draft.id)).toEqual({ draft, editedAt: 1 });
      }),
    );
    storage.values.clear();
    storage.setItem('compose/person-1/other', 'not JSON');
    kept.set({ draft: empty, editedAt: 1 });
    kept.set({ draft: { ...empty, id: idOf(2) }, editedAt: 2 });
    kept.set({ draft: { ...empty, id: idOf(3) }, editedAt: 3, before: empty });
    expect(kept.list().map(({ draft }) => draft.id)).toEqual([idOf(2), idOf(1)]);
    expect(new KeptDrafts(() => storage, { ...owner, personId: 'person-2' }).list()).toEqual([]);
  });

  it.each([['null'], ['{}'], ['{"version":2}'], ['{"version":1,"draft":{"id":1},"editedAt":1}'], ['[']])(
    'is not read from %s',
    (text) => expect(parseKept(text)).toBeUndefined(),
  );

  it('is nothing where storage is full or forbidden, which it says', () => {
    const kept = new KeptDrafts(() => {
      throw new Error('forbidden');
    }, owner);
    expect(kept.set({ draft: empty, editedAt: 1 })).toBe(false);
    expect([kept.get('x'), kept.list()]).toEqual([undefined, []]);
  });
});
