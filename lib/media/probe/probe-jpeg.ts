import type { RangeReader } from './range-reader.ts';
import type { ProbedFields } from './valid-probe.ts';

/** Markers of JPEG (ITU-T T.81, table B.1). */
const markers = { endOfImage: 0xd9, startOfScan: 0xda, exif: 0xe1 } as const;
/** C4, C8 and CC are among the frame headers' codes, but are something else. */
const frameHeaders = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
/** TEM and RST0 to RST7 have no length. */
const isWithoutLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** EXIF orientations from 5 on rotate the image by a quarter turn. */
const firstRotatedOrientation = 5;

/** How many bytes to search for the next marker at once. Bytes between segments are rare. */
const searchBytes = 4_096;

/**
 * Reads the size of a JPEG, as displayed. Walks the segments to the frame header, which can follow several MB of color
 * profiles, previews and notes.
 *
 * @returns no fields if there is no frame header
 * @throws UnfitFileError if there is too much to read
 */
export async function probeJpeg(reader: RangeReader): Promise<ProbedFields> {
  let orientation: number | undefined;
  for (let offset = 2; ; ) {
    const found = await nextMarker(reader, offset);
    if (!found) return {};
    const { marker, end: start } = found;
    if (marker === markers.startOfScan || marker === markers.endOfImage) return {};
    if (isWithoutLength(marker)) {
      offset = start;
      continue;
    }
    const head = await reader.read(start, start + 7);
    if (head.length < 7) return {};
    const length = head.readUInt16BE(0);
    if (length < 2) return {};
    if (frameHeaders.has(marker)) {
      const [height, width] = [head.readUInt16BE(3), head.readUInt16BE(5)];
      const isTurned = orientation !== undefined && orientation >= firstRotatedOrientation;
      return isTurned ? { width: height, height: width } : { width, height };
    }
    if (marker === markers.exif) orientation ??= orientationIn(await reader.read(start + 2, start + length));
    offset = start + length;
  }
}

/** Finds the next marker. Fill bytes (FF) may precede it; other bytes do not belong there, but decoders skip them. */
async function nextMarker(
  reader: RangeReader,
  start: number,
): Promise<{ marker: number; end: number } | undefined> {
  for (let offset = start; offset < reader.sizeBytes; ) {
    reader.countPart();
    const bytes = await reader.read(offset, offset + searchBytes);
    for (let at = 0; at + 1 < bytes.length; at += 1) {
      const marker = bytes[at] === 0xff ? bytes[at + 1] : undefined;
      // FF 00 is a byte of data, FF FF begins with a fill byte.
      if (marker && marker !== 0xff) return { marker, end: offset + at + 2 };
    }
    if (bytes.length < searchBytes) return undefined;
    offset += searchBytes - 1;
  }
  return undefined;
}

const exifHeader = 'Exif\0\0';
const orientationTag = 274;
const shortType = 3;

/** Reads the orientation of an EXIF block (TIFF 6.0, section 2; Exif 2.32, section 4.6.2), if it has one. */
function orientationIn(block: Buffer): number | undefined {
  if (block.toString('latin1', 0, exifHeader.length) !== exifHeader) return undefined;
  const tiff = block.subarray(exifHeader.length);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'MM' && order !== 'II')) return undefined;
  const isBig = order === 'MM';
  const uint16 = (at: number) => (isBig ? tiff.readUInt16BE(at) : tiff.readUInt16LE(at));
  const directory = isBig ? tiff.readUInt32BE(4) : tiff.readUInt32LE(4);
  if (directory + 2 > tiff.length) return undefined;
  const entries = uint16(directory);
  for (let index = 0; index < entries; index += 1) {
    const at = directory + 2 + 12 * index;
    if (at + 12 > tiff.length) return undefined;
    if (uint16(at) === orientationTag) return uint16(at + 2) === shortType ? uint16(at + 8) : undefined;
  }
  return undefined;
}
