import { acceptedContentTypes } from '../../../../lib/media/types.ts';
import { type Random, seededRandom } from '../../../simulation/world/random.ts';
import { uint32 } from '../../../support/media-files.ts';
import { type Seed, seeds } from './seeds.ts';

/** A damaged or hostile file. */
export interface FuzzedFile {
  readonly seed: string;
  readonly steps: readonly string[];
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The size that the file has in the bucket. Bytes that are not given are zeros. */
  readonly sizeBytes: number;
}

/** Repeated parts make files of at most this size, as large as what an inspection reads. */
const maxBytes = 16 * 1_048_576;

const numbers = [
  ...[0, 1, 2, 3, 7, 8, 9, 15, 16, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x10_0000],
  ...[0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff],
];
const floats = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, Number.MAX_VALUE, 5e-324];
const names = ['__proto__', 'constructor', 'toString', '\0\0\0\0', '\u00ff\u001b[m', 'hasOwnProperty'];

type Mutation = (bytes: Buffer, random: Random, seed: Seed) => Buffer;

const mutations: Readonly<Record<string, Mutation>> = {
  'set the number before a tag': (bytes, random, seed) =>
    setNumber(bytes, random, tagAt(bytes, random, seed).start - random.pick([2, 4, 8])),
  'set a number after a tag': (bytes, random, seed) =>
    setNumber(bytes, random, tagAt(bytes, random, seed).end + random.integer(0, 40)),
  'set a 64-bit size': (bytes, random, seed) => {
    const { start, end } = tagAt(bytes, random, seed);
    const changed = overwrite(bytes, start - 4, uint32(1));
    return overwrite(
      changed,
      end,
      Buffer.concat([uint32(random.pick(numbers)), uint32(random.pick(numbers))]),
    );
  },
  'set the size of an element': (bytes, random, seed) => {
    const sizes = ['80', 'ff', '00', '01ffffffffffffff', '01fffffffffffffe', '08000000ff', '0fffffff', 'fe'];
    return overwrite(bytes, tagAt(bytes, random, seed).end, Buffer.from(random.pick(sizes), 'hex'));
  },
  'set a floating-point number': (bytes, random, seed) => {
    const float = Buffer.alloc(8);
    float.writeDoubleBE(random.pick(floats));
    return overwrite(bytes, tagAt(bytes, random, seed).end + random.integer(0, 8), float);
  },
  'set a name': (bytes, random, seed) =>
    overwrite(
      bytes,
      tagAt(bytes, random, seed).end + random.integer(0, 16),
      Buffer.from(random.pick(names), 'latin1'),
    ),
  'flip bits': (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let flips = random.integer(1, 12); flips > 0 && changed.length > 0; flips -= 1) {
      const at = random.integer(0, changed.length - 1);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.integer(0, 7));
    }
    return changed;
  },
  truncate: (bytes, random) => bytes.subarray(0, random.integer(0, bytes.length)),
  'remove bytes': (bytes, random) => {
    const at = random.integer(0, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.integer(1, 64))]);
  },
  'insert bytes': (bytes, random) => {
    const part = Buffer.alloc(
      random.integer(1, 4_096),
      random.pick([0, 0xff, 0x80, 0x1a, random.integer(0, 255)]),
    );
    return insert(bytes, random.integer(0, bytes.length), part);
  },
  'repeat a part': (bytes, random, seed) => {
    const { start } = tagAt(bytes, random, seed);
    const from = Math.max(0, start - random.pick([0, 4]));
    const part = bytes.subarray(from, from + random.pick([2, 3, 4, 8, 12, 16, 100]));
    const times = random.pick([2, 10, 1_000, 100_000, 2_000_000]);
    const room = Math.floor((maxBytes - bytes.length) / Math.max(1, part.length));
    return insert(bytes, from, repeated(part, Math.min(times, Math.max(0, room))));
  },
  'nest a part': (bytes, random, seed) => {
    const tag = random.pick(seed.tags);
    const depth = random.pick([2, 30, 1_000, 50_000]);
    const { start } = tagAt(bytes, random, seed);
    const at = Math.max(0, start - 4);
    if (depth * (tag.length + 8) + bytes.length > maxBytes) return bytes;
    const isBox = tag.length === 4 && random.isTrue(0.7);
    const headers = Array.from({ length: depth }, (_, level) =>
      isBox
        ? Buffer.concat([uint32((depth - level) * 8 + bytes.length - at), tag])
        : Buffer.concat([tag, Buffer.from('01ffffffffffffff', 'hex')]),
    );
    return insert(bytes, at, Buffer.concat(headers));
  },
  'swap two parts': (bytes, random, seed) => {
    const [one, other] = [tagAt(bytes, random, seed), tagAt(bytes, random, seed)];
    const [from, to] = [bytes.subarray(one.start, one.end), bytes.subarray(other.start, other.end)];
    return overwrite(overwrite(bytes, one.start, Buffer.from(to)), other.start, Buffer.from(from));
  },
  'splice another file': (bytes, random) => {
    const other = random.pick(seeds).bytes;
    const [from, at] = [random.integer(0, other.length), random.integer(0, bytes.length)];
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from)]);
  },
};

/** Makes the file number `index` of a run. The same seed and index make the same file. */
export function fuzzedFile(runSeed: number, index: number): FuzzedFile {
  const random = seededRandom(runSeed * 1_000_003 + index);
  const seed = random.pick(seeds);
  const steps = Array.from({ length: random.pick([1, 1, 2, 3, 6]) }, () =>
    random.pick(Object.keys(mutations)),
  );
  const bytes = steps.reduce<Buffer>(
    (before, step) => mutations[step]?.(before, random, seed) ?? before,
    seed.bytes,
  );
  const contentType = random.isTrue(0.05) ? random.pick(acceptedContentTypes) : seed.contentType;
  const sizeBytes = random.isTrue(0.1) ? bytes.length + random.pick([1, 70_000, 1_024 ** 3]) : bytes.length;
  return { seed: seed.name, steps, contentType, bytes, sizeBytes };
}

/** A place of a tag in a file, or any place if the file has none of it any more. */
function tagAt(bytes: Buffer, random: Random, { tags }: Seed): { start: number; end: number } {
  const tag = random.pick(tags);
  const from = random.isTrue(0.5) ? 0 : random.integer(0, bytes.length);
  const found = bytes.indexOf(tag, from);
  const start = found >= 0 ? found : random.integer(0, bytes.length);
  return { start, end: start + tag.length };
}

const setNumber = (bytes: Buffer, random: Random, at: number): Buffer =>
  overwrite(bytes, at, uint32(random.pick(numbers)).subarray(random.pick([0, 0, 2, 3])));

function overwrite(bytes: Buffer, at: number, part: Uint8Array): Buffer {
  const changed = Buffer.from(bytes);
  const start = Math.max(0, at);
  if (start < changed.length) changed.set(part.subarray(0, changed.length - start), start);
  return changed;
}

const insert = (bytes: Buffer, at: number, part: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);

const repeated = (part: Buffer, times: number): Buffer =>
  part.length === 0 ? part : Buffer.alloc(part.length * times, part);
