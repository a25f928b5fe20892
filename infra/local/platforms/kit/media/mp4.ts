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
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

export interface AudioTrack {
  readonly codec: string;
  readonly sampleRate: number;
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

/** Reads the top-level boxes of a file while it streams. Keeps `ftyp` and `moov`, but no media data. */
export function mp4Scanner(): Mp4Scanner {
  const kept = new Map<string, Buffer>();
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
    const keeps = box.type === 'ftyp' || box.type === 'moov';
    const startsWell = order.length > 0 || box.type === 'ftyp';
    broken ||= !startsWell || box.payloadBytes < 0 || (keeps && box.payloadBytes > maximumKeptBytes);
    order.push(box.type);
    current = { type: box.type, remaining: box.payloadBytes, parts: [] };
    return rest;
  }

  function takePayload(box: NonNullable<typeof current>, chunk: Buffer): Buffer {
    const taken = chunk.subarray(0, Math.min(chunk.length, box.remaining));
    if (box.type === 'ftyp' || box.type === 'moov') box.parts.push(taken);
    box.remaining -= taken.length;
    if (box.remaining === 0) {
      kept.set(box.type, Buffer.concat(box.parts));
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
      return readMovie(movie, brand, order.indexOf('moov') < mediaAt);
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

function readMovie(movie: Buffer, brand: string, moovFirst: boolean): Mp4Facts | undefined {
  try {
    const header = child(movie, 'mvhd');
    if (header === undefined) return undefined;
    const tracks = children(movie, 'trak').map(readTrack);
    const video = tracks.find((track) => track.video)?.video;
    const audio = tracks.find((track) => track.audio)?.audio;
    return {
      brand,
      moovFirst,
      hasEditList: tracks.some((track) => track.hasEditList),
      durationSeconds: readDuration(header),
      ...(video !== undefined && { video }),
      ...(audio !== undefined && { audio }),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readTrack(track: Buffer): { hasEditList: boolean; video?: VideoTrack; audio?: AudioTrack } {
  const hasEditList = descend(track, 'edts', 'elst') !== undefined;
  const table = descend(track, 'mdia', 'minf', 'stbl');
  const description = table && child(table, 'stsd');
  const handler = descend(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12);
  const header = descend(track, 'mdia', 'mdhd');
  if (table === undefined || description === undefined || header === undefined) return { hasEditList };
  // `stsd` contains version and flags, an entry count, and then the first sample entry with its size and type.
  const entry = description.subarray(8);
  const codec = entry.toString('latin1', 4, 8);
  if (handler === 'vide') {
    const framesPerSecond = sampleCount(table) / readDuration(header);
    const [width, height] = [entry.readUInt16BE(32), entry.readUInt16BE(34)];
    return { hasEditList, video: { codec, width, height, framesPerSecond } };
  }
  if (handler !== 'soun') return { hasEditList };
  // The entry's channel count is not read: most files contain a constant there.
  return { hasEditList, audio: { codec, sampleRate: entry.readUInt32BE(32) / 65_536 } };
}

/** Returns the duration in seconds. The fields it reads are at the same offsets in `mvhd` and `mdhd`. */
function readDuration(header: Buffer): number {
  const isLong = header[0] === 1;
  const timescale = header.readUInt32BE(isLong ? 20 : 12);
  return (isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)) / timescale;
}

function sampleCount(table: Buffer): number {
  const times = child(table, 'stts');
  if (times === undefined) return 0;
  let count = 0;
  const entries = times.readUInt32BE(4);
  for (let entry = 0; entry < entries; entry += 1) count += times.readUInt32BE(8 + entry * 8);
  return count;
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
