import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import { actOf } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const dailyLimit = (waitMs?: number) =>
  new PlatformError('retry', 'YouTube: the daily quota is used up', {
    isDailyLimit: true,
    ...(waitMs !== undefined && { retryAfterSeconds: waitMs / secondMs }),
  });
/** The fixture's chance is 0.5, so a target comes back five minutes after the end of a long limit. */
const spreadMs = 5 * minuteMs;

describe('a destination that a daily limit of its platform stops', () => {
  it.each(['prepare', 'goLive'] as const)(
    'at the step %s waits for the end of the limit, says so, and goes live then',
    async (step) => {
      const fixture = await openFixture(table);
      fixture.platform.script[step] = [dailyLimit(10 * hourMs)];
      await fixture.deliver();
      expect(await fixture.find()).toMatchObject({
        status: 'scheduled',
        wakeAt: at(10 * hourMs + spreadMs),
        failures: 0,
        error: `waiting for a limit of the platform, until about ${at(10 * hourMs)}: YouTube: the daily quota is used up`,
      });
      const published = await fixture.runToEnd();
      expect(published).toMatchObject({ status: 'published', publishedAt: at(10 * hourMs + spreadMs) });
      expect(published).not.toHaveProperty('error');
      expect(fixture.marks).toEqual([]);
    },
  );

  it('shows the reason in lists, too', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = [dailyLimit(10 * hourMs)];
    await fixture.deliver();
    const { rollUpPost } = await import('../../../lib/posts/roll-up.ts');
    const { workspaceId, postId } = fixture.message;
    await rollUpPost(table, workspaceId, postId, fixture.clock.time);
    const listed = (await findPost(table, workspaceId, postId))?.post;
    expect(listed).toMatchObject({
      status: 'scheduled',
      targets: [{ error: expect.stringMatching(/^waiting/) }],
    });
  });

  it('is not early: no call is made before the limit ends', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [dailyLimit(10 * hourMs)];
    await fixture.deliver();
    const { wakeAt = '' } = await fixture.find();
    const calls = fixture.platform.calls.length;
    fixture.clock.time = Date.parse(wakeAt) - 2 * secondMs;
    const target = await fixture.find();
    await fixture.deliver({ ...fixture.message, wakeNumber: target.wakeNumber });
    expect(fixture.platform.calls.length).toBeGreaterThan(calls);
    expect(fixture.platform.ledger).toEqual([Date.parse(wakeAt)]);
  });

  it('is not late because of the wait: it goes live more than 24 hours after its time', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [dailyLimit(24 * hourMs)];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      publishedAt: at(24 * hourMs + spreadMs),
    });
  });

  it('is missed if nothing works it for 24 hours after the limit has ended', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [dailyLimit(24 * hourMs)];
    await fixture.deliver();
    fixture.clock.time = startMs + 2 * dayMs + 1;
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^missed/),
    });
  });

  it('fails with the time until which the platform asks to wait if the next day is full as well', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [dailyLimit(10 * hourMs), dailyLimit(24 * hourMs)];
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: `YouTube: the daily quota is used up (the platform asks to wait until ${at(34 * hourMs + spreadMs)})`,
    });
  });

  it('is tried every hour for a day if nobody knows when the limit ends', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = Array.from({ length: 100 }, () => dailyLimit());
    const failed = await fixture.runToEnd();
    expect(failed).toMatchObject({ status: 'failed' });
    expect(failed.calls?.length).toBeGreaterThan(20);
    expect(fixture.clock.time - startMs).toBeGreaterThan(22 * hourMs);
    expect(fixture.clock.time - startMs).toBeLessThan(26 * hourMs);
    expect(fixture.platform.ledger).toEqual([]);
  });

  it('has six hours for other failures after the limit, whatever failed before it', async () => {
    const fixture = await openFixture(table);
    const busy = new PlatformError('retry', 'busy');
    fixture.platform.script.prepare = [busy, dailyLimit(20 * hourMs), busy, busy];
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });

  it('fails immediately if its post says so', async () => {
    const fixture = await openFixture(table, { post: { onQuota: 'fail' } });
    fixture.platform.script.goLive = [dailyLimit(10 * hourMs)];
    await fixture.deliver();
    expect(await fixture.find()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('`onQuota` is `fail`'),
    });
  });

  it('has a whole day for limits again once a person retries it', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [
      dailyLimit(10 * hourMs),
      dailyLimit(24 * hourMs),
      dailyLimit(24 * hourMs),
    ];
    await fixture.runToEnd();
    const { workspaceId, postId } = fixture.message;
    const context = { table, workspaceId, now: fixture.clock.time, ...actOf('key'), cursorSecret: 'secret' };
    await retryPost(context, postId);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });
});

describe('a lookup that a daily limit stops', () => {
  it('waits for its end, so that the outcome is found', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive = ['reply lost'];
    fixture.platform.script.lookUp = [dailyLimit(10 * hourMs)];
    const published = await fixture.runToEnd();
    expect(published).toMatchObject({ status: 'published', publishedAt: at(0) });
    expect(published).not.toHaveProperty('error');
    expect(fixture.platform.ledger).toHaveLength(1);
  });
});
