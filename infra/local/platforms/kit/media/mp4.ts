import { type Chroma, hevcFormat, mpeg4AvcFormat } from './codec-format.ts';

/** The facts about a video file that a platform checks, read from its boxes (ISO/IEC 14496-12). */
export interface Mp4Facts {
  /** The major brand, such as `isom`, `mp42` or `qt  `. */
  readonly brand: string;
  /** True if `moov` comes before `mdat`, so that playback can start before the whole file has arrived. */
  readonly moovFirst: boolean;
  readonly hasEditList: boolean;
  readonly durationSeconds: number;
  readonly video?: VideoTrack;
  readonly audio?: AudioTrack;
}

export interface VideoTrack {
  /** The sample entry: `avc1`, `hvc1`, … */
  readonly codec: string;
  /** Width and height as displayed. */
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  /** Absent if the file does not say it. */
  readonly chroma?: Chroma;
  readonly isInterlaced?: boolean;
}

export interface AudioTrack {
  /** The sample entry; `mp4a` for AAC only, and `mp4a.6b` for MP3: with the object type of `esds`. */
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
}

export interface Mp4Scanner {
  write(chunk: Buffer): void;
  /**
   * Returns the facts. Call it after the last write. Undefined if the file is not an MP4, is cut short or has an unreadable
   * `moov`.
   */
  facts(): Mp4Facts | undefined;
}

/** The `moov` of a full-length film is smaller; platforms would refuse anything larger. */
const maximumKeptBytes = 32 * 1024 * 1024;

/** The boxes whose content is kept. Fragments list their samples in `moof`. */
const keptTypes = ['ftyp', 'moov', 'moof'];

/** Reads the top-level boxes of a file while it streams. Keeps their descriptions, but no media data. */
export function mp4Scanner(): Mp4Scanner {
  const kept = new Map<string, Buffer>();
  const fragments: Buffer[] = [];
  let keptBytes = 0;
  const order: string[] = [];
  let header = Buffer.alloc(0);
  let current: { type: string; remaining: number; parts: Buffer[] } | undefined;
  let broken = false;

  function takeHeader(chunk: Buffer): Buffer {
    header = Buffer.concat([header, chunk]);
    const box = readHeader(header);
    if (box === undefined) return Buffer.alloc(0);
    const rest = header.subarray(box.headerBytes);
    header = Buffer.alloc(0);
    const startsWell = order.length > 0 || box.type === 'ftyp';
    if (keptTypes.includes(box.type)) keptBytes += box.payloadBytes;
    broken ||= !startsWell || box.payloadBytes < 0 || keptBytes > maximumKeptBytes;
    order.push(box.type);
    current = { type: box.type, remaining: box.payloadBytes, parts: [] };
    return rest;
  }

  function takePayload(box: NonNullable<typeof current>, chunk: Buffer): Buffer {
    const taken = chunk.subarray(0, Math.min(chunk.length, box.remaining));
    if (keptTypes.includes(box.type)) box.parts.push(taken);
    box.remaining -= taken.length;
    if (box.remaining === 0) {
      const content = Buffer.concat(box.parts);
      if (box.type === 'moof') fragments.push(content);
      else kept.set(box.type, content);
      current = undefined;
    }
    return chunk.subarray(taken.length);
  }

  return {
    write(chunk) {
      let rest = chunk;
      while (rest.length > 0 && !broken) rest = current ? takePayload(current, rest) : takeHeader(rest);
    },
    facts() {
      const [brand, movie] = [kept.get('ftyp')?.toString('latin1', 0, 4), kept.get('moov')];
      // A box that is cut short means an incomplete file, except a box of size 0, which lasts to the end of the file.
      const isCut = current !== undefined && current.remaining > 0 && Number.isFinite(current.remaining);
      if (broken || isCut || brand === undefined || movie === undefined) return undefined;
      const mediaAt = order.indexOf('mdat');
      if (mediaAt < 0) return undefined;
      // Samples follow their fragment, so a file that ends with one is cut off.
      if (order.lastIndexOf('moof') > order.lastIndexOf('mdat')) return undefined;
      return readMovie(movie, fragments, brand, order.indexOf('moov') < mediaAt);
    },
  };
}

interface BoxHeader {
  readonly type: string;
  readonly headerBytes: number;
  readonly payloadBytes: number;
}

function readHeader(bytes: Buffer): BoxHeader | undefined {
  if (bytes.length < 8) return undefined;
  const type = bytes.toString('latin1', 4, 8);
  const size = bytes.readUInt32BE(0);
  // Size 0: the box lasts to the end of the file. Size 1: a 64-bit size follows.
  if (size === 0) return { type, headerBytes: 8, payloadBytes: Number.POSITIVE_INFINITY };
  if (size !== 1) return { type, headerBytes: 8, payloadBytes: size - 8 };
  if (bytes.length < 16) return undefined;
  return { type, headerBytes: 16, payloadBytes: Number(bytes.readBigUInt64BE(8)) - 16 };
}

function readMovie(
  movie: Buffer,
  fragments: readonly Buffer[],
  brand: string,
  moovFirst: boolean,
): Mp4Facts | undefined {
  try {
    const header = child(movie, 'mvhd');
    if (header === undefined) return undefined;
    const tracks = children(movie, 'trak').map((track) => readTrack(track, movie, fragments));
    const video = tracks.find((track) => track.video);
    const audio = tracks.find((track) => track.audio);
    return {
      brand,
      moovFirst,
      hasEditList: tracks.some((track) => track.hasEditList),
      durationSeconds: fragments.length > 0 ? ((video ?? audio)?.seconds ?? 0) : readDuration(header),
      ...(video?.video !== undefined && { video: video.video }),
      ...(audio?.audio !== undefined && { audio: audio.audio }),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Track {
  readonly hasEditList: boolean;
  /** The time of all samples, those of fragments included. */
  readonly seconds: number;
  readonly video?: VideoTrack;
  readonly audio?: AudioTrack;
}

function readTrack(track: Buffer, movie: Buffer, fragments: readonly Buffer[]): Track {
  const hasEditList = descend(track, 'edts', 'elst') !== undefined;
  const table = descend(track, 'mdia', 'minf', 'stbl');
  const description = table && child(table, 'stsd');
  const handler = descend(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12);
  const header = descend(track, 'mdia', 'mdhd');
  const display = child(track, 'tkhd');
  if (table === undefined || description === undefined || header === undefined || display === undefined)
    return { hasEditList, seconds: 0 };
  const listed = samplesOfTable(table);
  const id = display.readUInt32BE(display[0] === 1 ? 20 : 12);
  const fragmented = fragments.map((fragment) => samplesOfFragment(fragment, movie, id));
  const samples = [listed, ...fragmented].reduce(add);
  const seconds = samples.ticks / header.readUInt32BE(header[0] === 1 ? 20 : 12);
  // `stsd` contains version and flags, an entry count, and then the first sample entry with its size and type.
  const entry = description.subarray(8);
  if (handler === 'vide')
    return { hasEditList, seconds, video: readPicture(entry, display, samples.count / seconds) };
  return handler === 'soun' ? { hasEditList, seconds, audio: readSound(entry) } : { hasEditList, seconds };
}

function readPicture(entry: Buffer, display: Buffer, framesPerSecond: number): VideoTrack {
  const codec = entry.toString('latin1', 4, 8);
  const matrixAt = display[0] === 1 ? 52 : 40;
  const shown = [display.readUInt32BE(matrixAt + 36) / 65_536, display.readUInt32BE(matrixAt + 40) / 65_536];
  const [width = 0, height = 0] = shown.every((side) => side > 0)
    ? shown.map(Math.round)
    : [entry.readUInt16BE(32), entry.readUInt16BE(34)];
  // A quarter turn maps the x axis to the y axis.
  const isTurned = display.readInt32BE(matrixAt) === 0 && display.readInt32BE(matrixAt + 4) !== 0;
  // Boxes follow the 86 bytes of fields that every entry of a picture has.
  const parts = entry.subarray(86);
  const [avc, hevc] = [child(parts, 'avcC'), child(parts, 'hvcC')];
  const format = avc ? mpeg4AvcFormat(avc) : hevc ? hevcFormat(hevc) : {};
  return {
    codec,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    framesPerSecond,
    ...format,
  };
}

function readSound(entry: Buffer): AudioTrack {
  const codec = entry.toString('latin1', 4, 8);
  // QuickTime extends the entry by version 1 and 2 of its fields.
  const more = [0, 16, 36][entry.readUInt16BE(16)] ?? 0;
  const parts = entry.subarray(36 + more);
  const inWave = child(parts, 'wave');
  const stream = child(parts, 'esds') ?? (inWave && child(inWave, 'esds'));
  const described = stream && readElementaryStream(stream);
  const isAac = described?.objectType === 0x40 || described?.objectType === 0x67;
  return {
    codec: described && !isAac ? `${codec}.${described.objectType.toString(16)}` : codec,
    sampleRate: described?.sampleRate ?? entry.readUInt32BE(32) / 65_536,
    channels: described?.channels ?? entry.readUInt16BE(24),
  };
}

/** Sampling rates of AAC by their index (ISO/IEC 14496-3, 1.6.3.4). */
const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];

/** Reads `esds` (ISO/IEC 14496-1, 7.2.6): the type of the stream and, for AAC, rate and channels. */
function readElementaryStream(box: Buffer) {
  const configAt = descriptorAt(box, 4, 3);
  const streamAt = descriptorAt(box, configAt + 3, 4);
  const objectType = box.readUInt8(streamAt);
  const specificAt = streamAt + 13;
  if (objectType !== 0x40 || box[specificAt] !== 5) return { objectType };
  const at = descriptorAt(box, specificAt, 5);
  const bits = box.readUInt16BE(at);
  const rate = aacRates[(bits >> 7) & 15];
  const configuration = (bits >> 3) & 15;
  const channels = configuration === 7 ? 8 : configuration;
  return { objectType, ...(rate !== undefined && { sampleRate: rate }), ...(channels > 0 && { channels }) };
}

/** Returns the place of a descriptor's content. @throws RangeError if another descriptor is there */
function descriptorAt(box: Buffer, start: number, tag: number): number {
  if (box.readUInt8(start) !== tag) throw new RangeError('not this descriptor');
  let at = start + 1;
  // The length has seven bits in each byte, and a mark in all but the last.
  while (box.readUInt8(at) & 0x80) at += 1;
  return at + 1;
}

/** Returns the duration in seconds. The fields it reads are at the same offsets in `mvhd` and `mdhd`. */
function readDuration(header: Buffer): number {
  const isLong = header[0] === 1;
  const timescale = header.readUInt32BE(isLong ? 20 : 12);
  return (isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)) / timescale;
}

interface Samples {
  readonly count: number;
  readonly ticks: number;
}

const add = (one: Samples, other: Samples): Samples => ({
  count: one.count + other.count,
  ticks: one.ticks + other.ticks,
});

function samplesOfTable(table: Buffer): Samples {
  const times = child(table, 'stts');
  let [count, ticks] = [0, 0];
  const entries = times === undefined ? 0 : times.readUInt32BE(4);
  for (let entry = 0; entry < entries; entry += 1) {
    const samples = times?.readUInt32BE(8 + entry * 8) ?? 0;
    count += samples;
    ticks += samples * (times?.readUInt32BE(12 + entry * 8) ?? 0);
  }
  return { count, ticks };
}

/** Sums up the samples of a track in a fragment (`moof`). */
function samplesOfFragment(fragment: Buffer, movie: Buffer, trackId: number): Samples {
  const extension = child(movie, 'mvex');
  const defaults = extension && children(extension, 'trex').find((trex) => trex.readUInt32BE(4) === trackId);
  const runs = children(fragment, 'traf').flatMap((traf) => {
    const header = child(traf, 'tfhd');
    if (header === undefined || header.readUInt32BE(4) !== trackId) return [];
    const flags = header.readUIntBE(1, 3);
    // Base offset and description index precede the duration, if the flags say so.
    const durationAt = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
    const ticks = flags & 8 ? header.readUInt32BE(durationAt) : (defaults?.readUInt32BE(12) ?? 0);
    return children(traf, 'trun').map((run) => samplesOfRun(run, ticks));
  });
  return runs.reduce(add, { count: 0, ticks: 0 });
}

function samplesOfRun(run: Buffer, defaultTicks: number): Samples {
  const flags = run.readUIntBE(1, 3);
  const count = run.readUInt32BE(4);
  if ((flags & 0x100) === 0) return { count, ticks: count * defaultTicks };
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  let at = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  let ticks = 0;
  for (let sample = 0; sample < count; sample += 1, at += 4 * fields) ticks += run.readUInt32BE(at);
  return { count, ticks };
}

function descend(box: Buffer, ...types: readonly string[]): Buffer | undefined {
  return types.reduce<Buffer | undefined>((parent, type) => parent && child(parent, type), box);
}

function child(box: Buffer, type: string): Buffer | undefined {
  return children(box, type)[0];
}

function children(box: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; offset + 8 <= box.length; ) {
    const header = readHeader(box.subarray(offset, offset + 16));
    if (header === undefined || header.payloadBytes < 0) break;
    const start = offset + header.headerBytes;
    const end = Math.min(start + header.payloadBytes, box.length);
    if (header.type === type) found.push(box.subarray(start, end));
    offset = end;
  }
  return found;
}

/** Returns true if a frame rate is within documented limits, both inclusive. 30000/1001 counts as 30, as in broadcasting. */
export function isRateWithin(framesPerSecond: number, min: number, max: number): boolean {
  return framesPerSecond > (min * 1_000) / 1_001 - 0.01 && framesPerSecond < max + 0.01;
}
