/** Bits of a codec's headers, the most significant first. */
export interface BitReader {
  /** Returns the next bits as a number. @throws RangeError after the last bit */
  bits(count: number): number;
  /** Returns an unsigned exponential-Golomb number (ITU-T H.264, 9.1). @throws RangeError after the last bit */
  golomb(): number;
}

/** The longest exponential-Golomb code of a 32-bit value. */
const maxGolombZeros = 32;

export function bitReader(bytes: Uint8Array): BitReader {
  let at = 0;
  const bits = (count: number) => {
    let value = 0;
    for (let left = count; left > 0; left -= 1) {
      const byte = bytes[at >> 3];
      if (byte === undefined) throw new RangeError('there are no more bits');
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1);
      at += 1;
    }
    return value;
  };
  return {
    bits,
    golomb() {
      let zeros = 0;
      while (bits(1) === 0) {
        zeros += 1;
        if (zeros > maxGolombZeros) throw new RangeError('the code is too long');
      }
      return 2 ** zeros - 1 + bits(zeros);
    },
  };
}
