import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../lib/media/probe/inspect.ts';
import { readCorpusFile } from '../../../support/media-corpus.ts';
import { box } from '../../../support/media-files.ts';

const mebibyte = 1_048_576;

/** A file of many parts, most of which are zeros that are not held in memory. */
type Part = Uint8Array | number;

async function inspect(contentType: string, ...parts: readonly Part[]) {
  let sizeBytes = 0;
  const placed = parts.map((part) => {
    const start = sizeBytes;
    sizeBytes += typeof part === 'number' ? part : part.length;
    return { start, bytes: typeof part === 'number' ? undefined : part };
  });
  const ranges: number[] = [];
  const found = await inspectFile(
    async (first, last) => {
      ranges.push(last - first + 1);
      const range = new Uint8Array(last - first + 1);
      for (const { start, bytes } of placed) {
        if (!bytes || start > last || start + bytes.length <= first) continue;
        const from = Math.max(0, first - start);
        range.set(bytes.subarray(from, Math.min(bytes.length, last + 1 - start)), Math.max(0, start - first));
      }
      return range;
    },
    sizeBytes,
    contentType,
  );
  return { found, ranges: ranges.length, readBytes: ranges.reduce((sum, bytes) => sum + bytes, 0) };
}

/** The header of a box of this size, whose content follows. */
const header = (type: string, sizeBytes: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(sizeBytes);
  bytes.write(type, 4, 'latin1');
  return bytes;
};

describe('a recording of 1 GiB in fragments', () => {
  const recording = readCorpusFile('fragmented.mp4');
  const firstAt = recording.indexOf('moof') - 4;
  const lastAt = recording.lastIndexOf('moof') - 4;
  const [index, first, last] = [
    recording.subarray(0, firstAt),
    recording.subarray(firstAt, lastAt),
    recording.subarray(lastAt),
  ];
  const between = [header('mdat', 1_000 * mebibyte), 1_000 * mebibyte - 8];

  it('is measured by its first and its last fragment', async () => {
    const { found, ranges, readBytes } = await inspect('video/mp4', index, first, ...between, last);
    expect(found).toMatchObject({
      state: 'fit',
      probe: { durationMs: 4_200, frameRate: 30, isFragmented: true, chroma: '4:2:0' },
    });
    expect(found).not.toHaveProperty('probe.unknown');
    expect(ranges).toBeLessThanOrEqual(4);
    expect(readBytes).toBeLessThan(mebibyte);
  });

  it('is refused if it is cut off in its last fragment', async () => {
    const { found } = await inspect(
      'video/mp4',
      index,
      first,
      ...between,
      last.subarray(0, last.readUInt32BE(0) + 100),
    );
    expect(found).toMatchObject({ state: 'unfit', reason: expect.stringContaining('cut off') });
  });

  it('has an unknown duration if its last fragment is larger than what is searched', async () => {
    const moof = last.subarray(0, last.readUInt32BE(0));
    const media = [header('mdat', 6 * mebibyte), 6 * mebibyte - 8];
    const { found, readBytes } = await inspect('video/mp4', index, first, ...between, moof, ...media);
    expect(found).toMatchObject({ state: 'fit', probe: { unknown: ['durationMs', 'frameRate'] } });
    expect(readBytes).toBeLessThan(6 * mebibyte);
  });
});

describe('a recording of 1 GiB in WebM without a duration', () => {
  const recording = readCorpusFile('live.webm');
  const cluster = Buffer.from('1f43b675', 'hex');
  const lastAt = recording.lastIndexOf(cluster);
  // An element of ten bytes that is empty for readers (Void), whose size takes eight bytes.
  const empty = Buffer.from('ec01', 'hex');
  const size = Buffer.alloc(7);
  size.writeUIntBE(1_000 * mebibyte, 1, 6);

  it('is measured by its last cluster', async () => {
    const parts = [recording.subarray(0, lastAt), empty, size, 1_000 * mebibyte, recording.subarray(lastAt)];
    const { found, ranges, readBytes } = await inspect('video/webm', ...parts);
    expect(found).toMatchObject({
      state: 'fit',
      probe: { frameRate: 30, videoCodec: 'vp9', chroma: '4:2:0' },
    });
    const { durationMs = 0 } = (found.state === 'fit' && found.probe) || {};
    expect(Math.abs(durationMs - 4_200)).toBeLessThan(100);
    expect(ranges).toBeLessThanOrEqual(4);
    expect(readBytes).toBeLessThan(mebibyte);
  });
});

describe('a photo of 30 MiB', () => {
  const photo = readCorpusFile('photo.jpg');
  const scanAt = photo.indexOf(Buffer.from('ffda', 'hex'));
  const [head, scan] = [photo.subarray(0, scanAt), photo.subarray(scanAt)];

  it.each([
    ['with 10 MiB of notes before its data', [head, ...notes(160), scan], 'fit'],
    ['with 29 MiB of data', [photo.subarray(0, -100), 29 * mebibyte, photo.subarray(-100)], 'fit'],
    ['with a video of 29 MiB behind it', [photo, 29 * mebibyte, videoTail()], 'fit'],
    ['that ends within its data', [photo.subarray(0, -100), 29 * mebibyte], 'unfit'],
  ] as const)('%s', async (_what, parts, state) => {
    const { found, readBytes } = await inspect('image/jpeg', ...parts);
    expect(found).toMatchObject({ state });
    expect(readBytes).toBeLessThanOrEqual(16 * mebibyte);
  });
});

/** Segments of notes (COM) of 64 kB each. */
function notes(count: number): Buffer[] {
  const note = Buffer.alloc(65_537);
  note.writeUInt16BE(0xfffe);
  note.writeUInt16BE(65_535, 2);
  return Array.from({ length: count }, () => note);
}

function videoTail(): Buffer {
  return Buffer.concat([readCorpusFile('plain.mp4'), box('free', 'end')]);
}
