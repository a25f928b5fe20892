import { demoUsername } from '../../../bin/dev/platforms.ts';
import type { AuditEntry } from '../../../lib/audit/schemas.ts';
import { until } from '../support/client.ts';
import { beginConnection, returnFromPlatform } from './connecting.ts';
import { type Fixture, idIn } from './fixture.ts';
import { type Rows, unknownId } from './rows.ts';

async function firstBoard(fixture: Fixture, id: string): Promise<string> {
  const reply = await fixture.asking('accounts-list-boards')(200, { path: { id } });
  const boards = reply.json()['boards'] as unknown as { id: string }[];
  return boards[0]?.id ?? '';
}

export const accountRows: Rows = {
  'workspace-read': (ask) => ask(200),
  readPunctuality: async (ask) => {
    await ask(200);
    await ask(200, { query: 'days=90' });
    await ask(400, { query: 'days=91' });
  },
  'audit-list': async (ask) => {
    const { entries, nextCursor } = (await ask(200, { query: 'limit=1' })).json();
    const [entry] = entries as unknown as AuditEntry[];
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    const filters = { actor: entry?.actor.id ?? '', verb: entry?.verb ?? '', from: entry?.at ?? '' };
    await ask(200, { query: new URLSearchParams(filters).toString() });
    await ask(400, { query: 'from=yesterday' });
    await ask(400, { query: 'verb=post.paint' });
  },
  'accounts-list': async (ask) => {
    await ask(200);
    const { nextCursor } = (await ask(200, { query: 'limit=1' })).json() as Record<string, string>;
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    await ask(200, { query: 'platform=instagram' });
    await ask(200, { query: 'externalId=customer-7' });
    await ask(400, { query: 'externalId=' });
    await ask(400, { query: 'limit=0' });
  },
  'accounts-read': (ask, fixture) => ask(200, { path: { id: fixture.things.accountId } }),
  'accounts-creator-info': async (ask, fixture) => {
    await ask(200, { path: { id: fixture.client.accountId('tiktok') } });
    await ask(400, { path: { id: fixture.client.accountId('threads') } });
  },
  'accounts-disconnect': async (ask, fixture) => {
    const asked = { path: { id: fixture.other.accountId('pinterest') }, apiKey: fixture.cloud.other.apiKey };
    await ask(200, asked);
    await ask(404, asked);
  },
  'accounts-list-playlists': async (ask, fixture) => {
    await ask(200, { path: { id: fixture.client.accountId('youtube') } });
    await ask(400, { path: { id: fixture.client.accountId('threads') } });
    await ask(404, { path: { id: unknownId } });
  },
  'accounts-list-boards': async (ask, fixture) => {
    await ask(200, { path: { id: fixture.client.accountId('pinterest') } });
    await ask(400, { path: { id: fixture.client.accountId('threads') } });
  },
  'accounts-create-board': async (ask, fixture) => {
    const path = { id: fixture.client.accountId('pinterest') };
    await ask(201, { path, body: { name: 'Boats', description: 'All afloat' } });
    await ask(400, { path, body: { name: '' } });
  },
  'accounts-list-board-sections': async (ask, fixture) => {
    const id = fixture.client.accountId('pinterest');
    await ask(200, { path: { id, boardId: await firstBoard(fixture, id) } });
    await ask(404, { path: { id, boardId: '12' } });
  },
  'accounts-create-board-section': async (ask, fixture) => {
    const id = fixture.client.accountId('pinterest');
    const path = { id, boardId: await firstBoard(fixture, id) };
    await ask(201, { path, body: { name: 'Evenings' } });
    await ask(400, { path, body: {} });
  },
  'rhythm-read': (ask, fixture) => ask(200, { path: { id: fixture.things.accountId } }),
  'rhythm-set': async (ask, fixture) => {
    const path = { id: fixture.things.accountId };
    const body = {
      gapMinutes: 30,
      dailyCap: 5,
      dayWindow: { from: '22:00', to: '06:00' },
      collisionBufferMinutes: 5,
      timezone: 'Europe/Istanbul',
    };
    await ask(200, { path, body });
    await ask(200, { path, body: {} });
    await ask(400, { path, body: { gapMinutes: 0 } });
  },
  'accounts-connect': async (ask) => {
    await ask(201, { path: { platform: 'linkedin' }, body: { as: 'member' } });
    await ask(201, { path: { platform: 'youtube' } });
    const body = { redirectUrl: 'https://app.example.com/done', externalId: 'customer-17', claim: true };
    await ask(201, { path: { platform: 'youtube' }, body });
    await ask(400, { path: { platform: 'myspace' }, body: {} });
  },
  'accounts-read-attempt': async (ask, fixture) => {
    const { state } = await beginConnection(fixture);
    await ask(200, { path: { state } });
    const { state: finished, finish } = await returnFromPlatform(fixture);
    await finish();
    await ask(200, { path: { state: finished } });
    await ask(404, { path: { state: 'unknown' } });
  },
  'accounts-claim-attempt': async (ask, fixture) => {
    const body = { redirectUrl: 'https://app.example.com/done', claim: true };
    const { state, finish } = await returnFromPlatform(fixture, body);
    const path = { state };
    await ask(409, { path, body: { code: 'unknown' } });
    const code = new URL(await finish()).searchParams.get('code');
    await ask(400, { path, body: { code: 'another' } });
    await ask(200, { path, body: { code } });
    await ask(404, { path: { state: 'unknown' }, body: { code } });
  },
  'webhooks-create': async (ask, fixture) => {
    await ask(409, { body: fixture.things.hook });
    await ask(400, { body: { ...fixture.things.hook, url: 'https://10.0.0.1/hook' } });
  },
  'webhooks-list': async (ask) => {
    await ask(200);
    await ask(200, { query: 'limit=1' });
  },
  'webhooks-read': (ask, fixture) => ask(200, { path: { id: fixture.things.webhookId } }),
  'webhooks-edit': async (ask, fixture) => {
    const made = await fixture.asking('webhooks-create')(201, {
      body: { ...fixture.things.hook, url: `${fixture.receiver.url}/second`, events: ['webhook.test'] },
    });
    const path = { id: idIn(made, 'webhook') };
    await ask(200, { path, body: { events: ['post.failed'], isActive: false, description: 'off' } });
    await ask(409, { path, body: { url: fixture.things.hook.url } });
    await ask(400, { path, body: { events: [] } });
    await fixture.asking('webhooks-test')(409, { path });
    await fixture.asking('webhooks-redeliver-failed')(409, { path, body: { since: '2026-01-01T00:00:00Z' } });
  },
  'webhooks-delete': async (ask, fixture) => {
    const made = await fixture.asking('webhooks-create')(201, {
      body: { ...fixture.things.hook, url: `${fixture.receiver.url}/third` },
    });
    await ask(200, { path: { id: idIn(made, 'webhook') } });
  },
  'webhooks-rotate-secret': (ask, fixture) => ask(200, { path: { id: fixture.things.webhookId } }),
  'webhooks-test': (ask, fixture) => ask(202, { path: { id: fixture.things.webhookId } }),
  'webhooks-deliveries': async (ask, fixture) => {
    const path = { id: fixture.things.webhookId };
    await ask(200, { path });
    await ask(200, { path, query: 'status=delivered&limit=1' });
    await ask(400, { path, query: 'status=lost' });
  },
  'webhooks-redeliver': async (ask, fixture) => {
    const id = fixture.things.webhookId;
    const list = async () =>
      (await fixture.asking('webhooks-deliveries')(200, { path: { id } })).json()[
        'deliveries'
      ] as unknown as {
        id: string;
        status: string;
      }[];
    const delivered = (await until(list, (all) => all.some(({ status }) => status === 'delivered'))).find(
      ({ status }) => status === 'delivered',
    );
    await ask(202, { path: { id, deliveryId: delivered?.id ?? '' } });
    await ask(404, { path: { id, deliveryId: unknownId } });
  },
  'webhooks-redeliver-failed': async (ask, fixture) => {
    const path = { id: fixture.things.webhookId };
    await ask(202, { path, body: { since: '2026-01-01T00:00:00Z' } });
    await ask(400, { path, body: { since: 'yesterday' } });
  },
  'comment-automations-create': async (ask, fixture) => {
    await ask(200, { body: fixture.things.automationBody });
    await ask(400, {
      body: { ...fixture.things.automationBody, accountId: fixture.client.accountId('threads') },
    });
    await ask(404, { body: { ...fixture.things.automationBody, accountId: unknownId } });
  },
  'comment-automations-list': async (ask, fixture) => {
    await ask(200);
    await ask(200, { query: `accountId=${fixture.things.accountId}&limit=1` });
    await ask(400, { query: 'limit=many' });
  },
  'comment-automations-read': (ask, fixture) => ask(200, { path: { id: fixture.things.automationId } }),
  'comment-automations-edit': async (ask, fixture) => {
    const path = { id: fixture.things.automationId };
    await ask(200, { path, body: { name: null, keywords: ['sale', 'offer'], isActive: true } });
    await ask(400, { path, body: { platformPostId: '1' } });
  },
  'comment-automations-delete': async (ask, fixture) => {
    const post = await fixture.control('posts', { username: demoUsername('demo') });
    const body = { accountId: fixture.things.accountId, platformPostId: post['id'], commentReply: 'Thanks!' };
    const made = await fixture.asking('comment-automations-create')(201, { body });
    await ask(200, { path: { id: idIn(made, 'automation') } });
  },
};
