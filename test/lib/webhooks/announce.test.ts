import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { getItem } from '../../../lib/table/items.ts';
import { webhookEventKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { announce, subscribes } from '../../../lib/webhooks/announce.ts';
import { messageOf } from '../../../lib/webhooks/deliveries/store.ts';
import { contextOf } from '../../../lib/webhooks/events/store.ts';
import {
  WebhookEvent,
  type WebhookMessage,
  type WebhookSubscription,
} from '../../../lib/webhooks/schemas.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { anEventDraft, Crash, createFixture, type Fixture } from './fixture.ts';

let table: Table;
let fixture: Fixture;
beforeEach(async () => {
  table = await createTestTable();
  fixture = createFixture(table);
});

const aWorkspace = () => newId(startMs);

describe('announcing', () => {
  it('creates one delivery for each active endpoint that subscribes to the event', async () => {
    const workspaceId = aWorkspace();
    const wanting = await fixture.endpoint(workspaceId);
    const other = await fixture.endpoint(workspaceId, { events: ['account.expired'] });
    const off = await fixture.endpoint(workspaceId, { isActive: false });
    const foreign = await fixture.endpoint(aWorkspace());
    const draft = anEventDraft(workspaceId);
    expect(await fixture.announce([draft])).toEqual([{ status: 'fulfilled', value: 1 }]);
    expect(await fixture.deliveries(wanting)).toMatchObject([
      { eventId: draft.id, type: 'post.published', status: 'pending', attemptNumber: 1, attempts: [] },
    ]);
    for (const each of [other, off, foreign]) expect(await fixture.deliveries(each)).toEqual([]);
    expect(await fixture.work()).toEqual(['delivered']);
    expect(fixture.posted.map(({ webhookId }) => webhookId)).toEqual([wanting.id]);
  });

  it.each<[string, string[], string[] | undefined, boolean]>([
    ['its type', ['post.published'], undefined, true],
    ['all types', ['*'], undefined, true],
    ['another type', ['post.partial'], undefined, false],
    ['one of its accounts', ['post.published'], ['b'], true],
    ['all types of another account', ['*'], ['c'], false],
  ])(
    'sends an event about two accounts to an endpoint that asks for %s: %j %j',
    (_what, events, accountIds, isSent) => {
      const endpoint = {
        isActive: true,
        events: events as WebhookSubscription[],
        ...(accountIds && { accountIds }),
      };
      const draft = { type: 'post.published', accountIds: ['a', 'b'] } as const;
      expect(subscribes(endpoint, draft)).toBe(isSent);
      expect(subscribes({ ...endpoint, isActive: false }, draft)).toBe(false);
    },
  );

  it('stores no event that has no subscribers', async () => {
    const workspaceId = aWorkspace();
    await fixture.endpoint(workspaceId, { events: ['dm.received'] });
    const draft = anEventDraft(workspaceId);
    await fixture.announce([draft]);
    expect(await fixture.eventExists(draft)).toBe(false);
  });

  it('sends the envelope with the data of the event', async () => {
    const workspaceId = aWorkspace();
    await fixture.endpoint(workspaceId);
    const draft = anEventDraft(workspaceId, { data: { post: { content: 'Grüße 🙂' } } });
    await fixture.announce([draft]);
    await fixture.work();
    const { body, eventId } = fixture.posted.at(-1) ?? {};
    expect(eventId).toBe(draft.id);
    expect(JSON.parse(Buffer.from(body ?? []).toString())).toEqual({
      id: draft.id,
      type: 'post.published',
      createdAt: new Date(draft.atMs).toISOString(),
      data: draft.data,
    });
  });

  describe('to an endpoint with another form of events', () => {
    const context = { post: { id: 'p', content: 'Rye' } };
    const aTarget = { postId: 'p', metadata: {}, target: { platform: 'threads', status: 'published' } };

    it('stores facts that only this form shows, and sends them to no other', async () => {
      const workspaceId = aWorkspace();
      const { id } = await storeAccount(table, workspaceId, { username: 'bakery' });
      const events: WebhookSubscription[] = ['post.target.published'];
      const own = await fixture.endpoint(workspaceId, { events });
      const other = await fixture.endpoint(workspaceId, { events, format: 'zernio' });
      const draft = anEventDraft(workspaceId, {
        type: 'post.target.published',
        accountIds: [id],
        data: aTarget,
        context,
      });
      await fixture.announce([draft]);
      await fixture.work();
      const sent = (endpoint: { id: string }) => {
        const { body = [] } = fixture.posted.find(({ webhookId }) => webhookId === endpoint.id) ?? {};
        return JSON.parse(Buffer.from(body).toString()) as object;
      };
      expect(sent(own)).toEqual({
        id: draft.id,
        type: draft.type,
        createdAt: expect.any(String),
        data: aTarget,
      });
      expect(sent(other)).toMatchObject({
        event: 'post.platform.published',
        post: { id: 'p', content: 'Rye' },
        account: { username: 'bakery' },
      });
    });

    it('stores none if there is no such endpoint, or no such account', async () => {
      const workspaceId = aWorkspace();
      await fixture.endpoint(workspaceId);
      const draft = anEventDraft(workspaceId, { accountIds: [newId(startMs)], context });
      await fixture.announce([draft]);
      const key = webhookEventKey(workspaceId, draft.id);
      expect(await getItem(table, key)).not.toHaveProperty('context');
      await fixture.endpoint(workspaceId, { format: 'zernio' });
      const next = anEventDraft(workspaceId, { accountIds: [newId(startMs)], context });
      await fixture.announce([next]);
      expect(
        contextOf(WebhookEvent.parse(await getItem(table, webhookEventKey(workspaceId, next.id)))),
      ).toEqual(context);
    });
  });

  it('creates nothing new if it is repeated, whatever the state of the delivery', async () => {
    const workspaceId = aWorkspace();
    const endpoint = await fixture.endpoint(workspaceId);
    const draft = anEventDraft(workspaceId);
    await fixture.announce([draft, draft]);
    await fixture.announce([draft]);
    const [delivery, ...others] = await fixture.deliveries(endpoint);
    expect(others).toEqual([]);
    await fixture.work();
    const [delivered] = await fixture.deliveries(endpoint);
    expect(delivered).toMatchObject({
      id: delivery?.id,
      status: 'delivered',
      attempts: [{ statusCode: 200 }],
    });
    await fixture.announce([draft]);
    expect(await fixture.work()).toEqual([]);
    expect(await fixture.deliveries(endpoint)).toEqual([delivered]);
  });

  it('loses nothing if the process crashes at any step and it is repeated', async () => {
    let survived = false;
    for (let step = 1; !survived; step += 1) {
      const workspaceId = aWorkspace();
      const endpoints = [await fixture.endpoint(workspaceId), await fixture.endpoint(workspaceId)];
      const drafts = [anEventDraft(workspaceId), anEventDraft(workspaceId)];
      const crash = new Crash(step);
      const sendAll = async (messages: readonly WebhookMessage[]) => {
        crash.step();
        return fixture.ports.sendAll(messages);
      };
      const outcomes = await announce({ ...fixture.ports, table: crash.table(table), sendAll }, drafts).catch(
        () => undefined,
      );
      survived = !crash.isDead;
      if (survived) expect(step).toBeGreaterThan(5);
      else expect(outcomes?.every(({ status }) => status === 'fulfilled') ?? false).toBe(false);
      await fixture.announce(drafts);
      await fixture.work();
      for (const endpoint of endpoints) {
        const deliveries = await fixture.deliveries(endpoint);
        expect(deliveries.map(({ eventId }) => eventId).sort()).toEqual(drafts.map(({ id }) => id).sort());
        expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
      }
    }
  });

  it('fails only the events whose messages the queue did not accept', async () => {
    const workspaceId = aWorkspace();
    await fixture.endpoint(workspaceId);
    const [first, second] = [anEventDraft(workspaceId), anEventDraft(workspaceId)];
    const sendAll = async (messages: readonly WebhookMessage[]) => new Set(messages.slice(1));
    const outcomes = await announce({ ...fixture.ports, sendAll }, [first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('reads the endpoints of a workspace once for a whole batch', async () => {
    const workspaceId = aWorkspace();
    const crash = new Crash(Number.POSITIVE_INFINITY);
    const drafts = Array.from({ length: 20 }, () => anEventDraft(workspaceId));
    await announce({ ...fixture.ports, table: crash.table(table) }, drafts);
    expect(crash.steps).toBe(1);
  });

  it('leaves a lost message to the sweep, which sends it once', async () => {
    const workspaceId = aWorkspace();
    const endpoint = await fixture.endpoint(workspaceId);
    await fixture.announce([anEventDraft(workspaceId)]);
    fixture.loseMessages();
    fixture.clock.advance(50_000);
    expect(await fixture.sweep()).toBe(0);
    fixture.clock.advance(11_000);
    expect(await fixture.sweep()).toBe(1);
    expect(await fixture.sweep()).toBe(0);
    expect(await fixture.work()).toEqual(['delivered']);
    const [delivery] = await fixture.deliveries(endpoint);
    expect(delivery).toBeDefined();
    if (delivery) await fixture.ports.enqueue('main', messageOf(delivery), 0);
    expect(await fixture.work()).toEqual(['dropped']);
  });
});
