import { beforeAll, describe, expect, it } from 'vitest';
import { listMedia } from '../../../../lib/media/read.ts';
import { toMediaView } from '../../../../lib/media/view.ts';
import { batchPut } from '../../../../lib/table/batch-write.ts';
import { mediaKey } from '../../../../lib/table/keys.ts';
import { aMedia, openWorkspace } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { type FuzzSummary, fuzz } from './fuzz.ts';
import { fuzzedFile } from './mutate.ts';

const mebibyte = 1_048_576;

describe('600 damaged and hostile files', () => {
  let found: FuzzSummary;
  beforeAll(async () => {
    found = await fuzz({ seed: 16, first: 0, count: 600 });
  });

  it('are all inspected: none makes an inspection throw, or find what is not valid', () => {
    expect(found.failures).toEqual([]);
    expect(found.fit + found.unfit).toBe(600);
    expect(found.fit).toBeGreaterThan(100);
    expect(found.unfit).toBeGreaterThan(100);
  });

  it('take less than a second and 64 MB each, and few bytes', () => {
    expect(found.maxCpuMs, found.slowest).toBeLessThan(1_000);
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
    const { media } = await listMedia({ ...context, table }, { limit: 1_000 });
    const shown = new Map(
      media.map((each) => [each.id, toMediaView(each, 'https://media.example.com').probe]),
    );
    expect(shown).toEqual(new Map(stored.map(({ id, probe }) => [id, probe])));
  });
});

it('the same seed and number make the same file', () => {
  for (let index = 0; index < 20; index += 1) {
    const [one, again] = [fuzzedFile(3, index), fuzzedFile(3, index)];
    expect(one.bytes.equals(again.bytes)).toBe(true);
    expect({ ...one, bytes: 0 }).toEqual({ ...again, bytes: 0 });
  }
});
