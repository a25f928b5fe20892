import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { rebuildProjections } from '../../../lib/recovery/rebuild-projections.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { changeTarget, openWorkspace, startMs, storePost } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { relayChange, sweepAfter } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const oneMinuteLater = toTimestamp(startMs + minuteMs);

async function openTarget() {
  const { context } = await openWorkspace(table);
  const { post, targets } = await storePost(table, context.workspaceId, [{}]);
  const [target] = targets;
  if (!target) throw new Error('no target');
  const read = async (): Promise<Target> => {
    const found = (await findPost(table, context.workspaceId, post.id))?.targets[0];
    if (!found) throw new Error('the target is gone');
    return found;
  };
  return { context, post, target, read };
}

/** Removes an attribute of the stored target, as an earlier version of the service did. */
async function remove(target: Target, attribute: string): Promise<void> {
  const { pk, sk } = targetKey(target.workspaceId, target.postId, target.accountId);
  await table.client.send(
    new UpdateCommand({ TableName: table.name, Key: { pk, sk }, UpdateExpression: `REMOVE ${attribute}` }),
  );
}

describe('a failed target that is retried', () => {
  it('is found by the sweep if the queue accepts no message for 15 minutes', async () => {
    const { context, post, target } = await openTarget();
    await changeTarget(table, target, {
      status: 'failed',
      problem: { code: 'platform_rejected', text: 'no' },
      wakeAt: null,
    });
    expect((await sweepAfter(table, 15)).messages).toEqual([]);
    await retryPost(context, post.id);
    expect((await sweepAfter(table, 15)).messages).toMatchObject([{ wakeNumber: 2 }]);
  });
});

describe.each(['dueAt', 'dueShard'])('a waiting target that an earlier version stored without %s', (name) => {
  it('is found by the sweep after its next wake', async () => {
    const { target, read } = await openTarget();
    await remove(target, name);
    await changeTarget(table, await read(), { wakeAt: oneMinuteLater });
    expect((await sweepAfter(table, 15)).messages).toMatchObject([{ wakeNumber: 2 }]);
  });

  it('is found by the sweep after its workspace is rebuilt', async () => {
    const { context, target } = await openTarget();
    await remove(target, name);
    expect((await sweepAfter(table, 15)).messages).toEqual([]);
    await rebuildProjections({ table, dailyLimits: {}, now: startMs }, context.workspaceId);
    expect((await sweepAfter(table, 15)).messages).toMatchObject([{ wakeNumber: 1 }]);
  });

  it('is found by the sweep after the relay has seen any change of it', async () => {
    const { target, read } = await openTarget();
    await remove(target, name);
    const after = await read();
    const ports = {
      ...sweepPorts(table, () => startMs),
      enqueueChain: async () => {},
      stopAutomation: async () => {},
    };
    await relayChange(
      { before: after, after, atMs: startMs },
      { ...ports, enqueueDistant: async () => {}, report: () => {} },
    );
    expect((await sweepAfter(table, 15)).messages).toMatchObject([{ wakeNumber: 1 }]);
  });
});
