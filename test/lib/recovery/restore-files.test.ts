import { beforeEach, describe, expect, it } from 'vitest';
import {
  readRenditions,
  renditionItem,
  renditionsOf,
  requestRendition,
} from '../../../lib/media/renditions/records.ts';
import { restoreFiles } from '../../../lib/recovery/restore/files.ts';
import { putItem } from '../../../lib/table/items.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs, storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

describe('after the loss of the bucket, a rendition', () => {
  it.each([
    ['without an object is forgotten, so that it is made again', 'ready', false, 1],
    ['that is still there stays', 'ready', true, 0],
    ['that is not made yet stays', 'wanted', false, 0],
  ] as const)('%s', async (_case, status, isThere, renditions) => {
    const { context } = await openWorkspace(table);
    const { workspaceId } = context;
    const media = await storeMedia(table, workspaceId);
    const recipe = { kind: 'video', contentType: 'video/mp4', maxBytes: 1_000 } as const;
    const name = { workspaceId, mediaId: media.id, recipe };
    await requestRendition({ table, now: () => startMs, enqueueRendition: async () => {} }, name);
    const [rendition] = await readRenditions(table, [name]);
    if (!rendition) throw new Error('there is no rendition');
    await putItem(table, renditionItem({ ...rendition, status }), {});
    const there = new Set([media.objectKey, ...(isThere ? [rendition.objectKey] : [])]);
    const ports = {
      table,
      exists: async (objectKey: string) => there.has(objectKey),
      report: (_message: string, error: unknown) => {
        throw error;
      },
    };
    const count = { checked: 1, copied: 0, lost: 0, renditions, failures: 0 };
    expect(await restoreFiles(ports, { isDryRun: true })).toEqual(count);
    expect(await renditionsOf(table, workspaceId, media.id)).toHaveLength(1);
    expect(await restoreFiles(ports)).toEqual(count);
    expect(await renditionsOf(table, workspaceId, media.id)).toHaveLength(1 - renditions);
  });
});
