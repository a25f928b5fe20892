import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { endPause, putPause } from '../../../lib/pauses/manage.ts';
import type { Pause } from '../../../lib/pauses/schemas.ts';
import type { PauseScope } from '../../../lib/pauses/scope.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { releaseHeld } from '../../../lib/recovery/held-targets.ts';
import { rebuildProjections } from '../../../lib/recovery/rebuild-projections.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { holdingScope } from '../../../lib/targets/wake.ts';
import { operatorAct } from '../../support/acts.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { failingTable } from './fixture.ts';

let table: Table;
let nowMs = startMs;
beforeEach(async () => {
  table = await createTestTable();
  nowMs = startMs;
});

const scope: PauseScope = { kind: 'platform', platform: 'instagram' };
const operator = () => ({ ...operatorAct('pause.begin'), table, now: nowMs });
const pause = () => putPause(operator(), { scope, reason: 'an incident' });
const resume = () => endPause(operator(), scope);

/** Stores targets that the pause holds, due at these times after the start. */
async function hold(by: Pause, dueAfterMs: readonly number[], workspaceId = newId(startMs)) {
  const held: Target[] = [];
  for (const afterMs of dueAfterMs) {
    const dueAt = toTimestamp(startMs + afterMs);
    const { targets } = await storePost(table, workspaceId, [{ scheduledFor: dueAt }]);
    for (const target of targets) {
      const wakeAt = toTimestamp(startMs + afterMs + dayMs + secondMs);
      const changes = { wakeAt, error: 'paused' };
      const keeping = { scope: by.scope, dueAt };
      held.push(await updateTarget(table, target, changes, newId(startMs), keeping));
    }
  }
  return held;
}

const read = async ({ workspaceId, postId }: Target): Promise<Target> => {
  const target = (await findPost(table, workspaceId, postId))?.targets[0];
  if (!target) throw new Error('the target is gone');
  return target;
};
const isHeld = async (target: Target) => holdingScope(await read(target)) !== undefined;
const heldCount = async (targets: readonly Target[]) =>
  (await Promise.all(targets.map(isHeld))).filter(Boolean).length;

const ports = (using: Table = table) => ({ ...sweepPorts(using, () => nowMs) });
/** One sweep, a minute after the last one. */
async function sweep(using: Table = table) {
  nowMs += minuteMs;
  return sweepOverdue(ports(using), Number.POSITIVE_INFINITY);
}

/** The table, with an index that does not show held targets yet. */
function withoutHeldShards(): Table {
  const client = new Proxy(table.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: object) => {
            const partition =
              command instanceof QueryCommand && command.input.ExpressionAttributeValues?.[':partition'];
            if (String(partition).startsWith('HELD#')) return { Items: [] };
            return target.send(command as Parameters<typeof target.send>[0]);
          }
        : Reflect.get(target, name, target),
  });
  return { ...table, client };
}

describe('the end of a pause', () => {
  it('releases what it held in order of due time, whatever the workspace', async () => {
    const by = await pause();
    const [one, other] = [newId(startMs), newId(startMs)];
    const times = [50, 10, 40, 20, 30].map((minutes) => minutes * minuteMs);
    const held = [
      ...(await hold(by, times, one)),
      ...(await hold(
        by,
        [60, 61, 62, 63].map((m) => m * minuteMs),
        other,
      )),
    ];
    await resume();
    const released: (string | undefined)[] = [];
    const recording = failingTable(table, (command) => {
      if (command instanceof UpdateCommand)
        released.push(held.find(({ postId }) => command.input.Key?.['pk'].endsWith(postId))?.scheduledFor);
      return false;
    });
    expect(await releaseHeld(ports(recording), by.scope, Number.POSITIVE_INFINITY)).toBe(9);
    expect(released).toEqual(released.toSorted());
    expect(released).toHaveLength(9);
  });

  it('gives each target its wake now, in the shards that the sweep reads', async () => {
    const by = await pause();
    const [target] = await hold(by, [0]);
    if (!target) throw new Error('no target');
    nowMs += hourMs;
    await resume();
    await sweep();
    const at = toTimestamp(nowMs);
    const after = await read(target);
    expect(after).toMatchObject({ wakeAt: at, dueAt: at, wakeNumber: target.wakeNumber + 1 });
    expect(after.timeline.at(-1)).toMatchObject({ event: 'resumed', at, nextAt: at });
    expect(after.error).toBeUndefined();
    expect(await sweep()).toMatchObject({ targets: 1 });
  });

  it('survives a crash of every write: the next sweeps release the rest', async () => {
    const by = await pause();
    const held = await hold(
      by,
      Array.from({ length: 12 }, (_, index) => index * minuteMs),
    );
    await resume();
    let writes = 0;
    const crashing = failingTable(table, (command) => {
      if (!(command instanceof UpdateCommand)) return false;
      writes += 1;
      return writes > 4;
    });
    await sweep(crashing);
    expect(await heldCount(held)).toBe(8);
    for (let sweeps = 0; sweeps < 4; sweeps += 1) await sweep();
    expect(await heldCount(held)).toBe(0);
  });

  it('stops at its deadline, and the next sweep continues', async () => {
    const by = await pause();
    const held = await hold(
      by,
      Array.from({ length: 130 }, (_, index) => index),
    );
    await resume();
    // Each page takes longer than one sweep may release targets.
    const slow = failingTable(table, (command) => {
      if (command.constructor.name === 'BatchGetCommand') nowMs += 25 * secondMs;
      return false;
    });
    await sweep(slow);
    const left = await heldCount(held);
    expect(left).toBe(30);
    await sweep();
    expect(await heldCount(held)).toBe(0);
  });

  it('looks again for ten minutes, because the index may show a held target late, and then ends its task', async () => {
    const by = await pause();
    const late = await hold(by, [0]);
    await resume();
    const lagging = withoutHeldShards();
    for (let minutes = 0; minutes < 8; minutes += 1)
      expect(await sweep(lagging)).toMatchObject({ pauseLooks: 1, repairs: 0 });
    expect(await heldCount(late)).toBe(1);
    await sweep();
    expect(await heldCount(late)).toBe(0);
    let looks = 0;
    for (let minutes = 0; minutes < 60; minutes += 1) looks += (await sweep()).pauseLooks;
    expect(looks).toBe(10);
  });

  it('releases nothing twice if the command and the sweep do it at the same time', async () => {
    const by = await pause();
    const held = await hold(
      by,
      Array.from({ length: 30 }, (_, index) => index),
    );
    await resume();
    const counts = await Promise.all(
      [1, 2, 3].map(() => releaseHeld(ports(), by.scope, Number.POSITIVE_INFINITY)),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
    for (const target of held)
      expect((await read(target)).timeline.filter(({ event }) => event === 'resumed')).toHaveLength(1);
  });

  it('leaves what another pause of the same scope holds by then', async () => {
    await pause();
    await resume();
    const next = await pause();
    const held = await hold(next, [0]);
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweep();
    expect(await heldCount(held)).toBe(1);
  });
});

describe('a pause that lasts', () => {
  it('costs one small look per hour, for longer than repair tasks are kept', async () => {
    const by = await pause();
    const held = await hold(by, [45 * dayMs]);
    let looks = 0;
    for (let hours = 0; hours < 10; hours += 1) {
      nowMs += hourMs;
      looks += (await sweepOverdue(ports(), Number.POSITIVE_INFINITY)).pauseLooks;
    }
    expect(looks).toBeLessThanOrEqual(10);
    nowMs += 40 * dayMs;
    await sweep();
    expect(await heldCount(held)).toBe(1);
    await resume();
    await sweep();
    expect(await heldCount(held)).toBe(0);
  });

  it('renews the expiry of its task with each look', async () => {
    const by = await pause();
    const expiries: unknown[] = [];
    const watching = failingTable(table, (command) => {
      if (command instanceof UpdateCommand)
        expiries.push(command.input.ExpressionAttributeValues?.[':expiresAtSeconds']);
      return false;
    });
    nowMs += 2 * dayMs;
    await sweep(watching);
    expect(by.id).toBeDefined();
    expect(expiries).toEqual([Math.ceil((nowMs + 30 * dayMs) / secondMs)]);
  });
});

describe('the rebuild of a workspace', () => {
  const rebuild = (workspaceId: string) =>
    rebuildProjections({ table, dailyLimits: {}, now: nowMs }, workspaceId);

  it('leaves a target that its pause holds', async () => {
    const by = await pause();
    const [target] = await hold(by, [0]);
    if (!target) throw new Error('no target');
    await rebuild(target.workspaceId);
    expect(await read(target)).toEqual(target);
  });

  it('releases a target that is still held although its pause has ended', async () => {
    const by = await pause();
    const [target] = await hold(by, [0]);
    if (!target) throw new Error('no target');
    await resume();
    await rebuild(target.workspaceId);
    expect(await isHeld(target)).toBe(false);
    expect(await read(target)).toMatchObject({ wakeAt: toTimestamp(nowMs) });
  });
});
