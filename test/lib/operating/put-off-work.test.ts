import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { findPutOffWork, type PutOffWork, putOffProblems } from '../../../lib/operating/put-off-work.ts';
import { batchPut } from '../../../lib/table/batch-write.ts';
import { mediaKey, mediaShard } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { deliveryItem, newDelivery } from '../../../lib/webhooks/deliveries/store.ts';
import { aMedia, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const at = (minutes: number) => toTimestamp(startMs + minutes * minuteMs);
const workspaceId = newId(startMs);

function delivery(webhookId: string, failures: number) {
  const event = { id: newId(startMs), workspaceId, type: 'post.published', createdAt: at(0) } as const;
  const attempt = (minutes: number, error: string) => ({
    ...{ at: at(minutes), statusCode: null, latencyMs: 5, responseStart: null, error },
  });
  return deliveryItem({
    ...newDelivery({ ...event, expiresAtSeconds: 2_000_000_000 }, webhookId, startMs),
    failures,
    attempts: Array.from({ length: failures }, (_, number) => attempt(number, 'the connection was refused')),
    nextAttemptAt: at(60),
  });
}

function importing(failingSince: string | undefined) {
  const media = aMedia(workspaceId, { status: 'pending' });
  const error = 'the server has answered 503';
  const progress = { status: 'waiting', attempts: 3, receivedBytes: 0, notBefore: at(2) } as const;
  return {
    ...mediaKey(workspaceId, media.id),
    ...{ kind: 'media', ...media, import: { ...progress, ...(failingSince && { failingSince, error }) } },
    ...{ dueAt: at(2), dueShard: mediaShard(media.id) },
  };
}

describe('the work that failed and is tried again', () => {
  it('is counted by endpoint and by workspace, with its earliest failure and its reason', async () => {
    const [webhookId, healthy] = [newId(startMs), newId(startMs)];
    await batchPut(table, [
      ...[delivery(webhookId, 3), delivery(webhookId, 1), delivery(healthy, 0)],
      ...[importing(at(-30)), importing(undefined)],
    ]);
    expect(await findPutOffWork(table, startMs)).toEqual([
      {
        ...{ work: 'webhook deliveries', workspaceId, id: webhookId, count: 2 },
        ...{ since: at(0), reason: 'the connection was refused' },
      },
      {
        ...{ work: 'imports of files', workspaceId, count: 1, since: at(-30) },
        reason: 'the server has answered 503',
      },
    ]);
  });

  const row = (changes: Partial<PutOffWork> = {}): PutOffWork => ({
    ...{ work: 'imports of files', workspaceId: 'one', count: 4, since: at(-15), reason: 'no', ...changes },
  });
  const other = row({ workspaceId: 'two', count: 1 });

  it('is a problem of the stage if several workspaces have much of it for a while', () => {
    expect(putOffProblems([row(), other], startMs)).toEqual([
      `5 imports of files of 2 workspaces are put off since ${at(-15)}: no`,
    ]);
  });

  it.each<[string, PutOffWork[]]>([
    ['of one workspace', [row({ count: 50 })]],
    ['of different kinds', [row(), { ...other, work: 'webhook deliveries' }]],
    ['that is little', [row({ count: 3 }), other]],
    ['that has just begun', [row({ since: at(-14) }), { ...other, since: at(-1) }]],
  ])('is none: work %s', (_, rows) => {
    expect(putOffProblems(rows, startMs)).toEqual([]);
  });
});
