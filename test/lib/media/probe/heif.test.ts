import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../lib/media/probe/inspect.ts';
import { box } from '../../../support/media-files.ts';

const corpus = join(import.meta.dirname, '../../../fixtures/media-corpus');

const inspect = (bytes: Buffer, contentType: string) =>
  inspectFile(async (first, last) => bytes.subarray(first, last + 1), bytes.length, contentType);

const full = (type: string, flags: number, ...content: Parameters<typeof box>[1][]) =>
  box(type, Buffer.from([0, 0, 0, flags]), ...(content as Uint8Array[]));
const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
const size = (width: number, height: number) => {
  const content = Buffer.alloc(8);
  content.writeUInt32BE(width);
  content.writeUInt32BE(height, 4);
  return full('ispe', 0, content);
};
const turn = (quarters: number) => box('irot', Buffer.from([quarters]));

/** A picture whose primary item, number 2, has these properties. The thumbnail before it has the first one. */
function heif(properties: readonly Uint8Array[], more: readonly Uint8Array[] = [], flags = 0): Buffer {
  const indexes = properties.map((_, index) => index + 2);
  const table =
    flags === 1 ? indexes.flatMap((index) => [0x80, index]) : indexes.map((index) => index | 0x80);
  const ipma = full(
    'ipma',
    flags,
    bytesOf('00000002'),
    Buffer.from(flags === 1 ? [0, 1, 1, 0, 1] : [0, 1, 1, 1]),
    Buffer.from([0, 2, indexes.length, ...table]),
  );
  const ipco = box('ipco', size(160, 120), ...properties, ...more);
  const meta = full('meta', 0, full('pitm', 0, bytesOf('0002')), box('iprp', ipco, ipma));
  return Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
    meta,
    box('mdat', Buffer.alloc(9)),
  ]);
}

const auxiliary = (kind: string) => full('auxC', 0, Buffer.from(`${kind}\0`, 'latin1'));

describe('a HEIC file is measured as it is displayed', () => {
  it.each<[string, Buffer, object]>([
    [
      'its primary picture, not the thumbnail',
      heif([size(4032, 3024)]),
      { width: 4032, height: 3024, rotation: 0 },
    ],
    ['turned by a quarter', heif([size(4032, 3024), turn(3)]), { width: 3024, height: 4032, rotation: 90 }],
    ['upside down', heif([size(4032, 3024), turn(2)]), { width: 4032, height: 3024, rotation: 180 }],
    [
      'with long numbers of properties',
      heif([size(40, 30), turn(1)], [], 1),
      { width: 30, height: 40, rotation: 270 },
    ],
    [
      'cropped, then turned',
      heif([
        size(4096, 3072),
        box('clap', bytesOf('00000fc0000000010000 0bd000000001'.replace(' ', '')), Buffer.alloc(16)),
        turn(1),
      ]),
      { width: 3024, height: 4032 },
    ],
    ['mirrored', heif([size(40, 30), box('imir', Buffer.from([1]))]), { width: 40, height: 30 }],
    ['its bits', heif([size(40, 30), full('pixi', 0, Buffer.from([3, 10, 10, 10]))]), { bitDepth: 10 }],
    ['its alpha', heif([size(40, 30)], [auxiliary('urn:mpeg:hevc:2015:auxid:1')]), { hasAlpha: true }],
    [
      'without its depth map',
      heif([size(40, 30)], [auxiliary('urn:mpeg:hevc:2015:auxid:2')]),
      { hasAlpha: false },
    ],
    ['as a film', Buffer.concat([heif([size(40, 30)]), box('moov')]), { isAnimated: true }],
  ])('%s', async (_, file, probe) => {
    expect(await inspect(file, 'image/heic')).toMatchObject({ state: 'fit', probe });
  });
});

describe('an upload is refused', () => {
  it.each<[string, Buffer, string]>([
    ['of a picture without a size', heif([turn(1)]), 'the width and height of the image cannot be read'],
    ['of a picture of no pixels', heif([size(0, 30)]), 'the width and height of the image cannot be read'],
    ['of a file that is cut off', heif([size(40, 30)]).subarray(0, -4), 'the file is cut off'],
  ])('%s', async (_, file, reason) => {
    expect(await inspect(file, 'image/heic')).toEqual({
      state: 'unfit',
      reason: expect.stringContaining(reason),
    });
  });

  it('of an AVIF as HEIC', async () => {
    const avif = readFileSync(join(corpus, 'photo.avif'));
    expect(await inspect(avif, 'image/heic')).toEqual({
      state: 'unfit',
      reason: 'the file is image/avif, not image/heic',
    });
  });
});
