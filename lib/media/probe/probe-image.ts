import { disableTypes, imageSize, types } from 'image-size';
import { probeGif, probePng, probeWebp } from './image-headers.ts';
import { probeHeif } from './probe-heif.ts';
import { probeJpeg } from './probe-jpeg.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import { type ProbedFields, validProbe } from './valid-probe.ts';

/**
 * These have their size in the first bytes. Other formats of the library are disabled. JPEG is too: for it, the library
 * needs all bytes before the frame header in memory, and 0.1 s of a fast processor per MB if they are not segments.
 */
const libraryFormats: readonly string[] = ['gif', 'png', 'webp'];
disableTypes(types.filter((type) => !libraryFormats.includes(type)));

const heifTypes = ['image/heic', 'image/heif', 'image/avif'];

/** The farthest field that any of these formats needs is at byte 40, in a PNG that Apple's tools made. */
const headBytes = 64;

/** The properties other than the size, by content type. Each checks that the file is not cut off. */
const headers: Readonly<Record<string, (reader: RangeReader) => Promise<ProbedFields>>> = {
  'image/png': probePng,
  'image/gif': probeGif,
  'image/webp': probeWebp,
};

/**
 * Probes an image. Width and height are as displayed.
 *
 * @throws UnfitFileError if width and height cannot be read, since no platform can use such an image; if the file is cut
 *   off; or if there is too much to read
 */
export async function probeImage(reader: RangeReader, contentType: string): Promise<ProbedFields> {
  if (contentType === 'image/jpeg') return requireSize(await probeJpeg(reader));
  if (heifTypes.includes(contentType)) return requireSize(await probeHeif(reader));
  const size = requireSize(sizeIn(await reader.read(0, headBytes)));
  return { ...size, container: contentType.replace('image/', ''), ...(await headers[contentType]?.(reader)) };
}

function requireSize(found: ProbedFields): ProbedFields {
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
