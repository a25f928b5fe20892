import { beforeAll, describe, expect, it } from 'vitest';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { webhookKey } from '../../../lib/table/keys.ts';
import { findWebhook } from '../../../lib/webhooks/endpoints/store.ts';
import { type Answer, openApi } from '../../support/api.ts';
import {
  aUrl,
  type Fixture,
  fieldsIn,
  openFixture as openFixtureAt,
  webhookIn,
} from '../../support/webhook-fixture.ts';

let openFixture: () => Promise<Fixture>;
beforeAll(async () => {
  const api = await openApi();
  openFixture = () => openFixtureAt(api);
});

/** Stores what deliveries record about an endpoint's health. */
const note = (
  { table, workspaceId }: Pick<Fixture, 'table' | 'workspaceId'>,
  id: string,
  noted: Readonly<Record<string, unknown>>,
) => updateItem(table, webhookKey(workspaceId, id), { set: noted, if: { pk: present } });

describe('changing an endpoint', () => {
  it('changes only the given fields', async () => {
    const { create, edit, read } = await openFixture();
    const { secret, ...before } = webhookIn(await create({ description: 'a' }));
    const changes = { events: ['dm.received', 'dm.received'], description: null };
    const after = { ...before, events: ['dm.received'], description: null };
    expect(webhookIn(await edit(before.id, changes))).toEqual(after);
    expect(webhookIn(await edit(before.id, {}))).toEqual(after);
    expect(webhookIn(await read(before.id))).toEqual(after);
  });

  it('to another URL frees the old one', async () => {
    const { create, edit } = await openFixture();
    const [from, to] = [aUrl(), aUrl()];
    const { id } = webhookIn(await create({ url: from }));
    expect(webhookIn(await edit(id, { url: to }))['url']).toBe(to);
    expect((await create({ url: to })).status).toBe(409);
    expect((await create({ url: from })).status).toBe(201);
    expect((await edit(id, { url: from })).status).toBe(409);
    expect((await edit(id, { url: `${to}?` })).status).toBe(200);
  });

  it('rejects a URL that is not allowed, and keeps the old one', async () => {
    const { create, edit, read } = await openFixture();
    const { id, url } = webhookIn(await create());
    const answer = await edit(id, { url: 'https://10.0.0.1/', description: 'x' });
    expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, ['url']]);
    expect(webhookIn(await read(id))).toMatchObject({ url, description: null });
  });

  it('applies all of several concurrent changes, and reserves one URL in the end', async () => {
    const { create, edit, read, remove } = await openFixture();
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

  it('to another URL clears its recorded failures', async () => {
    const { create, edit, read, table, workspaceId } = await openFixture();
    const { id } = webhookIn(await create());
    const failing = { failingSince: '2026-03-01T12:00:00.000Z', statusMessage: 'answered 500' };
    await note({ table, workspaceId }, id, failing);
    expect(webhookIn(await read(id))).toMatchObject({ status: 'failing', statusMessage: 'answered 500' });
    expect(webhookIn(await edit(id, { description: 'x', isActive: true }))['status']).toBe('failing');
    const moved = webhookIn(await edit(id, { url: aUrl() }));
    expect(moved).toMatchObject({ status: 'active', statusMessage: null });
    expect(webhookIn(await read(id))).toEqual(moved);
  });

  it('turns on an endpoint that the service has disabled', async () => {
    const { create, edit, read, table, workspaceId } = await openFixture();
    const { id } = webhookIn(await create());
    const failingSince = '2026-03-01T12:00:00.000Z';
    await note({ table, workspaceId }, id, {
      isActive: false,
      failingSince,
      statusMessage: 'switched off: gone',
    });
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
  ])('rejects a wrong %s: %j', async (field, body) => {
    const { create, edit } = await openFixture();
    const answer = await edit(webhookIn(await create()).id, body);
    expect([answer.status, Object.keys(fieldsIn(answer))]).toEqual([400, [field]]);
  });
});

describe('deleting an endpoint', () => {
  it('leaves nothing of it', async () => {
    const { create, read, edit, remove, rotate, list } = await openFixture();
    const url = aUrl();
    const { id } = webhookIn(await create({ url }));
    expect(await remove(id)).toMatchObject({ status: 200, body: { ok: true } });
    const after = [await read(id), await edit(id, { description: 'x' }), await remove(id), await rotate(id)];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await list()).body['webhooks']).toEqual([]);
    expect((await create({ url })).status).toBe(201);
  });

  it('is counted once, however many requests are concurrent', async () => {
    const { create, remove } = await openFixture();
    const made = await Promise.all(Array.from({ length: 20 }, () => create()));
    const { id } = webhookIn(made[0] as Answer);
    const answers = await Promise.all([remove(id), remove(id), remove(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(400);
  });
});

describe('rotating a secret', () => {
  it('returns the new one, and the old one signs for 24 hours more', async () => {
    const { create, rotate, read, table, workspaceId } = await openFixture();
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

  it('keeps the last two if it is rotated twice', async () => {
    const { create, rotate, table, workspaceId } = await openFixture();
    const { id } = webhookIn(await create());
    await rotate(id);
    const between = await findWebhook(table, workspaceId, id);
    await rotate(id);
    const after = await findWebhook(table, workspaceId, id);
    expect(after?.previousSecret).toBe(between?.secret);
    expect(after?.secret).not.toBe(between?.secret);
  });
});
