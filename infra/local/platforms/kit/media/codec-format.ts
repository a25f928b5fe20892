export type Chroma = '4:0:0' | '4:2:0' | '4:2:2' | '4:4:4';

/** Properties of a picture that a codec's configuration record says. */
export interface PictureFormat {
  readonly chroma?: Chroma;
  readonly isInterlaced?: boolean;
}

const chromas: readonly Chroma[] = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'];

/** Profiles whose parameter set says the chroma format (ITU-T H.264, 7.3.2.1.1). */
const withChroma = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/**
 * Reads the sequence parameter set of `avcC` as a text of bits.
 *
 * @returns nothing if the record has none, or if it has lists of scaling factors, which this does not read
 */
export function mpeg4AvcFormat(record: Buffer): PictureFormat {
  if (((record[5] ?? 0) & 31) === 0 || record.length < 12) return {};
  const set = record.subarray(8, 8 + record.readUInt16BE(6));
  const profile = set.readUInt8(1);
  // 00 00 03: the third byte keeps start codes out of the data.
  const plain = set.subarray(4).toString('hex').replace(/../g, '$& ').replaceAll('00 00 03', '00 00');
  let bits = plain
    .trim()
    .split(' ')
    .map((byte) => Number.parseInt(byte, 16).toString(2).padStart(8, '0'))
    .join('');
  const take = (count: number) => {
    const taken = bits.slice(0, count);
    if (taken.length < count) throw new RangeError('there are no more bits');
    bits = bits.slice(count);
    return count === 0 ? 0 : Number.parseInt(taken, 2);
  };
  const golomb = () => {
    const zeros = bits.indexOf('1');
    if (zeros < 0) throw new RangeError('there are no more bits');
    take(zeros);
    return take(zeros + 1) - 1;
  };
  golomb();
  let chroma = 1;
  if (withChroma.includes(profile)) {
    chroma = golomb();
    if (chroma === 3) take(1);
    golomb();
    golomb();
    take(1);
    if (take(1) === 1) return {};
  }
  golomb();
  const order = golomb();
  if (order === 0) golomb();
  if (order === 1) return {};
  golomb();
  take(1);
  golomb();
  golomb();
  const known = chromas[chroma];
  return { ...(known && { chroma: known }), isInterlaced: take(1) === 0 };
}

/** Reads the header of `hvcC` (ISO/IEC 14496-15, 8.3.3). */
export function hevcFormat(record: Buffer): PictureFormat {
  const flags = record.readUInt8(6);
  const chroma = chromas[record.readUInt8(16) & 3];
  // The source is progressive, or interlaced.
  return { ...(chroma && { chroma }), isInterlaced: (flags & 0x80) === 0 && (flags & 0x40) !== 0 };
}
