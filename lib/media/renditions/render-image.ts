import type { Sharp } from 'sharp';
import { inspectFile } from '../probe/inspect.ts';
import { cropOf } from './crop.ts';
import { decodeHeic, withColorProfile } from './heic.ts';
import { type ImageRecipe, maxHeicPixels, maxPixels } from './recipe.ts';
import { loadSharp } from './sharp.ts';
import { UnrenderableError } from './unrenderable.ts';

/** Qualities of a JPEG, tried until the picture has few enough bytes. */
const qualities = [90, 80, 70, 60, 50, 40, 30] as const;

/** A side may differ by this much from the recipe's shape, because sizes are rounded to whole pixels. */
const roundingPixels = 1;

/**
 * Makes a picture as the recipe says: turned as the metadata says, in sRGB, without metadata and transparency. Takes the
 * first picture of a file that has several, and refuses a file that moves.
 *
 * @throws UnrenderableError if this file cannot be rendered
 */
export async function renderImage(recipe: ImageRecipe, bytes: Buffer, contentType: string): Promise<Buffer> {
  const read = async (first: number, last: number) => bytes.subarray(first, last + 1);
  const found = await inspectFile(read, bytes.length, contentType);
  if (found.state !== 'fit') throw new UnrenderableError('reason' in found ? found.reason : found.state);
  if (found.probe?.isAnimated)
    throw new UnrenderableError(
      'the picture moves, and would stand still. Upload a still picture, or a video',
    );
  try {
    return await encode(shaped(await openPicture(bytes), recipe), recipe);
  } catch (error) {
    if (error instanceof UnrenderableError) throw error;
    throw new UnrenderableError(`the picture cannot be read: ${inWords(error)}`);
  }
}

/** A picture that sharp reads, upright. */
interface Source {
  readonly picture: Sharp;
  /** The width as displayed, in pixels. */
  readonly width: number;
  readonly height: number;
}

async function openPicture(bytes: Buffer): Promise<Source> {
  const picture = loadSharp()(bytes, { failOn: 'error', limitInputPixels: maxPixels });
  const { compression, icc, autoOrient } = await picture.metadata();
  if (compression === 'hevc') return openHeic(bytes, icc);
  return { picture: picture.autoOrient(), ...autoOrient };
}

/** Opens a picture in HEVC. Its color profile is kept beside the pixels, and applied when they are encoded. */
async function openHeic(bytes: Buffer, profile: Buffer | undefined): Promise<Source> {
  const sharp = loadSharp();
  const { data, width, height } = await decodeHeic(bytes, maxHeicPixels);
  const raw = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: maxHeicPixels });
  if (profile === undefined) return { picture: raw, width, height };
  const png = withColorProfile(await raw.png({ compressionLevel: 0 }).toBuffer(), profile);
  return { picture: sharp(png, { limitInputPixels: maxHeicPixels }), width, height };
}

/** Scales, crops or pads a picture to the recipe's size. */
function shaped({ picture, width, height }: Source, recipe: ImageRecipe): Sharp {
  const { widthPixels, heightPixels, fit, focalPoint, background } = recipe;
  const size = { width: widthPixels, height: heightPixels };
  if (fit === 'pad') return picture.flatten({ background }).resize({ ...size, fit: 'contain', background });
  if (fit === undefined) {
    if (!isSameShape({ width, height }, size))
      throw new UnrenderableError(
        `the picture has ${width} × ${height} pixels, which is another shape than ${widthPixels} × ${heightPixels}`,
      );
    return picture.flatten({ background }).resize({ ...size, fit: 'fill' });
  }
  const part = cropOf({ width, height }, size, focalPoint);
  // `cover` cuts off less than a pixel, so that rounding does not distort the picture.
  return picture
    .extract(part)
    .flatten({ background })
    .resize({ ...size, fit: 'cover' });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** True if a size is that of the scaled picture, apart from a pixel of rounding on one side. */
function isSameShape(picture: Size, size: Size): boolean {
  const widthError = Math.abs((picture.width * size.height) / picture.height - size.width);
  const heightError = Math.abs((picture.height * size.width) / picture.width - size.height);
  return Math.min(widthError, heightError) <= roundingPixels;
}

async function encode(picture: Sharp, { contentType, maxBytes }: ImageRecipe): Promise<Buffer> {
  // Decoded and scaled once, encoded several times.
  const { data, info } = await picture.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  const pixels = () =>
    loadSharp()(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  if (contentType === 'image/png') {
    const png = await pixels().png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer();
    if (png.length <= maxBytes) return png;
    throw new UnrenderableError(
      `as a PNG of ${info.width} × ${info.height} pixels it has ${png.length} bytes, more than ${maxBytes}`,
    );
  }
  let smallest = 0;
  for (const quality of qualities) {
    const jpeg = await pixels()
      .jpeg({ quality, ...mozjpeg })
      .toBuffer();
    if (jpeg.length <= maxBytes) return jpeg;
    smallest = jpeg.length;
  }
  throw new UnrenderableError(
    `as a JPEG of ${info.width} × ${info.height} pixels it has ${smallest} bytes even at quality ${qualities.at(-1)}, more than ${maxBytes}`,
  );
}

/** The encoder's better compression. Without its scans, because some platforms do not take progressive JPEG. */
const mozjpeg = {
  trellisQuantisation: true,
  overshootDeringing: true,
  quantisationTable: 3,
  progressive: false,
} as const;

/** Returns the first line of a decoder's message, which may quote the file. */
function inWords(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 120) || 'it is damaged';
}
