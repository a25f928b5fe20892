/** The boxes that MP4 and QuickTime files are made of (ISO/IEC 14496-12, "Object structure"). */

export interface BoxHeader {
  readonly type: string;
  readonly headerBytes: number;
  /** Of the whole box; infinite for one that lasts to the end of what holds it. */
  readonly bytes: number;
}

/** @returns `undefined` where the bytes are too few, or no header of a box */
export function readBoxHeader(head: Uint8Array): BoxHeader | undefined {
  if (head.length < 8) return undefined;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  const size = bytes.readUInt32BE(0);
  const type = bytes.toString('latin1', 4, 8);
  // 0: the box lasts to the end; 1: the size follows in 64 bits.
  if (size === 0) return { type, headerBytes: 8, bytes: Number.POSITIVE_INFINITY };
  if (size !== 1) return size < 8 ? undefined : { type, headerBytes: 8, bytes: size };
  if (bytes.length < 16) return undefined;
  const long = Number(bytes.readBigUInt64BE(8));
  return long < 16 ? undefined : { type, headerBytes: 16, bytes: long };
}

/** What is in the boxes of this type right inside a box. */
export function childrenOf(box: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; ; ) {
    const header = readBoxHeader(box.subarray(offset, offset + 16));
    if (!header) return found;
    const end = Math.min(offset + header.bytes, box.length);
    if (header.type === type) found.push(box.subarray(offset + header.headerBytes, end));
    offset = end;
  }
}

/** What is in the first box at the end of this path. */
export function descend(box: Buffer, ...path: readonly string[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>((parent, type) => parent && childrenOf(parent, type)[0], box);
}
