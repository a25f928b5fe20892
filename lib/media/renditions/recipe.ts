import * as z from 'zod';
import { sha256 } from '../../kernel/ids.ts';
import { canonicalJson } from '../../kernel/json.ts';

export const Fit = z.enum(['pad', 'crop']).meta({
  id: 'Fit',
  description:
    'Change of shape for platforms that do not take the picture as it is. `pad`: bars are added at two sides. `crop`: two sides are cut off',
});
export type Fit = z.infer<typeof Fit>;

/** The precision of a fraction: finer than a pixel of a large picture, and a number that DynamoDB can hold. */
const fractions = 100_000;
const Fraction = z
  .number()
  .min(0)
  .max(1)
  .overwrite((value) => Math.round(value * fractions) / fractions);

export const FocalPoint = z.object({ x: Fraction, y: Fraction }).meta({
  id: 'FocalPoint',
  description: 'A point of a picture, as fractions of its width and height from the top left corner',
});
export type FocalPoint = z.infer<typeof FocalPoint>;

/** A color such as `#1a2b3c`, as CSS writes it. */
export const HexColor = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #ffffff');

/** Phones have cameras of 200 megapixels, which write 50 or fewer unless asked. Larger pictures take too much memory. */
export const maxPixels = 110_000_000;
/** HEIC is decoded as a whole, with four bytes per pixel, twice. */
export const maxHeicPixels = 64_000_000;

/** A picture to make from an image. Sizes are as displayed, after any rotation in the metadata. */
export const ImageRecipe = z.object({
  kind: z.literal('image'),
  contentType: z.enum(['image/jpeg', 'image/png']),
  widthPixels: z.int(),
  heightPixels: z.int(),
  /** The most bytes that the result may have. */
  maxBytes: z.int(),
  /** The change of shape that the author has asked for; absent if the picture is only scaled. */
  fit: Fit.exactOptional(),
  /** The color of bars, and behind transparent parts. */
  background: HexColor,
  /** The point that stays nearest to the middle when the picture is cropped. Default: the middle. */
  focalPoint: FocalPoint.exactOptional(),
});
export type ImageRecipe = z.infer<typeof ImageRecipe>;

/**
 * A video to make without encoding anything again: index first, fragments joined, edit lists resolved, in this container.
 */
export const VideoRecipe = z.object({
  kind: z.literal('video'),
  contentType: z.enum(['video/mp4', 'video/webm']),
  maxBytes: z.int(),
});
export type VideoRecipe = z.infer<typeof VideoRecipe>;

/** All that determines a rendition of an original. */
export const Recipe = z.discriminatedUnion('kind', [ImageRecipe, VideoRecipe]);
export type Recipe = z.infer<typeof Recipe>;

/** The types that renditions can have. */
export const renditionContentTypes = [
  ...ImageRecipe.shape.contentType.options,
  ...VideoRecipe.shape.contentType.options,
] as const;

/** Returns the id of a rendition, which is unique among those of one original. Equal recipes have the same id. */
export function renditionIdOf(recipe: Recipe): string {
  return sha256(canonicalJson(recipe)).slice(0, 32);
}
