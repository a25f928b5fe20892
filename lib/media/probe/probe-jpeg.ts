import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import type { ProbedFields } from './valid-probe.ts';

/** Markers of JPEG (ITU-T T.81, table B.1). */
const markers = { endOfImage: 0xd9, startOfScan: 0xda, exif: 0xe1, multiPicture: 0xe2 } as const;
/** C4, C8 and CC are among the frame headers' codes, but are something else. */
const frameHeaders = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
/** Frame headers of images that are shown in several passes, each sharper than the one before. */
const progressiveFrames = new Set([0xc2, 0xc6, 0xca, 0xce]);
/** TEM and RST0 to RST7 have no length. */
const isWithoutLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** EXIF orientations from 5 on rotate the image by a quarter turn. */
const firstRotatedOrientation = 5;
/** The rotation that each orientation asks for, clockwise in degrees. Half of them mirror the image too. */
const rotations = [0, 0, 0, 180, 180, 270, 90, 90, 270];

/** The color model by the number of components. */
const colorModels = new Map([
  [1, 'gray'],
  [3, 'rgb'],
  [4, 'cmyk'],
]);

/** How many bytes to search for the next marker at once. Bytes between segments are rare. */
const searchBytes = 4_096;

/**
 * Reads a JPEG. Walks the segments to the first scan; several MB of color profiles, previews and notes can precede it.
 *
 * @returns no fields if there is no frame header
 * @throws UnfitFileError if the file is cut off, or if there is too much to read
 */
export async function probeJpeg(reader: RangeReader): Promise<ProbedFields> {
  let orientation: number | undefined;
  let frame: ProbedFields | undefined;
  let isMultiPicture = false;
  for (let offset = 2; ; ) {
    const found = await nextMarker(reader, offset);
    const head = found && (await reader.read(found.end, found.end + 8));
    const isEnd = !found || !head || found.marker === markers.endOfImage;
    if (isEnd && frame) throw cutOff();
    if (isEnd) return {};
    const { marker, end: start } = found;
    if (isWithoutLength(marker)) {
      offset = start;
      continue;
    }
    const length = head.length < 2 ? 0 : head.readUInt16BE(0);
    if (length < 2) return {};
    if (marker === markers.startOfScan) {
      if (!frame) return {};
      if (!(await hasEnd(reader, start + length))) throw cutOff();
      return { container: 'jpeg', ...turned(frame, orientation), isMultiPicture };
    }
    if (frameHeaders.has(marker)) {
      if (head.length < 8) return {};
      frame ??= {
        width: head.readUInt16BE(5),
        height: head.readUInt16BE(3),
        bitDepth: head[2],
        colorModel: colorModels.get(head[7] ?? 0),
        isProgressive: progressiveFrames.has(marker),
      };
    }
    if (marker === markers.exif) orientation ??= orientationIn(await reader.read(start + 2, start + length));
    if (marker === markers.multiPicture) isMultiPicture ||= head.toString('latin1', 2, 6) === 'MPF\0';
    offset = start + length;
  }
}

const cutOff = () => new UnfitFileError('the file is cut off: its end (the marker EOI) is missing');

function turned(frame: ProbedFields, orientation = 1): ProbedFields {
  const { width, height } = frame;
  const size = orientation >= firstRotatedOrientation ? { width: height, height: width } : { width, height };
  return { ...frame, ...size, rotation: rotations[orientation] ?? 0 };
}

/** Number of bytes at the end of a file in which its end marker is looked for. */
const tailBytes = 65_536;
/** Markers inside the data of an image with several scans: tables, comments and the next scan. */
const scanMarkers = new Set([0x00, 0xff, 0xc4, 0xcc, 0xda, 0xdb, 0xdc, 0xdd, 0xfe]);

/**
 * Returns true if the end of the image is in the file. Phones append videos and other data to it, so that the marker EOI may
 * be megabytes from the end of the file. Such data soon contains a byte FF before one that cannot follow it within an image.
 */
async function hasEnd(reader: RangeReader, scanAt: number): Promise<boolean> {
  const tail = await reader.read(Math.max(scanAt, reader.sizeBytes - tailBytes), reader.sizeBytes);
  for (let at = tail.indexOf(0xff); at >= 0 && at + 1 < tail.length; at = tail.indexOf(0xff, at + 1)) {
    const marker = tail[at + 1] ?? 0;
    if (!scanMarkers.has(marker) && !isWithoutLength(marker)) return true;
  }
  return false;
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
