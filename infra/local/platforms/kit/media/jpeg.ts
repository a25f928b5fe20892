export interface JpegFacts {
  /** Width and height as displayed, after the rotation that the EXIF data asks for. */
  readonly width: number;
  readonly height: number;
  /** The file contains several pictures (MPO), which some platforms refuse. */
  readonly multiPicture: boolean;
}

const noPayload = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8]);
/** Returns true for start-of-frame markers: 0xC0 to 0xCF except DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/**
 * Reads the segments of a JPEG up to its frame header (ITU-T T.81, annex B).
 *
 * @param head the beginning of the file; 1 MiB contains the frame header of any file seen in practice
 * @returns undefined if the file is not a JPEG or `head` ends before the frame header
 */
export function readJpeg(head: Buffer): JpegFacts | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return undefined;
  let multiPicture = false;
  let isTurned = false;
  let offset = 2;
  while (offset + 4 <= head.length) {
    if (head[offset] !== 0xff) return undefined;
    const marker = head[offset + 1] ?? 0;
    if (marker === 0xff) offset += 1;
    else if (noPayload.has(marker)) offset += 2;
    else {
      const length = head.readUInt16BE(offset + 2);
      if (length < 2) return undefined;
      const payload = head.subarray(offset + 4, offset + 2 + length);
      if (isFrame(marker)) return frameFacts(payload, multiPicture, isTurned);
      if (marker === 0xe1) isTurned ||= asksForQuarterTurn(payload);
      if (marker === 0xe2 && payload.toString('latin1', 0, 4) === 'MPF\0') multiPicture = true;
      offset += 2 + length;
    }
  }
  return undefined;
}

function frameFacts(frame: Buffer, multiPicture: boolean, isTurned: boolean): JpegFacts | undefined {
  if (frame.length < 5) return undefined;
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)];
  if (width === 0 || height === 0) return undefined;
  return isTurned ? { width: height, height: width, multiPicture } : { width, height, multiPicture };
}

/** Searches EXIF data for its orientation (tag 0112, type 3, one value), in both orders of bytes. Values from 5 on turn. */
function asksForQuarterTurn(exif: Buffer): boolean {
  if (exif.toString('latin1', 0, 4) !== 'Exif') return false;
  const big = exif.indexOf(Buffer.from('0112000300000001', 'hex'));
  const little = exif.indexOf(Buffer.from('1201030001000000', 'hex'));
  const value = big >= 0 ? exif[big + 9] : little >= 0 ? exif[little + 8] : undefined;
  return value !== undefined && value >= 5 && value <= 8;
}

/** Returns true if the tail of a file contains the end of an image. Phones append data of their own to it. */
export const endsJpeg = (tail: Buffer): boolean => tail.includes(Buffer.from('ffd9', 'hex'));
