import { disableTypes, imageSize, types } from 'image-size';
import { probeJpeg } from './probe-jpeg.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import { type ProbedFields, validProbe } from './valid-probe.ts';

/**
 * These have their size in the first bytes. Other formats of the library are disabled. JPEG is too: for it, the library
 * needs all bytes before the frame header in memory, and seconds if they are not segments.
 */
const libraryFormats: readonly string[] = ['gif', 'png', 'webp'];
disableTypes(types.filter((type) => !libraryFormats.includes(type)));

/** The farthest field that any of these formats needs is at byte 40, in a PNG that Apple's tools made. */
const headBytes = 64;

/**
 * Width and height as displayed.
 *
 * @throws UnfitFileError if they cannot be read: no platform can use such an image
 */
export async function probeImage(reader: RangeReader, contentType: string): Promise<ProbedFields> {
  const isJpeg = contentType === 'image/jpeg';
  const found = isJpeg ? await probeJpeg(reader) : sizeIn(await reader.read(0, headBytes));
  if (validProbe(found).width === undefined)
    throw new UnfitFileError('the width and height of the image cannot be read, or are not possible');
  return found;
}

function sizeIn(head: Uint8Array): ProbedFields {
  try {
    const { width, height } = imageSize(head);
    return { width, height };
  } catch {
    // `imageSize` throws if the bytes end too early or are broken.
    return {};
  }
}
