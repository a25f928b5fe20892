import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { auditOverdue, requireOverdueComplete } from '../../support/audit-overdue.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** Stores a target, and then changes its attributes in a way that the service never should. */
async function plant(changes: string, target: Partial<Target> = {}): Promise<string> {
  const { targets } = await storePost(table, newId(startMs), [target]);
  const { workspaceId = '', postId = '', accountId = '' } = targets[0] ?? {};
  const { pk, sk } = targetKey(workspaceId, postId, accountId);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { pk, sk },
      UpdateExpression: changes,
      ...(changes.includes(':value') && {
        ExpressionAttributeValues: { ':value': toTimestamp(startMs + minuteMs + 1) },
      }),
    }),
  );
  return `${pk} ${sk}`;
}

describe('the audit of the index `overdue`', () => {
  it.each<[string, string, Partial<Target>]>([
    ['has no place in the index', 'REMOVE dueAt, dueShard', {}],
    ['has no time in the index', 'REMOVE dueAt', {}],
    ['has no shard', 'REMOVE dueShard', {}],
    ['has a shard that no sweep reads', 'SET dueShard = pk', {}],
    ['is found more than a minute late', 'SET dueAt = :value', {}],
    ['is scheduled without a wake', 'REMOVE wakeAt, dueAt, dueShard', {}],
    ['is being published without a wake', 'REMOVE wakeAt, dueAt, dueShard', { status: 'publishing' }],
    ['is live, but not finished', 'REMOVE dueShard', { status: 'published' }],
  ])('reports a target that %s', async (_what, changes, target) => {
    await storePost(table, newId(startMs), [{}, { status: 'publishing' }]);
    const key = await plant(changes, target);
    expect(await auditOverdue(table, startMs)).toEqual([expect.stringContaining(key)]);
    await expect(requireOverdueComplete(table, startMs)).rejects.toThrow(key);
  });

  it.each<[string, string, Partial<Target>]>([
    ['a draft', 'REMOVE wakeAt, dueAt, dueShard', { status: 'draft' }],
    ['a failed target', 'REMOVE wakeAt, dueAt, dueShard', { status: 'failed' }],
    [
      'a target that the sweep has postponed',
      'SET dueAt = :value',
      { wakeAt: toTimestamp(startMs + 5 * minuteMs) },
    ],
  ])('does not report %s', async (_what, changes, target) => {
    await plant(changes, target);
    expect(await auditOverdue(table, startMs + 1)).toEqual([]);
  });
});
