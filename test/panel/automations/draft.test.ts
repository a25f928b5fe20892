import { describe, expect, it } from 'vitest';
import { checkAutomation } from '../../../lib/automations/check.ts';
import { CreateAutomationBody, EditAutomationBody } from '../../../lib/automations/request-schemas.ts';
import { linksOf } from '../../../lib/automations/tracked-links.ts';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import {
  type AutomationRow,
  filterRows,
  keywordSummary,
  obstacleOf,
  stagesOf,
  titleOf,
} from '../../../lib/panel/pages/automations/automation.ts';
import {
  addKeywords,
  type Draft,
  draftOf,
  newDraft,
  toCreate,
  toEdit,
} from '../../../lib/panel/pages/automations/edit/draft.ts';
import { livePostsOf, postIdIn } from '../../../lib/panel/pages/automations/edit/live-posts.ts';
import { sizesOf } from '../../../lib/panel/pages/automations/edit/sizes.ts';
import { messagingLimits } from '../../../lib/platforms/instagram/limits.ts';
import { instagram, tiktok } from '../support/accounts.ts';
import { automationOf, detailOf, gate, gated, livePosts, spring } from '../support/automations.ts';

const baseUrl = 'https://api.test';
const written = (changes: Partial<Draft> = {}): Draft => ({
  ...newDraft(instagram.id, '17990000000000099'),
  keywords: ['link'],
  commentReply: 'See your messages',
  dmMessage: 'Here: https://nordlicht.example/a',
  ...changes,
});

describe('the request for an automation that is written', () => {
  it('is one that the service takes', () => {
    const buttons = [{ key: 3, title: 'Open', url: ' https://nordlicht.example/b ' }];
    const draft = written({ name: ' Spring ', buttons, hasGate: true, gate });
    expect(CreateAutomationBody.parse(toCreate(draft))).toEqual({
      accountId: instagram.id,
      appliesTo: 'post',
      platformPostId: '17990000000000099',
      name: 'Spring',
      isActive: true,
      keywords: ['link'],
      matchMode: 'contains',
      typoTolerance: false,
      commentReply: 'See your messages',
      dmMessage: 'Here: https://nordlicht.example/a',
      buttons: [{ type: 'url', title: 'Open', url: 'https://nordlicht.example/b' }],
      followGate: gate,
      trackLinks: true,
    });
  });

  it('leaves out what is turned off, although its texts are kept', () => {
    const buttons = [{ key: 0, title: 'Open', url: 'https://nordlicht.example' }];
    const draft = written({ hasMessage: false, hasReply: false, buttons, hasGate: true, gate });
    expect(toCreate(draft)).toMatchObject({
      commentReply: null,
      dmMessage: null,
      buttons: [],
      followGate: null,
    });
  });

  it('has only what was changed, if the automation exists', () => {
    const before = draftOf(gated);
    expect(toEdit(before, before)).toEqual({});
    const after = { ...before, keywords: [...before.keywords, 'now'], hasGate: false };
    const body = toEdit(after, before);
    expect(body).toEqual({ keywords: [...gated.keywords, 'now'], followGate: null });
    expect(EditAutomationBody.parse(body)).toMatchObject(body);
  });
});

describe('the length of a text', () => {
  const long = `https://nordlicht.example/${'a'.repeat(300)}`;
  const drafts: [string, Draft][] = [
    ['an address', written({ dmMessage: `${'x'.repeat(900)} ${long}` })],
    ['an address, not tracked', written({ dmMessage: `${'x'.repeat(900)} ${long}`, trackLinks: false })],
    ['umlauts', written({ dmMessage: 'ä'.repeat(600), commentReply: 'ä'.repeat(2_300) })],
    [
      'a button',
      written({
        dmMessage: `${'ä'.repeat(620)} ${long}`,
        buttons: [{ key: 0, title: 'Open', url: long }],
        commentReply: `${'x'.repeat(2_150)} ${long}`,
      }),
    ],
    [
      'a gate',
      written({
        hasGate: true,
        gate: { ...gate, message: '👋'.repeat(641), notFollowingMessage: long.repeat(3) },
      }),
    ],
    [
      'buttons that fit only as buttons',
      written({
        dmMessage: '👋'.repeat(240),
        buttons: [{ key: 0, title: 'Open', url: 'https://e.example/a b' }],
        trackLinks: false,
        hasGate: true,
        gate: { ...gate, message: '👋'.repeat(247), notFollowingMessage: '👋'.repeat(240) },
      }),
    ],
    [
      'buttons that just fit as text',
      written({
        dmMessage: '👋'.repeat(240),
        buttons: [{ key: 0, title: 'Open', url: 'https://e.example/a/b/c/d/' }],
        trackLinks: false,
      }),
    ],
  ];
  it.each(drafts)('is the service’s: with %s', (_, draft) => {
    const body = CreateAutomationBody.parse(toCreate(draft));
    const { links } = linksOf(body);
    const { appliesTo: _appliesTo, platformPostId = '', postId: _postId, ...fields } = body;
    const { start: _start, postId: _none, ...stored } = automationOf(1);
    const own = { workspaceId: instagram.id, platformPostId, links, version: 1 };
    const automation = { ...stored, ...fields, ...own };
    let found: string[] = [];
    try {
      checkAutomation(automation, messagingLimits, baseUrl);
    } catch (error) {
      found = error instanceof HeraldError ? error.problems.map(({ field }) => field) : [];
    }
    const sizes = sizesOf(draft, baseUrl);
    const over = Object.entries({
      commentReply: sizes.commentReply,
      dmMessage: sizes.dmMessage,
      ...(draft.hasGate && {
        'followGate.message': sizes.gateMessage,
        'followGate.notFollowingMessage': sizes.gateRefusal,
      }),
    }).filter(([, { used, most }]) => used > most);
    expect(over.map(([field]) => field).sort()).toEqual([...new Set(found)].sort());
  });

  it('counts a short link instead of a long address', () => {
    const { dmMessage } = sizesOf(written({ dmMessage: long }), baseUrl);
    expect(dmMessage).toEqual({
      used: 'https://api.test/r/123456789012'.length,
      most: 1_000,
      unit: 'bytes',
      isShortened: true,
      isAsText: false,
    });
  });
});

describe('keywords that are typed', () => {
  it.each([
    ['link, price\npreis', ['link', 'price', 'preis'], '', undefined],
    ['Link', ['link'], '', '“Link” is compared as equal to one that is there.'],
    ['\u200B', [], '\u200B', 'A keyword needs a visible character.'],
    ['x'.repeat(61), [], 'x'.repeat(61), 'A keyword has at most 60 characters.'],
    [' , ', [], '', undefined],
  ])('%j', (typed, keywords, rest, problem) => {
    const before = typed === 'Link' ? ['link'] : [];
    expect(addKeywords(before, typed)).toEqual({ keywords, rest, problem });
  });
});

describe('posts to choose', () => {
  const posts = livePostsOf(livePosts, instagram.id);

  it('are those that are live on the account', () => {
    expect(posts).toHaveLength(livePosts.length);
    expect(livePostsOf(livePosts, tiktok.id)).toEqual([]);
    const gone = livePosts.map(({ platforms, ...post }) => ({
      ...post,
      platforms: platforms.map((target) => ({ ...target, removedAt: '2026-03-01T00:00:00.000Z' })),
    }));
    expect(livePostsOf(gone, instagram.id)).toEqual([]);
  });

  it.each([
    [' 1799 ', '1799'],
    ['https://instagram.com/p/post2/?img_index=1', posts[2]?.platformPostId],
    ['https://instagram.com/p/unknown/', 'https://instagram.com/p/unknown/'],
  ])('are found by id or address: %s', (text, id) => expect(postIdIn(text, posts)).toBe(id));
});

describe('an automation in a list', () => {
  const row = (changes: Partial<AutomationRow> = {}): AutomationRow => ({
    automation: spring,
    title: 'Spring offer',
    live: undefined,
    account: instagram,
    areAccountsRead: true,
    ...changes,
  });

  it('is called by its name, its post, or the post’s id', () => {
    expect(titleOf({ name: ' \u202Eevil', platformPostId: '1' })).toBe('evil');
    expect(titleOf({ name: null, platformPostId: '1' }, { content: 'First line\nsecond' })).toBe(
      'First line',
    );
    expect(titleOf({ name: null, platformPostId: '1' }, { content: '' })).toBe('Post 1');
  });

  it('shows some keywords, and never “1 more”', () => {
    expect(keywordSummary(['a', 'b', 'c', 'd'])).toEqual({ shown: ['a', 'b', 'c', 'd'], more: 0 });
    expect(keywordSummary(['a', 'b', 'c', 'd', 'e'])).toEqual({ shown: ['a', 'b', 'c'], more: 2 });
  });

  it.each([
    ['offer PRICE', '', undefined, true],
    ['offer bread', '', undefined, false],
    ['angebot/2', '', undefined, true],
    ['', tiktok.id, undefined, false],
    ['', '', 'paused', false],
    ['', instagram.id, 'active', true],
  ] as const)('is found by %j, account %j, state %s: %s', (text, account, state, isFound) =>
    expect(filterRows([row()], { text, account, state })).toHaveLength(isFound ? 1 : 0),
  );

  it('says why it does nothing', () => {
    expect(obstacleOf(row())).toBeUndefined();
    expect(obstacleOf(row({ account: undefined }))).toBe('disconnected');
    expect(obstacleOf(row({ account: undefined, areAccountsRead: false }))).toBeUndefined();
    expect(obstacleOf(row({ account: { ...instagram, status: 'expired' } }))).toBe('expired');
    expect(obstacleOf(row({ account: { ...instagram, capabilities: ['comments'] } }))).toBe('noMessages');
    expect(obstacleOf(row({ account: { ...instagram, capabilities: ['publish'] } }))).toBe('noComments');
  });
});

it('stages compare with those before only where that says something', () => {
  const counts = { matched: 200, replied: 150, messaged: 100, clicks: 25, failed: 0 };
  const notes = (detail: ReturnType<typeof detailOf>) => stagesOf(detail).map(({ note }) => note);
  expect(notes(detailOf(spring, { counts }))).toEqual([
    undefined,
    '75% of matched',
    '50% of matched',
    '0.25 per message',
  ]);
  expect(notes(detailOf(gated, { counts: { ...counts, messaged: 500 } }))[2]).toBeUndefined();
  expect(stagesOf(detailOf(spring, { counts })).map(({ share }) => share)).toEqual([1, 0.75, 0.5, 0.125]);
  expect(
    notes(detailOf(spring, { counts: { matched: 0, replied: 0, messaged: 0, clicks: 0, failed: 0 } })),
  ).toEqual([undefined, undefined, undefined, undefined]);
});
