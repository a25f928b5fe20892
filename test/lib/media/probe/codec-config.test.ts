import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureFormat } from '../../../../lib/media/probe/codec-config.ts';

/** `avcC` with this sequence parameter set, written in bits; spaces separate its fields. */
function avcC(profile: number, bits: string): Uint8Array {
  const text = bits.replaceAll(' ', '');
  const bytes = text.padEnd(Math.ceil(text.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  const set = [0x67, profile, 0, 31, ...bytes.map((byte) => Number.parseInt(byte, 2))];
  return Uint8Array.from([1, profile, 0, 31, 0xff, 0xe1, 0, set.length, ...set, 0]);
}

/** After chroma and depth: frame numbers, picture order 2, reference frames, width and height of 1 block. */
const rest = '1 011 1 0 1 1';

describe('the format of H.264', () => {
  it.each([
    ['Baseline', 66, `1 ${rest} 1`, { chroma: '4:2:0', bitDepth: 8, scan: 'progressive' }],
    ['Main with fields', 77, `1 ${rest} 0`, { chroma: '4:2:0', bitDepth: 8, scan: 'interlaced' }],
    ['High', 100, `1 010 1 1 0 0 ${rest} 1`, { chroma: '4:2:0', bitDepth: 8, scan: 'progressive' }],
    ['High, gray', 100, `1 1 1 1 0 0 ${rest} 1`, { chroma: '4:0:0', bitDepth: 8, scan: 'progressive' }],
    [
      'High 4:2:2 with 10 bits',
      122,
      `1 011 011 011 0 0 ${rest} 0`,
      { chroma: '4:2:2', bitDepth: 10, scan: 'interlaced' },
    ],
    ['High 4:4:4', 244, `1 00100 0 1 1 0 0 ${rest} 1`, { chroma: '4:4:4', bitDepth: 8, scan: 'progressive' }],
    [
      'High with a list of scaling factors that ends at once',
      100,
      `1 010 1 1 0 1 1 000010001 0000000 ${rest} 1`,
      { chroma: '4:2:0', bitDepth: 8, scan: 'progressive' },
    ],
    [
      'a picture order in cycles',
      66,
      '1 1 010 0 1 1 011 1 1 1 0 1 1 0',
      { chroma: '4:2:0', bitDepth: 8, scan: 'interlaced' },
    ],
  ])('%s', (_what, profile, bits, format) => {
    expect(pictureFormat('h264', 'avc1', avcC(profile, bits))).toEqual(format);
  });

  it.each([
    [0x80, 'interlaced'],
    [0xc0, 'progressive'],
  ])('skips the bytes 03 that keep start codes out of the data: %d', (last, scan) => {
    // A width of 2^24 blocks, whose code has 24 zeros before and after its one.
    const set = [0x67, 66, 0, 31, 0xdc, 0, 0, 3, 1, 0, 0, 3, 0, last];
    const record = Uint8Array.from([1, 66, 0, 31, 0xff, 0xe1, 0, set.length, ...set]);
    expect(pictureFormat('h264', 'avc1', record)).toMatchObject({ scan });
  });
});

/** The header of `hvcC`, with its flags of the source, chroma format and depth. */
function hvcC(flags: number, chroma: number, depth: number): Uint8Array {
  const record = new Uint8Array(23);
  record[6] = flags;
  record[16] = 0xfc | chroma;
  record[17] = 0xf8 | (depth - 8);
  return record;
}

it.each([
  ['progressive', 0x80, 1, 8, { chroma: '4:2:0', bitDepth: 8, scan: 'progressive' }],
  ['interlaced', 0x40, 2, 10, { chroma: '4:2:2', bitDepth: 10, scan: 'interlaced' }],
  ['frames only', 0x10, 3, 12, { chroma: '4:4:4', bitDepth: 12, scan: 'progressive' }],
  ['a source that is not described', 0, 0, 8, { chroma: '4:0:0', bitDepth: 8 }],
])('the format of HEVC: %s', (_what, flags, chroma, depth, format) => {
  expect(pictureFormat('hevc', 'hvc1', hvcC(flags, chroma, depth))).toEqual(format);
});

it.each([
  ['vp8', 'vp8', { chroma: '4:2:0', bitDepth: 8 }],
  ['vp9', 'vp09.00.10.08', { chroma: '4:2:0', bitDepth: 8 }],
  ['vp9', 'vp09.01.20.08.03.01.01.01.00', { chroma: '4:4:4', bitDepth: 8 }],
  ['vp9', 'vp09.01.20.08.02.01.01.01.00', { chroma: '4:2:2', bitDepth: 8 }],
  ['vp9', 'vp09.02.10.10.01.09.16.09.01', { chroma: '4:2:0', bitDepth: 10 }],
  ['av1', 'av01.0.04M.10.0.110.09.16.09.0', { chroma: '4:2:0', bitDepth: 10 }],
  ['av1', 'av01.1.04M.08.0.000.01.13.00.1', { chroma: '4:4:4', bitDepth: 8 }],
  ['av1', 'av01.2.04M.12.0.100', { chroma: '4:2:2', bitDepth: 12 }],
  ['av1', 'av01.0.04M.08.1', { chroma: '4:0:0', bitDepth: 8 }],
])('the format of %s from %s', (codec, text, format) => {
  expect(pictureFormat(codec, text, undefined)).toEqual({ scan: 'progressive', ...format });
});

it.each([
  ['h264', undefined],
  ['hevc', undefined],
  ['prores', 'ap4h'],
  [undefined, undefined],
])('nothing is said about %s without a record', (codec, text) => {
  expect(pictureFormat(codec, text, undefined)).toEqual({});
});

it('a record of any bytes throws nothing', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom('h264', 'hevc'), (record, codec) => {
      pictureFormat(codec, undefined, record);
    }),
  );
});
