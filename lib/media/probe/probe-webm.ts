import { describeTracks } from './describe-tracks.ts';
import { type Element, elementsById, elementsIn, floatOf, readNumber, unsignedOf } from './ebml-elements.ts';
import { averageRate } from './frame-rate.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import type { ProbedFields } from './valid-probe.ts';

/** Elements of WebM (RFC 9559, "Matroska Schema"), by their ids. */
const ids = {
  header: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  cluster: 0x1f43b675,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  trackNumber: 0xd7,
  codec: 0x86,
  frameNanoseconds: 0x23e383,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
} as const;

const trackTypes = { video: 1, audio: 2 } as const;
const trackFields = [ids.trackType, ids.trackNumber, ids.codec, ids.frameNanoseconds];

interface WebmTrack {
  readonly element: Element;
  readonly fields: ReadonlyMap<number, Element>;
}

/**
 * Reads the head of a WebM or Matroska file: information and tracks precede the first cluster of media. The library describes the tracks
 * from an excerpt. Fields that cannot be determined are absent. Browser recordings have no duration: it is measured from
 * their last cluster.
 *
 * @throws UnfitFileError if there is no video track before the first cluster, if the file is cut off, or too much to read
 */
export async function probeWebm(reader: RangeReader): Promise<ProbedFields> {
  const read = valueReader(reader);
  const whole = { start: 0, end: reader.sizeBytes };
  const segment = (await elementsById(reader, whole, [ids.segment])).get(ids.segment);
  if (segment?.isCut) throw new UnfitFileError('the file is cut off: it ends before its segment does');
  const top = await elementsById(reader, segment, [ids.info, ids.tracks, ids.cluster], ids.cluster);
  const { video, audio } = await findTracks(reader, top.get(ids.tracks));
  if (!video) throw new UnfitFileError(audio ? 'the file has audio only' : 'the file has no tracks to read');
  const info = await elementsById(reader, top.get(ids.info), [ids.timestampScale, ids.duration]);
  const scaleNanoseconds = (await read.unsigned(info.get(ids.timestampScale))) ?? 1_000_000;
  const duration = await read.float(info.get(ids.duration));
  const trackNumber = await read.unsigned(video.fields.get(ids.trackNumber));
  const cluster = top.get(ids.cluster);
  const frameNanoseconds = await read.unsigned(video.fields.get(ids.frameNanoseconds));
  const headBytes = frameNanoseconds ? maxHeadBytes.firstFrame : maxHeadBytes.frameRate;
  const head = cluster && (await readHeadOfMedia(reader, cluster, headBytes, trackNumber, scaleNanoseconds));
  const frame = head?.firstFrame && trackNumber ? { trackNumber, content: head.firstFrame } : undefined;
  const frameRate = frameNanoseconds ? averageRate(1, frameNanoseconds / 1e9) : head?.frameRate;
  const tail = cluster && (await readTail(reader, cluster, segment));
  if (tail?.isCut) throw new UnfitFileError('the file is cut off: it ends within a cluster of media');
  // The last frame is shown as long as the others.
  const measuredMs =
    tail && (tail.lastTicks * scaleNanoseconds) / 1e6 + 1e3 / (frameRate ?? Number.POSITIVE_INFINITY);
  const ownMs = duration !== undefined && (duration * scaleNanoseconds) / 1e6;
  return {
    container: (await docTypeOf(reader)) === 'webm' ? 'webm' : 'matroska',
    ...(await describeTracks(await excerptOf(reader, video, frame), frame !== undefined)),
    ...(audio && (await describeTracks(await excerptOf(reader, audio), false))),
    durationMs: Math.round(ownMs || measuredMs || 0),
    frameRate,
    hasSound: audio !== undefined,
  };
}

/** Returns the document type in the file's header: `webm` or `matroska`. */
async function docTypeOf(reader: RangeReader): Promise<string | undefined> {
  const header = await elementsById(reader, { start: 0, end: reader.sizeBytes }, [ids.header]);
  const docType = (await elementsById(reader, header.get(ids.header), [ids.docType])).get(ids.docType);
  if (!docType) return undefined;
  return (await reader.read(docType.start, docType.end)).toString('latin1').replace(/\0.*/s, '');
}

/** Finds the first video track and the first audio track. */
async function findTracks(
  reader: RangeReader,
  tracks: Element | undefined,
): Promise<{ video?: WebmTrack; audio?: WebmTrack }> {
  const found: { video?: WebmTrack; audio?: WebmTrack } = {};
  if (!tracks) return found;
  const read = valueReader(reader);
  for await (const element of elementsIn(reader, tracks)) {
    if (element.id !== ids.track) continue;
    const fields = await elementsById(reader, element, trackFields);
    const type = await read.unsigned(fields.get(ids.trackType));
    if (type === trackTypes.video) found.video ??= { element, fields };
    if (type === trackTypes.audio) found.audio ??= { element, fields };
  }
  return found;
}

/** Reads the values of elements; `undefined` if the element is missing. */
function valueReader(reader: RangeReader) {
  const content = ({ start, end }: Element, maxBytes: number) =>
    reader.read(start, Math.min(start + maxBytes, end));
  return {
    unsigned: async (element: Element | undefined) => element && unsignedOf(await content(element, 8)),
    float: async (element: Element | undefined) => element && floatOf(await content(element, 9)),
  };
}

/** Frames to count for the frame rate, and how far to read for them. */
const countedFrames = 120;
const maxHeadBytes = { firstFrame: 65_536, frameRate: 2 * 1_048_576 } as const;
/** The header of a frame tells chroma and bit depth. */
const frameHeadBytes = 1_024;

interface HeadOfMedia {
  readonly firstFrame: Buffer | undefined;
  readonly frameRate: number | undefined;
}

/** Reads the first frames of a track, from the first cluster on. */
async function readHeadOfMedia(
  reader: RangeReader,
  cluster: Element,
  maxBytes: number,
  trackNumber: number | undefined,
  scaleNanoseconds: number,
): Promise<HeadOfMedia> {
  const bytes = await reader.read(cluster.start, cluster.start + maxBytes);
  const times: number[] = [];
  let firstFrame: Buffer | undefined;
  for (const block of blocksIn(bytes)) {
    if (block.trackNumber !== trackNumber) continue;
    firstFrame ??= block.content.subarray(0, frameHeadBytes);
    times.push(block.ticks);
    if (times.length > countedFrames) break;
  }
  const span = times.length > 1 ? Math.max(...times) - Math.min(...times) : 0;
  return { firstFrame, frameRate: averageRate(times.length - 1, (span * scaleNanoseconds) / 1e9) };
}

/** Distances from the end of the file in which its last cluster is looked for: as far as the first of these that contains one. */
const tailBytes = [262_144, 4 * 1_048_576] as const;

/**
 * Reads the time of the last frame.
 *
 * @returns `undefined` if the last cluster cannot be found
 */
async function readTail(
  reader: RangeReader,
  first: Element,
  segment: Element | undefined,
): Promise<{ lastTicks: number; isCut: boolean } | undefined> {
  const end = segment?.end ?? reader.sizeBytes;
  for (const bytes of tailBytes) {
    const start = Math.max(first.start, end - bytes);
    const tail = await reader.read(start, end);
    const mark = start === first.start ? -1 : tail.lastIndexOf(clusterId);
    if (start !== first.start && mark < 0) continue;
    const found = { lastTicks: 0, isCut: false };
    for (const { ticks, isCut } of blocksIn(mark < 0 ? tail : tail.subarray(mark))) {
      found.lastTicks = Math.max(found.lastTicks, ticks);
      found.isCut = isCut;
    }
    return found;
  }
  return undefined;
}

const clusterId = Buffer.from('1f43b675', 'hex');

interface Block {
  readonly trackNumber: number;
  /** Its time in units of the segment. */
  readonly ticks: number;
  readonly content: Buffer;
  /** True if it claims to be longer than the bytes. */
  readonly isCut: boolean;
}

/** Blocks of media in bytes that begin in or with a cluster. Ends at the first bytes that do not belong to a cluster. */
function* blocksIn(bytes: Buffer): Generator<Block> {
  let clusterTicks = 0;
  for (let at = 0; at < bytes.length; ) {
    const id = readNumber(bytes, at, 4);
    const size = id && readNumber(bytes, at + id.bytes, 8);
    if (!id || !size) return;
    const contentAt = at + id.bytes + size.bytes;
    const isParent = id.raw === ids.cluster || id.raw === ids.blockGroup;
    const end = contentAt + size.value;
    // The content of a parent follows its header.
    at = isParent ? contentAt : end;
    if (size.isAllOnes && !isParent) return;
    const content = bytes.subarray(contentAt, end);
    if (id.raw === ids.timestamp) clusterTicks = unsignedOf(content);
    if (id.raw !== ids.simpleBlock && id.raw !== ids.block) continue;
    const track = readNumber(content, 0, 8);
    if (!track || content.length < track.bytes + 3) return;
    yield {
      trackNumber: track.value,
      ticks: clusterTicks + content.readInt16BE(track.bytes),
      // A flag byte follows the relative time.
      content: content.subarray(track.bytes + 3),
      isCut: end > bytes.length,
    };
  }
}

/** The longest that the description of a track may be in an excerpt. */
const maxTrackBytes = 16_384;

/** A one-byte number ends here (RFC 8794, section 4). */
const maxShortNumber = 126;

/**
 * Copies what describes a track, and the beginning of its first frame, into a small file of the same format. So what the
 * library does is bounded, and one odd track does not hide another.
 */
async function excerptOf(
  reader: RangeReader,
  track: WebmTrack,
  frame?: { readonly trackNumber: number; readonly content: Buffer },
): Promise<Buffer> {
  const { start, end } = track.element;
  const description = end - start > maxTrackBytes ? Buffer.alloc(0) : await reader.read(start, end);
  const parts = [element(ids.tracks, element(ids.track, description))];
  if (frame && frame.trackNumber <= maxShortNumber) {
    // Track, relative time and flags: 80 is a key frame.
    const block = element(
      ids.simpleBlock,
      Buffer.from([0x80 | frame.trackNumber, 0, 0, 0x80]),
      frame.content,
    );
    parts.push(element(ids.cluster, element(ids.timestamp, Buffer.from([0])), block));
  }
  return Buffer.concat([
    element(ids.header, element(ids.docType, Buffer.from('webm', 'latin1'))),
    element(ids.segment, ...parts),
  ]);
}

function element(id: number, ...content: readonly Uint8Array[]): Buffer {
  const idHex = id.toString(16);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x1000_0000 + content.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([Buffer.from(idHex, 'hex'), size, ...content]);
}
