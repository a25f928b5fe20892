import { beforeAll, describe, expect, it } from 'vitest';
import { conditionalUpdate } from '../../../lib/table/conditional-update.ts';
import { webhookKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { findWebhook } from '../../../lib/webhooks/store.ts';
import { type Answer, type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

interface Desk {
  readonly workspaceId: string;
  readonly create: (body?: object) => Promise<Answer>;
  readonly read: (id: string) => Promise<Answer>;
  readonly edit: (id: string, body: object) => Promise<Answer>;
  readonly remove: (id: string) => Promise<Answer>;
  readonly list: (query?: string) => Promise<Answer>;
  readonly rotate: (id: string) => Promise<Answer>;
}

/** A workspace of its own, and what its key can do. */
async function openDesk(): Promise<Desk> {
  const { apiKey, context } = await openWorkspace(table);
  return {
    workspaceId: context.workspaceId,
    create: (body) => call('webhooks-create', { apiKey, body: { ...aBody(), ...body } }),
    read: (id) => call('webhooks-read', { apiKey, path: { id } }),
    edit: (id, body) => call('webhooks-edit', { apiKey, path: { id }, body }),
    remove: (id) => call('webhooks-delete', { apiKey, path: { id } }),
    list: (query) => call('webhooks-list', { apiKey, ...(query && { query }) }),
    rotate: (id) => call('webhooks-rotate-secret', { apiKey, path: { id } }),
  };
}

let count = 0;
/** At an address that needs no name server. */
const aUrl = () => `https://93.184.216.34/hooks/${++count}`;
const aBody = () => ({ url: aUrl(), events: ['post.published', 'post.failed'] });

type Shown = Record<string, unknown> & { id: string; secret?: string };
const webhookIn = ({ body }: Answer) => body['webhook'] as Shown;
const fieldsIn = ({ body }: Answer) => (body['details'] as { fields: Record<string, string[]> }).fields;

/** What the delivery of events notes of an endpoint. */
const note = (workspaceId: string, id: string, noted: Readonly<Record<string, unknown>>) =>
  conditionalUpdate(table, {
    Key: webhookKey(workspaceId, id),
    UpdateExpression: `SET ${Object.keys(noted)
      .map((name) => `${name} = :${name}`)
      .join(', ')}`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(noted).map(([name, value]) => [`:${name}`, value]),
    ),
  });

describe('registering an endpoint', () => {
  it('answers it with its secret', async () => {
    const { create } = await openDesk();
    const url = aUrl();
    const answer = await create({ url, description: 'ours' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      webhook: {
        id: expect.any(String),
        url,
        events: ['post.published', 'post.failed'],
        isActive: true,
        description: 'ours',
        status: 'active',
        statusMessage: null,
        createdAt: expect.any(String),
        secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/),
      },
    });
  });

  it('keeps the secret to itself from then on, and sealed in the table', async () => {
    const { create, read, list, edit, workspaceId } = await openDesk();
    const { secret = '', ...shown } = webhookIn(await create());
    expect((await read(shown.id)).body).toEqual({ webhook: shown });
    expect((await list()).body).toEqual({ webhooks: [shown], nextCursor: null });
    expect(webhookIn(await edit(shown.id, { description: 'x' }))).toEqual({ ...shown, description: 'x' });
    const stored = await findWebhook(table, workspaceId, shown.id);
    expect(stored?.secret).not.toContain(secret.slice('whsec_'.length));
  });

  it('folds events that are named twice', async () => {
    const { create } = await openDesk();
    const events = ['post.failed', 'webhook.test', 'post.failed'];
    expect(webhookIn(await create({ events }))['events']).toEqual(['post.failed', 'webhook.test']);
  });

  it('takes one that is off', async () => {
    const { create } = await openDesk();
    expect(webhookIn(await create({ isActive: false }))).toMatchObject({
      isActive: false,
      status: 'disabled',
    });
  });

  it('may go to this machine where the run allows it', async () => {
    const { create } = await openDesk();
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
    ['events[0]', { events: ['*'] }],
    ['events', { events: Array.from({ length: 101 }, () => 'post.failed') }],
    ['isActive', { isActive: 'yes' }],
    ['description', { description: 'x'.repeat(501) }],
  ])('refuses a wrong %s: %j', async (field, body) => {
    const { create, list } = await openDesk();
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
  ])('refuses a URL that is there already: %s', async (_what, url) => {
    const { create } = await openDesk();
    await create({ url: 'https://93.184.216.34/a%2Fb?x=1' });
    const answer = await create({ url });
    expect([answer.status, answer.body['code']]).toEqual([409, 'conflict']);
    expect(answer.body['error']).toMatch(/^url: /);
  });

  it('takes the URL of another workspace', async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    const url = aUrl();
    expect((await one.create({ url })).status).toBe(201);
    expect((await other.create({ url })).status).toBe(201);
  });

  it('gives one of two that come at once the URL', async () => {
    const { create, list } = await openDesk();
    const url = aUrl();
    const answers = await Promise.all([create({ url }), create({ url })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await list()).body['webhooks']).toHaveLength(1);
  });

  it('stops at twenty, also when all come at once, and goes on when one is deleted', async () => {
    const { create, list, remove } = await openDesk();
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
  it('comes page by page where a limit is given', async () => {
    const { create, list } = await openDesk();
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.push(webhookIn(await create()).id);
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.body['nextCursor']}`);
    const shown = [first, second].flatMap(({ body }) => body['webhooks'] as Shown[]);
    expect(shown.map(({ id }) => id)).toEqual(ids.sort());
    expect(second.body['nextCursor']).toBeNull();
  });

  it('takes no cursor of another workspace, and none that is made up', async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    for (let made = 0; made < 2; made += 1) await one.create();
    const { nextCursor } = (await one.list('limit=1')).body;
    expect((await one.list(`limit=1&cursor=${nextCursor}`)).status).toBe(200);
    for (const cursor of [nextCursor, 'x.y']) {
      const answer = await other.list(`limit=1&cursor=${cursor}`);
      expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, ['cursor']]);
    }
  });
});

describe('changing an endpoint', () => {
  it('changes what is given and nothing else', async () => {
    const { create, edit, read } = await openDesk();
    const { secret, ...before } = webhookIn(await create({ description: 'a' }));
    const changes = { events: ['dm.received', 'dm.received'], description: null };
    const after = { ...before, events: ['dm.received'], description: null };
    expect(webhookIn(await edit(before.id, changes))).toEqual(after);
    expect(webhookIn(await edit(before.id, {}))).toEqual(after);
    expect(webhookIn(await read(before.id))).toEqual(after);
  });

  it('moves it to another URL, and frees the old one', async () => {
    const { create, edit } = await openDesk();
    const [from, to] = [aUrl(), aUrl()];
    const { id } = webhookIn(await create({ url: from }));
    expect(webhookIn(await edit(id, { url: to }))['url']).toBe(to);
    expect((await create({ url: to })).status).toBe(409);
    expect((await create({ url: from })).status).toBe(201);
    expect((await edit(id, { url: from })).status).toBe(409);
    expect((await edit(id, { url: `${to}?` })).status).toBe(200);
  });

  it('refuses a URL that may not be sent to, and keeps the one it has', async () => {
    const { create, edit, read } = await openDesk();
    const { id, url } = webhookIn(await create());
    const answer = await edit(id, { url: 'https://10.0.0.1/', description: 'x' });
    expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, ['url']]);
    expect(webhookIn(await read(id))).toMatchObject({ url, description: null });
  });

  it('does all of several changes at once, and holds one URL at the end', async () => {
    const { create, edit, read, remove } = await openDesk();
    const { id } = webhookIn(await create());
    const urls = [aUrl(), aUrl(), aUrl()];
    const changes = [...urls.map((url) => ({ url })), { description: 'x' }, { events: ['dm.received'] }];
    const answers = await Promise.all(changes.map((change) => edit(id, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const after = webhookIn(await read(id));
    expect(after).toMatchObject({ description: 'x', events: ['dm.received'] });
    expect(urls).toContain(after['url']);
    await remove(id);
    for (const url of urls) expect((await create({ url })).status).toBe(201);
  });

  it('shows that it fails, and forgets it with another URL', async () => {
    const { create, edit, read, workspaceId } = await openDesk();
    const { id } = webhookIn(await create());
    const failing = { failingSince: '2026-03-01T12:00:00.000Z', statusMessage: 'answered 500' };
    await note(workspaceId, id, failing);
    expect(webhookIn(await read(id))).toMatchObject({ status: 'failing', statusMessage: 'answered 500' });
    expect(webhookIn(await edit(id, { description: 'x', isActive: true }))['status']).toBe('failing');
    const moved = webhookIn(await edit(id, { url: aUrl() }));
    expect(moved).toMatchObject({ status: 'active', statusMessage: null });
    expect(webhookIn(await read(id))).toEqual(moved);
  });

  it('turns on again what the service has turned off', async () => {
    const { create, edit, read, workspaceId } = await openDesk();
    const { id } = webhookIn(await create());
    const failingSince = '2026-03-01T12:00:00.000Z';
    await note(workspaceId, id, { isActive: false, failingSince, statusMessage: 'switched off: gone' });
    const off = { isActive: false, status: 'disabled', statusMessage: 'switched off: gone' };
    expect(webhookIn(await read(id))).toMatchObject(off);
    expect(webhookIn(await edit(id, { isActive: false }))).toMatchObject(off);
    const on = webhookIn(await edit(id, { isActive: true }));
    expect(on).toMatchObject({ isActive: true, status: 'active', statusMessage: null });
    expect(webhookIn(await read(id))).toEqual(on);
    expect((await findWebhook(table, workspaceId, id))?.failingSince).toBeUndefined();
  });

  it.each<[string, object]>([
    ['events', { events: [] }],
    ['events', { events: null }],
    ['events[0]', { events: ['nothing'] }],
    ['url', { url: null }],
    ['isActive', { isActive: null }],
    ['description', { description: 'x'.repeat(501) }],
  ])('refuses a wrong %s: %j', async (field, body) => {
    const { create, edit } = await openDesk();
    const answer = await edit(webhookIn(await create()).id, body);
    expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, [field]]);
  });
});

describe('deleting an endpoint', () => {
  it('leaves nothing of it', async () => {
    const { create, read, edit, remove, rotate, list } = await openDesk();
    const url = aUrl();
    const { id } = webhookIn(await create({ url }));
    expect(await remove(id)).toMatchObject({ status: 200, body: { ok: true } });
    const after = [await read(id), await edit(id, { description: 'x' }), await remove(id), await rotate(id)];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await list()).body['webhooks']).toEqual([]);
    expect((await create({ url })).status).toBe(201);
  });

  it('counts it once, however many ask at once', async () => {
    const { create, remove } = await openDesk();
    const made = await Promise.all(Array.from({ length: 20 }, () => create()));
    const { id } = webhookIn(made[0] as Answer);
    const answers = await Promise.all([remove(id), remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(400);
  });
});

describe('rotating a secret', () => {
  it('answers the new one, and lets the old one sign for 24 hours more', async () => {
    const { create, rotate, read, workspaceId } = await openDesk();
    const { id, secret } = webhookIn(await create());
    const before = await findWebhook(table, workspaceId, id);
    const answer = await rotate(id);
    expect(answer.status).toBe(200);
    expect(webhookIn(answer).secret).toMatch(/^whsec_[0-9A-Za-z]{40}$/);
    expect(webhookIn(answer).secret).not.toBe(secret);
    expect(webhookIn(await read(id))).not.toHaveProperty('secret');
    const after = await findWebhook(table, workspaceId, id);
    expect(after?.previousSecret).toBe(before?.secret);
    const leftHours = (Date.parse(after?.previousSecretUntil ?? '') - Date.now()) / 3_600_000;
    expect(leftHours).toBeGreaterThan(23.9);
    expect(leftHours).toBeLessThanOrEqual(24);
  });

  it('keeps the last two where it is done twice', async () => {
    const { create, rotate, workspaceId } = await openDesk();
    const { id } = webhookIn(await create());
    await rotate(id);
    const between = await findWebhook(table, workspaceId, id);
    await rotate(id);
    const after = await findWebhook(table, workspaceId, id);
    expect(after?.previousSecret).toBe(between?.secret);
    expect(after?.secret).not.toBe(between?.secret);
  });
});
