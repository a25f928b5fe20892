/** Parts of which tests build media files, valid and hostile. */

/** A box of MP4 and QuickTime (ISO/IEC 14496-12, "Object structure"): size, type, content. */
export function box(type: string, ...content: readonly (Uint8Array | number | string)[]): Buffer {
  const body = Buffer.concat(content.map(bytesOf));
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

/** An EBML element (RFC 8794): id in hexadecimal digits, four-byte size, content. */
export function element(id: string, ...content: readonly (Uint8Array | number | string)[]): Buffer {
  const body = Buffer.concat(content.map(bytesOf));
  return Buffer.concat([Buffer.from(id, 'hex'), uint32(0x1000_0000 + body.length), body]);
}

/** A number becomes four bytes, a text one byte per character. */
const bytesOf = (part: Uint8Array | number | string): Uint8Array =>
  typeof part === 'number' ? uint32(part) : typeof part === 'string' ? Buffer.from(part, 'latin1') : part;

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

export function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

export const ftyp = box('ftyp', 'isom', 0x200, 'isomiso2mp41');

/** `mvhd` version 0: times, timescale, duration; the rest is zeros. */
export const mvhd = (timescale = 1_000, duration = 5_000): Buffer =>
  box('mvhd', 0, 0, 0, timescale, duration, Buffer.alloc(80));

/** `mvhd` version 1, with a 64-bit duration. */
export const longMvhd = (timescale: number, duration: bigint): Buffer =>
  box('mvhd', 0x0100_0000, Buffer.alloc(16), timescale, uint64(duration), Buffer.alloc(80));

export interface TrackOptions {
  readonly handler?: 'vide' | 'soun' | 'meta';
  readonly codec?: string;
  readonly width?: number;
  readonly height?: number;
  readonly timescale?: number;
  /** Content of `stts` after its version and flags; default: 150 frames of 20 ticks. */
  readonly times?: Buffer;
  /** Boxes in the sample entry, such as configuration records. */
  readonly entryBoxes?: readonly Uint8Array[];
  /** Boxes after `stts`, such as large tables. */
  readonly tables?: readonly Uint8Array[];
}

export function trak({
  handler = 'vide',
  codec = handler === 'vide' ? 'avc1' : 'mp4a',
  width = 640,
  height = 360,
  timescale = 600,
  times = Buffer.concat([uint32(1), uint32(150), uint32(20)]),
  entryBoxes = handler === 'soun' && codec === 'mp4a' ? [esds()] : [],
  tables = [],
}: TrackOptions = {}): Buffer {
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
  const entry =
    handler === 'vide'
      ? box(codec, Buffer.alloc(24), uint16(width), uint16(height), Buffer.alloc(50), ...entryBoxes)
      : box(
          codec,
          Buffer.alloc(16),
          uint16(2),
          uint16(16),
          Buffer.alloc(4),
          uint32(48_000 * 65_536),
          ...entryBoxes,
        );
  return box(
    'trak',
    box('tkhd', 0, Buffer.alloc(36), ...matrix, width * 65_536, height * 65_536),
    box(
      'mdia',
      box('mdhd', 0, 0, 0, timescale, 3_000, 0),
      box('hdlr', 0, 0, handler, Buffer.alloc(13)),
      box('minf', box('stbl', box('stsd', 0, 1, entry), box('stts', 0, times), ...tables)),
    ),
  );
}

/**
 * `esds` (ISO/IEC 14496-1, "Elementary stream descriptor"), which says what `mp4a` stands for.
 *
 * @param objectType 40: AAC, 6b: MP3
 */
export const esds = (objectType = 0x40): Buffer =>
  box(
    'esds',
    0,
    Buffer.from([3, 21, 0, 1, 0, 4, 13, objectType, 0x15]),
    Buffer.alloc(11),
    Buffer.from([6, 1, 2]),
  );

export const mp4 = (...moov: readonly Uint8Array[]): Buffer =>
  Buffer.concat([ftyp, box('moov', ...moov), box('mdat', 'media')]);

export interface WebmOptions {
  readonly codec?: string;
  readonly width?: Buffer;
  readonly height?: Buffer;
  readonly frameNanoseconds?: Buffer;
  readonly duration?: Buffer;
  readonly sampleRate?: Buffer;
  /** Elements between the information and the tracks. */
  readonly between?: readonly Uint8Array[];
  /** Elements after the first cluster. */
  readonly after?: readonly Uint8Array[];
}

export const ebmlHeader = element('1a45dfa3', element('4282', 'webm'));

/** A WebM file with video and audio, as encoders write it. */
export function webm({
  codec = 'V_VP9',
  width = uint32(640),
  height = uint32(360),
  frameNanoseconds = uint32(40_000_000),
  duration = float64(4_500),
  sampleRate = float64(48_000),
  between = [],
  after = [],
}: WebmOptions = {}): Buffer {
  return Buffer.concat([
    ebmlHeader,
    element(
      '18538067',
      element('1549a966', element('2ad7b1', 1_000_000), element('4489', duration)),
      ...between,
      element(
        '1654ae6b',
        element(
          'ae',
          element('d7', Buffer.from([1])),
          element('83', 1),
          element('86', codec),
          element('23e383', frameNanoseconds),
          element('e0', element('b0', width), element('ba', height)),
        ),
        element(
          'ae',
          element('d7', Buffer.from([2])),
          element('83', 2),
          element('86', 'A_OPUS'),
          element('e1', element('b5', sampleRate)),
        ),
      ),
      element('1f43b675', element('e7', 0)),
      ...after,
    ),
  ]);
}

/** A segment of a JPEG (ITU-T T.81, annex B): marker, length, content. */
export function segment(marker: number, ...content: readonly (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(content.map(bytesOf));
  return Buffer.concat([Buffer.from([0xff, marker]), uint16(body.length + 2), body]);
}

/** A JPEG of this size with these segments before its frame header. */
export function jpeg(
  { width = 40, height = 30 }: { width?: number; height?: number } = {},
  ...before: readonly Uint8Array[]
): Buffer {
  const frame = segment(0xc0, Buffer.from([8]), uint16(height), uint16(width), Buffer.from([1, 1, 0x11, 0]));
  const start = Buffer.from([0xff, 0xd8]);
  return Buffer.concat([start, ...before, frame, segment(0xda, Buffer.alloc(6)), Buffer.from([0xff, 0xd9])]);
}

export function png(width: number, height: number): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0]), uint32(0)]);
  const chunk = (type: string, body: Uint8Array) =>
    Buffer.concat([uint32(body.length), Buffer.from(type, 'latin1'), body]);
  return Buffer.concat([
    signature,
    uint32(13),
    Buffer.from('IHDR', 'latin1'),
    header,
    chunk('IDAT', Buffer.alloc(8)),
    chunk('IEND', Buffer.alloc(4)),
  ]);
}

export function gif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), size, Buffer.from([0, 0, 0, 0x3b])]);
}

/** An extended WebP (`VP8X`), whose canvas size is stored less one, in 24 bits each. */
export function webp(width: number, height: number): Buffer {
  const chunk = Buffer.alloc(18);
  chunk.write('VP8X', 0, 'latin1');
  chunk.writeUInt32LE(10, 4);
  chunk.writeUIntLE(width - 1, 12, 3);
  chunk.writeUIntLE(height - 1, 15, 3);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(4 + chunk.length);
  return Buffer.concat([
    Buffer.from('RIFF', 'latin1'),
    size,
    Buffer.from('WEBP', 'latin1'),
    chunk,
    Buffer.alloc(12),
  ]);
}

export const pdf = Buffer.from(
  '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\nxref\n0 1\ntrailer\n<</Root 1 0 R>>\n%%EOF\n',
  'latin1',
);
