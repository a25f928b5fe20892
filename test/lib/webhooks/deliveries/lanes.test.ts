import { beforeEach, describe, expect, it } from 'vitest';
import { secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Webhook } from '../../../../lib/webhooks/schemas.ts';
import type { AttemptOutcome } from '../../../../lib/webhooks/transport/sender.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { anEventDraft, answered, createFixture, type Fixture, type Receiver, timedOut } from '../fixture.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = createFixture(await createTestTable());
});

/** A receiver that takes `latencyMs`, if the attempt lasts that long. */
const respondsIn =
  (latencyMs: number, outcome: AttemptOutcome = answered(200)): Receiver =>
  ({ totalSeconds = 10 }) =>
    latencyMs > totalSeconds * secondMs
      ? { ...timedOut, latencyMs: totalSeconds * secondMs }
      : { ...outcome, latencyMs };

/** Creates an endpoint with one event. */
async function openEndpoint(receive: Receiver, changes?: Partial<Webhook>) {
  const endpoint = await fixture.endpoint(newId(startMs), changes, receive);
  await fixture.announce([anEventDraft(endpoint.workspaceId)]);
  return {
    endpoint,
    slowSince: async () => (await fixture.endpointNow(endpoint))?.slowSince,
    attempts: async () => (await fixture.deliveries(endpoint)).flatMap(({ attempts }) => attempts),
  };
}

const workLane = async (lane: 'main' | 'slow') =>
  (await fixture.workBatch(fixture.ports, lane))?.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : outcome.reason,
  );

const slow = { slowSince: toTimestamp(startMs) };

describe('an attempt in the main lane', () => {
  it.each([
    {
      receiver: 'that responds within two seconds',
      receive: respondsIn(1_900),
      outcome: 'delivered',
      isSlow: false,
    },
    {
      receiver: 'that refuses within two seconds',
      receive: respondsIn(1_900, answered(500)),
      outcome: 'retry scheduled',
      isSlow: false,
    },
    {
      receiver: 'that responds in the last moment',
      receive: respondsIn(2_050),
      outcome: 'delivered',
      isSlow: true,
    },
    {
      receiver: 'that refuses in the last moment',
      receive: respondsIn(2_050, answered(500)),
      outcome: 'retry scheduled',
      isSlow: true,
    },
    {
      receiver: 'that takes longer',
      receive: respondsIn(3_000),
      outcome: 'left to the slow lane',
      isSlow: true,
    },
    {
      receiver: 'that never responds',
      receive: respondsIn(Infinity),
      outcome: 'left to the slow lane',
      isSlow: true,
    },
  ])('at a receiver $receiver: $outcome', async ({ receive, outcome, isSlow }) => {
    const { slowSince } = await openEndpoint(receive);
    expect(await workLane('main')).toEqual([outcome]);
    expect(await slowSince()).toBe(isSlow ? toTimestamp(startMs) : undefined);
    expect(fixture.posted[0]?.totalSeconds).toBeLessThan(3);
  });

  it('is not made if the endpoint is known to be slow', async () => {
    await openEndpoint(respondsIn(3_000), slow);
    expect(await workLane('main')).toEqual(['left to the slow lane']);
    expect(fixture.posted).toEqual([]);
    expect(fixture.counts('slow')).toMatchObject({ visible: 1 });
  });
});

describe('an attempt in the slow lane', () => {
  it('has the whole ten seconds, and is the only one that the log shows', async () => {
    const { attempts } = await openEndpoint(respondsIn(9_000));
    expect(await fixture.work()).toEqual(['delivered']);
    expect(await attempts()).toEqual([expect.objectContaining({ statusCode: 200, latencyMs: 9_000 })]);
  });

  it('of a receiver that never responds fails, and the next one stays in the lane', async () => {
    const { attempts } = await openEndpoint(respondsIn(Infinity));
    expect(await fixture.work()).toEqual(['retry scheduled']);
    expect(await attempts()).toMatchObject([{ statusCode: null, latencyMs: 10_000 }]);
    expect([fixture.counts('main'), fixture.counts('slow')]).toMatchObject([{ delayed: 0 }, { delayed: 1 }]);
  });

  it.each([
    { name: 'responds within a second', latencyMs: 900, isSlow: false },
    { name: 'takes longer than a second', latencyMs: 1_100, isSlow: true },
  ])('leaves the endpoint slow or not: it $name', async ({ latencyMs, isSlow }) => {
    const { slowSince } = await openEndpoint(respondsIn(latencyMs), slow);
    expect(await fixture.work()).toEqual(['delivered']);
    expect((await slowSince()) !== undefined).toBe(isSlow);
  });
});

it('an endpoint of a batch that hangs does not keep the others of later batches waiting', async () => {
  const workspaceId = newId(startMs);
  const hangs = await fixture.endpoint(workspaceId, {}, respondsIn(Infinity));
  const quick = await fixture.endpoint(newId(startMs), {}, respondsIn(10));
  await fixture.announce(Array.from({ length: 30 }, () => anEventDraft(workspaceId)));
  await fixture.announce([anEventDraft(quick.workspaceId)]);
  while ((await workLane('main')) !== undefined);
  const waited = fixture.posted.filter(({ webhookId }) => webhookId === hangs.id);
  // Only the first batch found out.
  expect(waited.length).toBeLessThanOrEqual(10);
  expect(fixture.counts('slow')).toMatchObject({ visible: 30 });
});
