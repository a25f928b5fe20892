import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { messageOf } from '../../../../lib/webhooks/deliveries/store.ts';
import { announce } from '../../../../lib/webhooks/events/announce.ts';
import type { WebhookMessage } from '../../../../lib/webhooks/schemas.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { aCause, Crash, createWorld, type World } from '../fixture.ts';

let table: Table;
let world: World;
beforeEach(async () => {
  table = await createTestTable();
  world = createWorld(table);
});

const aWorkspace = () => newId(startMs);

describe('announcing', () => {
  it('makes one delivery for each endpoint that asks for the event and is active', async () => {
    const workspaceId = aWorkspace();
    const wanting = await world.endpoint(workspaceId);
    const other = await world.endpoint(workspaceId, { events: ['account.expired'] });
    const off = await world.endpoint(workspaceId, { isActive: false });
    const foreign = await world.endpoint(aWorkspace());
    const cause = aCause(workspaceId);
    expect(await world.announce([cause])).toEqual([{ status: 'fulfilled', value: 1 }]);
    expect(await world.deliveries(wanting)).toMatchObject([
      { eventId: cause.id, type: 'post.published', status: 'pending', attemptNumber: 1, attempts: [] },
    ]);
    for (const each of [other, off, foreign]) expect(await world.deliveries(each)).toEqual([]);
    expect(await world.work()).toEqual(['delivered']);
    expect(world.posted.map(({ webhookId }) => webhookId)).toEqual([wanting.id]);
  });

  it('stores nothing that nobody asks for', async () => {
    const workspaceId = aWorkspace();
    await world.endpoint(workspaceId, { events: ['dm.received'] });
    const cause = aCause(workspaceId);
    await world.announce([cause]);
    expect(await world.eventExists(cause)).toBe(false);
  });

  it('sends the envelope with what has happened', async () => {
    const workspaceId = aWorkspace();
    await world.endpoint(workspaceId);
    const cause = aCause(workspaceId, { data: { post: { content: 'Grüße 🙂' } } });
    await world.announce([cause]);
    await world.work();
    const { body, eventId } = world.posted.at(-1) ?? {};
    expect(eventId).toBe(cause.id);
    expect(JSON.parse(Buffer.from(body ?? []).toString())).toEqual({
      id: cause.id,
      type: 'post.published',
      createdAt: new Date(cause.atMs).toISOString(),
      data: cause.data,
    });
  });

  it('told again makes nothing new, whatever has become of the delivery', async () => {
    const workspaceId = aWorkspace();
    const endpoint = await world.endpoint(workspaceId);
    const cause = aCause(workspaceId);
    await world.announce([cause, cause]);
    await world.announce([cause]);
    const [delivery, ...others] = await world.deliveries(endpoint);
    expect(others).toEqual([]);
    await world.work();
    const [delivered] = await world.deliveries(endpoint);
    expect(delivered).toMatchObject({
      id: delivery?.id,
      status: 'delivered',
      attempts: [{ statusCode: 200 }],
    });
    await world.announce([cause]);
    expect(await world.work()).toEqual([]);
    expect(await world.deliveries(endpoint)).toEqual([delivered]);
  });

  it('loses nothing, wherever it dies, when it is told again', async () => {
    let survived = false;
    for (let step = 1; !survived; step += 1) {
      const workspaceId = aWorkspace();
      const endpoints = [await world.endpoint(workspaceId), await world.endpoint(workspaceId)];
      const causes = [aCause(workspaceId), aCause(workspaceId)];
      const crash = new Crash(step);
      const sendAll = async (messages: readonly WebhookMessage[]) => {
        crash.step();
        return world.ports.sendAll(messages);
      };
      const outcomes = await announce({ ...world.ports, table: crash.table(table), sendAll }, causes).catch(
        () => undefined,
      );
      survived = !crash.isDead;
      if (survived) expect(step).toBeGreaterThan(5);
      else expect(outcomes?.every(({ status }) => status === 'fulfilled') ?? false).toBe(false);
      await world.announce(causes);
      await world.work();
      for (const endpoint of endpoints) {
        const deliveries = await world.deliveries(endpoint);
        expect(deliveries.map(({ eventId }) => eventId).sort()).toEqual(causes.map(({ id }) => id).sort());
        expect(deliveries.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
      }
    }
  });

  it('asks to be told again of the causes whose messages the queue did not take, and of no others', async () => {
    const workspaceId = aWorkspace();
    await world.endpoint(workspaceId);
    const [first, second] = [aCause(workspaceId), aCause(workspaceId)];
    const sendAll = async (messages: readonly WebhookMessage[]) => new Set(messages.slice(1));
    const outcomes = await announce({ ...world.ports, sendAll }, [first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('reads the endpoints of a workspace once for a whole batch', async () => {
    const workspaceId = aWorkspace();
    const crash = new Crash(Number.POSITIVE_INFINITY);
    const causes = Array.from({ length: 20 }, () => aCause(workspaceId));
    await announce({ ...world.ports, table: crash.table(table) }, causes);
    expect(crash.steps).toBe(1);
  });

  it('leaves a message that nobody sent to the sweep, which sends it once', async () => {
    const workspaceId = aWorkspace();
    const endpoint = await world.endpoint(workspaceId);
    await world.announce([aCause(workspaceId)]);
    world.loseMessages();
    world.clock.advance(50_000);
    expect(await world.sweep()).toBe(0);
    world.clock.advance(11_000);
    expect(await world.sweep()).toBe(1);
    expect(await world.sweep()).toBe(0);
    expect(await world.work()).toEqual(['delivered']);
    const [delivery] = await world.deliveries(endpoint);
    expect(delivery).toBeDefined();
    if (delivery) await world.ports.enqueue(messageOf(delivery), 0);
    expect(await world.work()).toEqual(['dropped']);
  });
});
