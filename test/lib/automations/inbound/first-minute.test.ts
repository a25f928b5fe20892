import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IntakePorts } from '../../../../lib/automations/inbound/run-intake.ts';
import { minuteMs } from '../../../../lib/kernel/clock.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { expectFirstMinuteAnswered, openFirstMinute } from './first-minute.ts';

let instagram: SimulatedInstagram;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
afterAll(() => instagram.close());

class Killed extends Error {}

/** The ports of workers that are killed at the n-th request to the table or the queue. */
function killedAt(ports: IntakePorts, table: Table, killingCall: number) {
  let calls = 0;
  const guarded = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    calls += 1;
    if (calls >= killingCall) throw new Killed('killed');
    return call();
  };
  const client = new Proxy(table.client, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      return typeof value === 'function'
        ? (...given: unknown[]) => guarded(async () => value.apply(target, given))
        : value;
    },
  });
  const { readItems: _readItems, ...rest } = table;
  const killed: IntakePorts = {
    ...ports,
    table: { ...rest, client },
    enqueue: (message, delaySeconds) => guarded(() => ports.enqueue(message, delaySeconds)),
  };
  return { killed, calls: () => calls };
}

describe('the first comment on a post that is not stored as live', () => {
  it('is answered once, by one automation, wherever the worker that decides it is killed', async () => {
    for (let killingCall = 1; ; killingCall += 1) {
      const table = await createTestTable();
      const fixture = await openFirstMinute(table, instagram);
      const name = `first.${killingCall}`;
      const comment = await fixture.comment({ platformPostId: fixture.platformPostId }, name);
      await fixture.goLive();
      const { killed, calls } = killedAt(fixture.ports, table, killingCall);
      await fixture.work(killed).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      fixture.errors.splice(0);
      await fixture.passSteps(12 * minuteMs);
      const texts = (await fixture.messagesTo(name)).map(({ text }) => text);
      expect({ killingCall, texts }).toEqual({ killingCall, texts: ['Its own'] });
      expect(await fixture.repliesTo(comment)).toHaveLength(1);
      expect(await fixture.counts(fixture.own.id)).toMatchObject({ matches: 1, messages: 1, replies: 1 });
      if (calls() < killingCall) break;
      expect(killingCall).toBeLessThan(100);
    }
  });
});

describe('the first minute of a post', () => {
  it('has an answer for each person, also while the account is connected again', async () => {
    await expectFirstMinuteAnswered(await createTestTable(), instagram, 30);
  });
});
