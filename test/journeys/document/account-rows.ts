import { demoUsername } from '../../../bin/dev/platforms.ts';
import { until } from '../support/client.ts';
import { idIn } from './fixture.ts';
import { nobody, type Rows } from './rows.ts';

export const accountRows: Rows = {
  'workspace-read': (ask) => ask(200),
  'accounts-list': async (ask) => {
    await ask(200);
    const { nextCursor } = (await ask(200, { query: 'limit=1' })).json() as Record<string, string>;
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    await ask(200, { query: 'platform=instagram' });
    await ask(400, { query: 'limit=0' });
  },
  'accounts-read': (ask, desk) => ask(200, { path: { id: desk.things.accountId } }),
  'accounts-disconnect': async (ask, desk) => {
    const asked = { path: { id: desk.other.accountId('pinterest') }, apiKey: desk.cloud.other.apiKey };
    await ask(200, asked);
    await ask(404, asked);
  },
  'rhythm-read': (ask, desk) => ask(200, { path: { id: desk.things.accountId } }),
  'rhythm-set': async (ask, desk) => {
    const path = { id: desk.things.accountId };
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
    await ask(400, { path: { platform: 'myspace' }, body: {} });
  },
  'webhooks-create': async (ask, desk) => {
    await ask(409, { body: desk.things.hook });
    await ask(400, { body: { ...desk.things.hook, url: 'https://10.0.0.1/hook' } });
  },
  'webhooks-list': async (ask) => {
    await ask(200);
    await ask(200, { query: 'limit=1' });
  },
  'webhooks-read': (ask, desk) => ask(200, { path: { id: desk.things.webhookId } }),
  'webhooks-edit': async (ask, desk) => {
    const made = await desk.asking('webhooks-create')(201, {
      body: { ...desk.things.hook, url: `${desk.receiver.url}/second`, events: ['webhook.test'] },
    });
    const path = { id: idIn(made, 'webhook') };
    await ask(200, { path, body: { events: ['post.failed'], isActive: false, description: 'off' } });
    await ask(409, { path, body: { url: desk.things.hook.url } });
    await ask(400, { path, body: { events: [] } });
    await desk.asking('webhooks-test')(409, { path });
    await desk.asking('webhooks-redeliver-failed')(409, { path, body: { since: '2026-01-01T00:00:00Z' } });
  },
  'webhooks-delete': async (ask, desk) => {
    const made = await desk.asking('webhooks-create')(201, {
      body: { ...desk.things.hook, url: `${desk.receiver.url}/third` },
    });
    await ask(200, { path: { id: idIn(made, 'webhook') } });
  },
  'webhooks-rotate-secret': (ask, desk) => ask(200, { path: { id: desk.things.webhookId } }),
  'webhooks-test': (ask, desk) => ask(202, { path: { id: desk.things.webhookId } }),
  'webhooks-deliveries': async (ask, desk) => {
    const path = { id: desk.things.webhookId };
    await ask(200, { path });
    await ask(200, { path, query: 'status=delivered&limit=1' });
    await ask(400, { path, query: 'status=lost' });
  },
  'webhooks-redeliver': async (ask, desk) => {
    const id = desk.things.webhookId;
    const list = async () =>
      (await desk.asking('webhooks-deliveries')(200, { path: { id } })).json()['deliveries'] as unknown as {
        id: string;
        status: string;
      }[];
    const delivered = (await until(list, (all) => all.some(({ status }) => status === 'delivered'))).find(
      ({ status }) => status === 'delivered',
    );
    await ask(202, { path: { id, deliveryId: delivered?.id ?? '' } });
    await ask(404, { path: { id, deliveryId: nobody } });
  },
  'webhooks-redeliver-failed': async (ask, desk) => {
    const path = { id: desk.things.webhookId };
    await ask(202, { path, body: { since: '2026-01-01T00:00:00Z' } });
    await ask(400, { path, body: { since: 'yesterday' } });
  },
  'comment-automations-create': async (ask, desk) => {
    await ask(200, { body: desk.things.rule });
    await ask(400, { body: { ...desk.things.rule, accountId: desk.client.accountId('threads') } });
    await ask(404, { body: { ...desk.things.rule, accountId: nobody } });
  },
  'comment-automations-list': async (ask, desk) => {
    await ask(200);
    await ask(200, { query: `accountId=${desk.things.accountId}&limit=1` });
    await ask(400, { query: 'limit=many' });
  },
  'comment-automations-read': (ask, desk) => ask(200, { path: { id: desk.things.automationId } }),
  'comment-automations-edit': async (ask, desk) => {
    const path = { id: desk.things.automationId };
    await ask(200, { path, body: { name: null, keywords: ['sale', 'offer'], isActive: true } });
    await ask(400, { path, body: { platformPostId: '1' } });
  },
  'comment-automations-delete': async (ask, desk) => {
    const post = await desk.control('posts', { username: demoUsername('demo') });
    const body = { accountId: desk.things.accountId, platformPostId: post['id'], commentReply: 'Thanks!' };
    const made = await desk.asking('comment-automations-create')(201, { body });
    await ask(200, { path: { id: idIn(made, 'automation') } });
  },
};
