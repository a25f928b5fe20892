import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  box,
  element,
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
  webm,
  webp,
} from '../../../support/media-files.ts';

/** A valid file, with the names that mark its parts. */
export interface Seed {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Bytes that mark a part: the type of a box, the id of an element, the marker of a segment. */
  readonly tags: readonly Buffer[];
}

const corpusFile = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/media-corpus', name));
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures', name));
const texts = (...names: readonly string[]) => names.map((name) => Buffer.from(name, 'latin1'));
const hexes = (...names: readonly string[]) => names.map((name) => Buffer.from(name, 'hex'));

const boxTypes = texts(
  ...['ftyp', 'moov', 'mvhd', 'trak', 'tkhd', 'edts', 'elst', 'mdia', 'mdhd', 'hdlr', 'minf', 'stbl', 'stsd'],
  ...['stts', 'stsz', 'stsc', 'stco', 'ctts', 'mvex', 'mehd', 'mdat', 'free', 'avc1', 'mp4a', 'vide', 'soun'],
  ...['moof', 'traf', 'tfhd', 'tfdt', 'trun', 'trex', 'avcC', 'hvcC', 'esds', 'pasp', 'colr'],
);
const elementIds = hexes(
  ...['1a45dfa3', '4282', '18538067', '1549a966', '2ad7b1', '4489', '1654ae6b', 'ae', '83', '86', '23e383'],
  ...['e0', 'b0', 'ba', 'e1', 'b5', 'ec', '1f43b675', 'd7', 'e7', 'a3', 'a0', '63a2'],
);
const heifTypes = texts(
  ...['ftyp', 'meta', 'pitm', 'iinf', 'iprp', 'ipco', 'ipma', 'iref', 'iloc', 'mdat', 'moov'],
  ...['ispe', 'irot', 'imir', 'clap', 'pixi', 'hvcC', 'av1C', 'auxC', 'colr'],
);
const jpegMarkers = hexes('ffd8', 'ffe0', 'ffe1', 'ffe2', 'ffdb', 'ffc0', 'ffc2', 'ffc4', 'ffda', 'ffd9');

const exif = segment(
  0xe1,
  'Exif\0\0',
  Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex'),
);
const fragmented = mp4(
  mvhd(1_000, 0),
  trak({ times: Buffer.alloc(4) }),
  box('mvex', box('mehd', 0, 90_000), box('trex', Buffer.alloc(24))),
);
const edited = mp4(
  longMvhd(90_000, 450_000n),
  box('trak', box('edts', box('elst', 0, 1, Buffer.alloc(12)))),
  trak(),
  trak({ handler: 'soun', tables: [box('stsz', 0, 512, 9), box('stco', 0, 1, 48)] }),
);

const video = (name: string, bytes: Buffer, contentType = 'video/mp4'): Seed => ({
  name,
  contentType,
  bytes,
  tags: boxTypes,
});
const image = (name: string, bytes: Buffer, contentType: string, tags: readonly Buffer[]): Seed => ({
  name,
  contentType,
  bytes,
  tags,
});

/** Small files, so that a mutation often hits what the probes read. */
export const seeds: readonly Seed[] = [
  video('generated.mp4', edited),
  video('fragmented.mp4', fragmented),
  video('edit-list.mp4', fixture('edit-list.mp4').subarray(0, 20_000)),
  video('moov-last.mp4', fixture('moov-last.mp4')),
  video('generated.mov', edited, 'video/quicktime'),
  video('recording.mp4', corpusFile('fragmented.mp4')),
  video('camera.mp4', corpusFile('chroma-422.mp4')),
  video('phone.mov', corpusFile('phone-hlg.mov'), 'video/quicktime'),
  { name: 'recording.webm', contentType: 'video/webm', bytes: corpusFile('live.webm'), tags: elementIds },
  { name: 'av1.webm', contentType: 'video/webm', bytes: corpusFile('av1-opus.webm'), tags: elementIds },
  { name: 'film.mkv', contentType: 'video/matroska', bytes: corpusFile('plain.mkv'), tags: elementIds },
  { name: 'generated.webm', contentType: 'video/webm', bytes: webm(), tags: elementIds },
  {
    name: 'padded.webm',
    contentType: 'video/webm',
    bytes: webm({ between: [element('ec', Buffer.alloc(300)), element('114d9b74', uint32(7))] }),
    tags: elementIds,
  },
  image('exif.jpg', jpeg({}, segment(0xe0, 'JFIF\0'), exif), 'image/jpeg', jpegMarkers),
  image('image.jpg', fixture('image.jpg'), 'image/jpeg', jpegMarkers),
  image('progressive.jpg', corpusFile('photo-progressive.jpg'), 'image/jpeg', jpegMarkers),
  image('image.png', fixture('image.png'), 'image/png', texts('PNG', 'IHDR', 'IDAT', 'IEND', 'PLTE')),
  image('apple.png', applePng(), 'image/png', texts('CgBI', 'IHDR')),
  image('generated.webp', webp(640, 480), 'image/webp', texts('RIFF', 'WEBP', 'VP8X')),
  image('generated.gif', gif(640, 480), 'image/gif', texts('GIF89a')),
  image('animated.gif', corpusFile('animated.gif'), 'image/gif', [
    ...texts('GIF89a'),
    ...hexes('21f9', '2c00'),
  ]),
  image('transparent.heic', corpusFile('transparent.heic'), 'image/heic', heifTypes),
  image('ten-bit.avif', corpusFile('ten-bit.avif'), 'image/avif', heifTypes),
  image('animated.avif', corpusFile('animated.avif'), 'image/avif', heifTypes),
  image('generated.pdf', pdf, 'application/pdf', texts('%PDF', 'obj', 'xref', 'trailer')),
  image('compressed.pdf', gzipSync(pdf), 'application/pdf', hexes('1f8b')),
];

/** Apple's tools put a chunk of their own before the header. */
function applePng(): Buffer {
  const plain = png(64, 64);
  const own = Buffer.concat([uint32(4), Buffer.from('CgBI', 'latin1'), uint32(0), uint32(0)]);
  return Buffer.concat([plain.subarray(0, 8), own, plain.subarray(8)]);
}
