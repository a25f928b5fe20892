import { disableTypes, imageSize, types } from 'image-size';
import type { MediaProbe } from '../schemas.ts';
import type { RangeReader } from './range-reader.ts';

/** No other kind comes this far; what the library does with one that hides in another is none of our business. */
const wanted: readonly string[] = ['gif', 'jpg', 'png', 'webp'];
disableTypes(types.filter((type) => !wanted.includes(type)));

/** Where the size of an image stands: mostly in its first bytes, and behind profiles and previews in some. */
const headSizes = [65_536, 1_048_576, 4_194_304];

/** From here on, an image's own orientation (EXIF) lays it on its side. */
const firstSideways = 5;

/** Width and height as people see the image; `undefined` where they cannot be read. */
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
    return orientation >= firstSideways ? { width: height, height: width } : { width, height };
  } catch {
    // It throws where its bytes end too early, and where they are broken.
    return undefined;
  }
}
