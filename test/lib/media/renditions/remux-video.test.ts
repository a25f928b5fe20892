import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../lib/media/probe/inspect.ts';
import { type RemuxLimits, remuxVideo } from '../../../../lib/media/renditions/remux-video.ts';
import { runRenderTask } from '../../../../lib/media/renditions/render-task.ts';
import type { MediaProbe } from '../../../../lib/media/schemas.ts';
import { contentTypeOf } from '../../../../lib/media/types.ts';
import { box, ftyp, mp4, mvhd, trak, uint32 } from '../../../support/media-files.ts';

const corpus = join(import.meta.dirname, '../../../fixtures/media-corpus');
const folder = mkdtempSync(join(tmpdir(), 'herald-remux-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'in');
const outputPath = join(folder, 'out');

interface Options {
  readonly contentType?: 'video/mp4' | 'video/webm';
  readonly maxBytes?: number;
  readonly limits?: RemuxLimits;
}

/** Remuxes a file, and probes the result. */
async function remux(
  path: string,
  { contentType = 'video/mp4', maxBytes = 1_000_000, limits }: Options = {},
): Promise<MediaProbe> {
  await remuxVideo({ kind: 'video', contentType, maxBytes }, path, outputPath, limits);
  return probeOf(readFileSync(outputPath), contentType);
}

async function probeOf(bytes: Buffer, contentType: string): Promise<MediaProbe> {
  const found = await inspectFile(
    async (first, last) => bytes.subarray(first, last + 1),
    bytes.length,
    contentType,
  );
  if (found.state !== 'fit' || !found.probe) throw new Error(JSON.stringify(found));
  return found.probe;
}

describe('a repaired video has its index first, no fragments, no edit list, and the same tracks', () => {
  it.each([
    'plain.mp4',
    'index-last.mp4',
    'edit-list.mp4',
    'fragmented.mp4',
    'fragmented-by-time.mp4',
    'dash.mp4',
    'plain.mov',
    'phone-hlg.mov',
    'phone-rotated.mov',
    'anamorphic.mp4',
    'variable-rate.mp4',
    'silent.mp4',
    'mp3-sound.mp4',
    'av1-opus.webm',
    'live.webm',
  ])('from %s', async (name) => {
    const file = join(corpus, name);
    const before = await probeOf(readFileSync(file), contentTypeOf(name) ?? '');
    const { durationMs: had = 0, frameRate: rate = 0, container: _before, unknown: _, ...tracks } = before;
    const { durationMs = 0, frameRate = 0, ...after } = await remux(file);
    expect(after).toEqual({
      ...tracks,
      container: 'mp4',
      moovFirst: true,
      isFragmented: false,
      hasEditList: false,
    });
    expect(Math.abs(durationMs - had)).toBeLessThan(110);
    // The last frame may last longer.
    expect(Math.abs(frameRate - rate)).toBeLessThan(0.6);
  });

  it('and the same original gives the same bytes', async () => {
    const file = join(corpus, 'plain.mov');
    await remux(file);
    const first = readFileSync(outputPath);
    await remux(file);
    expect(readFileSync(outputPath).equals(first)).toBe(true);
  });

  it('in WebM, too', async () => {
    const made = await remux(join(corpus, 'live.webm'), { contentType: 'video/webm' });
    expect(made).toMatchObject({ container: 'webm', videoCodec: 'vp9', audioCodec: 'opus', width: 540 });
  });
});

describe('a video is refused with the reason', () => {
  it.each([
    ['vp8-vorbis.webm', /its picture is encoded as vp8, which does not belong into MP4/],
    ['mpeg-4.mp4', /its picture is encoded as mpeg4/],
    ['prores.mov', /its picture is encoded as prores/],
    ['pcm-sound.mov', /its sound is encoded as pcm-s16/],
    ['transparent.webm', /transparent parts/],
    ['audio-only.mp4', /no video track/],
  ])('%s', async (name, reason) => {
    await expect(remux(join(corpus, name))).rejects.toMatchObject({
      name: 'UnrenderableError',
      message: expect.stringMatching(reason),
    });
  });

  it('if it would have too many bytes', async () => {
    await expect(remux(join(corpus, 'plain.mp4'), { maxBytes: 10_000 })).rejects.toThrow(
      'more than 10000 bytes',
    );
  });

  it.each([
    ['frames', { maxPackets: 200, maxPacketBytes: 1_000_000 }, /too many frames/],
    [
      'bytes in a frame',
      { maxPackets: 10_000, maxPacketBytes: 1_000 },
      /a frame has \d+ bytes, more than 1000/,
    ],
  ])('if it has too many %s', async (_, limits, reason) => {
    await expect(remux(join(corpus, 'plain.mp4'), { limits })).rejects.toThrow(reason);
  });

  it('if a small index claims four billion frames', async () => {
    const [samples, fileBytes] = [uint32(0xffff_ffff), Buffer.alloc(100)];
    const tables = [box('stsz', 0, 1, samples), box('stsc', 0, 1, 1, samples, 1), box('stco', 0, 1, 48)];
    const times = Buffer.concat([uint32(1), samples, uint32(1)]);
    const hostile = Buffer.concat([
      ftyp,
      box('moov', mvhd(), trak({ times, tables })),
      box('mdat', fileBytes),
    ]);
    writeFileSync(path, hostile);
    await expect(remux(path)).rejects.toThrow('too many frames');
  });

  it('if only a part of it was understood', async () => {
    const task = {
      recipe: { kind: 'video', contentType: 'video/mp4', maxBytes: 1_000_000 },
      contentType: 'video/mp4',
      inputPath: join(corpus, 'fragmented-after-index.mp4'),
      outputPath,
    } as const;
    expect(await runRenderTask(task)).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^only \d+ of its \d+ ms could be repaired/),
    });
  });

  /** A whole file, with another edit list in its first track. */
  const withEdits = (
    name: string,
    ...entries: readonly (readonly [ticks: number, time: number, rate: number])[]
  ) => {
    const bytes = readFileSync(join(corpus, name));
    const at = bytes.indexOf('elst');
    // Of one entry: the second one overwrites what follows, which is the header of the track's media.
    bytes.writeUInt32BE(entries.length, at + 8);
    for (const [index, [ticks, time, rate]] of entries.entries()) {
      bytes.writeUInt32BE(ticks, at + 12 + 12 * index);
      bytes.writeInt32BE(time, at + 16 + 12 * index);
      bytes.writeInt32BE(rate, at + 20 + 12 * index);
    }
    writeFileSync(path, bytes);
  };

  it('if its edit list slows it down', async () => {
    withEdits('plain.mov', [4_200, 1_024, 0x8000]);
    await expect(remux(path)).rejects.toThrow('changes their speed');
  });

  it('if it begins between two complete frames', async () => {
    withEdits('plain.mov', [2_000, 15_360, 0x1_0000]);
    await expect(remux(path)).rejects.toThrow('begins at a frame that depends on hidden ones');
  });

  it('and cut at the end of its edit list', async () => {
    withEdits('plain.mov', [2_000, 1_024, 0x1_0000]);
    const made = await remux(path);
    expect(made.frameRate).toBeCloseTo(30, 0);
    const frames = readFileSync(outputPath);
    const count = frames.readUInt32BE(frames.indexOf('stsz') + 12);
    expect(count).toBeGreaterThanOrEqual(60);
    expect(count).toBeLessThan(66);
  });

  it.each([
    ['no index', () => Buffer.concat([ftyp, box('mdat', Buffer.alloc(100))])],
    ['tracks without samples', () => mp4(mvhd(), trak())],
    ['nothing', () => Buffer.alloc(0)],
    ['an index of zeros', () => mp4(mvhd(), trak({ times: uint32(0) }))],
  ])('if it has %s', async (_, file) => {
    writeFileSync(path, file());
    await expect(remux(path)).rejects.toMatchObject({ name: 'UnrenderableError' });
  });
});
