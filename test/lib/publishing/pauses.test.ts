import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { endPause, putPause } from '../../../lib/pauses/manage.ts';
import type { PauseScope } from '../../../lib/pauses/scope.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { PlatformRules } from '../../../lib/platforms/contract/rules.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { failedShard } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { operatorAct } from '../../support/acts.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { mediaBaseUrl } from '../posts/fixture.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const reason = 'Instagram loses posts';
const platform: PauseScope = { kind: 'platform', platform: 'instagram' };
const accountOf = ({ workspaceId, accountId }: Target): PauseScope => ({
  kind: 'account',
  workspaceId,
  accountId,
});
const workspaceOf = ({ workspaceId }: Target): PauseScope => ({ kind: 'workspace', workspaceId });

const operatorAt = (now: number) => ({ ...operatorAct('pause.begin'), table, now });

/** Pauses and resumes at the fixture's time. The sweep runs as often as a minute of virtual time passes. */
function operate({ clock }: Pick<Fixture, 'clock'>) {
  const context = () => operatorAt(clock.time);
  return {
    pause: (scope: PauseScope = platform) => putPause(context(), { scope, reason }),
    resume: (scope: PauseScope = platform) => endPause(context(), scope),
    /** One sweep, a minute later: as late as the service's own comes. */
    sweep: async () => {
      clock.time += minuteMs;
      return sweepOverdue(
        sweepPorts(table, () => clock.time),
        Number.POSITIVE_INFINITY,
      );
    },
  };
}

const deliverCurrent = async (fixture: Fixture) => fixture.deliver(messageOf(await fixture.find()));
const events = (target: Target) => target.timeline.map(({ event }) => event);

describe.each([
  ['the platform', () => platform, 'publishing to Instagram is paused'],
  ['the account', accountOf, 'publishing to this account is paused'],
  ['the workspace', workspaceOf, 'publishing of this workspace is paused'],
] as const)('a pause of %s', (_what, scopeOf, subject) => {
  it('holds a due target and says why; its end makes the target live once', async () => {
    const fixture = await openFixture(table);
    const { pause, resume, sweep } = operate(fixture);
    const scope = scopeOf(await fixture.find());
    await pause(scope);
    expect(await deliverCurrent(fixture)).toBe('worked');
    const held = await fixture.find();
    expect(held).toMatchObject({ status: 'scheduled', error: `${subject}: ${reason}` });
    expect(held.timeline).toEqual([expect.objectContaining({ event: 'paused', reason })]);
    expect(held.timeline[0]).not.toHaveProperty('nextAt');
    expect(fixture.platform.calls).toEqual([]);

    fixture.clock.time += hourMs;
    await resume(scope);
    await sweep();
    const released = await fixture.find();
    expect(released.error).toBeUndefined();
    expect(released).toMatchObject({ status: 'scheduled', wakeAt: toTimestamp(fixture.clock.time) });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(fixture.platform.ledger).toHaveLength(1);
    expect(events(await fixture.find()).slice(0, 2)).toEqual(['paused', 'resumed']);
  });
});

describe('a target in a pause', () => {
  it('is left alone by every sweep, and its only wake is when it becomes too late', async () => {
    const fixture = await openFixture(table);
    const { pause, sweep } = operate(fixture);
    await pause();
    await deliverCurrent(fixture);
    expect(await fixture.find()).toMatchObject({ wakeAt: at(dayMs + secondMs), dueAt: at(0) });
    for (let sweeps = 0; sweeps < 3; sweeps += 1) expect(await sweep()).toMatchObject({ targets: 0 });
  });

  it('fails as missed at that time, also while the pause lasts, and says why', async () => {
    const fixture = await openFixture(table);
    await operate(fixture).pause();
    const failed = await fixture.runToEnd({ maxWakes: 3 });
    expect(failed).toMatchObject({
      status: 'failed',
      error: `missed: it was due at ${at(0)}, more than 24 hours ago (publishing to Instagram is paused: ${reason})`,
    });
    expect(failed).toMatchObject({ dueShard: failedShard(failed.dueAt ?? '', failed.postId) });
    expect(fixture.clock.time - startMs).toBeLessThan(dayMs + minuteMs);
    expect(fixture.platform.calls).toEqual([]);
  });

  it('fails as missed even if the message of that wake is lost', async () => {
    const fixture = await openFixture(table);
    const { pause, sweep } = operate(fixture);
    await pause();
    await deliverCurrent(fixture);
    fixture.clock.time += dayMs + hourMs;
    await sweep();
    expect(await sweep()).toMatchObject({ targets: 1 });
    expect(await fixture.runToEnd({ maxWakes: 1 }).catch(fixture.find)).toMatchObject({ status: 'failed' });
  });

  it('fails as missed if it is resumed too late', async () => {
    const fixture = await openFixture(table);
    const { pause, resume, sweep } = operate(fixture);
    await pause();
    await deliverCurrent(fixture);
    fixture.clock.time += dayMs + 2 * minuteMs;
    await resume();
    await sweep();
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'failed',
      error: `missed: it was due at ${at(0)}, more than 24 hours ago`,
    });
  });

  it('that waited for a limit has 24 hours from the end of that limit', async () => {
    const limitedUntil = at(5 * hourMs);
    const fixture = await openFixture(table, {
      target: { limitedSince: at(0), limitedUntil, wakeAt: limitedUntil },
      nowMs: startMs + 5 * hourMs,
    });
    await operate(fixture).pause();
    await deliverCurrent(fixture);
    expect(await fixture.find()).toMatchObject({ wakeAt: at(dayMs + 5 * hourMs + secondMs), limitedUntil });
  });

  it('begins its retries again when it is released', async () => {
    const fixture = await openFixture(table, {
      target: { failures: 7, firstFailureAt: at(-5 * hourMs) },
    });
    const { pause, resume, sweep } = operate(fixture);
    await pause();
    await deliverCurrent(fixture);
    expect(await fixture.find()).toMatchObject({ failures: 0 });
    fixture.clock.time += 10 * hourMs;
    await resume();
    await sweep();
    fixture.platform.script.prepare.push(new PlatformError('retry', 'busy'));
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  });

  it('is held without preparation before its due time, and is live on time if the pause ends before', async () => {
    const dueMs = startMs + 10 * minuteMs;
    const fixture = await openFixture(table, { target: { scheduledFor: toTimestamp(dueMs), wakeAt: at(0) } });
    const { pause, resume, sweep } = operate(fixture);
    await pause();
    await deliverCurrent(fixture);
    expect(fixture.platform.calls).toEqual([]);
    expect(await fixture.find()).toMatchObject({ dueAt: toTimestamp(dueMs) });
    await resume();
    await sweep();
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([dueMs]);
  });

  it('is held between its preparation and its due time, and keeps its preparation', async () => {
    const dueMs = startMs + 10 * minuteMs;
    const fixture = await openFixture(table, { target: { scheduledFor: toTimestamp(dueMs), wakeAt: at(0) } });
    const { pause, resume, sweep } = operate(fixture);
    await deliverCurrent(fixture);
    expect(events(await fixture.find())).toEqual(['prepared']);
    fixture.clock.time = dueMs - secondMs;
    await pause();
    await deliverCurrent(fixture);
    expect(await fixture.find()).toMatchObject({ preparation: { containerId: 'c1' }, status: 'scheduled' });
    expect(events(await fixture.find())).toEqual(['prepared', 'paused']);
    await resume();
    await sweep();
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toHaveLength(1);
    expect(fixture.platform.ledger[0]).toBeGreaterThanOrEqual(dueMs);
  });

  it('is held if the pause begins during a long preparation', async () => {
    const fixture = await openFixture(table);
    const { pause } = operate(fixture);
    const { prepare } = fixture.platform.adapter;
    const adapter = {
      ...fixture.platform.adapter,
      prepare: async (...given: Parameters<typeof prepare>) => {
        fixture.clock.time += 20 * secondMs;
        await pause();
        return prepare(...given);
      },
    };
    await fixture.deliver(fixture.message, 300, { ...fixture.ports, adapterFor: () => adapter });
    expect(fixture.platform.ledger).toEqual([]);
    expect(await fixture.find()).toMatchObject({
      status: 'scheduled',
      preparation: { containerId: 'c1' },
      error: expect.stringContaining(reason),
    });
  });

  it('that is already live is finished', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.finish.push({
      state: 'waiting',
      waitSeconds: 30,
      preparation: {},
      post: { platformPostId: 'post-1', permalink: null },
    });
    await deliverCurrent(fixture);
    await operate(fixture).pause();
    expect(await fixture.runToEnd()).toMatchObject({
      status: 'published',
      permalink: expect.stringContaining('/p/1'),
    });
  });

  it('whose call has an unknown outcome is looked up, and does not go live twice', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.goLive.push('reply lost');
    await deliverCurrent(fixture);
    await operate(fixture).pause();
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(fixture.platform.ledger).toHaveLength(1);
  });
});

describe('a target whose pause ends while its worker holds it', () => {
  it('gets its wake back, and goes live once', async () => {
    const fixture = await openFixture(table);
    const { pause, resume } = operate(fixture);
    await pause();
    let isResumed = false;
    const racing = onHold(async () => {
      if (!isResumed) await resume();
      isResumed = true;
    });
    await fixture.deliver(fixture.message, 300, { ...fixture.ports, table: racing });
    expect(isResumed).toBe(true);
    expect(await fixture.find()).toMatchObject({
      wakeAt: toTimestamp(fixture.clock.time),
      status: 'scheduled',
    });
    expect(await fixture.find()).not.toHaveProperty('error');
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('is held by the pause that replaced it, with its reason', async () => {
    const fixture = await openFixture(table);
    const { pause, resume } = operate(fixture);
    await pause();
    let races = 0;
    const racing = onHold(async () => {
      races += 1;
      if (races > 1) return;
      await resume();
      await putPause(operatorAt(fixture.clock.time), { scope: platform, reason: 'once more' });
    });
    await fixture.deliver(fixture.message, 300, { ...fixture.ports, table: racing });
    await deliverCurrent(fixture);
    expect(await fixture.find()).toMatchObject({
      status: 'scheduled',
      error: expect.stringContaining('once more'),
    });
  });

  /** The table, with something that happens just before each write that holds a target. */
  function onHold(before: () => Promise<void>): Table {
    const client = new Proxy(table.client, {
      get: (target, name) =>
        name === 'send'
          ? async (command: object) => {
              const isHold =
                command instanceof UpdateCommand && JSON.stringify(command.input).includes('HELD#');
              if (isHold) await before();
              return target.send(command as Parameters<typeof target.send>[0]);
            }
          : Reflect.get(target, name, target),
    });
    return { ...table, client };
  }
});

describe('a target that several pauses hold', () => {
  it('is held again when only one of them ends', async () => {
    const fixture = await openFixture(table);
    const { pause, resume, sweep } = operate(fixture);
    const account = accountOf(await fixture.find());
    await pause();
    await pause(account);
    await deliverCurrent(fixture);
    expect((await fixture.find()).error).toContain('Instagram is paused');
    await resume();
    await sweep();
    await deliverCurrent(fixture);
    expect((await fixture.find()).error).toContain('this account is paused');
    expect(fixture.platform.ledger).toEqual([]);
    await resume(account);
    await sweep();
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(events(await fixture.find()).slice(0, 4)).toEqual(['paused', 'resumed', 'paused', 'resumed']);
  });
});

describe('a held post', () => {
  async function openHeld() {
    const { context } = await openWorkspace(table);
    const fixture = await openFixture(table, { workspaceId: context.workspaceId });
    const operator = operate(fixture);
    await operator.pause();
    await deliverCurrent(fixture);
    return {
      fixture,
      ...operator,
      context: { ...context, mediaBaseUrl, rulesFor: () => noRules, stageFeatures: {}, dailyLimits: {} },
    };
  }

  it('can be edited; it is held again at its new time, and live once after the pause', async () => {
    const { fixture, resume, sweep, context } = await openHeld();
    const { postId } = await fixture.find();
    const newDueMs = startMs + 2 * hourMs;
    await editPost(context, postId, { content: 'changed', scheduledFor: toTimestamp(newDueMs) });
    const edited = await fixture.find();
    expect(edited.error).toBeUndefined();
    expect(edited.wakeAt).toBe(toTimestamp(newDueMs));
    await resume();
    await sweep();
    expect(events(await fixture.find())).toEqual(['paused']);
    await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([newDueMs]);
    expect(fixture.platform.calls[0]?.job.content).toBe('changed');
  });

  it('can be deleted; the end of the pause finds nothing to release', async () => {
    const { fixture, resume, sweep, context } = await openHeld();
    const { workspaceId, postId } = await fixture.find();
    await removePost(context, postId);
    await resume();
    expect(await sweep()).toMatchObject({ failures: 0 });
    expect(await findPost(table, workspaceId, postId)).toBeUndefined();
  });

  it('that was missed can be retried; it is held again, due at the time of the retry', async () => {
    const { fixture, context } = await openHeld();
    const { postId } = await fixture.runToEnd();
    await retryPost({ ...context, now: fixture.clock.time }, postId);
    const retriedAt = toTimestamp(fixture.clock.time);
    await deliverCurrent(fixture);
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', dueAt: retriedAt });
    expect((await fixture.find()).error).toContain(reason);
  });
});

describe('a worker that crashes', () => {
  it.each([1, 2, 3, 4])(
    'at its write number %i leaves a target that is held and released as usual',
    async (nth) => {
      const fixture = await openFixture(table);
      const { pause, resume, sweep } = operate(fixture);
      await pause();
      let writes = 0;
      const crashing = new Proxy(table.client, {
        get: (target, name) =>
          name === 'send'
            ? async (command: object) => {
                if (!/^(Get|BatchGet|Query)/.test(command.constructor.name)) writes += 1;
                if (writes >= nth) throw new Error('the process has crashed');
                return target.send(command as Parameters<typeof target.send>[0]);
              }
            : Reflect.get(target, name, target),
      });
      await fixture
        .deliver(fixture.message, 300, { ...fixture.ports, table: { ...table, client: crashing } })
        .catch(() => {});
      fixture.clock.time += minuteMs;
      await deliverCurrent(fixture);
      expect((await fixture.find()).error).toContain(reason);
      await resume();
      await sweep();
      expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
      expect(fixture.platform.ledger).toHaveLength(1);
    },
  );
});

/** Rules of a platform that accepts everything and needs no time for preparation. */
const noRules: PlatformRules = {
  options: { schema: z.any(), brought: {} },
  check: () => [],
  leadSeconds: () => 0,
};

type Step = 'pause platform' | 'pause account' | 'resume platform' | 'resume account' | 'wake' | 'sweep';

it('in whatever order pauses begin and end, a target is live once, never during a pause, and never lost', {
  timeout: 90_000,
}, async () => {
  const steps = fc.array(
    fc.constantFrom<Step>(
      'pause platform',
      'pause account',
      'resume platform',
      'resume account',
      'wake',
      'sweep',
    ),
    { maxLength: 14 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      table = await createTestTable();
      const fixture = await openFixture(table);
      const { pause, resume, sweep } = operate(fixture);
      const account = accountOf(await fixture.find());
      const paused = new Set<string>();
      for (const step of plan) {
        fixture.clock.time += minuteMs;
        const [verb, what = ''] = step.split(' ');
        const scope = what === 'account' ? account : platform;
        if (verb === 'pause' && !paused.has(what)) await pause(scope).then(() => paused.add(what));
        if (verb === 'resume' && paused.has(what)) await resume(scope).then(() => paused.delete(what));
        if (verb === 'sweep') await sweep();
        if (verb === 'wake') {
          const before = fixture.platform.ledger.length;
          const { wakeAt = '' } = await fixture.find();
          if (wakeAt <= toTimestamp(fixture.clock.time)) await deliverCurrent(fixture);
          if (paused.size > 0) expect(fixture.platform.ledger).toHaveLength(before);
        }
      }
      for (const what of paused) await resume(what === 'account' ? account : platform);
      await sweep();
      expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
      expect(fixture.platform.ledger).toHaveLength(1);
    }),
    { numRuns: 25 },
  );
});
