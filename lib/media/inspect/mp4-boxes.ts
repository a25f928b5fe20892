import type { RangeReader } from './range-reader.ts';

/** What the index of an MP4 or QuickTime file says that is not asked of a library (ISO/IEC 14496-12). */
export interface Mp4Facts {
  /** Whether the index (`moov`) stands before the media, so that playing can begin before the end has arrived. */
  readonly moovFirst: boolean;
  /** Whether a track is played otherwise than from its begin to its end (`elst`). */
  readonly hasEditList: boolean;
  /** Absent where it cannot be told. */
  readonly framesPerSecond?: number;
}

/** More stand in front of `moov` in no file that is not made to waste time. */
const mostTopBoxes = 64;

/**
 * Walks along the top of a file to its `moov` and reads that whole.
 *
 * @returns `undefined` for a file without one
 * @throws TooMuchToReadError
 */
export async function readMp4Facts(reader: RangeReader): Promise<Mp4Facts | undefined> {
  let moovFirst = true;
  let offset = 0;
  for (let count = 0; count < mostTopBoxes && offset + 8 <= reader.sizeBytes; count += 1) {
    const header = readHeader(await reader.read(offset, offset + 16));
    if (!header || header.bytes < header.headerBytes) return undefined;
    const end = Math.min(offset + header.bytes, reader.sizeBytes);
    if (header.type === 'moov') {
      const bytes = await reader.read(offset + header.headerBytes, end);
      return factsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), moovFirst);
    }
    if (header.type === 'mdat') moovFirst = false;
    offset = end;
  }
  return undefined;
}

function factsOf(moov: Buffer, moovFirst: boolean): Mp4Facts {
  const tracks = childrenOf(moov, 'trak');
  const hasEditList = tracks.some((track) => descend(track, 'edts', 'elst') !== undefined);
  const rates = tracks.flatMap((track) => frameRateOf(track) ?? []);
  const [framesPerSecond] = rates;
  return { moovFirst, hasEditList, ...(framesPerSecond !== undefined && { framesPerSecond }) };
}

/** Of a track of pictures: how many there are, by how long they last. */
function frameRateOf(track: Buffer): number | undefined {
  const media = descend(track, 'mdia');
  const [handler, header] = [media && descend(media, 'hdlr'), media && descend(media, 'mdhd')];
  const times = media && descend(media, 'minf', 'stbl', 'stts');
  if (!handler || !header || !times || handler.toString('latin1', 8, 12) !== 'vide') return undefined;
  const timescaleAt = header[0] === 1 ? 20 : 12;
  if (header.length < timescaleAt + 4) return undefined;
  const timescale = header.readUInt32BE(timescaleAt);
  let [frames, ticks] = [0, 0];
  for (let at = 8; at + 8 <= times.length; at += 8) {
    const count = times.readUInt32BE(at);
    frames += count;
    ticks += count * times.readUInt32BE(at + 4);
  }
  if (frames === 0 || ticks === 0 || timescale === 0) return undefined;
  return Math.round((frames / ticks) * timescale * 100) / 100;
}

function descend(box: Buffer, ...types: readonly string[]): Buffer | undefined {
  return types.reduce<Buffer | undefined>((parent, type) => parent && childrenOf(parent, type)[0], box);
}

/** What is in the boxes of this type right inside a box. */
function childrenOf(box: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; offset + 8 <= box.length; ) {
    const header = readHeader(box.subarray(offset, offset + 16));
    if (!header || header.bytes < header.headerBytes) break;
    const end = Math.min(offset + header.bytes, box.length);
    if (header.type === type) found.push(box.subarray(offset + header.headerBytes, end));
    offset = end;
  }
  return found;
}

function readHeader(head: Uint8Array): { type: string; headerBytes: number; bytes: number } | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (bytes.length < 8) return undefined;
  const size = bytes.readUInt32BE(0);
  const type = bytes.toString('latin1', 4, 8);
  // 0: the box lasts to the end of the file; 1: the size follows in 64 bits.
  if (size === 0) return { type, headerBytes: 8, bytes: Number.POSITIVE_INFINITY };
  if (size !== 1) return { type, headerBytes: 8, bytes: size };
  return bytes.length < 16 ? undefined : { type, headerBytes: 16, bytes: Number(bytes.readBigUInt64BE(8)) };
}
