import { beforeAll, expect, it } from 'vitest';
import { listMedia } from '../../../../lib/media/read.ts';
import { toMediaView } from '../../../../lib/media/view.ts';
import { seesMedia } from '../../../../lib/posts/stored/visible-media.ts';
import { batchPut } from '../../../../lib/table/batch-write.ts';
import { mediaKey } from '../../../../lib/table/keys.ts';
import { aMedia, openWorkspace } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { type FuzzRun, type FuzzSummary, fuzz } from './fuzz.ts';

const mebibyte = 1_048_576;

/** Declares the tests of what inspections find in damaged and hostile files. */
export function testFuzzedFiles(run: FuzzRun, more?: (found: () => FuzzSummary) => void): void {
  let found: FuzzSummary;
  beforeAll(async () => {
    found = await fuzz(run);
  });

  it('are all inspected: none makes an inspection throw, or find what is not valid', () => {
    expect(found.failures).toEqual([]);
    expect(found.fit + found.unfit).toBe(run.count);
    expect(found.fit).toBeGreaterThan(run.count / 6);
    expect(found.unfit).toBeGreaterThan(run.count / 6);
  });

  it('take less than 64 MB each, and few bytes', () => {
    expect(found.maxGrownBytes, found.largest).toBeLessThan(64 * mebibyte);
    expect(found.maxRanges).toBeLessThanOrEqual(24);
    expect(found.maxReadBytes).toBeLessThanOrEqual(16 * mebibyte);
  });

  it('have probes that can be stored and listed', async () => {
    const table = await createTestTable();
    const { context } = await openWorkspace(table);
    const stored = found.probes.map((probe) => aMedia(context.workspaceId, { probe }));
    await batchPut(
      table,
      stored.map((media) => ({ ...mediaKey(media.workspaceId, media.id), kind: 'media', ...media })),
    );
    const { media } = await listMedia({ ...context, table, seesMedia }, { limit: 1_000 });
    const shown = new Map(
      media.map((each) => [each.id, toMediaView(each, 'https://media.example.com').probe]),
    );
    expect(shown).toEqual(new Map(stored.map(({ id, probe }) => [id, probe])));
  });

  more?.(() => found);
}
