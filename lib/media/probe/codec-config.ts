import type { ProbedFields } from './valid-probe.ts';

/** The sampling of the colors in relation to the brightness, by `chroma_format_idc`. */
const chromaFormats = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'] as const;

/**
 * Chroma, bit depth and scan of a video, of which the library tells only what its codec string says. They are in the
 * codec's configuration record.
 *
 * @param codec the name that the probe stores
 * @param codecString such as `avc1.640028` or `vp09.00.10.08` (RFC 6381)
 * @param record `avcC` or `hvcC`
 * @returns no fields for what cannot be read
 */
export function pictureFormat(
  codec: string | undefined,
  codecString: string | undefined,
  record: Uint8Array | undefined,
): ProbedFields {
  try {
    switch (codec) {
      case 'h264':
        return record ? avcFormat(record) : {};
      case 'hevc':
        return record ? hevcFormat(record) : {};
      case 'vp8':
        return { chroma: '4:2:0', bitDepth: 8, scan: 'progressive' };
      case 'vp9':
      case 'av1':
        return { scan: 'progressive', ...stringFormat(codec, codecString) };
      default:
        return {};
    }
  } catch (error) {
    // A record that is shorter than its fields.
    if (error instanceof RangeError) return {};
    throw error;
  }
}

/** Profiles whose parameter sets say chroma and bit depth (ITU-T H.264, 7.3.2.1.1). Others have 4:2:0 and 8 bits. */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** Reads the first sequence parameter set of `avcC` (ISO/IEC 14496-15, 5.3.3). */
function avcFormat(record: Uint8Array): ProbedFields {
  const sets = (record[5] ?? 0) & 0x1f;
  const length = ((record[6] ?? 0) << 8) | (record[7] ?? 0);
  if (sets === 0 || length < 4 || record.length < 8 + length) return {};
  const profile = record[9] ?? 0;
  const bits = bitReader(withoutEmulation(record.subarray(8 + 4, 8 + length)));
  bits.golomb();
  let [chroma, bitDepth] = [1, 8];
  if (highProfiles.has(profile)) {
    chroma = bits.golomb();
    if (chroma === 3) bits.bits(1);
    bitDepth = 8 + bits.golomb();
    bits.golomb();
    bits.bits(1);
    if (bits.bits(1) === 1) skipScalingLists(bits, chroma === 3 ? 12 : 8);
  }
  bits.golomb();
  skipPictureOrder(bits);
  bits.golomb();
  bits.bits(1);
  bits.golomb();
  bits.golomb();
  // `frame_mbs_only_flag`. Without it, the stream may contain fields.
  const scan = bits.bits(1) === 1 ? 'progressive' : 'interlaced';
  return { chroma: chromaFormats[chroma], bitDepth, scan };
}

function skipScalingLists(bits: BitReader, lists: number): void {
  for (let list = 0; list < lists; list += 1) {
    if (bits.bits(1) === 0) continue;
    let [last, next] = [8, 8];
    for (let index = 0; index < (list < 6 ? 16 : 64) && next !== 0; index += 1) {
      const code = bits.golomb();
      const delta = code % 2 === 1 ? (code + 1) / 2 : -code / 2;
      next = (((last + delta) % 256) + 256) % 256;
      if (next !== 0) last = next;
    }
  }
}

/** `pic_order_cnt_type` and what depends on it. */
function skipPictureOrder(bits: BitReader): void {
  const type = bits.golomb();
  if (type === 0) bits.golomb();
  if (type !== 1) return;
  bits.bits(1);
  bits.golomb();
  bits.golomb();
  for (let left = bits.golomb(); left > 0; left -= 1) bits.golomb();
}

/** Removes the bytes that keep start codes out of the data (ITU-T H.264, 7.4.1). */
function withoutEmulation(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => !(byte === 3 && at >= 2 && bytes[at - 1] === 0 && bytes[at - 2] === 0));
}

/** Reads `hvcC` (ISO/IEC 14496-15, 8.3.3), which repeats the fields in its header. */
function hevcFormat(record: Uint8Array): ProbedFields {
  if (record.length < 23) return {};
  const flags = record[6] ?? 0;
  const [isProgressive, isInterlaced, isFrameOnly] = [flags & 0x80, flags & 0x40, flags & 0x10];
  const scan =
    isInterlaced && !isProgressive ? 'interlaced' : isProgressive || isFrameOnly ? 'progressive' : undefined;
  return {
    chroma: chromaFormats[(record[16] ?? 0) & 3],
    bitDepth: 8 + ((record[17] ?? 0) & 7),
    ...(scan && { scan }),
  };
}

/** Reads `vp09.profile.level.depth.chroma…` and `av01.profile.level.depth.monochrome.chroma…`. */
function stringFormat(codec: 'vp9' | 'av1', codecString = ''): ProbedFields {
  const [, profile = '', , depth, ...more] = codecString.split('.');
  if (depth === undefined) return {};
  const chroma = codec === 'vp9' ? vp9Chroma(Number(profile), more[0]) : av1Chroma(Number(profile), more);
  return { ...(chroma && { chroma }), bitDepth: Number(depth) };
}

function vp9Chroma(profile: number, sampling: string | undefined): string | undefined {
  if (profile === 0 || profile === 2) return '4:2:0';
  return { '00': '4:2:0', '01': '4:2:0', '02': '4:2:2', '03': '4:4:4' }[sampling ?? ''];
}

function av1Chroma(profile: number, [monochrome, sampling = '']: readonly string[]): string | undefined {
  if (monochrome === '1') return '4:0:0';
  const [x, y] = sampling;
  if (x !== undefined && y !== undefined) return x === '0' ? '4:4:4' : y === '0' ? '4:2:2' : '4:2:0';
  return { 0: '4:2:0', 1: '4:4:4' }[profile];
}

/** Bits of a codec's headers, the most significant first. */
interface BitReader {
  /** Returns the next bits as a number. @throws RangeError after the last bit */
  bits(count: number): number;
  /** Returns an unsigned exponential-Golomb number (ITU-T H.264, 9.1). @throws RangeError after the last bit */
  golomb(): number;
}

/** The longest exponential-Golomb code of a 32-bit value. */
const maxGolombZeros = 32;

function bitReader(bytes: Uint8Array): BitReader {
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
