import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import type { ProbedFields } from './valid-probe.ts';

const cutOff = (end: string) => new UnfitFileError(`the file is cut off: its end (${end}) is missing`);

/** Programs append data of their own after the end of an image. */
const trailingBytes = 65_536;

const tailOf = (reader: RangeReader): Promise<Buffer> =>
  reader.read(Math.max(0, reader.sizeBytes - trailingBytes), reader.sizeBytes);

/** Color types of `IHDR` with an alpha channel. */
const alphaColorTypes = new Set([4, 6]);

/**
 * Reads alpha, bit depth and animation of a PNG (PNG specification, third edition). They precede the image data.
 *
 * @throws UnfitFileError if the file is cut off, or if there is too much to read
 */
export async function probePng(reader: RangeReader): Promise<ProbedFields> {
  if (!(await tailOf(reader)).includes('IEND', 0, 'latin1')) throw cutOff('IEND');
  let hasAlpha = false;
  let isAnimated = false;
  let bitDepth: number | undefined;
  for (let offset = 8; offset < reader.sizeBytes; ) {
    reader.countPart();
    const head = await reader.read(offset, offset + 18);
    if (head.length < 8) break;
    const type = head.toString('latin1', 4, 8);
    if (type === 'IDAT' || type === 'IEND') break;
    if (type === 'IHDR') {
      bitDepth = head[16];
      hasAlpha ||= alphaColorTypes.has(head[17] ?? 0);
    }
    if (type === 'tRNS') hasAlpha = true;
    if (type === 'acTL') isAnimated = true;
    // Length, type and checksum take 12 bytes.
    offset += 12 + head.readUInt32BE(0);
  }
  return { hasAlpha, isAnimated, bitDepth };
}

/**
 * Reads alpha and animation of a WebP (RFC 9649).
 *
 * @throws UnfitFileError if the file is cut off
 */
export async function probeWebp(reader: RangeReader): Promise<ProbedFields> {
  const head = await reader.read(0, 30);
  // Some programs count the byte that pads the last chunk, and do not write it.
  if (head.length < 30 || 8 + head.readUInt32LE(4) > reader.sizeBytes + 1)
    throw cutOff('the size in its header');
  const flags = head[20] ?? 0;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { hasAlpha: (flags & 0x10) !== 0, isAnimated: (flags & 0x02) !== 0 };
    case 'VP8L':
      return { hasAlpha: ((head[24] ?? 0) & 0x10) !== 0, isAnimated: false };
    default:
      return { hasAlpha: false, isAnimated: false };
  }
}

/** A GIF has no table of its blocks, so all must be walked. What lies farther is not looked at. */
const walkedGifBytes = 8 * 1_048_576;

/**
 * Reads alpha and animation of a GIF (GIF89a, "Grammar").
 *
 * @throws UnfitFileError if the file is cut off
 */
export async function probeGif(reader: RangeReader): Promise<ProbedFields> {
  const bytes = await reader.read(0, Math.min(reader.sizeBytes, walkedGifBytes));
  const found = walkGif(bytes);
  const isWhole = bytes.length === reader.sizeBytes;
  if (isWhole && found.end === 'missing') throw cutOff('the trailer');
  if (!isWhole && !(await tailOf(reader)).includes(0x3b)) throw cutOff('the trailer');
  return { hasAlpha: found.hasAlpha, isAnimated: found.frames > 1 };
}

interface GifBlocks {
  readonly frames: number;
  readonly hasAlpha: boolean;
  /** `unknown` if bytes follow that are no block: viewers show what precedes them. */
  readonly end: 'trailer' | 'missing' | 'unknown';
}

function walkGif(bytes: Buffer): GifBlocks {
  let [frames, hasAlpha] = [0, false];
  const colorTable = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  for (let at = 13 + colorTable(bytes[10]); at < bytes.length; ) {
    const kind = bytes[at];
    if (kind === 0x3b) return { frames, hasAlpha, end: 'trailer' };
    if (kind === 0x21) {
      // A graphic control extension; its first flag says that a color is transparent. Later frames use it for what stays.
      if (bytes[at + 1] === 0xf9 && frames === 0) hasAlpha ||= ((bytes[at + 3] ?? 0) & 1) === 1;
      at += 2;
    } else if (kind === 0x2c) {
      frames += 1;
      at += 11 + colorTable(bytes[at + 9]);
    } else return { frames, hasAlpha, end: 'unknown' };
    // Blocks of data follow, each with its length. An empty one ends them.
    for (let length = bytes[at]; length !== 0; length = bytes[at]) {
      if (length === undefined) return { frames, hasAlpha, end: 'missing' };
      at += 1 + length;
    }
    at += 1;
  }
  return { frames, hasAlpha, end: 'missing' };
}
