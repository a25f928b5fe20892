import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { type CountChanges, countUpdate } from '../../../lib/automations/counts.ts';
import { automationLimits } from '../../../lib/automations/limits.ts';
import { listLinkClicks } from '../../../lib/automations/link-clicks.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { deleteItem, updateItem } from '../../../lib/table/items.ts';
import { automationKey, clicksKey, linkKey, targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { type Answer, type Call, linkBaseUrl, openApi } from '../../support/api.ts';
import { storeAutomation } from '../../support/automations.ts';
import { changeTarget, openWorkspace, storeAccount, storePost } from '../../support/builders.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

interface Fixture {
  readonly apiKey: string;
  readonly context: Context;
  readonly workspaceId: string;
  readonly accountId: string;
  /** Stores a post of the account that Herald has published. */
  readonly livePost: () => Promise<string>;
  /** Creates an automation, for a live post of its own unless the body names one. */
  readonly create: (body?: object) => Promise<Answer>;
  readonly read: (id: string) => Promise<Answer>;
  readonly edit: (id: string, body: object) => Promise<Answer>;
  readonly remove: (id: string) => Promise<Answer>;
  readonly list: (query?: string) => Promise<Answer>;
}

let count = 0;

/** Opens a workspace with an Instagram account, and the requests that its key can make. */
async function openFixture(): Promise<Fixture> {
  const { apiKey, context } = await openWorkspace(table);
  const { workspaceId } = context;
  const { id: accountId } = await storeAccount(table, workspaceId);
  const livePost = async () => {
    const platformPostId = `1789${++count}`;
    await claimLivePost(table, {
      platform: 'instagram',
      workspaceId,
      accountId,
      platformPostId,
      postId: 'a post',
    });
    return platformPostId;
  };
  return {
    apiKey,
    context,
    workspaceId,
    accountId,
    livePost,
    create: async (body) =>
      call('comment-automations-create', {
        apiKey,
        body: { accountId, platformPostId: await livePost(), dmMessage: 'Hello', ...body },
      }),
    read: (id) => call('comment-automations-read', { apiKey, path: { id } }),
    edit: (id, body) => call('comment-automations-edit', { apiKey, path: { id }, body }),
    remove: (id) => call('comment-automations-delete', { apiKey, path: { id } }),
    list: (query) => call('comment-automations-list', { apiKey, ...(query && { query }) }),
  };
}

interface Shown extends Record<string, unknown> {
  readonly id: string;
  readonly links?: readonly { readonly url: string; readonly address: string; readonly isSent: boolean }[];
}
const automationIn = ({ body }: Answer) => body['automation'] as Shown;
const fieldsIn = ({ body }: Answer) => (body['details'] as { fields: Record<string, string[]> }).fields;
const linksIn = (answer: Answer) => automationIn(answer).links ?? [];
const codeOf = (address = '') => address.slice(`${linkBaseUrl}/r/`.length);

async function targetOf(code: string): Promise<unknown> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: linkKey(code) }));
  return Item?.['url'];
}

const gate = { message: 'First follow us', buttonLabel: 'Done', notFollowingMessage: 'Not yet' };

describe('the posts of an automation', () => {
  const without = { platformPostId: undefined };
  const scheduled = async (fixture: Fixture, changes: Partial<Target> = {}) => {
    const { accountId, workspaceId } = fixture;
    const { targets } = await storePost(table, workspaceId, [{ accountId, ...changes }]);
    return targets[0] as Target;
  };

  it('may be a post of Herald that is not live, until it is', async () => {
    const fixture = await openFixture();
    const target = await scheduled(fixture);
    const { postId } = target;
    const answer = await fixture.create({ ...without, postId });
    expect(answer.status).toBe(201);
    const waiting = { platformPostId: null, postId, appliesTo: 'post', start: { state: 'awaiting_post' } };
    expect(automationIn(answer)).toMatchObject(waiting);
    const again = await fixture.create({ ...without, postId });
    expect(again).toMatchObject({ status: 200, body: { existing: true } });
    expect(automationIn(again).id).toBe(automationIn(answer).id);

    const liveId = `178${++count}`;
    await changeTarget(table, target, { status: 'published', platformPostId: liveId });
    const read = await fixture.read(automationIn(answer).id);
    const started = { platformPostId: liveId, postId, start: { state: 'started', message: null } };
    expect(automationIn(read)).toMatchObject(started);
    for (const name of [{ postId }, { platformPostId: liveId, postId: undefined }])
      expect((await fixture.create({ ...without, ...name })).body).toMatchObject({
        existing: true,
        automation: { id: automationIn(answer).id },
      });
  });

  it('is a post of Herald that is live already', async () => {
    const fixture = await openFixture();
    const target = await scheduled(fixture);
    const platformPostId = `178${++count}`;
    await changeTarget(table, target, { status: 'published', platformPostId });
    const answer = await fixture.create({ ...without, postId: target.postId });
    expect(automationIn(answer)).toMatchObject({ platformPostId, start: { state: 'started' } });
  });

  it.each<[state: string, changes: Partial<Target>]>([
    ['post_draft', { status: 'draft' }],
    ['post_failed', { status: 'failed' }],
  ])('says what is wrong with the post: %s', async (state, changes) => {
    const fixture = await openFixture();
    const { postId } = await scheduled(fixture, changes);
    const { id } = automationIn(await fixture.create({ ...without, postId }));
    const [listed] = (await fixture.list()).body['automations'] as Shown[];
    expect(listed).toMatchObject({ id, start: { state, message: expect.stringMatching(/\.$/) } });
  });

  it('says that the post was deleted, and can be deleted then', async () => {
    const fixture = await openFixture();
    const target = await scheduled(fixture);
    const { id } = automationIn(await fixture.create({ ...without, postId: target.postId }));
    const key = targetKey(target.workspaceId, target.postId, target.accountId);
    await deleteItem(table, key, unconditionally);
    expect(automationIn(await fixture.read(id))).toMatchObject({ start: { state: 'post_gone' } });
    expect((await fixture.remove(id)).status).toBe(200);
    expect((await fixture.read(id)).status).toBe(404);
  });

  it('may be the next post or every post, once each, besides a post of its own', async () => {
    const { create, edit, list } = await openFixture();
    for (const [appliesTo, state] of [
      ['next_post', 'awaiting_post'],
      ['every_post', 'started'],
    ]) {
      const answer = await create({ ...without, appliesTo });
      expect(answer.status).toBe(201);
      expect(automationIn(answer)).toMatchObject({ platformPostId: null, appliesTo, start: { state } });
      expect((await create({ ...without, appliesTo })).status).toBe(200);
      expect((await edit(automationIn(answer).id, { isActive: false })).status).toBe(200);
    }
    expect((await create()).status).toBe(201);
    expect((await list()).body['automations']).toHaveLength(3);
  });

  it('is not found if it is unknown, foreign or of another account', async () => {
    const [fixture, other] = [await openFixture(), await openFixture()];
    const foreign = await scheduled(other);
    const elsewhere = await scheduled(fixture, { accountId: newId(0) });
    const answers = await Promise.all(
      [newId(0), foreign.postId, elsewhere.postId].map((postId) => fixture.create({ ...without, postId })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ body }) => body['error'])).size).toBe(1);
  });

  it('cannot be named by the name under which an automation stores other posts', async () => {
    const { create } = await openFixture();
    await create({ ...without, appliesTo: 'every_post' });
    await create({ ...without, appliesTo: 'story_replies' });
    for (const platformPostId of ['RULE#EVERY', 'MESSAGES#STORY', 'MESSAGES#ALL'])
      expect((await create({ platformPostId })).status).toBe(404);
  });

  it.each<[field: string, body: object]>([
    ['platformPostId', without],
    ['postId', { postId: newId(0) }],
    ['postId', { ...without, postId: 'nonsense' }],
    ['platformPostId', { appliesTo: 'every_post' }],
    ['postId', { ...without, postId: newId(0), appliesTo: 'next_post' }],
    ['appliesTo', { ...without, appliesTo: 'all' }],
    ['platformPostId', { appliesTo: 'story_replies' }],
    ['commentReply', { ...without, appliesTo: 'story_replies', commentReply: 'Thanks' }],
    ['dmMessage', { ...without, appliesTo: 'story_replies', dmMessage: undefined }],
    ['keywords', { ...without, appliesTo: 'direct_messages' }],
  ])('is refused with %s', async (field, body) => {
    const { create } = await openFixture();
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(Object.keys(fieldsIn(answer))).toEqual([field]);
  });

  it('is limited in number while it is not live', async () => {
    const fixture = await openFixture();
    const make = async () => fixture.create({ ...without, postId: (await scheduled(fixture)).postId });
    for (let made = 0; made < automationLimits.attachedPerAccount; made += 1)
      expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(400);
  });
});

describe('an automation that messages start', () => {
  const without = { platformPostId: undefined, keywords: ['link'] };

  it.each(['story_replies', 'direct_messages'])(
    'is made once for an account, listed, changed and deleted: %s',
    async (appliesTo) => {
      const { create, edit, read, list, remove } = await openFixture();
      const answer = await create({ ...without, appliesTo });
      expect(answer.status).toBe(201);
      const { id } = automationIn(answer);
      const started = { state: 'started', message: null };
      const shown = { platformPostId: null, postId: null, appliesTo, start: started };
      expect(automationIn(answer)).toMatchObject(shown);
      expect(await create({ ...without, appliesTo })).toMatchObject({
        status: 200,
        body: { existing: true },
      });
      expect((await list()).body['automations']).toMatchObject([{ id, ...shown }]);
      expect((await edit(id, { isActive: false, dmMessage: 'Hello' })).status).toBe(200);
      expect(automationIn(await read(id))).toMatchObject({ isActive: false, dmMessage: 'Hello' });
      expect((await remove(id)).status).toBe(200);
      expect((await create({ ...without, appliesTo })).status).toBe(201);
    },
  );

  it.each([
    ['commentReply', { commentReply: 'Thanks' }],
    ['dmMessage', { dmMessage: null }],
    ['keywords', { keywords: [] }],
  ])('cannot be given or lose what it cannot have or needs: %s', async (field, change) => {
    const { create, edit } = await openFixture();
    const { id } = automationIn(await create({ ...without, appliesTo: 'direct_messages' }));
    const answer = await edit(id, change);
    expect(answer.status).toBe(400);
    expect(Object.keys(fieldsIn(answer))).toEqual([field]);
  });

  it('says what a message would set off: the message to a follower', async () => {
    const { apiKey, create } = await openFixture();
    const { id } = automationIn(
      await create({ ...without, appliesTo: 'story_replies', followGate: gate, dmMessage: 'Here' }),
    );
    const answer = await call('comment-automations-try', { apiKey, path: { id }, body: { text: 'link' } });
    expect(answer.body).toMatchObject({
      result: { matches: true, commentReply: null, dmMessage: 'Here' },
    });
  });
});

describe('creating an automation', () => {
  it('returns it with every field', async () => {
    const { create, accountId, livePost } = await openFixture();
    const platformPostId = await livePost();
    const fields = {
      name: 'Launch',
      keywords: ['link', 'İNDİRİM'],
      matchMode: 'word',
      typoTolerance: true,
      commentReply: 'Look into your messages',
      dmMessage: 'Here: https://example.com/a',
      buttons: [{ type: 'url', title: 'Open', url: 'https://example.com/b' }],
      followGate: gate,
      trackLinks: false,
    };
    const answer = await create({ platformPostId, ...fields });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ok: true,
      automation: {
        id: expect.any(String),
        accountId,
        platformPostId,
        postId: null,
        appliesTo: 'post',
        start: { state: 'started', message: null },
        isActive: true,
        ...fields,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      warnings: [],
    });
  });

  it('needs only a reply, and matches every comment by default', async () => {
    const { create } = await openFixture();
    const answer = await create({ dmMessage: undefined, commentReply: 'Thanks', somethingElse: 1 });
    expect(answer.status).toBe(201);
    expect(automationIn(answer)).toMatchObject({
      name: null,
      keywords: [],
      matchMode: 'contains',
      typoTolerance: false,
      dmMessage: null,
      buttons: [],
      followGate: null,
      trackLinks: true,
    });
    expect(automationIn(answer)).not.toHaveProperty('somethingElse');
    expect(answer.body['warnings']).toEqual([
      {
        field: 'somethingElse',
        code: 'field_unknown',
        message: 'is not a field of this request and is ignored',
      },
    ]);
  });

  it('merges keywords that are equal after normalization', async () => {
    const { create } = await openFixture();
    const keywords = ['Link', ' LİNK ', 'l\u200bink', '𝗹𝗶𝗻𝗸', 'links'];
    expect(automationIn(await create({ keywords }))['keywords']).toEqual(['Link', 'links']);
  });

  it('returns the existing automation of the post, whatever the request contains', async () => {
    const { create, livePost } = await openFixture();
    const platformPostId = await livePost();
    const first = automationIn(await create({ platformPostId }));
    const again = await create({ platformPostId, dmMessage: 'Something else' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ok: true, existing: true, automation: first, warnings: [] });
  });

  it('creates one from many concurrent requests', async () => {
    const { create, livePost, list } = await openFixture();
    const platformPostId = await livePost();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ platformPostId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map((answer) => automationIn(answer).id)).size).toBe(1);
    expect((await list()).body['automations']).toHaveLength(1);
  });

  it('does not affect automations of other workspaces for the same post', async () => {
    const [one, other] = [await openFixture(), await openFixture()];
    const platformPostId = await one.livePost();
    const { workspaceId, accountId } = other;
    const theirs = await storeAutomation(table, workspaceId, { accountId, platformPostId });
    expect((await one.create({ platformPostId })).status).toBe(201);
    expect((await other.list()).body['automations']).toMatchObject([{ id: theirs.id }]);
  });

  it.each<[field: string, body: object]>([
    ['accountId', { accountId: undefined }],
    ['accountId', { accountId: 'nonsense' }],
    ['accountId', { accountId: 7 }],
    ['platformPostId', { platformPostId: undefined }],
    ['platformPostId', { platformPostId: '' }],
    ['platformPostId', { platformPostId: 1789 }],
    ['platformPostId', { platformPostId: null }],
    ['platformPostId', { platformPostId: '1'.repeat(201) }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['isActive', { isActive: 'true' }],
    ['keywords', { keywords: 'link' }],
    ['keywords', { keywords: Array.from({ length: 101 }, (_, index) => `k${index}`) }],
    ['keywords[0]', { keywords: [''] }],
    ['keywords[1]', { keywords: ['a', '\u200b\ufe0f'] }],
    ['keywords[0]', { keywords: [7] }],
    ['keywords[0]', { keywords: ['x'.repeat(61)] }],
    ['keywords[0]', { keywords: ['ﷺ'.repeat(50)] }],
    ['matchMode', { matchMode: 'regex' }],
    ['typoTolerance', { typoTolerance: 1 }],
    ['commentReply', { commentReply: '' }],
    ['commentReply', { commentReply: 7 }],
    ['commentReply', { commentReply: 'x'.repeat(2_201) }],
    ['dmMessage', { dmMessage: undefined }],
    ['dmMessage', { dmMessage: null }],
    ['dmMessage', { dmMessage: ' \n' }],
    ['dmMessage', { dmMessage: 'a\u0001b' }],
    ['dmMessage', { dmMessage: 'x'.repeat(1_001) }],
    ['dmMessage', { dmMessage: 'ü'.repeat(501) }],
    [
      'dmMessage',
      { dmMessage: 'x'.repeat(641), buttons: [{ type: 'url', title: 'a', url: 'https://a.example' }] },
    ],
    [
      'dmMessage',
      {
        dmMessage: '🔥'.repeat(640),
        buttons: [{ type: 'url', title: 'a', url: 'https://a.example' }],
      },
    ],
    ['followGate.message', { followGate: { ...gate, message: '🔥'.repeat(260) } }],
    ['buttons', { buttons: {} }],
    ['buttons', { dmMessage: null, commentReply: 'a', buttons: [{ title: 'a', url: 'https://a.example' }] }],
    ['buttons', { buttons: Array(4).fill({ type: 'url', title: 'a', url: 'https://a.example' }) }],
    ['buttons[0].type', { buttons: [{ type: 'postback', title: 'a', url: 'https://a.example' }] }],
    ['buttons[0].title', { buttons: [{ type: 'url', url: 'https://a.example' }] }],
    ['buttons[0].title', { buttons: [{ type: 'url', title: '', url: 'https://a.example' }] }],
    ['buttons[0].title', { buttons: [{ type: 'url', title: 'x'.repeat(21), url: 'https://a.example' }] }],
    ['buttons[0].url', { buttons: [{ type: 'url', title: 'a' }] }],
    ['buttons[0].url', { buttons: [{ type: 'url', title: 'a', url: 'example.com' }] }],
    ['buttons[0].url', { buttons: [{ type: 'url', title: 'a', url: 'javascript:alert(1)' }] }],
    ['buttons[0].url', { buttons: [{ type: 'url', title: 'a', url: 'https://' }] }],
    ['buttons[0].url', { buttons: [{ type: 'url', title: 'a', url: 'https://user:pw@a.example' }] }],
    [
      'buttons[0].url',
      { buttons: [{ type: 'url', title: 'a', url: `https://a.example/${'x'.repeat(2_048)}` }] },
    ],
    ['followGate', { followGate: 'yes' }],
    ['followGate', { dmMessage: null, commentReply: 'a', followGate: gate }],
    ['followGate.message', { followGate: { ...gate, message: undefined } }],
    ['followGate.message', { followGate: { ...gate, message: 'x'.repeat(641) } }],
    ['followGate.buttonLabel', { followGate: { ...gate, buttonLabel: 'x'.repeat(21) } }],
    ['followGate.notFollowingMessage', { followGate: { ...gate, notFollowingMessage: '' } }],
    ['followGate.notFollowingMessage', { followGate: { ...gate, notFollowingMessage: 'x'.repeat(641) } }],
    ['trackLinks', { trackLinks: 'no' }],
  ])('rejects a wrong %s: %j', async (field, body) => {
    const { create, list } = await openFixture();
    const answer = await create(body);
    expect(answer.status, answer.text).toBe(400);
    expect(Object.keys(fieldsIn(answer))).toContain(field);
    expect(answer.body['error']).toMatch(/^.+?: \S/su);
    expect((await list()).body['automations']).toEqual([]);
  });

  it.each<[what: string, body: object]>([
    ['1,000 bytes', { dmMessage: `${'ü'.repeat(499)}xx` }],
    [
      '640 characters and three buttons',
      {
        dmMessage: 'x'.repeat(640),
        buttons: Array(3).fill({ type: 'url', title: 'x'.repeat(20), url: 'https://a.example' }),
      },
    ],
    [
      'exactly 1,000 bytes with a button written as text',
      {
        dmMessage: `${'🔥'.repeat(243)}${'x'.repeat(5)}`,
        buttons: [{ type: 'url', title: 'a', url: 'https://a.example' }],
        trackLinks: false,
      },
    ],
    ['a reply of 2,200 characters', { commentReply: '🔥'.repeat(2_200) }],
    [
      'a follow gate with texts of maximum length',
      {
        followGate: {
          message: 'x'.repeat(640),
          buttonLabel: 'x'.repeat(20),
          notFollowingMessage: 'x'.repeat(640),
        },
      },
    ],
    ['line breaks', { dmMessage: 'one\r\n\ttwo' }],
    ['a hundred keywords', { keywords: Array.from({ length: 100 }, (_, index) => `k${index}`) }],
  ])('accepts %s', async (_what, body) => {
    const { create } = await openFixture();
    const answer = await create(body);
    expect(answer.status, answer.text).toBe(201);
  });

  it('measures a message as it is sent, with short URLs if links are tracked', async () => {
    const { create } = await openFixture();
    const dmMessage = `${'x'.repeat(900)} https://example.com/${'y'.repeat(900)}`;
    expect((await create({ dmMessage })).status).toBe(201);
    const raw = await create({ dmMessage, trackLinks: false });
    expect(fieldsIn(raw)).toEqual({ dmMessage: [expect.stringContaining('1821 bytes')] });
    const short = `${'x '.repeat(302)}http://a.b`;
    const button = { title: 'a', url: 'https://a.example' };
    expect((await create({ dmMessage: short, buttons: [button], trackLinks: false })).status).toBe(201);
    expect(fieldsIn(await create({ dmMessage: short, buttons: [button] }))).toHaveProperty('dmMessage');
  });

  it('names every wrong field', async () => {
    const { create } = await openFixture();
    const answer = await create({
      dmMessage: 'x'.repeat(1_001),
      commentReply: 'x'.repeat(2_201),
      followGate: { ...gate, buttonLabel: 'x'.repeat(21) },
    });
    expect(Object.keys(fieldsIn(answer)).sort()).toEqual([
      'commentReply',
      'dmMessage',
      'followGate.buttonLabel',
    ]);
  });
});

describe('the post of an automation', () => {
  it('cannot be on another platform', async () => {
    const { create, workspaceId } = await openFixture();
    const { id: accountId } = await storeAccount(table, workspaceId, { platform: 'facebook' });
    const answer = await create({ accountId });
    expect(answer.status).toBe(400);
    expect(fieldsIn(answer)).toEqual({ accountId: [expect.stringContaining('Instagram')] });
  });

  it('is equally unknown for foreign, non-existent and disconnected accounts', async () => {
    const { create, workspaceId } = await openFixture();
    const other = await openFixture();
    const gone = await storeAccount(table, workspaceId, { disconnectedAt: '2026-03-01T12:00:00.000Z' });
    const facebook = await storeAccount(table, other.workspaceId, { platform: 'facebook' });
    const texts = new Set<string>();
    for (const accountId of [other.accountId, '00000000-0000-4000-8000-000000000000', gone.id, facebook.id]) {
      const answer = await create({ accountId, platformPostId: await other.livePost() });
      expect(answer.status).toBe(404);
      texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
  });
});

describe('the links of an automation', () => {
  const buttons = [
    { type: 'url', title: 'Shop', url: 'https://example.com/shop' },
    { type: 'url', title: 'Same', url: 'https://example.com/a' },
  ];
  const dmMessage = 'See https://example.com/a, or http://example.com/b.';

  it('are created once per URL, with codes that cannot be guessed', async () => {
    const { create, read } = await openFixture();
    const links = linksIn(await read(automationIn(await create({ dmMessage, buttons })).id));
    expect(links.map(({ url }) => url)).toEqual([
      'https://example.com/a',
      'http://example.com/b',
      'https://example.com/shop',
    ]);
    for (const { url, address } of links) {
      expect(address).toMatch(/^https:\/\/go\.example\.com\/r\/[0-9A-Za-z]{12}$/);
      expect(await targetOf(codeOf(address))).toBe(url);
    }
    expect(new Set(links.map(({ address }) => address)).size).toBe(3);
  });

  it('are not created if links are not tracked', async () => {
    const { create, read } = await openFixture();
    const { id } = automationIn(await create({ dmMessage, buttons, trackLinks: false }));
    expect(linksIn(await read(id))).toEqual([]);
  });

  it('keep their codes while their URLs stay, and work afterwards', async () => {
    const { create, read, edit } = await openFixture();
    const { id } = automationIn(await create({ dmMessage, buttons }));
    const [a, b, shop] = linksIn(await read(id));
    await edit(id, {
      dmMessage: 'Now https://example.com/c and http://example.com/b',
      buttons: buttons.slice(0, 1),
    });
    const [c, ...others] = linksIn(await read(id));
    expect(c).toMatchObject({ url: 'https://example.com/c', isSent: true });
    expect(others).toEqual([b, shop, { ...a, isSent: false }]);
    expect(await targetOf(codeOf(a?.address))).toBe('https://example.com/a');
    expect(await targetOf(codeOf(c?.address))).toBe('https://example.com/c');

    await edit(id, { dmMessage, buttons });
    expect(linksIn(await read(id))).toEqual([a, b, shop, { ...c, isSent: false }]);
    await edit(id, { trackLinks: false });
    expect(linksIn(await read(id)).map(({ isSent }) => isSent)).toEqual([false, false, false, false]);
    await edit(id, { trackLinks: true });
    expect(linksIn(await read(id))).toEqual([a, b, shop, { ...c, isSent: false }]);
  });

  it('work after the automation is deleted', async () => {
    const { create, read, remove } = await openFixture();
    const { id } = automationIn(await create({ dmMessage }));
    const [link] = linksIn(await read(id));
    await remove(id);
    expect(await targetOf(codeOf(link?.address))).toBe('https://example.com/a');
  });
});

describe('reading an automation', () => {
  it('returns what has failed with who can act, and what waits with its reasons', async () => {
    const { create, read } = await openFixture();
    const { id } = automationIn(await create());
    const count = (commentId: string, changes: CountChanges) =>
      transact(table, [countUpdate(table, id, commentId, changes)]);
    for (let comment = 0; comment < 3; comment += 1)
      await count(`c${comment}`, { failures: { window_closed: 1 }, waiting: { paused: 1 } });
    // Another shard may take away what the first has counted.
    await count('another', { failures: { window_closed: -1, outcome_unknown: 1 } });
    await count('one more', { waiting: { hourly_limit: 2, paused: -1 } });
    // An earlier release has stored failures without codes.
    await count('old', { failures: { other: 4 } });
    const { counts, failures, waiting } = automationIn(await read(id));
    expect(counts).toMatchObject({ failed: 7 });
    expect(failures).toEqual([
      { code: 'other', count: 4, message: expect.any(String), whoCanAct: 'nobody' },
      { code: 'window_closed', count: 2, message: expect.any(String), whoCanAct: 'commenter' },
      { code: 'outcome_unknown', count: 1, message: expect.any(String), whoCanAct: 'customer' },
    ]);
    expect(waiting).toEqual({
      count: 4,
      until: expect.any(String),
      reasons: [
        { reason: 'paused', count: 2 },
        { reason: 'hourly_limit', count: 2 },
      ],
    });
  });

  it('returns its counts, and the clicks per link and day', async () => {
    const { create, read } = await openFixture();
    const { id, ...automation } = automationIn(
      await create({ dmMessage: 'https://example.com/a https://example.com/b' }),
    );
    const [a] = linksIn(await read(id));
    expect(automationIn(await read(id))['counts']).toEqual({
      matched: 0,
      replied: 0,
      messaged: 0,
      clicks: 0,
      failed: 0,
    });
    for (let comment = 0; comment < 5; comment += 1) {
      await transact(table, [countUpdate(table, id, `c${comment}`, { matches: 1, replies: 1 })]);
    }
    await transact(table, [countUpdate(table, id, 'c1', { messages: 1 })]);
    const click = (day: string, shard: number, clicks: number) =>
      transact(table, [
        {
          Update: {
            TableName: table.name,
            Key: clicksKey(codeOf(a?.address), day, shard),
            UpdateExpression: 'ADD clicks :clicks',
            ExpressionAttributeValues: { ':clicks': clicks },
          },
        },
      ]);
    await click('2026-03-02', 3, 1);
    await click('2026-03-01', 9, 4);
    await click('2026-03-01', 1, 2);
    expect(automationIn(await read(id))).toEqual({
      id,
      ...automation,
      failures: [],
      waiting: { count: 0, until: null, reasons: [] },
      counts: { matched: 5, replied: 5, messaged: 1, clicks: 7, failed: 0 },
      links: [
        {
          url: 'https://example.com/a',
          address: a?.address,
          isSent: true,
          clicks: 7,
          days: [
            { day: '2026-03-01', clicks: 6 },
            { day: '2026-03-02', clicks: 1 },
          ],
        },
        {
          url: 'https://example.com/b',
          address: expect.any(String),
          isSent: true,
          clicks: 0,
          days: [],
        },
      ],
    });
  });
});

describe('changing an automation', () => {
  it.each<[object]>([
    [{ isActive: false }],
    [{ name: 'Launch' }],
    [{ keywords: ['price', 'cost'] }],
    [{ matchMode: 'exact', typoTolerance: true }],
    [{ commentReply: 'Thanks' }],
    [{ dmMessage: 'Something else' }],
    [{ commentReply: 'Thanks', dmMessage: null }],
    [{ buttons: [{ type: 'url', title: 'Open', url: 'https://example.com' }] }],
    [{ followGate: gate }],
    [{ trackLinks: false }],
  ])('changes only the given fields: %j', async (changes) => {
    const { create, edit, read } = await openFixture();
    const before = automationIn(await create());
    const answer = await edit(before.id, changes);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      automation: { ...before, ...changes, updatedAt: expect.any(String) },
      warnings: [],
    });
    expect(automationIn(await read(before.id))).toMatchObject(automationIn(answer));
  });

  it('that was stored with too long a message is possible as long as no text changes', async () => {
    const { create, edit, workspaceId } = await openFixture();
    const { id } = automationIn(
      await create({ buttons: [{ type: 'url', title: 'a', url: 'https://a.example' }] }),
    );
    const dmMessage = '🔥'.repeat(640);
    await updateItem(table, automationKey(workspaceId, id), {
      set: { dmMessage },
      if: unconditionally,
    });
    for (const changes of [{ isActive: false }, { name: 'Launch' }, { keywords: ['price'] }])
      expect(automationIn(await edit(id, changes))).toMatchObject({ ...changes, dmMessage });
    expect(fieldsIn(await edit(id, { trackLinks: false }))).toHaveProperty('dmMessage');
  });

  it('clears a field that is set to null', async () => {
    const { create, edit } = await openFixture();
    const before = automationIn(await create({ name: 'a', commentReply: 'b', followGate: gate }));
    const answer = await edit(before.id, { name: null, commentReply: null, followGate: null });
    expect(automationIn(answer)).toMatchObject({ name: null, commentReply: null, followGate: null });
  });

  it('changes nothing if no field is given', async () => {
    const { create, edit } = await openFixture();
    const before = automationIn(await create());
    expect(automationIn(await edit(before.id, { unknown: 1 }))).toEqual(before);
  });

  it.each<[field: string, body: object]>([
    ['accountId', { accountId: '00000000-0000-4000-8000-000000000000' }],
    ['platformPostId', { platformPostId: '1' }],
    ['dmMessage', { dmMessage: null }],
    ['dmMessage', { dmMessage: 'x'.repeat(641) }],
    ['buttons', { dmMessage: null, commentReply: 'a' }],
    ['buttons[0].url', { buttons: [{ title: 'a', url: 'ftp://a.example' }] }],
    ['keywords[0]', { keywords: [' '] }],
    ['isActive', { isActive: null }],
    ['matchMode', { matchMode: null }],
    ['trackLinks', { trackLinks: null }],
  ])('rejects a wrong %s: %j', async (field, body) => {
    const { create, edit, read } = await openFixture();
    const { id } = automationIn(await create({ buttons: [{ title: 'a', url: 'https://a.example' }] }));
    const before = (await read(id)).text;
    const answer = await edit(id, body);
    expect(answer.status, answer.text).toBe(400);
    expect(Object.keys(fieldsIn(answer))).toContain(field);
    expect((await read(id)).text).toBe(before);
  });

  it('loses none of many concurrent changes', async () => {
    const { create, edit, read } = await openFixture();
    const { id } = automationIn(await create());
    const changes = [
      { name: 'Launch' },
      { keywords: ['a'] },
      { commentReply: 'Thanks' },
      { dmMessage: 'https://example.com/a' },
      { matchMode: 'word' },
    ];
    const answers = await Promise.all(changes.map((change) => edit(id, change)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const after = automationIn(await read(id));
    expect(after).toMatchObject(Object.assign({}, ...changes));
    expect(after.links).toHaveLength(1);
  });
});

describe('deleting an automation', () => {
  it('removes everything that can be read, and frees its post', async () => {
    const { create, remove, read, list, edit, livePost } = await openFixture();
    const platformPostId = await livePost();
    const { id } = automationIn(await create({ platformPostId }));
    const answer = await remove(id);
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    for (const again of [await read(id), await remove(id), await edit(id, { name: 'a' })]) {
      expect(again.status).toBe(404);
    }
    expect((await list()).body).toEqual({ automations: [], nextCursor: null });
    const next = await create({ platformPostId });
    expect(next.status).toBe(201);
    expect(automationIn(next).id).not.toBe(id);
  });

  it('and creating one concurrently leaves the post with one or none', async () => {
    const { create, remove, read, livePost } = await openFixture();
    const platformPostId = await livePost();
    const { id } = automationIn(await create({ platformPostId }));
    const [removed, made] = await Promise.all([remove(id), create({ platformPostId })]);
    expect(removed.status).toBe(200);
    expect([200, 201]).toContain(made.status);
    expect((await read(automationIn(made).id)).status).toBe(made.status === 201 ? 200 : 404);
  });
});

describe('the list of automations', () => {
  it('is newest first, page by page, and can be filtered by account', async () => {
    const { create, list, workspaceId, accountId } = await openFixture();
    const { id: second } = await storeAccount(table, workspaceId);
    await claimLivePost(table, {
      platform: 'instagram',
      workspaceId,
      accountId: second,
      platformPostId: '5',
      postId: 'a post',
    });
    const made = [await create(), await create({ accountId: second, platformPostId: '5' }), await create()];
    const ids = made.map((answer) => automationIn(answer).id).reverse();
    const idsIn = ({ body }: Answer) => (body['automations'] as Shown[]).map(({ id }) => id);
    const all = await list();
    expect(all.body['automations']).toEqual(made.map(automationIn).reverse());
    expect(all.body['nextCursor']).toBeNull();

    const first = await list('limit=2');
    expect(idsIn(first)).toEqual(ids.slice(0, 2));
    const cursor = encodeURIComponent(String(first.body['nextCursor']));
    const rest = await list(`limit=2&cursor=${cursor}`);
    expect([idsIn(rest), rest.body['nextCursor']]).toEqual([ids.slice(2), null]);

    expect(idsIn(await list(`accountId=${second}`))).toEqual([ids[1]]);
    expect(idsIn(await list(`accountId=${accountId}`))).toEqual([ids[0], ids[2]]);
    expect((await list(`accountId=${second}&cursor=${cursor}`)).status).toBe(400);
    expect((await list('accountId=nonsense')).status).toBe(400);
    expect((await list('limit=501')).status).toBe(400);
  });

  it('contains nothing of another workspace', async () => {
    const [one, other] = [await openFixture(), await openFixture()];
    await other.create();
    expect((await one.list()).body).toEqual({ automations: [], nextCursor: null });
    expect((await one.list(`accountId=${other.accountId}`)).body).toEqual({
      automations: [],
      nextCursor: null,
    });
  });
});

describe('trying an automation', () => {
  const attempt = (id: string, text: string, apiKey: string) =>
    call('tryCommentAutomation', { apiKey, path: { id }, body: { text } });

  it.each<[string, object, string, object]>([
    ['a match', { keywords: ['price', 'link'] }, 'LINK please', { matches: true, keyword: 'link' }],
    [
      'a typing error',
      { keywords: ['discount'], typoTolerance: true },
      'discuont?',
      { matches: true, keyword: 'discount' },
    ],
    [
      'no match',
      { keywords: ['link'] },
      'nice',
      { matches: false, keyword: null, commentReply: null, dmMessage: null },
    ],
    ['no keywords', { keywords: [] }, 'nice', { matches: true, keyword: null }],
    [
      'the reply',
      { keywords: [], commentReply: 'Sent!' },
      'x',
      { commentReply: 'Sent!', dmMessage: 'Hello' },
    ],
    ['the question of a gate', { keywords: [], followGate: gate }, 'x', { dmMessage: gate.message }],
    [
      'the tracked link',
      { dmMessage: 'https://example.com/a' },
      'x',
      { dmMessage: expect.stringMatching(`^${linkBaseUrl}/r/`) },
    ],
  ])('shows %s, and sends nothing', async (_what, fields, text, expected) => {
    const { create, apiKey, read } = await openFixture();
    const { id } = automationIn(await create(fields));
    const answer = await attempt(id, text, apiKey);
    expect(answer).toMatchObject({ status: 200, body: { result: { isActive: true, ...expected } } });
    expect(automationIn(await read(id))['counts']).toMatchObject({ matched: 0, messaged: 0 });
  });

  it('is unknown in another workspace', async () => {
    const { create } = await openFixture();
    const other = await openFixture();
    const { id } = automationIn(await create());
    expect((await attempt(id, 'x', other.apiKey)).status).toBe(404);
  });
});

describe('the clicks of all links', () => {
  async function openClicks() {
    const fixture = await openFixture();
    const made: Shown[] = [];
    for (const name of ['a', 'b', 'c'])
      made.push(automationIn(await fixture.create({ name, dmMessage: `https://example.com/${name}` })));
    const detail = await Promise.all(made.map(async ({ id }) => automationIn(await fixture.read(id))));
    const click = (index: number, day: string, clicks: number) =>
      updateItem(table, clicksKey(codeOf(detail[index]?.links?.[0]?.address), day, clicks % 10), {
        add: { clicks },
        if: unconditionally,
      });
    const list = (query?: string) => call('listLinks', { apiKey: fixture.apiKey, ...(query && { query }) });
    return { ...fixture, made, click, list };
  }
  const linksOf = ({ body }: Answer) =>
    body['links'] as { url: string; automation: { id: string }; clicks: number; days: unknown[] }[];

  it('are shown per day for a period, newest automation first', async () => {
    const { made, click, list } = await openClicks();
    await click(0, '2026-03-01', 4);
    await click(0, '2026-03-02', 3);
    await click(0, '2026-03-02', 5);
    await click(0, '2026-03-03', 7);
    const links = linksOf(await list('from=2026-03-02&to=2026-03-02'));
    expect(links.map(({ automation }) => automation.id)).toEqual(made.map(({ id }) => id).reverse());
    expect(links[2]).toMatchObject({
      url: 'https://example.com/a',
      clicks: 8,
      days: [{ day: '2026-03-02', clicks: 8 }],
    });
    expect(links[0]).toMatchObject({ clicks: 0, days: [] });
  });

  it('cover one period, even if a day ends between two pages', async () => {
    const { context: openContext, made, click } = await openClicks();
    const limited = async (now: string, cursor?: string) => {
      const context = { ...openContext, now: Date.parse(now), linkBaseUrl };
      return listLinkClicks(context, { limit: 1, cursor });
    };
    await click(0, '2026-03-01', 3);
    const first = await limited('2026-03-30T23:59:59Z');
    const second = await limited('2026-03-31T00:00:01Z', first.nextCursor ?? '');
    const third = await limited('2026-03-31T00:00:02Z', second.nextCursor ?? '');
    expect(third.links).toMatchObject([{ automation: { id: made[0]?.id }, clicks: 3 }]);
  });

  it('refuse a cursor of another list, also for one automation', async () => {
    const { made, list } = await openClicks();
    const query = `automationId=${made[0]?.id}&cursor=forged`;
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } });
  });

  it('can be read for one automation, and page by page', async () => {
    const { made, list } = await openClicks();
    const [first] = made;
    expect(linksOf(await list(`automationId=${first?.id}`)).map(({ url }) => url)).toEqual([
      'https://example.com/a',
    ]);
    const urls: string[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const answer: Answer = await list(
        `limit=2&from=2026-03-01&to=2026-03-09${cursor ? `&cursor=${cursor}` : ''}`,
      );
      urls.push(...linksOf(answer).map(({ url }) => url));
      cursor = answer.body['nextCursor'];
    }
    expect(urls).toEqual(['c', 'b', 'a'].map((name) => `https://example.com/${name}`));
  });

  it.each([
    ['to', 'from=2026-03-02&to=2026-03-01'],
    ['to', 'from=2026-01-01&to=2027-01-02'],
    ['from', 'from=yesterday'],
  ])('refuse a wrong %s: %s', async (field, query) => {
    const { list } = await openClicks();
    expect(await list(query)).toMatchObject({ status: 400, body: { param: field } });
  });

  it('are those of the last 30 days without a period', async () => {
    const { click, list } = await openClicks();
    const daysAgo = (days: number) => toTimestamp(Date.now() - days * dayMs).slice(0, 10);
    await click(0, daysAgo(29), 2);
    await click(0, daysAgo(30), 4);
    expect(linksOf(await list())[2]).toMatchObject({ clicks: 2 });
  });
});
