import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import {
  box,
  ebmlHeader,
  element,
  float64,
  ftyp,
  gif,
  jpeg,
  longMvhd,
  mp4,
  mvhd,
  pdf,
  png,
  segment,
  trak,
  uint32,
  uint64,
  webm,
  webp,
} from '../../../support/media-files.ts';
import { startLimitedWorker } from './limited-worker.ts';
import type { MeasuredInspection } from './measure.ts';

const mebibyte = 1_048_576;

/** A box or element header that claims more than it has. */
const bigBox = (type: string, bytes: bigint) =>
  Buffer.concat([uint32(1), Buffer.from(type, 'latin1'), uint64(bytes)]);
const many = (count: number, part: Uint8Array) => Buffer.concat(Array.from({ length: count }, () => part));
type Row = readonly [what: string, contentType: string, file: () => Uint8Array, outcome: 'fit' | RegExp];

/** Hostile files, and what inspecting them finds. */
export const rows: readonly Row[] = [
  ['a duration of 2^63 in `mvhd` version 1', 'video/mp4', () => mp4(longMvhd(1, 2n ** 63n), trak()), 'fit'],
  ['a duration of 2^63 and nothing else', 'video/mp4', () => mp4(longMvhd(1, 2n ** 63n)), /no video track/],
  ['a timescale of 0', 'video/mp4', () => mp4(mvhd(0), trak({ timescale: 0 })), 'fit'],
  ['a display size of 0 and a coded size of 0', 'video/mp4', () => mp4(mvhd(), trak({ width: 0 })), 'fit'],
  [
    'frames that take no time',
    'video/mp4',
    () => mp4(mvhd(), trak({ times: Buffer.concat([uint32(1), uint32(0xffff_ffff), uint32(0)]) })),
    'fit',
  ],
  [
    'a frame rate of 10^12',
    'video/mp4',
    () =>
      mp4(
        mvhd(),
        trak({
          timescale: 0xffff_ffff,
          times: Buffer.concat([uint32(2), uint32(0xffff_ffff), uint32(0), uint32(1), uint32(1)]),
        }),
      ),
    'fit',
  ],
  ['`moov` of 15.5 MiB of empty tracks', 'video/mp4', () => mp4(many(2_031_616, box('trak'))), /index/],
  [
    'a video track, then 15 MiB of empty tracks',
    'video/mp4',
    () => mp4(mvhd(), trak(), many(1_966_080, box('trak'))),
    /index/,
  ],
  [
    '40 MiB of empty boxes before `moov`',
    'video/mp4',
    () => Buffer.concat([ftyp, many(5_242_880, box('free'))]),
    /index/,
  ],
  [
    'tracks nested 100,000 deep',
    'video/mp4',
    () => Buffer.concat([ftyp, nestedBoxes(100_000, 'trak', 'moov')]),
    /no video track/,
  ],
  [
    'a `moov` of size 0',
    'video/mp4',
    () => Buffer.concat([ftyp, uint32(0), Buffer.from('moov')]),
    /no video track/,
  ],
  [
    'a child of size 0 in `moov`',
    'video/mp4',
    () => mp4(mvhd(), uint32(0), Buffer.from('trak')),
    /no video track/,
  ],
  [
    'a box of size 3',
    'video/mp4',
    () => mp4(mvhd(), uint32(3), Buffer.from('trak'), trak()),
    /no video track/,
  ],
  [
    'a `moov` of 2^63 bytes',
    'video/mp4',
    () => Buffer.concat([ftyp, bigBox('moov', 2n ** 63n), trak()]),
    /ends before/,
  ],
  [
    'a box of 2^64 - 1 bytes before `moov`',
    'video/mp4',
    () => Buffer.concat([ftyp, bigBox('free', 2n ** 64n - 1n)]),
    /no index/,
  ],
  [
    'headers that are cut off',
    'video/mp4',
    () => mp4(box('mvhd', 0), box('trak', box('tkhd'), box('mdia', box('hdlr', 0, 0, 'vide'), box('mdhd')))),
    'fit',
  ],
  [
    'a time table of 12 MiB',
    'video/mp4',
    () =>
      mp4(
        mvhd(),
        trak({
          times: Buffer.concat([uint32(1_572_864), many(1_572_864, Buffer.concat([uint32(1), uint32(20)]))]),
        }),
      ),
    'fit',
  ],
  [
    'four billion frames with times of their own',
    'video/mp4',
    () =>
      mp4(
        mvhd(),
        trak({
          times: Buffer.concat([uint32(1), uint32(0xffff_ffff), uint32(1)]),
          tables: [box('ctts', 0, 1, 1, 0), box('stsz', 0, 1, 0xffff_ffff), box('stco', 0, 1, 8)],
        }),
      ),
    'fit',
  ],
  [
    'a fragment of four billion samples without sizes',
    'video/mp4',
    () =>
      Buffer.concat([
        mp4(mvhd(1_000, 0), trak({ times: uint32(0) }), box('mvex', box('trex', 0, 0, 1, 20, 1, 0))),
        box('moof', box('traf', box('tfhd', 0, 0), box('tfdt', 0, 0), box('trun', 0, 0xffff_ffff))),
        box('mdat', 'media'),
      ]),
    'fit',
  ],
  [
    'a fragment whose samples are not in it',
    'video/mp4',
    () =>
      Buffer.concat([
        mp4(mvhd(1_000, 0), trak({ times: uint32(0) })),
        box('moof', box('traf', box('tfhd', 0, 0), box('trun', 0x100, 0xffff_ffff, 20))),
        box('mdat', 'media'),
      ]),
    'fit',
  ],
  [
    '4 MiB of empty boxes among the fragments',
    'video/mp4',
    () =>
      Buffer.concat([
        mp4(mvhd(1_000, 0), trak({ times: uint32(0) })),
        box('moof'),
        box('mdat'),
        many(524_288, box('moof')),
        box('mdat'),
      ]),
    'fit',
  ],
  [
    'descriptions of sound nested 1,500 deep',
    'video/mp4',
    () => mp4(mvhd(), trak(), trak({ handler: 'soun', entryBoxes: [nestedBoxes(1_500, 'wave')] })),
    'fit',
  ],
  [
    'a million blocks of no length in the last cluster',
    'video/webm',
    () => webm({ after: [element('1f43b675', many(1_000_000, Buffer.from('a38481000080', 'hex')))] }),
    'fit',
  ],
  [
    'a codec of control characters',
    'video/mp4',
    () => mp4(mvhd(), trak({ codec: '\0\u001b[\u00ff' })),
    'fit',
  ],
  ['a codec named like a property of objects', 'video/webm', () => webm({ codec: '__proto__' }), 'fit'],
  ['a codec named `constructor`', 'video/webm', () => webm({ codec: 'constructor' }), 'fit'],
  ['a codec name of 100,000 characters', 'video/webm', () => webm({ codec: 'V'.repeat(100_000) }), 'fit'],
  ['a duration of NaN', 'video/webm', () => webm({ duration: float64(Number.NaN) }), 'fit'],
  ['an infinite duration', 'video/webm', () => webm({ duration: float64(Number.POSITIVE_INFINITY) }), 'fit'],
  ['the largest duration', 'video/webm', () => webm({ duration: float64(Number.MAX_VALUE) }), 'fit'],
  [
    'the smallest sample rate, which the table cannot hold',
    'video/webm',
    () => webm({ sampleRate: float64(Number.MIN_VALUE) }),
    'fit',
  ],
  ['a negative sample rate', 'video/webm', () => webm({ sampleRate: float64(-48_000) }), 'fit'],
  ['a width of 2^64 - 1', 'video/webm', () => webm({ width: uint64(2n ** 64n - 1n) }), 'fit'],
  [
    'frames of 2^64 - 1 nanoseconds',
    'video/webm',
    () => webm({ frameNanoseconds: uint64(2n ** 64n - 1n) }),
    'fit',
  ],
  ['frames of 1 nanosecond', 'video/webm', () => webm({ frameNanoseconds: uint32(1) }), 'fit'],
  [
    '15 MiB of empty elements before the tracks',
    'video/webm',
    () => webm({ between: [many(3_000_000, element('ec'))] }),
    /index/,
  ],
  [
    'a million empty tracks',
    'video/webm',
    () =>
      Buffer.concat([
        ebmlHeader,
        element('18538067', element('1654ae6b', many(900_000, Buffer.from([0xae, 0x80])))),
      ]),
    /index/,
  ],
  [
    'elements of unknown size, nested 50,000 deep',
    'video/webm',
    () => Buffer.concat([ebmlHeader, many(50_000, Buffer.from('1853806701ffffffffffffff', 'hex'))]),
    /no tracks/,
  ],
  ['no segment', 'video/webm', () => ebmlHeader, /no tracks/],
  ['a width of 0', 'image/png', () => png(0, 10), /width and height/],
  ['a size of 2^31', 'image/png', () => png(2 ** 31, 2 ** 31), /width and height/],
  [
    'a first chunk that is not the header',
    'image/png',
    () => Buffer.concat([png(4, 4).subarray(0, 8), Buffer.alloc(4), Buffer.from('IDAT'), Buffer.alloc(40)]),
    /not image|width and height/,
  ],
  [
    'an Apple PNG that ends in its header',
    'image/png',
    () => Buffer.concat([png(4, 4).subarray(0, 12), Buffer.from('CgBI')]),
    /not image|width and height/,
  ],
  ['a size of 0', 'image/gif', () => gif(0, 0), /width and height/],
  ['a file of six bytes', 'image/gif', () => Buffer.from('GIF89a'), /width and height/],
  ['a canvas of 2^24', 'image/webp', () => webp(2 ** 24, 2 ** 24), /width and height/],
  ['a chunk that is cut off', 'image/webp', () => webp(10, 10).subarray(0, 22), /width and height/],
  ['no frame header', 'image/jpeg', () => jpeg().subarray(0, 4), /width and height/],
  [
    '4 MiB of bytes that are no markers',
    'image/jpeg',
    () => jpeg({}, segment(0xe0, 'JFIF'), Buffer.alloc(4 * mebibyte)),
    'fit',
  ],
  ['4 MiB of fill bytes', 'image/jpeg', () => jpeg({}, Buffer.alloc(4 * mebibyte, 0xff)), 'fit'],
  [
    '20 MiB of bytes that are no markers',
    'image/jpeg',
    () => jpeg({}, segment(0xe0, 'JFIF'), Buffer.alloc(20 * mebibyte)),
    /header/,
  ],
  ['a million empty segments', 'image/jpeg', () => jpeg({}, many(1_000_000, segment(0xe2))), /header/],
  [
    'segments of length 0',
    'image/jpeg',
    () => jpeg({}, many(1_000, Buffer.from([0xff, 0xe2, 0, 0]))),
    /width and height/,
  ],
  [
    '20 MiB of color profiles',
    'image/jpeg',
    () => jpeg({}, many(320, segment(0xe2, Buffer.alloc(65_500)))),
    /header/,
  ],
  [
    'an orientation that points outside its block',
    'image/jpeg',
    () => jpeg({}, segment(0xe1, 'Exif\0\0MM\0*', uint32(0xffff_ffff))),
    'fit',
  ],
  [
    'an orientation with 65,535 entries',
    'image/jpeg',
    () => jpeg({}, segment(0xe1, 'Exif\0\0MM\0*', uint32(8), Buffer.from([0xff, 0xff]), Buffer.alloc(600))),
    'fit',
  ],
  ['compressed zeros', 'application/pdf', () => gzipSync(Buffer.alloc(60 * mebibyte)), /application\/gzip/],
  ['a signature and nothing else', 'application/pdf', () => pdf.subarray(0, 4), 'fit'],
  ['zeros', 'application/pdf', () => Buffer.alloc(64), /unknown type/],
];

/** The headers of boxes, each of which contains all that follow. */
function nestedBoxes(depth: number, type = 'trak', outermost = type): Buffer {
  const headers = Array.from({ length: depth }, (_, level) =>
    Buffer.concat([uint32((depth - level) * 8), Buffer.from(level === 0 ? outermost : type, 'latin1')]),
  );
  return Buffer.concat(headers);
}

/** Declares a test of each file. @param more what else an inspection must keep to */
export function testHostileFiles(more?: (took: MeasuredInspection) => void): void {
  const worker = startLimitedWorker();
  afterAll(() => worker.close());

  it.each(rows)('%s is inspected within 64 MB (%s)', async (_what, contentType, file, outcome) => {
    const took = await worker.inspect(file(), contentType);
    const { found, readBytes, ranges } = took;
    if (outcome === 'fit') expect(found).toMatchObject({ state: 'fit' });
    else expect(found).toEqual({ state: 'unfit', reason: expect.stringMatching(outcome) });
    expect(ranges).toBeLessThanOrEqual(24);
    expect(readBytes).toBeLessThanOrEqual(16 * mebibyte);
    more?.(took);
  });
}
