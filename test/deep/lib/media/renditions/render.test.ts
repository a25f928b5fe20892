import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Recipe } from '../../../../../lib/media/renditions/recipe.ts';
import { openRenderer } from '../../../../../lib/media/renditions/render.ts';
import { fuzzedFile } from '../../../../lib/media/fuzz/mutate.ts';
import { box, ftyp, mvhd, trak, uint32 } from '../../../../support/media-files.ts';

const picture: Recipe = {
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: 540,
  heightPixels: 540,
  maxBytes: 8_000_000,
  fit: 'pad',
  background: '#ffffff',
};
const video: Recipe = { kind: 'video', contentType: 'video/mp4', maxBytes: 1_000_000 };

const programPath = join(import.meta.dirname, '../../../../../lib/media/renditions/render-process.ts');
const renderer = (changes: { programPath?: string; timeLimitMs?: number } = {}) =>
  openRenderer({ programPath, environment: {}, timeLimitMs: 120_000, ...changes });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-render-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const original = (bytes: Buffer, contentType: string, sizeBytes = bytes.length) => ({
  contentType,
  sizeBytes,
  readRange: async (first: number, last: number) => {
    const range = Buffer.alloc(last - first + 1);
    bytes.copy(range, 0, first, Math.min(bytes.length, last + 1));
    return range;
  },
});

const corpusFile = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../fixtures/media-corpus', name));

it('a file is rendered in a process of its own', async () => {
  const rendered = await renderer()(picture, original(corpusFile('photo.jpg'), 'image/jpeg'), folder);
  expect(rendered).toMatchObject({ state: 'rendered', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const bytes = rendered.state === 'rendered' ? readFileSync(rendered.path) : Buffer.alloc(0);
  expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
});

/** An index of a few hundred bytes that claims four billion frames. */
const billions = () => {
  const count = uint32(0xffff_ffff);
  const tables = [box('stsz', 0, 1, count), box('stsc', 0, 1, 1, count, 1), box('stco', 0, 1, 48)];
  const times = Buffer.concat([uint32(1), count, uint32(1)]);
  return Buffer.concat([ftyp, box('moov', mvhd(), trak({ times, tables })), box('mdat', Buffer.alloc(100))]);
};

describe('a hostile file fails, and harms nothing:', { timeout: 300_000 }, () => {
  it('an index that claims four billion frames', async () => {
    expect(await renderer()(video, original(billions(), 'video/mp4'), folder)).toMatchObject({
      state: 'failed',
    });
  });

  it('one that takes too long', async () => {
    const slow = renderer({ timeLimitMs: 1 });
    expect(await slow(picture, original(corpusFile('photo.jpg'), 'image/jpeg'), folder)).toEqual({
      state: 'failed',
      reason: 'converting the file takes too much time or memory',
    });
  });

  it('24 damaged files', async () => {
    const states = new Map<string, number>();
    for (let index = 0; index < 24; index += 1) {
      const { bytes, contentType, sizeBytes } = fuzzedFile(24, index);
      if (contentType.startsWith('application/') || sizeBytes > 100_000_000) continue;
      const recipe = contentType.startsWith('video/') ? video : picture;
      const { state } = await renderer()(recipe, original(bytes, contentType, sizeBytes), folder);
      states.set(state, (states.get(state) ?? 0) + 1);
    }
    expect([...states.keys()].sort()).toEqual(['failed', 'rendered']);
  });
});

it('a fault of ours is no fault of the file: it can be tried again', async () => {
  const broken = renderer({ programPath: join(folder, 'missing.ts') });
  const rendering = broken(picture, original(corpusFile('photo.jpg'), 'image/jpeg'), folder);
  await expect(rendering).rejects.toThrow(/ended with exit code 1: .*/s);
});
