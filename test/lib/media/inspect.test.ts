import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectFile, inspectObject } from '../../../lib/media/probe/inspect.ts';
import { contentTypeOf } from '../../../lib/media/types.ts';
import {
  box,
  element,
  gif,
  jpeg,
  longMvhd,
  mp4,
  mvhd,
  png,
  segment,
  trak,
  uint32,
  webm,
  webp,
} from '../../support/media-files.ts';

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
    const picture = { videoCodec: 'vp9', width: 640, height: 360, rotation: 0, pixelAspect: 1 };
    const sound = { hasSound: true, audioCodec: 'opus', audioSampleRate: 48_000, audioChannels: 1 };
    const probe = { container: 'webm', ...picture, hasAlpha: false, frameRate: 25, ...sound };
    // Without a frame, nothing says the chroma of VP9.
    expect(await object(webm()).inspect('video/webm')).toEqual({
      state: 'fit',
      probe: { ...probe, scan: 'progressive', durationMs: 4_500, unknown: ['chroma'] },
    });
  });

  it('nothing beyond the type of a PDF', async () => {
    expect(await object(Buffer.from('%PDF-1.7\n%âãÏÓ\n')).inspect('application/pdf')).toEqual({
      state: 'fit',
    });
  });

  it('the size of a JPEG behind 5 MB of notes and profiles', async () => {
    const notes = Array.from({ length: 80 }, () => segment(0xe2, Buffer.alloc(65_500)));
    const { ranges, inspect } = object(jpeg({ width: 4_000, height: 3_000 }, ...notes));
    expect(await inspect('image/jpeg')).toMatchObject({
      state: 'fit',
      probe: { width: 4_000, height: 3_000 },
    });
    expect(ranges.length).toBeLessThanOrEqual(8);
  });

  it('the size of a JPEG with fill bytes, markers without length and stray bytes between its segments', async () => {
    const odd = [Buffer.from([0xff, 0xff, 0xff]), segment(0xe0, 'JFIF'), Buffer.from([0xff, 0x01, 0, 7])];
    expect(await object(jpeg({}, ...odd)).inspect('image/jpeg')).toMatchObject({ probe: { width: 40 } });
  });

  it('the tracks of a WebM file behind 3 MB of padding', async () => {
    const { ranges, inspect } = object(webm({ between: [element('ec', Buffer.alloc(3_000_000))] }));
    expect(await inspect('video/webm')).toMatchObject({ probe: { videoCodec: 'vp9', width: 640 } });
    expect(ranges.length).toBeLessThanOrEqual(3);
  });

  it('the size of a PNG, a GIF and a WebP', async () => {
    const probe = { width: 640, height: 480 };
    const still = { hasAlpha: false, isAnimated: false };
    const found = async (bytes: Uint8Array, type: string) => object(bytes).inspect(type);
    expect(await found(png(640, 480), 'image/png')).toEqual({
      state: 'fit',
      probe: { ...probe, container: 'png', ...still, bitDepth: 8 },
    });
    expect(await found(gif(640, 480), 'image/gif')).toEqual({
      state: 'fit',
      probe: { ...probe, container: 'gif', ...still },
    });
    expect(await found(webp(640, 480), 'image/webp')).toEqual({
      state: 'fit',
      probe: { ...probe, container: 'webp', ...still },
    });
  });

  it('everything but the value that is not possible', async () => {
    const found = await object(mp4(longMvhd(1, 2n ** 63n), trak())).inspect('video/mp4');
    const picture = {
      width: 640,
      height: 360,
      rotation: 0,
      pixelAspect: 1,
      videoCodec: 'h264',
      hasAlpha: false,
    };
    const structure = {
      container: 'mp4',
      hasSound: false,
      hasEditList: false,
      moovFirst: true,
      isFragmented: false,
    };
    // The file has no configuration record either.
    const unknown = ['durationMs', 'chroma', 'scan'];
    expect(found).toEqual({ state: 'fit', probe: { ...picture, ...structure, frameRate: 30, unknown } });
  });

  it.each([
    ['the usual name of a registered codec', 'V_MPEGH/ISO/HEVC', 'hevc'],
    ['a name of a registered codec without a usual name', 'V_MPEG4/MS/V3', 'V_MPEG4/MS/V3'],
    ['a name of control characters', 'V_\u0007', 'unknown'],
    ['a name of 41 characters', 'V'.repeat(41), 'unknown'],
    ['`constructor`', 'constructor', 'constructor'],
  ])('%s as a codec', async (_what, codec, videoCodec) => {
    expect(await object(webm({ codec })).inspect('video/webm')).toMatchObject({ probe: { videoCodec } });
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
    ['an image that ends in its header', fixture('broken.jpg'), 'image/jpeg', 'width and height'],
    ['a cut-off index', fixture('moov-last.mp4').subarray(0, 4_400), 'video/mp4', 'ends before its index'],
    ['half a video with its index first', half(fixture('video.mp4')), 'video/mp4', 'cut off'],
    ['half a JPEG', half(fixture('image.jpg')), 'image/jpeg', 'cut off'],
    ['half a PNG', half(fixture('image.png')), 'image/png', 'cut off'],
    ['half a WebP', webp(640, 480).subarray(0, 28), 'image/webp', 'cut off'],
    ['a GIF without its trailer', gif(640, 480).subarray(0, -1), 'image/gif', 'cut off'],
    ['a WebM file without its last bytes', webm().subarray(0, -3), 'video/webm', 'cut off'],
    ['a video that ends before its index', withoutIndex(fixture('moov-last.mp4')), 'video/mp4', 'no index'],
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

  it('reads the index of a two-hour film without its tables of samples', async () => {
    // 60 frames per second: 432,000 frames. Sizes take 4 bytes each, composition offsets 8, offsets of chunks 8.
    const frames = 432_000;
    const table = (type: string, bytes: number) => ({ header: box(type, uint32(0)).subarray(4, 8), bytes });
    const tables = [table('ctts', 8 * frames), table('stsz', 4 * frames), table('co64', 8 * frames)].map(
      ({ header, bytes }) => Buffer.concat([uint32(bytes + 8), header, Buffer.alloc(bytes)]),
    );
    const [times, one] = [uint32(frames), Buffer.concat([uint32(1), uint32(10)])];
    const entries = Buffer.concat([times, ...Array.from({ length: frames }, () => one)]);
    const film = mp4(
      mvhd(1_000, 7_200_000),
      trak({ times: entries, tables }),
      trak({ handler: 'soun', tables }),
      trak({ handler: 'soun', tables }),
    );
    expect(film.length).toBeGreaterThan(25_000_000);
    const { ranges, inspect } = object(film);
    expect(await inspect('video/mp4')).toMatchObject({
      state: 'fit',
      probe: { durationMs: 7_200_000, frameRate: 60, videoCodec: 'h264', audioCodec: 'aac' },
    });
    expect(ranges.length).toBeLessThanOrEqual(8);
    expect(ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)).toBeLessThan(2_000_000);
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

const half = (file: Buffer): Buffer => file.subarray(0, file.length / 2);

/** An upload that ended before the index, which is at the end. */
const withoutIndex = (video: Buffer): Buffer => video.subarray(0, video.indexOf('moov') - 4);

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
