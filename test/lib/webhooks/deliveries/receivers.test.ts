import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { DeliverPorts } from '../../../../lib/webhooks/deliveries/deliver.ts';
import type { AttemptOutcome } from '../../../../lib/webhooks/transport/sender.ts';
import { seededRandom } from '../../../simulation/world/random.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { turns } from '../../../support/turns.ts';
import {
  anEventDraft,
  answered,
  Crash,
  createFixture,
  type Fixture,
  type Receiver,
  timedOut,
} from '../fixture.ts';

let table: Table;
let fixture: Fixture;
beforeEach(async () => {
  table = await createTestTable();
  fixture = createFixture(table);
});

describe('a receiver that fails 30 % of the time, hangs 5 % and restarts twice', () => {
  it('gets every event in the end, even if workers crash now and then', async () => {
    const random = seededRandom(42);
    const chance = () => random.next();
    const arrived = new Map<string, number>();
    const isRestarting = (atMs: number) =>
      [startMs, startMs + 20 * minuteMs].some((downMs) => atMs >= downMs && atMs < downMs + 20 * secondMs);
    const workspaceId = newId(startMs);
    const endpoint = await fixture.endpoint(workspaceId, {}, ({ eventId }): AttemptOutcome => {
      if (isRestarting(fixture.clock.now()))
        return { ...timedOut, latencyMs: 1, error: 'the connection was refused' };
      const drawn = chance();
      if (drawn < 0.05) return timedOut;
      // A receiver that fails may still have processed the event.
      if (drawn < 0.35) return answered(500);
      arrived.set(eventId, (arrived.get(eventId) ?? 0) + 1);
      return answered(200);
    });
    const drafts = Array.from({ length: 120 }, () => anEventDraft(workspaceId));
    await fixture.announce(drafts);

    const dying = (): DeliverPorts => {
      const { ports } = fixture;
      if (chance() > 0.2) return ports;
      const crash = new Crash(1 + Math.floor(chance() * 30));
      const stepping =
        <Arguments extends unknown[], Result>(act: (...given: Arguments) => Promise<Result>) =>
        async (...given: Arguments) => {
          crash.step();
          return act(...given);
        };
      return {
        ...ports,
        table: crash.table(table),
        send: stepping(ports.send),
        enqueue: stepping(ports.enqueue),
      };
    };
    for (let turns = 0; turns < 400; turns += 1) {
      let isIdle = false;
      while (!isIdle) {
        const begun = [];
        for (const lane of ['main', 'slow'] as const)
          begun.push(await fixture.workBatch(dying(), lane).catch(() => []));
        isIdle = begun.every((outcomes) => outcomes === undefined);
      }
      await fixture.sweep();
      const waiting = (await fixture.deliveries(endpoint)).filter(({ status }) => status === 'pending');
      if (waiting.length === 0) break;
      fixture.clock.advance(waiting.length > 5 ? 30 * secondMs : 10 * minuteMs);
    }
    expect([...arrived.keys()].sort()).toEqual(drafts.map(({ id }) => id).sort());
    expect(new Set((await fixture.deliveries(endpoint)).map(({ status }) => status))).toEqual(
      new Set(['delivered']),
    );
    expect(await fixture.endpointNow(endpoint)).toMatchObject({ isActive: true });
    // There are few duplicates, and their event id identifies them.
    const repeats = [...arrived.values()].reduce((sum, count) => sum + count - 1, 0);
    expect(repeats).toBeLessThan(60);
  });
});

describe('an endpoint that never responds, with 500 deliveries', () => {
  it('delays another workspace once, by two seconds', async () => {
    const [dead, quiet] = [newId(startMs), newId(startMs)];
    const hang: Receiver = ({ totalSeconds = 10 }) =>
      new Promise((resolve) => {
        const latencyMs = totalSeconds * secondMs;
        fixture.clock.setTimer(fixture.clock.now() + latencyMs, () => resolve({ ...timedOut, latencyMs }));
      });
    await fixture.endpoint(dead, {}, hang);
    const { id } = await fixture.endpoint(quiet);
    await fixture.announce(Array.from({ length: 500 }, () => anEventDraft(dead)));

    // Lambda starts with this many concurrent workers.
    const begin = () => Promise.all(Array.from({ length: 5 }, () => fixture.workBatch()));
    const busy = begin();
    while (fixture.posted.length < 50) await turns(1);
    const lateMs: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const committedMs = fixture.clock.now();
      await fixture.announce([anEventDraft(quiet)]);
      if (round === 1) fixture.clock.advance(2.1 * secondMs);
      await busy;
      await begin();
      const arrivals = fixture.posted.filter(({ webhookId }) => webhookId === id);
      expect(arrivals).toHaveLength(round);
      lateMs.push((arrivals.at(-1)?.atMs ?? 0) - committedMs);
    }
    expect(lateMs).toEqual([2.1 * secondMs, 0, 0]);
    while (await fixture.workBatch());
    expect([fixture.counts('main').visible, fixture.counts('slow').visible]).toEqual([0, 500]);
    expect(fixture.posted).toHaveLength(50 + 3);
  });
});
