import { beforeEach, describe, expect, it } from 'vitest';
import { newReply } from '../../../lib/automations/actions/new-actions.ts';
import { actionKey, actionPut } from '../../../lib/automations/actions/store.ts';
import type { InboundComment } from '../../../lib/automations/schemas.ts';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { endPause, putPause } from '../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { Gap } from '../../../lib/recovery/restore/doubtful.ts';
import { holdDoubtful } from '../../../lib/recovery/restore/hold.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { getItem, putItem, updateItem } from '../../../lib/table/items.ts';
import { postKey, targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { actOf, anOperator } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { listOnly, openFixture } from '../publishing/fixture.ts';

const gap = { sinceMs: startMs - minuteMs, untilMs: startMs + hourMs };

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const hold = (given: Gap = gap, isDryRun = false) =>
  holdDoubtful(
    {
      table,
      now: () => given.untilMs,
      uniqueId: () => newId(given.untilMs),
      report: (what) => {
        throw new Error(`${what} was not held`);
      },
    },
    given,
    { isDryRun },
  );

/** A person retries the post. */
const retry = ({ workspaceId, postId }: Target, now: number) =>
  retryPost({ table, workspaceId, ...actOf(newId(now)), cursorSecret: 'secret', now }, postId);

describe('what a pause held when the backup was made', () => {
  const scope = { kind: 'platform', platform: 'instagram' } as const;

  it.each([
    ['lasts', false],
    ['has just ended', true],
  ])('is looked up if it was due, although the pause %s', async (_case, hasEnded) => {
    const fixture = await openFixture(table);
    await putPause(anOperator(table, startMs, 'pause.begin'), { scope, reason: 'an incident' });
    await fixture.deliver();
    if (hasEnded) await endPause(anOperator(table, startMs, 'pause.end'), scope);
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', errorDetail: { code: 'paused' } });
    expect(await hold()).toMatchObject({ targets: 1, failures: 0 });
    expect(await fixture.status()).toBe('publishing');
  });
});

it('a destination is looked up again after a second restore, if a person had begun a retry after the first', async () => {
  const fixture = await openFixture(table);
  fixture.platform.rule = listOnly;
  fixture.clock.time = gap.untilMs;
  await hold();
  const failed = await fixture.runToEnd();
  const retriedMs = fixture.clock.time;
  await retry(failed, retriedMs);
  await fixture.deliver(messageOf(await fixture.find()));
  expect(await fixture.find()).toMatchObject({ status: 'scheduled', calls: [{ outcome: 'dismissed' }] });
  expect(await hold({ sinceMs: retriedMs, untilMs: retriedMs + hourMs })).toMatchObject({ targets: 1 });
});

describe('a destination that had failed before the backup', () => {
  async function openFailed() {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive.push(new PlatformError('rejected', 'no'));
    const failed = await fixture.runToEnd();
    expect(failed.status).toBe('failed');
    return { ...fixture, failed };
  }

  it('is looked up before its next retry: a person may have retried it in the gap', async () => {
    const { failed, clock, platform, find, runToEnd } = await openFailed();
    const { workspaceId, postId, accountId } = failed;
    const keys = [postKey(workspaceId, postId), targetKey(workspaceId, postId, accountId)];
    const backup = await Promise.all(keys.map((key) => getItem(table, key)));
    await retry(failed, clock.time);
    expect(await runToEnd()).toMatchObject({ status: 'published' });
    for (const item of backup) await putItem(table, item ?? {}, unconditionally);
    const later = { sinceMs: startMs, untilMs: clock.time + minuteMs };
    expect(await hold(later)).toMatchObject({ targets: 0, retries: 1, failures: 0 });
    expect(await hold(later)).toMatchObject({ retries: 0 });
    expect(await find()).toMatchObject({ status: 'failed', errorDetail: failed.errorDetail });
    clock.time = later.untilMs;
    await retry(failed, clock.time);
    expect(await runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
    expect(platform.ledger).toHaveLength(1);
  });

  it('is published by its retry if it is not live', async () => {
    const { failed, clock, platform, runToEnd } = await openFailed();
    clock.time += minuteMs;
    await hold({ sinceMs: startMs, untilMs: clock.time });
    await retry(failed, clock.time);
    expect(await runToEnd()).toMatchObject({ status: 'published' });
    expect(platform.ledger).toHaveLength(1);
  });
});

describe('a reply of an automation', () => {
  const comment: InboundComment = {
    kind: 'inboundComment',
    workspaceId: newId(startMs),
    accountId: newId(startMs),
    commentId: 'comment-1',
    platformPostId: 'post-1',
    personId: 'person-1',
    username: null,
    text: 'link',
    at: toTimestamp(startMs),
    expiresAtSeconds: startMs,
  };

  it.each([
    ['was due is not sent', startMs, startMs, 1],
    ['was due is not sent, although a sweep has put it off', startMs, gap.untilMs + hourMs, 1],
    ['is due later is sent then', gap.untilMs + minuteMs, gap.untilMs + minuteMs, 0],
  ])('that %s', async (_case, wakeMs, dueMs, actions) => {
    const reply = { ...newReply(comment, newId(startMs), startMs), wakeAt: toTimestamp(wakeMs) };
    const key = actionKey(reply);
    await transact(table, [actionPut(table, reply)]);
    await updateItem(table, key, { set: { dueAt: toTimestamp(dueMs) }, if: { pk: key.pk } });
    const before = await getItem(table, key);
    expect(await hold(gap, true)).toMatchObject({ actions });
    expect(await getItem(table, key)).toEqual(before);
    expect(await hold()).toMatchObject({ actions, failures: 0 });
    const held = await getItem(table, key);
    expect(held).toMatchObject({ state: 'waiting' });
    expect(held?.['dueShard'] === undefined).toBe(actions === 1);
  });
});
