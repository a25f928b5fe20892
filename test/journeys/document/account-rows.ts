import { expect } from 'vitest';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import type { AuditEntry } from '../../../lib/audit/schemas.ts';
import { until } from '../support/client.ts';
import { beginConnection, returnFromPlatform } from './connecting.ts';
import { type Fixture, idIn } from './fixture.ts';
import { type Rows, unknownId } from './rows.ts';

async function firstBoard(fixture: Fixture, id: string): Promise<string> {
  const reply = await fixture.asking('listBoards')(200, { path: { id } });
  const boards = reply.json()['boards'] as unknown as { id: string }[];
  return boards[0]?.id ?? '';
}

export const accountRows: Rows = {
  getWorkspace: (ask) => ask(200),
  updateWorkspace: async (ask) => {
    await ask(200, { body: { timezone: 'Europe/Istanbul', eventFeed: true } });
    await ask(400, { body: { timezone: 'Mars' } });
  },
  getPunctuality: async (ask) => {
    await ask(200);
    await ask(200, { query: 'days=90' });
    await ask(400, { query: 'days=91' });
  },
  listAuditEntries: async (ask) => {
    const { entries, nextCursor } = (await ask(200, { query: 'limit=1' })).json();
    const [entry] = entries as unknown as AuditEntry[];
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    const filters = { actor: entry?.actor.id ?? '', verb: entry?.verb ?? '', from: entry?.at ?? '' };
    await ask(200, { query: new URLSearchParams(filters).toString() });
    await ask(400, { query: 'from=yesterday' });
    await ask(400, { query: 'verb=post.paint' });
  },
  listAccounts: async (ask) => {
    await ask(200);
    const { nextCursor } = (await ask(200, { query: 'limit=1' })).json() as Record<string, string>;
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    await ask(200, { query: 'platform=instagram' });
    await ask(200, { query: 'externalId=customer-7' });
    await ask(400, { query: 'externalId=' });
    await ask(400, { query: 'limit=0' });
  },
  getAccount: (ask, fixture) => ask(200, { path: { id: fixture.things.accountId } }),
  updateAccount: async (ask, fixture) => {
    const path = { id: fixture.client.accountId('pinterest') };
    await ask(200, { path, body: { defaultOptions: { boardId: '1234' } } });
    await ask(400, { path, body: { defaultOptions: { boardId: 1234 } } });
    await ask(200, { path, body: { defaultOptions: null } });
    await ask(404, { path: { id: unknownId }, body: {} });
  },
  getCreatorInfo: async (ask, fixture) => {
    await ask(200, { path: { id: fixture.client.accountId('tiktok') } });
    await ask(400, { path: { id: fixture.client.accountId('threads') } });
  },
  getAccountMetrics: async (ask, fixture) => {
    const path = { id: fixture.things.accountId };
    await ask(200, { path });
    await ask(200, { path, query: 'from=2026-03-01&to=2026-03-31' });
    await ask(400, { path, query: 'from=2026-01-01&to=2026-12-31' });
    await ask(404, { path: { id: unknownId } });
  },
  disconnectAccount: async (ask, fixture) => {
    const asked = { path: { id: fixture.other.accountId('pinterest') }, apiKey: fixture.cloud.other.apiKey };
    await ask(200, asked);
    await ask(404, asked);
  },
  listAccountPosts: async (ask, fixture) => {
    const path = { id: fixture.client.accountId('instagram') };
    await ask(200, { path, query: 'limit=1' });
    await ask(400, { path, query: 'limit=many' });
    await ask(400, { path: { id: fixture.client.accountId('threads') } });
    await ask(404, { path: { id: unknownId } });
  },
  getAccountPostPicture: async (ask, fixture) => {
    const id = fixture.client.accountId('instagram');
    const post = await fixture.control('posts', { username: demoUsername('demo') });
    const found = await ask(200, { path: { id, platformPostId: String(post['id']) } });
    expect(found.json()['picture']).toEqual({
      contentType: 'image/jpeg',
      data: expect.stringMatching(/^\/9j\//),
    });
    await ask(404, { path: { id, platformPostId: '1' } });
  },
  listPlaylists: async (ask, fixture) => {
    await ask(200, { path: { id: fixture.client.accountId('youtube') } });
    await ask(400, { path: { id: fixture.client.accountId('threads') } });
    await ask(404, { path: { id: unknownId } });
  },
  findMentions: async (ask, fixture) => {
    const path = { id: fixture.client.accountId('linkedin') };
    await ask(400, { path, query: 'query=harbour' });
    await ask(400, { path: { id: fixture.client.accountId('threads') }, query: 'query=harbour' });
    await ask(404, { path: { id: unknownId }, query: 'query=harbour' });
  },
  listBoards: async (ask, fixture) => {
    await ask(200, { path: { id: fixture.client.accountId('pinterest') } });
    await ask(400, { path: { id: fixture.client.accountId('threads') } });
  },
  createBoard: async (ask, fixture) => {
    const path = { id: fixture.client.accountId('pinterest') };
    await ask(201, { path, body: { name: 'Boats', description: 'All afloat' } });
    await ask(400, { path, body: { name: '' } });
  },
  listBoardSections: async (ask, fixture) => {
    const id = fixture.client.accountId('pinterest');
    await ask(200, { path: { id, boardId: await firstBoard(fixture, id) } });
    await ask(404, { path: { id, boardId: '12' } });
  },
  createBoardSection: async (ask, fixture) => {
    const id = fixture.client.accountId('pinterest');
    const path = { id, boardId: await firstBoard(fixture, id) };
    await ask(201, { path, body: { name: 'Evenings' } });
    await ask(400, { path, body: {} });
  },
  getRhythm: (ask, fixture) => ask(200, { path: { id: fixture.things.accountId } }),
  listSlots: async (ask, fixture) => {
    const path = { id: fixture.things.accountId };
    await ask(200, { path });
    await ask(200, { path, query: 'count=50' });
    await ask(400, { path, query: 'count=51' });
  },
  previewDisconnect: (ask, fixture) => ask(200, { path: { id: fixture.things.accountId } }),
  setRhythm: async (ask, fixture) => {
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
  startConnection: async (ask) => {
    await ask(201, { path: { platform: 'linkedin' }, body: { as: 'member' } });
    await ask(201, { path: { platform: 'youtube' } });
    const body = { redirectUrl: 'https://app.example.com/done', externalId: 'customer-17', claim: true };
    await ask(201, { path: { platform: 'youtube' }, body });
    await ask(400, { path: { platform: 'myspace' }, body: {} });
  },
  getConnectionAttempt: async (ask, fixture) => {
    const { state } = await beginConnection(fixture);
    await ask(200, { path: { state } });
    const { state: finished, finish } = await returnFromPlatform(fixture);
    await finish();
    await ask(200, { path: { state: finished } });
    await ask(404, { path: { state: 'unknown' } });
  },
  claimConnectionAttempt: async (ask, fixture) => {
    const body = { redirectUrl: 'https://app.example.com/done', claim: true };
    const { state, finish } = await returnFromPlatform(fixture, body);
    const path = { state };
    await ask(409, { path, body: { code: 'unknown' } });
    const code = new URL(await finish()).searchParams.get('code');
    await ask(400, { path, body: { code: 'another' } });
    await ask(200, { path, body: { code } });
    await ask(404, { path: { state: 'unknown' }, body: { code } });
  },
  createWebhook: async (ask, fixture) => {
    await ask(409, { body: fixture.things.hook });
    await ask(400, { body: { ...fixture.things.hook, url: 'https://10.0.0.1/hook' } });
  },
  listWebhooks: async (ask) => {
    await ask(200);
    await ask(200, { query: 'limit=1' });
  },
  getWebhook: (ask, fixture) => ask(200, { path: { id: fixture.things.webhookId } }),
  updateWebhook: async (ask, fixture) => {
    const made = await fixture.asking('createWebhook')(201, {
      body: { ...fixture.things.hook, url: `${fixture.receiver.url}/second`, events: ['webhook.test'] },
    });
    const path = { id: idIn(made, 'webhook') };
    await ask(200, { path, body: { events: ['post.failed'], isActive: false, description: 'off' } });
    await ask(409, { path, body: { url: fixture.things.hook.url } });
    await ask(400, { path, body: { events: [] } });
    await fixture.asking('testWebhook')(409, { path });
    await fixture.asking('redeliverFailedEvents')(409, { path, body: { since: '2026-01-01T00:00:00Z' } });
  },
  listTags: async (ask, fixture) => {
    await fixture.asking('createPost')(201, { body: { content: 'x', isDraft: true, tags: ['One', 'Two'] } });
    await ask(200);
    const { nextCursor } = (await ask(200, { query: 'limit=1' })).json();
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    await ask(400, { query: 'limit=0' });
  },
  updateTag: async (ask, fixture) => {
    await fixture.asking('createPost')(201, {
      body: { content: 'x', isDraft: true, tags: ['Three', 'Four'] },
    });
    await ask(200, { path: { name: 'Three' }, body: { color: 'red', name: 'Third' } });
    await ask(400, { path: { name: 'Third' }, body: { color: 'mud' } });
    await ask(409, { path: { name: 'Third' }, body: { name: 'four' } });
    await ask(404, { path: { name: 'Three' }, body: { color: 'red' } });
  },
  deleteTag: async (ask, fixture) => {
    await fixture.asking('createPost')(201, { body: { content: 'x', isDraft: true, tags: ['Five 100%'] } });
    await ask(200, { path: { name: 'Five 100%' } });
    await ask(404, { path: { name: 'Five 100%' } });
  },
  listSnippets: async (ask, fixture) => {
    await fixture.asking('createSnippet')(201, {
      body: { kind: 'hashtags', name: 'Tags', content: '#a #b' },
    });
    await ask(200);
    const { nextCursor } = (await ask(200, { query: 'limit=1' })).json();
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    await ask(400, { query: 'limit=0' });
  },
  createSnippet: async (ask) => {
    await ask(201, { body: { kind: 'text', name: 'Hours', content: 'Open from {{hour}}.' } });
    await ask(400, { body: { kind: 'text', name: 'Hours', content: '' } });
  },
  getSnippet: async (ask, fixture) => {
    const body = { kind: 'text', name: 'Hours', content: 'Open from seven.' };
    const made = await fixture.asking('createSnippet')(201, { body });
    await ask(200, { path: { id: idIn(made, 'snippet') } });
    await ask(404, { path: { id: unknownId } });
  },
  updateSnippet: async (ask, fixture) => {
    const body = { kind: 'text', name: 'Hours', content: 'Open from seven.' };
    const path = { id: idIn(await fixture.asking('createSnippet')(201, { body }), 'snippet') };
    await ask(200, { path, body: { kind: 'hashtags', name: 'Tags', content: '#a' } });
    await ask(400, { path, body: { kind: 'poem' } });
    await ask(404, { path: { id: unknownId }, body: {} });
  },
  deleteSnippet: async (ask, fixture) => {
    const body = { kind: 'text', name: 'Hours', content: 'Open from seven.' };
    const path = { id: idIn(await fixture.asking('createSnippet')(201, { body }), 'snippet') };
    await ask(200, { path });
    await ask(404, { path });
  },
  deleteWebhook: async (ask, fixture) => {
    const made = await fixture.asking('createWebhook')(201, {
      body: { ...fixture.things.hook, url: `${fixture.receiver.url}/third` },
    });
    await ask(200, { path: { id: idIn(made, 'webhook') } });
  },
  rotateWebhookSecret: (ask, fixture) => ask(200, { path: { id: fixture.things.webhookId } }),
  testWebhook: (ask, fixture) => ask(202, { path: { id: fixture.things.webhookId } }),
  listWebhookDeliveries: async (ask, fixture) => {
    const path = { id: fixture.things.webhookId };
    await ask(200, { path });
    await ask(200, { path, query: 'status=delivered&limit=1' });
    await ask(400, { path, query: 'status=lost' });
  },
  listDeliveries: async (ask) => {
    await ask(200);
    await ask(200, { query: 'status=delivered&limit=1' });
    await ask(400, { query: 'status=lost' });
  },
  redeliverEvent: async (ask, fixture) => {
    const id = fixture.things.webhookId;
    const list = async () =>
      (await fixture.asking('listWebhookDeliveries')(200, { path: { id } })).json()[
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
  redeliverFailedEvents: async (ask, fixture) => {
    const path = { id: fixture.things.webhookId };
    await ask(202, { path, body: { since: '2026-01-01T00:00:00Z' } });
    await ask(400, { path, body: { since: 'yesterday' } });
  },
  replayEvents: async (ask, fixture) => {
    const path = { id: fixture.things.webhookId };
    const { nextCursor } = (await fixture.asking('listEvents')(200, { query: 'limit=1' })).json();
    await ask(202, { path, body: { after: nextCursor, types: ['post.published'] } });
    await ask(409, { path, body: { after: nextCursor } });
    await ask(410, { path, body: { since: '2026-01-01T00:00:00Z' } });
    await ask(400, { path, body: {} });
  },
  listEvents: async (ask, fixture) => {
    const { nextCursor } = (await ask(200, { query: 'types=post.scheduled,post.published&limit=2' })).json();
    await ask(200, { query: `after=${encodeURIComponent(String(nextCursor))}` });
    await ask(400, { query: 'types=post.painted' });
    const { apiKey } = fixture.cloud.other;
    const turn = (eventFeed: boolean) =>
      fixture.asking('updateWorkspace')(200, { apiKey, body: { eventFeed } });
    const before = (await ask(200, { apiKey, query: 'after=latest' })).json()['nextCursor'];
    await turn(false);
    await ask(409, { apiKey });
    await turn(true);
    await ask(410, { apiKey, query: `after=${encodeURIComponent(String(before))}` });
  },
  getEvent: async (ask, fixture) => {
    const list = async () =>
      (await fixture.asking('listEvents')(200, {})).json()['events'] as unknown as { id: string }[];
    const [event] = await until(list, ({ length }) => length > 0);
    await ask(200, { path: { id: event?.id ?? '' } });
    await ask(404, { path: { id: unknownId } });
  },
  createCommentAutomation: async (ask, fixture) => {
    await ask(200, { body: fixture.things.automationBody });
    await ask(400, {
      body: { ...fixture.things.automationBody, accountId: fixture.client.accountId('threads') },
    });
    await ask(404, { body: { ...fixture.things.automationBody, accountId: unknownId } });
  },
  listCommentAutomations: async (ask, fixture) => {
    await ask(200);
    await ask(200, { query: `accountId=${fixture.things.accountId}&limit=1` });
    await ask(400, { query: 'limit=many' });
  },
  tryCommentAutomation: async (ask, fixture) => {
    const path = { id: fixture.things.automationId };
    await ask(200, { path, body: { text: 'The link, please' } });
    await ask(400, { path, body: {} });
    await ask(404, { path: { id: unknownId }, body: { text: 'x' } });
  },
  listLinks: async (ask) => {
    await ask(200);
    await ask(400, { query: 'from=yesterday' });
  },
  listCommentAutomationConversations: async (ask, fixture) => {
    const path = { id: fixture.things.automationId };
    await ask(200, { path, query: 'state=done&limit=1' });
    await ask(400, { path, query: 'state=over' });
    await ask(404, { path: { id: unknownId } });
  },
  getCommentAutomation: (ask, fixture) => ask(200, { path: { id: fixture.things.automationId } }),
  updateCommentAutomation: async (ask, fixture) => {
    const path = { id: fixture.things.automationId };
    await ask(200, { path, body: { name: null, keywords: ['sale', 'offer'], isActive: true } });
    await ask(400, { path, body: { platformPostId: '1' } });
  },
  deleteCommentAutomation: async (ask, fixture) => {
    const post = await fixture.control('posts', { username: demoUsername('demo') });
    const body = { accountId: fixture.things.accountId, platformPostId: post['id'], commentReply: 'Thanks!' };
    const made = await fixture.asking('createCommentAutomation')(201, { body });
    await ask(200, { path: { id: idIn(made, 'automation') } });
  },
};
