import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { endPause, putPause } from '../../../../lib/pauses/manage.ts';
import type { PauseScope } from '../../../../lib/pauses/scope.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { operatorAct } from '../../../support/acts.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
beforeEach(async () => {
  table = await createTestTable();
  fixture = await openFixture(table, instagram);
});
afterAll(() => instagram.close());

const operator = () => ({ ...operatorAct('pause.begin'), table, now: fixture.clock.now() });
const begin = (scope: PauseScope) => putPause(operator(), { scope, reason: 'an incident' });

let people = 0;
const newPerson = () => `paused.${++people}`;

describe.each<[string, () => PauseScope]>([
  ['the platform', () => ({ kind: 'platform', platform: 'instagram' })],
  [
    'the account',
    () => ({ kind: 'account', workspaceId: fixture.workspaceId, accountId: fixture.account.id }),
  ],
  ['the workspace', () => ({ kind: 'workspace', workspaceId: fixture.workspaceId })],
])('a pause of %s', (_what, scopeOf) => {
  it('keeps the reply and the message of a comment waiting, and its end lets both go out once', async () => {
    const automation = await fixture.automation();
    const name = newPerson();
    await begin(scopeOf());
    const comment = await fixture.comment(automation, name);
    expect(await fixture.work()).toEqual(['waiting', 'waiting']);
    for (let looks = 0; looks < 6; looks += 1) {
      fixture.clock.time += 10 * minuteMs;
      await fixture.sweep();
      await fixture.work();
    }
    expect(await fixture.repliesTo(comment)).toEqual([]);
    expect(await fixture.messagesTo(name)).toEqual([]);
    expect(await fixture.actions(automation.id)).toMatchObject([
      { state: 'waiting', failures: 0 },
      { state: 'waiting', failures: 0 },
    ]);

    await endPause(operator(), scopeOf());
    expect(await fixture.runToEnd(automation)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });
});

describe('a paused action', () => {
  it('is looked at again every five minutes or a little more, not every minute', async () => {
    const automation = await fixture.automation();
    await begin({ kind: 'platform', platform: 'instagram' });
    await fixture.comment(automation, newPerson());
    await fixture.work();
    let looks = 0;
    for (let minutes = 0; minutes < 30; minutes += 1) {
      fixture.clock.time += minuteMs;
      await fixture.sweep();
      looks += (await fixture.work()).length;
    }
    // Two actions, and waits of five to seven and a half minutes and up to two sweeps.
    expect(looks).toBeGreaterThanOrEqual(2 * 3);
    expect(looks).toBeLessThanOrEqual(2 * 6);
  });

  it('is looked at less often the older it is, because a suspension may last for weeks', async () => {
    const automation = await fixture.automation();
    await begin({ kind: 'platform', platform: 'instagram' });
    await fixture.comment(automation, newPerson());
    await fixture.work();
    fixture.clock.time += 8 * hourMs;
    let looks = 0;
    for (let tens = 0; tens < 6 * 6; tens += 1) {
      fixture.clock.time += 10 * minuteMs;
      await fixture.sweep();
      looks += (await fixture.work()).length;
    }
    // Two actions, and six hours of waits of an hour to an hour and a half.
    expect(looks).toBeGreaterThanOrEqual(2 * 3);
    expect(looks).toBeLessThanOrEqual(2 * 7);
  });

  it('fails in the pause once it is too old to be sent', async () => {
    const automation = await fixture.automation();
    await begin({ kind: 'platform', platform: 'instagram' });
    await fixture.comment(automation, newPerson());
    await fixture.work();
    fixture.clock.time += 8 * dayMs;
    await fixture.sweep();
    await fixture.work();
    expect(await fixture.actions(automation.id)).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
  });

  it('is not held by a pause of another platform or account', async () => {
    const automation = await fixture.automation();
    const name = newPerson();
    await begin({ kind: 'platform', platform: 'youtube' });
    await begin({ kind: 'account', workspaceId: fixture.workspaceId, accountId: automation.id });
    await fixture.comment(automation, name);
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('whose call has an unknown outcome is looked up in the pause, and is not sent twice', async () => {
    const automation = await fixture.automation({ dmMessage: null });
    const comment = await fixture.comment(automation, newPerson());
    const send = fixture.ports.toolsFor;
    let isCut = false;
    const cutting = {
      ...fixture.ports,
      toolsFor: async (...given: Parameters<typeof send>) => {
        const tools = await send(...given);
        return {
          ...tools,
          http: {
            ...tools.http,
            send: async (request: Parameters<typeof tools.http.send>[0]) => {
              const answer = await tools.http.send(request);
              if (request.method !== 'POST' || isCut) return answer;
              isCut = true;
              throw new Error('the connection was cut');
            },
          },
        };
      },
    };
    await fixture.work(cutting);
    expect(isCut).toBe(true);
    await begin({ kind: 'platform', platform: 'instagram' });
    fixture.clock.time += hourMs;
    expect(await fixture.runToEnd(automation)).toMatchObject([{ state: 'done' }]);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
  });
});
