import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitingActionItem, wakeWaitingActions } from '../../../../lib/automations/actions/noted-waits.ts';
import type { Automation, AutomationAction, AutomationMessage } from '../../../../lib/automations/schemas.ts';
import { dayMs, hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { putIfAbsent, updateItem } from '../../../../lib/table/items.ts';
import { accountKey, automationPersonKey, inboundPartition, type Key } from '../../../../lib/table/keys.ts';
import { queryAll } from '../../../../lib/table/query.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
let automation: Automation;
let name: string;
let tests = 0;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
beforeEach(async () => {
  table = await createTestTable();
  fixture = await openFixture(table, instagram);
  automation = await fixture.automation({ commentReply: null });
  name = `waking.${++tests}`;
});
afterAll(() => instagram.close());

const switchTo = (isActive: boolean) => fixture.rewrite({ ...automation, isActive });
/** Wakes what waits, and returns the people in the order of the messages. */
interface WakeChanges {
  readonly table?: Table;
  readonly deadlineMs?: number;
  readonly report?: (key: Key) => void;
}
async function wokenPeople(changes: WakeChanges = {}) {
  const sent: AutomationMessage[] = [];
  const ports = {
    table: changes.table ?? table,
    now: fixture.clock.now,
    stageFeatures: {},
    sendAll: async (messages: readonly AutomationMessage[]) => {
      sent.push(...messages);
      return new Set<AutomationMessage>();
    },
    report: (key: Key, error: unknown) => {
      if (changes.report === undefined) throw error;
      changes.report(key);
    },
  };
  await wakeWaitingActions(ports, changes.deadlineMs ?? fixture.clock.now() + minuteMs);
  return sent.map(({ action }) => action);
}
const notes = () =>
  queryAll(table, {
    partition: inboundPartition(fixture.workspaceId, fixture.account.id),
    sort: { beginsWith: 'WAIT#' },
  });

describe('people who wait', () => {
  it('are woken in the order in which their windows end', async () => {
    const comments = [];
    for (let person = 0; person < 12; person += 1) {
      comments.push(await fixture.comment(automation, `${name}.${person}`));
      fixture.clock.time += minuteMs;
    }
    await switchTo(false);
    await fixture.work();
    await switchTo(true);
    const people = comments.map((each) => automationPersonKey(automation.id, String(each['fromId'])).sk);
    expect(await wokenPeople()).toEqual(people);
    expect(await wokenPeople()).toEqual([]);
  });

  it('are not woken while the cause goes on, and are found by the next sweep if one ends early', async () => {
    await fixture.comment(automation, name);
    await switchTo(false);
    await fixture.work();
    expect(await wokenPeople()).toEqual([]);
    await switchTo(true);
    expect(await wokenPeople({ deadlineMs: fixture.clock.now() })).toEqual([]);
    expect(await wokenPeople()).toHaveLength(1);
  });

  it('wait again, and are woken again, if it is switched off before they are answered', async () => {
    await fixture.comment(automation, name);
    for (let round = 0; round < 3; round += 1) {
      await switchTo(false);
      await fixture.work();
      await switchTo(true);
      fixture.clock.time += minuteMs;
      await fixture.sweep();
    }
    await fixture.work();
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: {}, messages: 1 });
  });

  it('leave no note once their windows have closed, even if the cause goes on', async () => {
    await fixture.comment(automation, name);
    await switchTo(false);
    await fixture.work();
    expect(await notes()).toHaveLength(1);
    fixture.clock.time += 7 * dayMs;
    await wokenPeople();
    expect(await notes()).toEqual([]);
  });

  it('are woken after the account is connected again, if a permission was missing', async () => {
    const key = accountKey(fixture.workspaceId, fixture.account.id);
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'error:368');
    await fixture.work();
    expect(await wokenPeople()).toEqual([]);
    const connectedAt = new Date(fixture.clock.now()).toISOString();
    await updateItem(table, key, { set: { connectedAt, status: 'ok' }, if: unconditionally });
    expect(await wokenPeople()).toHaveLength(1);
  });

  it('are tried at once if they tap again', async () => {
    const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };
    automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await fixture.work();
    await instagram.act('follows', { username: name, follows: true });
    const [question] = await fixture.messagesTo(name);
    await switchTo(false);
    await (await fixture.tap(question))();
    await fixture.work();
    await switchTo(true);
    fixture.clock.time += minuteMs;
    await (await fixture.tap(question))();
    await fixture.work();
    expect(await fixture.messagesTo(name)).toHaveLength(2);
    expect(await fixture.counts(automation.id)).toMatchObject({ waiting: {} });
  });
});

describe('an account that cannot be read', () => {
  it('keeps nobody of other accounts waiting', async () => {
    await fixture.comment(automation, name);
    await switchTo(false);
    await fixture.work();
    const other = { workspaceId: newId(fixture.clock.now()), accountId: newId(fixture.clock.now()) };
    const action = { ...(await fixture.actions(automation.id))[0], ...other } as AutomationAction;
    const note = { cause: 'paused', endMs: fixture.clock.now() + hourMs, noteId: 'a note', now: 0 };
    await putIfAbsent(table, waitingActionItem(action, note));
    await putIfAbsent(table, { ...accountKey(other.workspaceId, other.accountId), meta: '{' });
    await switchTo(true);
    const reported: Key[] = [];
    expect(await wokenPeople({ report: (key) => reported.push(key) })).toHaveLength(1);
    expect(reported).toEqual([accountKey(other.workspaceId, other.accountId)]);
  });
});

describe('a sweep that dies', () => {
  it('at any of its writes leaves nobody waiting', async () => {
    for (let dyingWrite = 1; ; dyingWrite += 1) {
      const person = `${name}.${dyingWrite}`;
      await fixture.comment(automation, person);
      await switchTo(false);
      await fixture.work();
      await switchTo(true);
      let writes = 0;
      const send = table.client.send.bind(table.client) as (command: object) => Promise<unknown>;
      const client = new Proxy(table.client, {
        get: (target, property) =>
          property === 'send'
            ? async (command: object) => {
                if (/^(Update|Delete)/.test(command.constructor.name) && ++writes >= dyingWrite)
                  throw new Error('died');
                return send(command);
              }
            : Reflect.get(target, property, target),
      });
      await wokenPeople({ table: { ...table, client } }).catch(() => undefined);
      if (writes < dyingWrite) break;
      fixture.clock.time += 2 * minuteMs;
      await fixture.sweep();
      await fixture.work();
      expect(await fixture.messagesTo(person)).toHaveLength(1);
    }
    fixture.clock.time += hourMs;
    expect(await wokenPeople()).toEqual([]);
  });
});
