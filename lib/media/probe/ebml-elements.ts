import type { RangeReader } from './range-reader.ts';

/** An element of a WebM file (RFC 8794). */
export interface Element {
  readonly id: number;
  /** The offset of its content in the file. */
  readonly start: number;
  /** The offset of its end in the file, at most that of its parent's end. */
  readonly end: number;
  /** True if it does not say its size, and so lasts at most to the end of its parent. */
  readonly isOpen: boolean;
  /** True if it claims to be longer than its parent. */
  readonly isCut: boolean;
}

/** An id of up to 4 bytes and a size of up to 8 (RFC 9559: EBMLMaxIDLength 4, EBMLMaxSizeLength 8). */
const maxHeaderBytes = 12;

/**
 * Yields the elements between two places of a file, without reading their content. Ends at the first bytes that are not
 * an element.
 *
 * @throws UnfitFileError if there is too much to read
 */
export async function* elementsIn(
  reader: RangeReader,
  { start, end }: Pick<Element, 'start' | 'end'>,
): AsyncGenerator<Element, void> {
  for (let offset = start; offset < end; ) {
    reader.countPart();
    const head = await reader.read(offset, Math.min(offset + maxHeaderBytes, end));
    const id = readNumber(head, 0, 4);
    const size = id && readNumber(head, id.bytes, 8);
    if (!id || !size) return;
    const contentAt = offset + id.bytes + size.bytes;
    const isOpen = size.isAllOnes;
    const claimedEnd = contentAt + size.value;
    const stop = isOpen ? end : Math.min(claimedEnd, end);
    yield { id: id.raw, start: contentAt, end: stop, isOpen, isCut: !isOpen && claimedEnd > end };
    offset = stop;
  }
}

/** Finds the first child of each of these ids. Reads no further than the last of them, or than a child with the id `last`. */
export async function elementsById(
  reader: RangeReader,
  parent: Pick<Element, 'start' | 'end'> | undefined,
  ids: readonly number[],
  last?: number,
): Promise<ReadonlyMap<number, Element>> {
  const found = new Map<number, Element>();
  if (!parent) return found;
  for await (const element of elementsIn(reader, parent)) {
    if (ids.includes(element.id) && !found.has(element.id)) found.set(element.id, element);
    if (element.id === last || found.size === ids.length) break;
  }
  return found;
}

/**
 * Reads a variable-length number (RFC 8794, section 4): the leading zero bits give the number of bytes that follow. The
 * first one bit marks their end and is not part of the value. It is removed before the bytes are added up: a value with
 * the mark of 8 bytes is above 2^56, where numbers are not exact.
 */
export function readNumber(bytes: Buffer, offset: number, maxBytes: number) {
  const first = bytes[offset];
  const length = first ? Math.clz32(first) - 23 : 9;
  if (first === undefined || length > maxBytes || offset + length > bytes.length) return undefined;
  const all = bytes.subarray(offset, offset + length);
  const bits = 0xff >> length;
  const isAllOnes = (first & bits) === bits && all.subarray(1).every((byte) => byte === 0xff);
  const value = (first & bits) * 256 ** (length - 1) + unsignedOf(all.subarray(1));
  return { bytes: length, raw: unsignedOf(all), value, isAllOnes };
}

/** An unsigned integer of up to 8 bytes. Above 2^53 it is not exact. */
export const unsignedOf = (content: Uint8Array): number =>
  content.subarray(0, 8).reduce((sum, byte) => sum * 256 + byte, 0);

/** A floating-point number of 4 or 8 bytes, as large and as odd as the file says. */
export function floatOf(content: Buffer): number | undefined {
  if (content.length === 4) return content.readFloatBE(0);
  return content.length === 8 ? content.readDoubleBE(0) : undefined;
}
