import { disableTypes, imageSize, types } from 'image-size';
import type { MediaProbe } from '../schemas.ts';
import type { RangeReader } from './range-reader.ts';

/** The type check lets only these formats through. The library's other parsers are disabled. */
const imageFormats: readonly string[] = ['gif', 'jpg', 'png', 'webp'];
disableTypes(types.filter((type) => !imageFormats.includes(type)));

/** Bytes to try, in turn. The size is usually in the first bytes, but can follow color profiles and previews. */
const headSizes = [65_536, 1_048_576, 4_194_304];

/** EXIF orientations from 5 on rotate the image by a quarter turn. */
const firstRotatedOrientation = 5;

/** Width and height as displayed; `undefined` if they cannot be read. */
export async function probeImage(reader: RangeReader): Promise<MediaProbe | undefined> {
  for (const bytes of headSizes) {
    const found = sizeIn(await reader.read(0, bytes));
    if (found) return found;
    if (bytes >= reader.sizeBytes) break;
  }
  return undefined;
}

function sizeIn(head: Uint8Array): MediaProbe | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    if (!(width > 0 && height > 0)) return undefined;
    return orientation >= firstRotatedOrientation ? { width: height, height: width } : { width, height };
  } catch {
    // `imageSize` throws if the bytes end too early or are broken.
    return undefined;
  }
}
