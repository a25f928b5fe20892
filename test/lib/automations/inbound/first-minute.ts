import { expect } from 'vitest';
import { markAccount } from '../../../../lib/accounts/store.ts';
import { nameOf } from '../../../../lib/automations/answered-posts.ts';
import type { IntakePorts } from '../../../../lib/automations/inbound/run-intake.ts';
import type { Automation } from '../../../../lib/automations/schemas.ts';
import { insertAutomation } from '../../../../lib/automations/store.ts';
import { minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { updateItem } from '../../../../lib/table/items.ts';
import { accountKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { anAutomation } from '../../../support/automations.ts';
import { changeTarget, storePost } from '../../../support/builders.ts';
import type { SimulatedInstagram } from '../../../support/instagram.ts';
import { openFixture } from '../fixture.ts';

/** A scheduled post with an automation, and one of every post beside it. */
export async function openFirstMinute(table: Table, instagram: SimulatedInstagram) {
  const fixture = await openFixture(table, instagram);
  const { clock, workspaceId, account } = fixture;
  const { targets } = await storePost(table, workspaceId, [{ accountId: account.id }]);
  const [target] = targets;
  if (!target) throw new Error('no target');
  const store = async (platformPostId: string, dmMessage: string): Promise<Automation> => {
    const at = toTimestamp(clock.now());
    const automation = anAutomation(workspaceId, {
      ...{ id: newId(clock.now()), accountId: account.id, platformPostId, dmMessage },
      ...{ keywords: ['link'], commentReply: 'See your messages', createdAt: at, updatedAt: at },
    });
    await insertAutomation(table, automation);
    return automation;
  };
  const own = await store(nameOf({ kind: 'herald post', postId: target.postId }), 'Its own');
  const every = await store(nameOf({ kind: 'every post' }), 'Of every post');
  const calling = await changeTarget(table, target, { status: 'publishing' });
  const platformPostId = await fixture.post();
  return {
    ...fixture,
    own,
    every,
    platformPostId,
    /** The commit that says that the post is live. */
    goLive: () =>
      changeTarget(table, calling, {
        status: 'published',
        platformPostId,
        publishedAt: toTimestamp(clock.now()),
        wakeAt: null,
      }),
    /** Lets time pass in steps of ten seconds, with a sweep each minute. */
    async passSteps(milliseconds: number, using?: IntakePorts) {
      const endMs = clock.now() + milliseconds;
      await fixture.work(using);
      while (clock.now() < endMs) {
        clock.time = Math.min(endMs, clock.now() + 10 * secondMs);
        await fixture.work(using);
        if (clock.now() % minuteMs < 10 * secondMs) await fixture.sweep();
        await fixture.work(using);
      }
    },
  };
}

/**
 * Lets people comment within a minute on a post that goes live meanwhile. The account has expired for a while. Each person gets one
 * reply and one message, of the post's own automation.
 */
export async function expectFirstMinuteAnswered(
  table: Table,
  instagram: SimulatedInstagram,
  people: number,
): Promise<void> {
  const fixture = await openFirstMinute(table, instagram);
  const { clock, ports, account, platformPostId } = fixture;
  const using = { ...ports, privateRepliesPerHour: 100_000 };
  const nameOfPerson = (person: number) => `minute.${people}.${person}`;
  const key = accountKey(account.workspaceId, account.id);
  for (let person = 0; person < people; person += 1) {
    await fixture.comment({ platformPostId }, nameOfPerson(person));
    clock.time += minuteMs / people;
    if (person === Math.floor(people / 3)) await fixture.goLive();
    if (person === Math.floor(people / 2)) {
      await markAccount(table, account, 'expired', 'withdrawn', clock.now());
      await fixture.work(using);
    }
  }
  await fixture.passSteps(minuteMs, using);
  await updateItem(table, key, { set: { status: 'ok' }, if: unconditionally });
  await fixture.passSteps(2 * minuteMs, using);
  const sent = await instagram.list('messages');
  const counted = new Map<unknown, unknown[]>();
  for (const { username, from, text } of sent)
    if (from === 'account') counted.set(username, [...(counted.get(username) ?? []), text]);
  for (let person = 0; person < people; person += 1)
    expect(counted.get(nameOfPerson(person)), nameOfPerson(person)).toEqual(['Its own']);
  const all = { matches: people, messages: people, replies: people, failures: 0, waiting: {} };
  expect(await fixture.counts(fixture.own.id)).toMatchObject(all);
  expect(await fixture.counts(fixture.every.id)).toMatchObject({ matches: 0 });
  expect(fixture.errors).toEqual([]);
}
