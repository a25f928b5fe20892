import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectFile, inspectObject } from '../../../lib/media/probe/inspect.ts';
import { contentTypeOf } from '../../../lib/media/types.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures', name));

/** An object in a bucket that records which ranges are read. */
function object(bytes: Uint8Array) {
  const ranges: { first: number; last: number }[] = [];
  return {
    ranges,
    inspect: (contentType: string) =>
      inspectFile(
        async (first, last) => {
          ranges.push({ first, last });
          return bytes.subarray(first, last + 1);
        },
        bytes.length,
        contentType,
      ),
  };
}

describe('inspection finds', () => {
  it.each([
    ['image.jpg', 'image/jpeg', { width: 1_080, height: 1_350 }],
    ['tall.jpg', 'image/jpeg', { width: 200, height: 400 }],
    ['image.png', 'image/png', { width: 64, height: 64 }],
    [
      'video.mp4',
      'video/mp4',
      {
        width: 360,
        height: 640,
        durationMs: 6_024,
        videoCodec: 'h264',
        audioCodec: 'aac',
        audioSampleRate: 44_100,
        frameRate: 29.88,
        hasEditList: false,
        moovFirst: true,
      },
    ],
    ['moov-last.mp4', 'video/mp4', { durationMs: 6_000, hasEditList: false, moovFirst: false }],
    ['edit-list.mp4', 'video/mp4', { hasEditList: true, moovFirst: true, frameRate: 30 }],
    ['two-seconds.mp4', 'video/mp4', { durationMs: 2_000, videoCodec: 'h264' }],
  ])('%s', async (name, contentType, probe) => {
    expect(await object(fixture(name)).inspect(contentType)).toMatchObject({ state: 'fit', probe });
  });

  it('the displayed size of an image with a rotated orientation', async () => {
    const turned = withOrientation(fixture('image.jpg'), 6);
    expect(await object(turned).inspect('image/jpeg')).toMatchObject({
      probe: { width: 1_350, height: 1_080 },
    });
  });

  it('the displayed size of a video with a rotated track', async () => {
    const turned = turnedVideo(fixture('video.mp4'));
    expect(await object(turned).inspect('video/mp4')).toMatchObject({ probe: { width: 640, height: 360 } });
  });

  it('the properties of a WebM file', async () => {
    const probe = { videoCodec: 'vp9', width: 640, height: 360, frameRate: 25, audioCodec: 'opus' };
    expect(await object(webm()).inspect('video/webm')).toEqual({
      state: 'fit',
      probe: { ...probe, audioSampleRate: 48_000, durationMs: 4_500 },
    });
  });

  it('nothing beyond the type of a PDF', async () => {
    expect(await object(Buffer.from('%PDF-1.7\n%âãÏÓ\n')).inspect('application/pdf')).toEqual({
      state: 'fit',
    });
  });

  it('nothing in a truncated image, which is left to the platforms to judge', async () => {
    expect(await object(fixture('broken.jpg')).inspect('image/jpeg')).toEqual({ state: 'fit' });
  });

  it('nothing in a video with a truncated index, which is left to the platforms to judge', async () => {
    const cut = fixture('moov-last.mp4').subarray(0, 4_400);
    expect(await object(cut).inspect('video/mp4')).toEqual({ state: 'fit' });
  });
});

describe('a file is unfit', () => {
  it.each<[string, Uint8Array, string, string]>([
    [
      'an HTML page as an image',
      Buffer.from('<!DOCTYPE html><html></html>'),
      'image/jpeg',
      'of an unknown type',
    ],
    ['a PNG as a JPEG', fixture('image.png'), 'image/jpeg', 'image/png, not image/jpeg'],
    ['an image as a video', fixture('image.jpg'), 'video/mp4', 'image/jpeg, not video/mp4'],
    ['a video as an image', fixture('video.mp4'), 'image/png', 'video/mp4, not image/png'],
    ['an MP4 as WebM', fixture('video.mp4'), 'video/webm', 'video/mp4, not video/webm'],
    ['a program as a PDF', Buffer.from('MZ\x90\0\x03\0\0\0'), 'application/pdf', 'not application/pdf'],
    ['an empty file', Buffer.alloc(0), 'image/jpeg', 'empty'],
    ['audio only', audioOnly(fixture('video.mp4')), 'video/mp4', 'audio only'],
  ])('%s', async (_what, bytes, contentType, reason) => {
    expect(await object(bytes).inspect(contentType)).toEqual({
      state: 'unfit',
      reason: expect.stringContaining(reason),
    });
  });
});

it('accepts MP4 as QuickTime, because programs choose the brand freely', async () => {
  expect(await object(fixture('video.mp4')).inspect('video/quicktime')).toMatchObject({ state: 'fit' });
});

describe('of a large file', () => {
  it('reads the index at the end without the media data before it', async () => {
    const small = fixture('moov-last.mp4');
    const large = withLargeMedia(small, 512 * 1_048_576);
    const ranges: number[] = [];
    const found = await inspectFile(
      async (first, last) => {
        ranges.push(last - first + 1);
        return large.read(first, last);
      },
      large.sizeBytes,
      'video/mp4',
    );
    expect(found).toMatchObject({ state: 'fit', probe: { moovFirst: false, width: 360 } });
    expect(ranges.length).toBeLessThanOrEqual(4);
    expect(ranges.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(300_000);
  });

  it('reads at most 24 ranges and 16 MiB, whatever its content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(7_000), fc.nat(255)), { minLength: 1, maxLength: 30 }),
        fc.constantFrom('video.mp4', 'moov-last.mp4', 'video.webm', 'image.jpg', 'image.png'),
        async (changes, name) => {
          const bytes = Buffer.from(name === 'video.webm' ? webm() : fixture(name));
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          // The file claims to be 1 GiB: everything after these bytes is zeros.
          const ranges: number[] = [];
          const found = await inspectFile(
            async (first, last) => {
              ranges.push(last - first + 1);
              const range = Buffer.alloc(last - first + 1);
              bytes.copy(range, 0, Math.min(first, bytes.length), Math.min(last + 1, bytes.length));
              return range;
            },
            1_024 ** 3,
            contentTypeOf(name) ?? '',
          );
          expect(['fit', 'unfit']).toContain(found.state);
          expect(ranges.length).toBeLessThanOrEqual(24);
          expect(ranges.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(16 * 1_048_576);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('inspecting an object', () => {
  const described = { sizeBytes: 17_907, etag: '"1"' };

  it('reports `changed` if the object was replaced', async () => {
    const inspect = inspectObject(async () => undefined);
    expect(await inspect('key', described, 'image/jpeg')).toEqual({ state: 'changed' });
  });

  it('passes on an error of the bucket, so that the inspection is retried', async () => {
    const video = fixture('moov-last.mp4');
    let reads = 0;
    const inspect = inspectObject(async (_key, first, last) => {
      reads += 1;
      if (reads > 1) throw new Error('slow down');
      return video.subarray(first, Math.min(last, 40) + 1);
    });
    const large = { ...described, sizeBytes: 1_024 ** 3 };
    await expect(inspect('key', large, 'video/mp4')).rejects.toThrow('slow down');
  });
});

/** Adds an EXIF block (JPEG, APP1) that holds only the orientation. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const header = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), header, body, jpeg.subarray(2)]);
}

/** Sets a quarter turn in the matrix of the first track's header (`tkhd`, version 0). */
function turnedVideo(video: Buffer): Buffer {
  const turned = Buffer.from(video);
  const matrixAt = turned.indexOf('tkhd') + 4 + 40;
  const quarter = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000];
  for (const [index, value] of quarter.entries()) turned.writeInt32BE(value, matrixAt + index * 4);
  return turned;
}

/** Hides the video track by renaming its box to an unknown type. */
function audioOnly(video: Buffer): Buffer {
  const silent = Buffer.from(video);
  silent.write('skip', silent.indexOf('trak'), 'latin1');
  return silent;
}

/** Encodes an EBML element (RFC 8794): id, four-byte size, content. */
function element(id: string, ...content: (Buffer | number | string)[]): Buffer {
  const body = Buffer.concat(
    content.map((part) =>
      typeof part === 'number' ? bigEndian(part) : Buffer.from(part as string, 'latin1'),
    ),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x1000_0000 + body.length);
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

/** The head of a WebM file with video and audio, as encoders write it. */
function webm(): Buffer {
  return Buffer.concat([
    element('1a45dfa3', element('4282', 'webm')),
    element(
      '18538067',
      element('1549a966', element('2ad7b1', 1_000_000), element('4489', float(4_500))),
      element(
        '1654ae6b',
        element(
          'ae',
          element('83', 1),
          element('86', 'V_VP9'),
          element('23e383', 40_000_000),
          element('e0', element('b0', 640), element('ba', 360)),
        ),
        element('ae', element('83', 2), element('86', 'A_OPUS'), element('e1', element('b5', float(48_000)))),
      ),
      element('1f43b675', element('e7', 0)),
    ),
  ]);
}

/** The same video with this many more bytes in its `mdat`, which are not held in memory. */
function withLargeMedia(video: Buffer, moreBytes: number) {
  const mediaAt = video.indexOf('mdat') - 4;
  const mediaEnd = mediaAt + video.readUInt32BE(mediaAt);
  const head = Buffer.from(video.subarray(0, mediaEnd));
  head.writeUInt32BE(mediaEnd - mediaAt + moreBytes, mediaAt);
  const tail = video.subarray(mediaEnd);
  const tailAt = mediaEnd + moreBytes;
  return {
    sizeBytes: video.length + moreBytes,
    read: (first: number, last: number) => {
      const range = Buffer.alloc(last - first + 1);
      if (first < head.length) head.copy(range, 0, first);
      if (last >= tailAt) tail.copy(range, Math.max(0, tailAt - first), Math.max(0, first - tailAt));
      return range;
    },
  };
}
