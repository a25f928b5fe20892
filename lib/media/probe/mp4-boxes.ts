import type { RangeReader } from './range-reader.ts';

/** The boxes that MP4 and QuickTime files are made of (ISO/IEC 14496-12, "Object structure"). */
export interface Box {
  readonly type: string;
  /** The offset of its header in the file. */
  readonly offset: number;
  /** The offset of its content in the file. */
  readonly start: number;
  /** The offset of its end in the file, at most that of its parent's end. */
  readonly end: number;
  /** True if it claims to be longer than its parent. */
  readonly isCut: boolean;
}

/** The largest box header: size, type, 64-bit size. */
const maxHeaderBytes = 16;

/**
 * Yields the boxes between two places of a file, without reading their content. Ends at the first bytes that are not a
 * box header.
 *
 * @throws UnfitFileError if there is too much to read
 */
export async function* boxesIn(reader: RangeReader, start: number, end: number): AsyncGenerator<Box, void> {
  for (let offset = start; offset < end; ) {
    reader.countPart();
    const header = readBoxHeader(await reader.read(offset, Math.min(offset + maxHeaderBytes, end)));
    if (!header) return;
    const { type, headerBytes, sizeBytes = end - offset } = header;
    const stop = Math.min(offset + sizeBytes, end);
    yield { type, offset, start: offset + headerBytes, end: stop, isCut: offset + sizeBytes > end };
    offset = stop;
  }
}

/** Finds the first child box of each of these types. Reads no further than the last of them. */
export async function childrenOf<Type extends string>(
  reader: RangeReader,
  parent: Box | undefined,
  ...types: readonly Type[]
): Promise<{ readonly [Each in Type]?: Box }> {
  const found = new Map<string, Box>();
  if (!parent) return {};
  for await (const box of boxesIn(reader, parent.start, parent.end)) {
    if ((types as readonly string[]).includes(box.type) && !found.has(box.type)) found.set(box.type, box);
    if (found.size === types.length) break;
  }
  return Object.fromEntries(found) as { readonly [Each in Type]?: Box };
}

/** Returns the first bytes of a box's content, at most `maxBytes`. */
export function contentOf(reader: RangeReader, { start, end }: Box, maxBytes: number): Promise<Buffer> {
  return reader.read(start, Math.min(start + maxBytes, end));
}

interface BoxHeader {
  readonly type: string;
  readonly headerBytes: number;
  /** Size of the whole box; absent if it extends to the end of its parent. */
  readonly sizeBytes?: number;
}

/** Returns `undefined` if there are too few bytes, or if they are not a box header. */
function readBoxHeader(bytes: Buffer): BoxHeader | undefined {
  if (bytes.length < 8) return undefined;
  const size = bytes.readUInt32BE(0);
  const type = bytes.toString('latin1', 4, 8);
  // Size 0: the box extends to the end. Size 1: a 64-bit size follows.
  if (size === 0) return { type, headerBytes: 8 };
  if (size !== 1) return size < 8 ? undefined : { type, headerBytes: 8, sizeBytes: size };
  if (bytes.length < maxHeaderBytes) return undefined;
  const long = Number(bytes.readBigUInt64BE(8));
  return long < maxHeaderBytes ? undefined : { type, headerBytes: maxHeaderBytes, sizeBytes: long };
}
