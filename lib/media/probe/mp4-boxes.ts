/** The boxes that MP4 and QuickTime files are made of (ISO/IEC 14496-12, "Object structure"). */

export interface BoxHeader {
  readonly type: string;
  readonly headerBytes: number;
  /** Size of the whole box; infinite if the box extends to the end of its parent. */
  readonly bytes: number;
}

/** @returns `undefined` if there are too few bytes, or if they are not a box header */
export function readBoxHeader(head: Uint8Array): BoxHeader | undefined {
  if (head.length < 8) return undefined;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  const size = bytes.readUInt32BE(0);
  const type = bytes.toString('latin1', 4, 8);
  // Size 0: the box extends to the end. Size 1: a 64-bit size follows.
  if (size === 0) return { type, headerBytes: 8, bytes: Number.POSITIVE_INFINITY };
  if (size !== 1) return size < 8 ? undefined : { type, headerBytes: 8, bytes: size };
  if (bytes.length < 16) return undefined;
  const long = Number(bytes.readBigUInt64BE(8));
  return long < 16 ? undefined : { type, headerBytes: 16, bytes: long };
}

/** Returns the content of each direct child box of this type. */
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

/** Returns the content of the first box at this path. */
export function descend(box: Buffer, ...path: readonly string[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>((parent, type) => parent && childrenOf(parent, type)[0], box);
}
