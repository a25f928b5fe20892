import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as service from '../../../lib/media/probe/sniff.ts';
import { acceptedContentTypes } from '../../../lib/media/types.ts';
import { headBytes, typeOfHead } from '../../../lib/panel/media/accepted.ts';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../../fixtures', name));
const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      Buffer.from(typeof part === 'string' ? [...part].map((each) => each.charCodeAt(0)) : [part]),
    ),
  );
const iso = (brand: string) => bytes(0, 0, 0, 24, `ftyp${brand}`, 0, 0, 0, 0, `${brand}isom`);
const riff = (kind: string) => bytes('RIFF', 36, 0, 0, 0, kind);
const officeOld = bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, '\0'.repeat(512));
const zip = bytes('PK', 3, 4, '\x14\0\0\0\0\0'.repeat(10));
const [word, oldWord] = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/msword',
];

describe('the type of a chosen file', () => {
  it.each<[string, Uint8Array, string | undefined, string | undefined]>([
    ['a JPEG', fixture('image.jpg'), 'image/jpeg', 'image/jpeg'],
    ['a JPEG that is called a PNG', fixture('image.jpg'), 'image/png', 'image/jpeg'],
    ['a PNG', fixture('image.png'), 'image/png', 'image/png'],
    ['a GIF', bytes('GIF89a', '\0'.repeat(10)), undefined, 'image/gif'],
    ['a WebP', riff('WEBPVP8 '), 'image/webp', 'image/webp'],
    ['a sound in RIFF', riff('WAVEfmt '), undefined, undefined],
    ['an MP4', fixture('video.mp4'), 'video/mp4', 'video/mp4'],
    ['an MP4 with another ending', fixture('video.mp4'), undefined, 'video/mp4'],
    ['a film of QuickTime', iso('qt  '), 'video/quicktime', 'video/quicktime'],
    [
      'an old film of QuickTime',
      bytes(0, 0, 0, 8, 'wide', '\0'.repeat(12)),
      'video/quicktime',
      'video/quicktime',
    ],
    ['a WebM', bytes(0x1a, 0x45, 0xdf, 0xa3, '\0'.repeat(12)), 'video/webm', 'video/webm'],
    [
      'a film in Matroska',
      bytes(0x1a, 0x45, 0xdf, 0xa3, 0x93, 0x42, 0x82, 0x88, 'matroska', '\0'.repeat(20)),
      'video/webm',
      'video/matroska',
    ],
    ['a PDF', bytes('%PDF-1.7\n', '\0'.repeat(10)), undefined, 'application/pdf'],
    ['a document of Word', zip, word, word],
    ['an archive', zip, undefined, undefined],
    ['an old document of Word', officeOld, oldWord, oldWord],
    ['an old table', officeOld, undefined, undefined],
    ['a photo of an iPhone that is called a JPEG', iso('heic'), 'image/jpeg', 'image/heic'],
    ['an AVIF', iso('avif'), 'image/avif', 'image/avif'],
    ['an AVIF that is called a JPEG', iso('avif'), 'image/jpeg', 'image/heif'],
    ['a picture whose brand says nothing of its codec', iso('mif1'), 'image/avif', 'image/avif'],
    ['an old picture of JPEG 2000', iso('jp2 '), 'video/mp4', undefined],
    ['a song in MP4', iso('M4A '), undefined, 'audio/mp4'],
    ['a text', bytes('hello'), 'image/png', undefined],
    ['nothing', bytes(), 'image/png', undefined],
  ])('is seen in the first bytes of %s', (_, file, expected, type) => {
    expect(typeOfHead(file.subarray(0, headBytes), expected)).toBe(type);
  });

  const ordinary = [
    'plain.mov',
    'vp9-opus.webm',
    'plain.mkv',
    'photo.webp',
    'animated.gif',
    'photo.heic',
    'photo.avif',
  ].map((name) => `media-corpus/${name}`);
  it.each([
    'image.jpg',
    'image.png',
    'broken.jpg',
    'video.mp4',
    'edit-list.mp4',
    'moov-last.mp4',
    ...ordinary,
  ])('of %s is what the service finds, whatever is expected', async (name) => {
    for (const expected of acceptedContentTypes) {
      const found = await service.typeOfHead(fixture(name).subarray(0, service.headBytes), expected);
      expect({ contentType: typeOfHead(fixture(name).subarray(0, headBytes), expected) }).toEqual(found);
    }
  });
});
