import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { findWebhook } from '../../../lib/webhooks/endpoints/store.ts';
import { openApi } from '../../support/api.ts';
import { storeAccount } from '../../support/builders.ts';
import {
  aUrl,
  type Fixture,
  fieldsIn,
  openFixture as openFixtureAt,
  type Shown,
  webhookIn,
} from '../../support/webhook-fixture.ts';

let openFixture: () => Promise<Fixture>;
beforeAll(async () => {
  const api = await openApi();
  openFixture = () => openFixtureAt(api);
});

describe('registering an endpoint', () => {
  it('returns it with its secret', async () => {
    const { create } = await openFixture();
    const url = aUrl();
    const answer = await create({ url, description: 'ours' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      webhook: {
        id: expect.any(String),
        url,
        events: ['post.published', 'post.failed'],
        accountIds: null,
        isActive: true,
        description: 'ours',
        status: 'active',
        statusMessage: null,
        createdAt: expect.any(String),
        secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/),
      },
      warnings: [],
    });
  });

  it('never shows the secret again, and stores it sealed', async () => {
    const { create, read, list, edit, table, workspaceId } = await openFixture();
    const { secret = '', ...shown } = webhookIn(await create());
    expect((await read(shown.id)).body).toEqual({ webhook: shown });
    expect((await list()).body).toEqual({ webhooks: [shown], nextCursor: null });
    expect(webhookIn(await edit(shown.id, { description: 'x' }))).toEqual({ ...shown, description: 'x' });
    const stored = await findWebhook(table, workspaceId, shown.id);
    expect(stored?.secret).not.toContain(secret.slice('whsec_'.length));
  });

  it('ignores duplicate events', async () => {
    const { create } = await openFixture();
    const events = ['post.failed', 'webhook.test', 'post.failed'];
    expect(webhookIn(await create({ events }))['events']).toEqual(['post.failed', 'webhook.test']);
  });

  it('accepts `*` for all events', async () => {
    const { create } = await openFixture();
    expect(webhookIn(await create({ events: ['*'] }))['events']).toEqual(['*']);
  });

  it('accepts accounts of the workspace, and names those that it does not know', async () => {
    const { create, edit, read, table, workspaceId } = await openFixture();
    const own = await storeAccount(table, workspaceId, {});
    const foreign = await storeAccount(table, newId(Date.now()), {});
    const hook = webhookIn(await create({ accountIds: [own.id, own.id] }));
    expect(hook).toMatchObject({ accountIds: [own.id] });
    const refusal = {
      status: 400,
      body: { code: 'account_unknown', details: { fields: { 'accountIds[1]': ['no such account'] } } },
    };
    expect(await create({ accountIds: [own.id, foreign.id] })).toMatchObject(refusal);
    expect(await edit(hook.id, { accountIds: [own.id, foreign.id] })).toMatchObject(refusal);
    expect(webhookIn(await edit(hook.id, { description: 'x' }))).toMatchObject({ accountIds: [own.id] });
    expect(webhookIn(await edit(hook.id, { accountIds: null }))).toMatchObject({ accountIds: null });
    expect(webhookIn(await read(hook.id))).toMatchObject({ accountIds: null });
    expect(webhookIn(await edit(hook.id, { accountIds: [own.id] }))).toMatchObject({ accountIds: [own.id] });
    expect(webhookIn(await read(hook.id))).toMatchObject({ accountIds: [own.id] });
  });

  it('accepts a disabled one', async () => {
    const { create } = await openFixture();
    expect(webhookIn(await create({ isActive: false }))).toMatchObject({
      isActive: false,
      status: 'disabled',
    });
  });

  it('accepts a URL of this machine if plain http to it is allowed', async () => {
    const { create } = await openFixture();
    const answer = await create({ url: 'http://127.0.0.1:4000/hook' });
    expect(webhookIn(answer)['url']).toBe('http://127.0.0.1:4000/hook');
  });

  it.each<[string, object]>([
    ['url', { url: undefined }],
    ['url', { url: '' }],
    ['url', { url: 7 }],
    ['url', { url: 'hooks' }],
    ['url', { url: 'http://93.184.216.34/' }],
    ['url', { url: 'https://127.0.0.1/' }],
    ['url', { url: 'https://[::ffff:10.0.0.1]/' }],
    ['url', { url: 'https://2130706433/' }],
    ['url', { url: 'https://169.254.169.254/latest/meta-data' }],
    ['url', { url: 'https://user:word@93.184.216.34/' }],
    ['url', { url: 'https://93.184.216.34:8080/' }],
    ['url', { url: 'https://metadata.google.internal/' }],
    ['url', { url: 'https://nobody.invalid/' }],
    ['url', { url: `https://93.184.216.34/${'x'.repeat(2_048)}` }],
    ['events', { events: undefined }],
    ['events', { events: [] }],
    ['events', { events: 'post.failed' }],
    ['events[1]', { events: ['post.failed', 'post.deleted'] }],
    ['events[0]', { events: ['post.*'] }],
    ['accountIds', { accountIds: [] }],
    ['accountIds[0]', { accountIds: ['mine'] }],
    ['events', { events: Array.from({ length: 101 }, () => 'post.failed') }],
    ['isActive', { isActive: 'yes' }],
    ['description', { description: 'x'.repeat(501) }],
  ])('rejects a wrong %s: %j', async (field, body) => {
    const { create, list } = await openFixture();
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(Object.keys(fieldsIn(answer))).toEqual([field]);
    expect(answer.body['error']).toMatch(new RegExp(`^${field.replace(/[[\]]/g, '\\$&')}: `));
    expect((await list()).body['webhooks']).toEqual([]);
  });

  it.each([
    ['the same text', 'https://93.184.216.34/a%2Fb?x=1'],
    ['the standard port', 'https://93.184.216.34:443/a%2Fb?x=1'],
    ['another case of an escape', 'https://93.184.216.34/%61%2fb?x=1'],
  ])('rejects a URL that is already registered: %s', async (_what, url) => {
    const { create } = await openFixture();
    await create({ url: 'https://93.184.216.34/a%2Fb?x=1' });
    const answer = await create({ url });
    expect([answer.status, answer.body['code']]).toEqual([409, 'webhook_exists']);
    expect(answer.body['error']).toMatch(/^url: /);
  });

  it('accepts a URL that another workspace has registered', async () => {
    const [one, other] = [await openFixture(), await openFixture()];
    const url = aUrl();
    expect((await one.create({ url })).status).toBe(201);
    expect((await other.create({ url })).status).toBe(201);
  });

  it('gives the URL to one of two concurrent requests', async () => {
    const { create, list } = await openFixture();
    const url = aUrl();
    const answers = await Promise.all([create({ url }), create({ url })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await list()).body['webhooks']).toHaveLength(1);
  });

  it('allows at most twenty, even concurrently, and another after one is deleted', async () => {
    const { create, list, remove } = await openFixture();
    const answers = await Promise.all(Array.from({ length: 25 }, () => create()));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 400);
    expect([made.length, refused.length]).toEqual([20, 5]);
    expect(refused[0]?.body['error']).toMatch(/^url: .*20 webhooks.*delete one/);
    expect((await list()).body['webhooks']).toHaveLength(20);
    const [first] = made.map(webhookIn);
    await remove(first?.id ?? '');
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(400);
  });
});

describe('the list of endpoints', () => {
  it('is paginated if a limit is given', async () => {
    const { create, list } = await openFixture();
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.push(webhookIn(await create()).id);
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.body['nextCursor']}`);
    const shown = [first, second].flatMap(({ body }) => body['webhooks'] as Shown[]);
    expect(shown.map(({ id }) => id)).toEqual(ids.sort());
    expect(second.body['nextCursor']).toBeNull();
  });

  it('rejects cursors of another workspace and forged ones', async () => {
    const [one, other] = [await openFixture(), await openFixture()];
    for (let made = 0; made < 2; made += 1) await one.create();
    const { nextCursor } = (await one.list('limit=1')).body;
    expect((await one.list(`limit=1&cursor=${nextCursor}`)).status).toBe(200);
    for (const cursor of [nextCursor, 'x.y']) {
      const answer = await other.list(`limit=1&cursor=${cursor}`);
      expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, ['cursor']]);
    }
  });
});
