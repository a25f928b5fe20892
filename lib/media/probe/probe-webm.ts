import { maxCodecCharacters, webmCodecName } from './codec-names.ts';
import { type Element, elementsById, elementsIn, floatOf, unsignedOf } from './ebml-elements.ts';
import type { RangeReader } from './range-reader.ts';
import { UnfitFileError } from './unfit-file.ts';
import type { ProbedFields } from './valid-probe.ts';

/** Elements of WebM (RFC 9559, "Matroska Schema"), by their ids. */
const ids = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  frameNanoseconds: 0x23e383,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  audio: 0xe1,
  sampleRate: 0xb5,
} as const;

const trackTypes = { video: 1, audio: 2 } as const;
const trackFields = [ids.trackType, ids.codec, ids.frameNanoseconds, ids.video, ids.audio];

type Elements = ReadonlyMap<number, Element>;

/**
 * Reads the head of a WebM file: information and tracks precede the first cluster of media. Fields that cannot be
 * determined are absent. Browser recordings have no duration.
 *
 * @throws UnfitFileError if there is no video track before the first cluster, or too much to read
 */
export async function probeWebm(reader: RangeReader): Promise<ProbedFields> {
  const read = valueReader(reader);
  const segment = (await elementsById(reader, { start: 0, end: reader.sizeBytes }, [ids.segment])).get(
    ids.segment,
  );
  const top = await elementsById(reader, segment, [ids.info, ids.tracks], ids.cluster);
  const { video, audio } = await findTracks(reader, top.get(ids.tracks));
  if (!video) throw new UnfitFileError(audio ? 'the file has audio only' : 'the file has no tracks to read');
  const picture = await elementsById(reader, video.get(ids.video), [ids.width, ids.height]);
  const sound = await elementsById(reader, audio?.get(ids.audio), [ids.sampleRate]);
  const info = await elementsById(reader, top.get(ids.info), [ids.timestampScale, ids.duration]);
  const frameNanoseconds = await read.unsigned(video.get(ids.frameNanoseconds));
  const scaleNanoseconds = (await read.unsigned(info.get(ids.timestampScale))) ?? 1_000_000;
  const duration = await read.float(info.get(ids.duration));
  return {
    width: await read.unsigned(picture.get(ids.width)),
    height: await read.unsigned(picture.get(ids.height)),
    durationMs: duration && Math.round((duration * scaleNanoseconds) / 1_000_000),
    videoCodec: webmCodecName(await read.text(video.get(ids.codec))),
    ...(audio && { audioCodec: webmCodecName(await read.text(audio.get(ids.codec))) }),
    audioSampleRate: await read.float(sound.get(ids.sampleRate)),
    frameRate: frameNanoseconds && Math.round(1e11 / frameNanoseconds) / 100,
  };
}

/** Finds the first video track and the first audio track. */
async function findTracks(
  reader: RangeReader,
  tracks: Element | undefined,
): Promise<{ video?: Elements; audio?: Elements }> {
  const found: { video?: Elements; audio?: Elements } = {};
  if (!tracks) return found;
  const read = valueReader(reader);
  for await (const element of elementsIn(reader, tracks)) {
    if (element.id !== ids.track) continue;
    const track = await elementsById(reader, element, trackFields);
    const type = await read.unsigned(track.get(ids.trackType));
    if (type === trackTypes.video) found.video ??= track;
    if (type === trackTypes.audio) found.audio ??= track;
  }
  return found;
}

/** Reads the values of elements; `undefined` or an empty text if the element is missing. */
function valueReader(reader: RangeReader) {
  const content = ({ start, end }: Element, maxBytes: number) =>
    reader.read(start, Math.min(start + maxBytes, end));
  return {
    unsigned: async (element: Element | undefined) => element && unsignedOf(await content(element, 8)),
    float: async (element: Element | undefined) => element && floatOf(await content(element, 9)),
    text: async (element: Element | undefined) =>
      element ? (await content(element, maxCodecCharacters + 1)).toString('latin1') : '',
  };
}
