import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { updateWebhook } from '../../../../lib/webhooks/endpoints/store.ts';
import type { Webhook } from '../../../../lib/webhooks/schemas.ts';
import { openWorkspace, startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { storeWebhook } from '../../../support/webhooks.ts';
import { anEventDraft, answered, createFixture, type Fixture, timedOut } from '../fixture.ts';

let table: Table;
let fixture: Fixture;
let workspaceId: string;
beforeEach(async () => {
  table = await createTestTable();
  fixture = createFixture(table);
  workspaceId = newId(startMs);
});

const announce = async (events: number, changes: Parameters<typeof anEventDraft>[1] = {}) =>
  fixture.announce(
    Array.from({ length: events }, () =>
      anEventDraft(workspaceId, { atMs: fixture.clock.now(), ...changes }),
    ),
  );

/** Works until nothing is pending, for two weeks at most. */
async function workAll(endpoint: Webhook): Promise<void> {
  await fixture.work();
  const untilMs = fixture.clock.now() + 14 * dayMs;
  while (fixture.clock.now() < untilMs) {
    const waiting = (await fixture.deliveries(endpoint)).some(({ status }) => status === 'pending');
    if (!waiting) return;
    if ((await fixture.nextAttempt(endpoint)) === undefined) fixture.clock.advance(hourMs);
  }
}

/** An endpoint whose URL is reserved, as for a client's request. It refuses everything. */
async function registered(changes: Partial<Webhook>): Promise<Webhook> {
  ({
    workspace: { id: workspaceId },
  } = await openWorkspace(table));
  const endpoint = await storeWebhook(table, workspaceId, changes);
  fixture.receivers.set(endpoint.id, () => answered(500));
  return endpoint;
}

const unproven = { attemptsLeft: 20 };
/** An event that only an endpoint with `*` receives by announcement. */
const testEvent = { type: 'webhook.test', data: {} } as const;

describe('an endpoint that has never answered with 2xx', () => {
  it.each([
    ['refuses', () => answered(404)],
    ['does not answer', () => timedOut],
  ])('gets 20 attempts in all if it %s, however many events there are', async (_how, receive) => {
    const endpoint = await fixture.endpoint(workspaceId, unproven, receive);
    await announce(7);
    await workAll(endpoint);
    await announce(5);
    await workAll(endpoint);
    expect(fixture.posted).toHaveLength(20);
    expect(await fixture.endpointNow(endpoint)).toMatchObject({
      attemptsLeft: 0,
      statusMessage: expect.stringContaining('send a test event'),
    });
    const deliveries = await fixture.deliveries(endpoint);
    expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => 'failed'));
    expect(deliveries.at(-1)?.attempts.at(-1)).toMatchObject({
      statusCode: null,
      error: expect.stringMatching(/^not sent: resting/),
    });
  });

  it('gets all events once it has answered one', async () => {
    let fails = 12;
    const endpoint = await fixture.endpoint(workspaceId, unproven, () => answered(fails-- > 0 ? 500 : 200));
    await announce(3);
    await workAll(endpoint);
    expect(await fixture.endpointNow(endpoint)).not.toHaveProperty('attemptsLeft');
    fails = 1_000;
    const before = fixture.posted.length;
    await announce(4);
    await workAll(endpoint);
    expect(fixture.posted.length - before).toBeGreaterThan(20);
  });

  it('rests until a test event succeeds; a test that fails is sent once', async () => {
    let status = 500;
    const endpoint = await fixture.endpoint(workspaceId, { attemptsLeft: 0, events: ['*'] }, () =>
      answered(status),
    );
    await announce(1, testEvent);
    await workAll(endpoint);
    expect(fixture.posted).toHaveLength(1);
    await announce(1);
    await workAll(endpoint);
    expect(fixture.posted).toHaveLength(1);
    status = 200;
    await announce(1, testEvent);
    await workAll(endpoint);
    await announce(2);
    await workAll(endpoint);
    expect(fixture.posted).toHaveLength(4);
    expect(await fixture.endpointNow(endpoint)).toMatchObject({ statusMessage: null });
  });

  it('gains no attempts by moving to another URL', async () => {
    const endpoint = await registered({ attemptsLeft: 3 });
    const url = 'https://hooks.example.com/moved';
    expect(await updateWebhook(table, endpoint, { url, clearsHealth: true })).toBe('stored');
    expect(await fixture.endpointNow(endpoint)).toMatchObject({ url, attemptsLeft: 3 });
  });
});

describe('an endpoint that has answered', () => {
  it('must answer again once it has moved to another URL', async () => {
    const endpoint = await registered({});
    const url = 'https://hooks.example.com/moved';
    expect(await updateWebhook(table, endpoint, { url, clearsHealth: true })).toBe('stored');
    await announce(9);
    await workAll(endpoint);
    expect(fixture.posted).toHaveLength(20);
  });

  it('is not limited, also if an earlier release has stored it', async () => {
    const endpoint = await fixture.endpoint(workspaceId, {}, () => answered(500));
    await announce(3);
    await workAll(endpoint);
    expect(fixture.posted.length).toBeGreaterThan(20);
  });
});
