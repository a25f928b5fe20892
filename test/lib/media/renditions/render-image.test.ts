import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImageRecipe } from '../../../../lib/media/renditions/recipe.ts';
import { renderImage } from '../../../../lib/media/renditions/render-image.ts';
import { loadSharp } from '../../../../lib/media/renditions/sharp.ts';
import { contentTypeOf } from '../../../../lib/media/types.ts';

const sharp = loadSharp();

const recipe = (changes: Partial<ImageRecipe>): ImageRecipe => ({
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: 108,
  heightPixels: 135,
  maxBytes: 1_000_000,
  background: '#ffffff',
  ...changes,
});

const file = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/media-corpus', name));

function render(name: string, changes: Partial<ImageRecipe> = {}): Promise<Buffer> {
  return renderImage(recipe(changes), file(name), contentTypeOf(name) ?? '');
}

/** A picture of rectangles: each pixel of the letters is a square of that size. */
function drawing(rows: readonly string[], square = 40) {
  const colors: Record<string, readonly number[]> = {
    r: [220, 20, 20, 255],
    g: [20, 200, 20, 255],
    b: [20, 20, 220, 255],
    w: [255, 255, 255, 255],
    _: [0, 0, 0, 0],
  };
  const [first = ''] = rows;
  const pixels = rows.flatMap((row) => [...row].flatMap((letter) => colors[letter] ?? []));
  const raw = { width: first.length, height: rows.length, channels: 4 } as const;
  return sharp(Buffer.from(pixels), { raw }).resize(first.length * square, rows.length * square, {
    kernel: 'nearest',
  });
}

/** Names the color in the middle of each part of a picture that is divided into columns and rows. */
async function colorsOf(picture: Buffer, columns: number, rows: number): Promise<string[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const nameAt = (column: number, row: number) => {
    const x = Math.floor(((column + 0.5) * info.width) / columns);
    const y = Math.floor(((row + 0.5) * info.height) / rows);
    const [red = 0, green = 0, blue = 0] = data.subarray((y * info.width + x) * info.channels);
    const bits = [red, green, blue].map((value) => (value > 120 ? 1 : 0)).join('');
    return { '100': 'r', '010': 'g', '001': 'b', '111': 'w', '000': '_' }[bits] ?? bits;
  };
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => nameAt(column, row)).join(''),
  );
}

const metadataOf = (picture: Buffer) => sharp(picture).metadata();

describe('a picture is made as the recipe says', () => {
  it.each([
    ['photo.jpg', {}],
    ['photo-progressive.jpg', {}],
    ['photo-cmyk.jpg', { widthPixels: 108, heightPixels: 108 }],
    ['photo-gray.jpg', { widthPixels: 108, heightPixels: 108 }],
    ['phone-several.jpg', { widthPixels: 108, heightPixels: 108 }],
    ['phone-turned.jpg', { widthPixels: 150, heightPixels: 200 }],
    ['transparent.png', { widthPixels: 80, heightPixels: 80 }],
    ['photo.webp', {}],
    ['photo.heic', {}],
    ['transparent.heic', { widthPixels: 40, heightPixels: 40 }],
    ['ten-bit.avif', { widthPixels: 54, heightPixels: 96 }],
    ['still.gif', { widthPixels: 100, heightPixels: 100 }],
    ['photo.webp', { contentType: 'image/png' }],
  ] as const)('from %s', async (name, changes) => {
    const made = await render(name, changes);
    const { widthPixels, heightPixels, contentType } = recipe(changes);
    const { exif, orientation, icc, ...found } = await metadataOf(made);
    expect(found).toMatchObject({
      format: contentType === 'image/png' ? 'png' : 'jpeg',
      width: widthPixels,
      height: heightPixels,
      space: 'srgb',
      channels: 3,
      hasAlpha: false,
      ...(contentType === 'image/png' ? {} : { isProgressive: false }),
    });
    expect({ exif, orientation, icc }).toEqual({});
  });

  it('twice to the same bytes', async () => {
    expect((await render('photo.jpg')).equals(await render('photo.jpg'))).toBe(true);
  });

  it('larger than the original, if it says so', async () => {
    const square = await drawing(['rg', 'bw'], 10).png().toBuffer();
    const made = await renderImage(recipe({ widthPixels: 400, heightPixels: 400 }), square, 'image/png');
    expect(await metadataOf(made)).toMatchObject({ width: 400, height: 400 });
    expect(await colorsOf(made, 2, 2)).toEqual(['rg', 'bw']);
  });
});

it('a photo is turned as its metadata says', async () => {
  const turned = await drawing(['rg', 'bw']).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const made = await renderImage(recipe({ widthPixels: 60, heightPixels: 60 }), turned, 'image/jpeg');
  expect(await colorsOf(made, 2, 2)).toEqual(['br', 'wg']);
});

it('a photo in HEIC is turned as the file says', async () => {
  const bytes = file('photo.heic');
  // A property of the picture that says its bits, in place of which comes a turn by a quarter.
  const at = bytes.indexOf('pixi');
  bytes.write('irot', at, 'latin1');
  bytes[at + 4] = 3;
  const turned = { widthPixels: 135, heightPixels: 108 };
  const made = await renderImage(recipe(turned), bytes, 'image/heic');
  expect(await metadataOf(made)).toMatchObject({ width: 135, height: 108 });
});

it('transparent parts show the background', async () => {
  const picture = await drawing(['r_', '_b']).png().toBuffer();
  const changes = { widthPixels: 60, heightPixels: 60, background: '#00ff00' };
  expect(await colorsOf(await renderImage(recipe(changes), picture, 'image/png'), 2, 2)).toEqual([
    'rg',
    'gb',
  ]);
});

describe('a picture of another shape', async () => {
  const wide = await drawing(['rgb']).png().toBuffer();
  const square = { widthPixels: 90, heightPixels: 90 };
  const made = async (changes: Partial<ImageRecipe>) =>
    renderImage(recipe({ ...square, ...changes }), wide, 'image/png');

  it('is padded with the color', async () => {
    const padded = await made({ fit: 'pad', background: '#ffffff' });
    expect(await metadataOf(padded)).toMatchObject({ width: 90, height: 90 });
    expect(await colorsOf(padded, 3, 3)).toEqual(['www', 'rgb', 'www']);
  });

  it.each([
    ['the middle', undefined, 'g'],
    ['a point at the left', { x: 0, y: 0.5 }, 'r'],
    ['a point at the right', { x: 1, y: 1 }, 'b'],
  ] as const)('is cropped around %s', async (_, focalPoint, color) => {
    const cropped = await made({ fit: 'crop', ...(focalPoint && { focalPoint }) });
    expect(await metadataOf(cropped)).toMatchObject({ width: 90, height: 90 });
    expect(await colorsOf(cropped, 1, 1)).toEqual([color]);
  });

  it('is cropped as it is displayed, if its metadata turns it', async () => {
    // Displayed upright: red, green and blue from top to bottom.
    const turned = await drawing(['bgr']).rotate(180).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const changes = { ...square, fit: 'crop', focalPoint: { x: 0.5, y: 0 } } as const;
    expect(await colorsOf(await renderImage(recipe(changes), turned, 'image/jpeg'), 1, 1)).toEqual(['r']);
  });

  it('is refused without a way to fit it, because it would be distorted', async () => {
    await expect(made({})).rejects.toThrow('the picture has 120 × 40 pixels, which is another shape');
  });

  it.each([
    [1080, 1361, 1080, 1360],
    [326, 408, 320, 400],
    [1_200, 11, 600, 5],
    [9, 2_001, 4, 1_000],
    [1999, 1333, 1440, 960],
  ])('only by rounding is made: %i × %i as %i × %i', async (width, height, widthPixels, heightPixels) => {
    const create = { width, height, channels: 3, background: '#ff0000' } as const;
    const picture = await sharp({ create }).jpeg().toBuffer();
    const made = await renderImage(recipe({ widthPixels, heightPixels }), picture, 'image/jpeg');
    expect(await metadataOf(made)).toMatchObject({ width: widthPixels, height: heightPixels });
  });
});

describe('the bytes', async () => {
  const noise = Buffer.alloc(300 * 300 * 3);
  for (let at = 0, state = 1; at < noise.length; at += 1) {
    state = (state * 48_271) % 2_147_483_647;
    noise[at] = state;
  }
  const raw = { width: 300, height: 300, channels: 3 } as const;
  const picture = await sharp(noise, { raw }).png().toBuffer();
  const size = { widthPixels: 300, heightPixels: 300 };
  const made = (changes: Partial<ImageRecipe>) =>
    renderImage(recipe({ ...size, ...changes }), picture, 'image/png');

  it('are reduced by a lower quality until they are few enough', async () => {
    const best = await made({});
    const smaller = await made({ maxBytes: best.length - 1 });
    expect(smaller.length).toBeLessThan(best.length);
    expect(smaller.length).toBeGreaterThan(best.length / 2);
  });

  it.each([
    ['image/jpeg', /^as a JPEG of 300 × 300 pixels it has \d+ bytes even at quality 30, more than 2000$/],
    ['image/png', /^as a PNG of 300 × 300 pixels it has \d+ bytes, more than 2000$/],
  ] as const)('of %s that are too many even so are named', async (contentType, reason) => {
    await expect(made({ contentType, maxBytes: 2_000 })).rejects.toThrow(reason);
  });
});

describe('a file that cannot be rendered is refused with a reason', () => {
  it.each([
    ['animated.gif', /moves, and would stand still/],
    ['animated.png', /moves/],
    ['animated.webp', /moves/],
    ['animated.avif', /moves/],
    ['cut-photo.jpg', /cut off/],
    ['cut-screenshot.png', /cut off/],
  ])('%s', async (name, reason) => {
    await expect(render(name)).rejects.toMatchObject({
      name: 'UnrenderableError',
      message: expect.stringMatching(reason),
    });
  });

  it('if only its header is a picture', async () => {
    const bytes = file('screenshot.png');
    bytes.fill(0x55, 2_000, bytes.length - 12);
    const made = renderImage(recipe({ widthPixels: 117 }), bytes, 'image/png');
    await expect(made).rejects.toMatchObject({
      name: 'UnrenderableError',
      message: expect.stringMatching(/^the picture cannot be read: /),
    });
  });
});
