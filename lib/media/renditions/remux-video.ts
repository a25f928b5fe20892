import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { codecName } from '../probe/codec-names.ts';
import { type Box, boxesIn, childrenOf } from '../probe/mp4-boxes.ts';
import { boundedReader } from '../probe/range-reader.ts';
import { UnfitFileError } from '../probe/unfit-file.ts';

import { openLocal } from './local-file.ts';
import type { VideoRecipe } from './recipe.ts';
import { readTrackIndexes, type TrackIndex } from './track-indexes.ts';
import { UnrenderableError } from './unrenderable.ts';

Logging.level = LogLevel.Silent;

const formats = [MP4, QTFF, WEBM, MATROSKA];

/** Codecs that a container takes and that players expect in it, by the library's names. */
const containers = {
  'video/mp4': {
    name: 'MP4',
    video: ['avc', 'hevc', 'vp9', 'av1'],
    audio: ['aac', 'mp3', 'opus', 'ac3', 'eac3', 'flac'],
    format: () => new Mp4OutputFormat({ fastStart: 'reserve' }),
  },
  'video/webm': {
    name: 'WebM',
    video: ['vp8', 'vp9', 'av1'],
    audio: ['opus', 'vorbis'],
    format: () => new WebMOutputFormat(),
  },
} as const;

/** Limits of a video. The library keeps an object for each packet: a frame, or a piece of sound. */
export interface RemuxLimits {
  readonly maxPackets: number;
  readonly maxPacketBytes: number;
}

/** More than three hours with 60 frames a second and their sound; frames of 8K have a few megabytes. */
const defaultLimits: RemuxLimits = { maxPackets: 1_500_000, maxPacketBytes: 32 * 1_048_576 };

/**
 * Copies a video's first picture track and first sound track into a new file: index first, without fragments and edit lists,
 * in the recipe's container. Encodes nothing. Takes memory for the index, not for the media.
 *
 * @param inputPath the original, complete
 * @throws UnrenderableError if the video cannot be repaired without encoding it again
 */
export async function remuxVideo(
  recipe: VideoRecipe,
  inputPath: string,
  outputPath: string,
  limits: RemuxLimits = defaultLimits,
): Promise<void> {
  const input = new Input({ formats, source: new FilePathSource(inputPath) });
  try {
    const indexes = await indexesOf(inputPath);
    const { picture, sound } = await findTracks(input, recipe);
    const plans = [];
    let packetsLeft = limits.maxPackets;
    for (const track of sound ? [picture, sound] : [picture]) {
      const plan = await planTrack(track, indexes.get(track.id), { ...limits, maxPackets: packetsLeft });
      packetsLeft -= plan.last + 1;
      plans.push(plan);
    }
    await copy(recipe, aligned(plans), outputPath);
    if (recipe.contentType === 'video/mp4') await removeTimes(outputPath);
  } catch (error) {
    if (error instanceof UnrenderableError || isOfMachine(error)) throw error;
    if (error instanceof UnfitFileError) throw new UnrenderableError(error.message);
    throw new UnrenderableError(`the video cannot be read: ${inWords(error)}`);
  } finally {
    input.dispose();
  }
}

async function indexesOf(path: string): Promise<ReadonlyMap<number, TrackIndex>> {
  await using file = await openLocal(path);
  return await readTrackIndexes(file.readRange, file.sizeBytes);
}

/** Removes the times at which a file was made, which the library writes, so that the same original gives the same bytes. */
async function removeTimes(path: string): Promise<void> {
  await using file = await openLocal(path, 'r+');
  const reader = boundedReader(file.readRange, file.sizeBytes);
  const [moov] = await arrayOf(boxesIn(reader, 0, file.sizeBytes), 'moov');
  const tracks = moov ? await arrayOf(boxesIn(reader, moov.start, moov.end), 'trak') : [];
  const { mvhd } = await childrenOf(reader, moov, 'mvhd');
  const headers = [mvhd];
  for (const track of tracks) {
    const { tkhd, mdia } = await childrenOf(reader, track, 'tkhd', 'mdia');
    const { mdhd } = await childrenOf(reader, mdia, 'mdhd');
    headers.push(tkhd, mdhd);
  }
  for (const header of headers) {
    if (!header) continue;
    const [version] = await reader.read(header.start, header.start + 1);
    // Creation and modification, after version and flags.
    await file.write(Buffer.alloc(version === 1 ? 16 : 8), header.start + 4);
  }
}

async function arrayOf(boxes: AsyncIterable<Box>, type: string): Promise<Box[]> {
  const found = [];
  for await (const box of boxes) if (box.type === type) found.push(box);
  return found;
}

async function findTracks(input: Input, { contentType }: VideoRecipe) {
  const [picture] = await input.getVideoTracks();
  const [sound] = await input.getAudioTracks();
  if (!picture) throw new UnrenderableError('the file has no video track');
  const { name, video, audio } = containers[contentType];
  await requireCodec(picture, 'picture', name, video);
  if (sound) await requireCodec(sound, 'sound', name, audio);
  return { picture, sound };
}

async function requireCodec(
  track: InputTrack,
  part: string,
  container: string,
  taken: readonly string[],
): Promise<void> {
  const codec = await track.getCodec();
  if (codec !== null && taken.includes(codec)) return;
  const name = codecName(codec, await track.getInternalCodecId()) ?? 'an unknown codec';
  throw new UnrenderableError(
    `its ${part} is encoded as ${name}, which does not belong into ${container}; it would have to be encoded again`,
  );
}

/** The part of a track that is copied. */
interface Plan {
  readonly track: InputVideoTrack | InputAudioTrack;
  /** The time of the first packet in seconds. */
  readonly start: number;
  /** The number of the last packet, in the order of decoding. */
  readonly last: number;
}

/** Reads the times and sizes of a track's packets, not their content. */
async function planTrack(
  track: InputVideoTrack | InputAudioTrack,
  index: TrackIndex | undefined,
  { maxPackets, maxPacketBytes }: RemuxLimits,
): Promise<Plan> {
  const tooMany = new UnrenderableError('the video has too many frames or pieces of sound');
  // Before the library sees the track: it believes the number.
  if ((index?.samples ?? 0) > maxPackets) throw tooMany;
  const edit = index?.edit;
  if (edit && (edit.parts > 1 || edit.changesSpeed))
    throw new UnrenderableError(
      'its edit list joins several parts, or changes their speed; it would have to be encoded again',
    );
  let [start, last, number] = [Number.POSITIVE_INFINITY, -1, -1];
  for await (const packet of packetsOf(track, true)) {
    number += 1;
    if (number >= maxPackets) throw tooMany;
    if (packet.byteLength > maxPacketBytes)
      throw new UnrenderableError(`a frame has ${packet.byteLength} bytes, more than ${maxPacketBytes}`);
    if (packet.sideData.alphaByteLength)
      throw new UnrenderableError('the video has transparent parts, which would get lost');
    if (isHidden(packet)) continue;
    if (start === Number.POSITIVE_INFINITY && packet.type !== 'key')
      throw new UnrenderableError(
        'the video was trimmed without encoding it, and begins at a frame that depends on hidden ones; it would have to be encoded again',
      );
    start = Math.min(start, packet.timestamp);
    // A frame may depend on later ones, so all up to the last that is shown are kept.
    if (packet.timestamp < (edit?.endSeconds ?? Number.POSITIVE_INFINITY)) last = number;
  }
  if (last < 0) throw new UnrenderableError(`its ${track.type} track is empty`);
  return { track, start, last };
}

const packetsOf = (track: InputTrack, metadataOnly: boolean) =>
  new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly });

/** True if an edit list hides most of a packet at the beginning: the time before 0 is not played. */
const isHidden = ({ timestamp, duration }: EncodedPacket): boolean => timestamp + duration / 2 < 0;

/** The time by which a track may be moved against the other unnoticed (ITU-R BT.1359: sound 125 ms late, or 45 ms early). */
const unnoticedSeconds = { picture: 0.125, sound: 0.045 } as const;

interface AlignedPlan extends Plan {
  /** Added to the time of each packet, in seconds. */
  readonly shift: number;
}

/** Lets all tracks begin at 0 if they begin at nearly the same time. Then the new file needs no edit list. */
function aligned(plans: readonly Plan[]): AlignedPlan[] {
  const begin = Math.min(...plans.map(({ start }) => start));
  return plans.map((plan) => {
    const isMoved = plan.start - begin < unnoticedSeconds[plan.track.isVideoTrack() ? 'picture' : 'sound'];
    return { ...plan, shift: isMoved ? -plan.start : -begin };
  });
}

/** A track of the new file. */
interface Lane {
  readonly shift: number;
  readonly packets: AsyncGenerator<EncodedPacket, void>;
  readonly add: (packet: EncodedPacket) => Promise<void>;
}

async function copy(
  { contentType, maxBytes }: VideoRecipe,
  plans: readonly AlignedPlan[],
  outputPath: string,
): Promise<void> {
  const output = new Output({
    format: containers[contentType].format(),
    target: new FilePathTarget(outputPath),
  });
  const lanes: Lane[] = [];
  for (const plan of plans) lanes.push(await openLane(output, plan));
  await output.start();
  try {
    let bytes = 0;
    for await (const { lane, packet } of interleaved(lanes)) {
      bytes += packet.byteLength;
      if (bytes > maxBytes)
        throw new UnrenderableError(`the repaired video would have more than ${maxBytes} bytes`);
      await lane.add(packet.clone({ timestamp: Math.max(0, packet.timestamp + lane.shift) }));
    }
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  }
}

async function openLane(output: Output, plan: AlignedPlan): Promise<Lane> {
  const { track, shift, last } = plan;
  const maximumPacketCount = last + 1;
  const packets = shownPackets(plan);
  if (track.isVideoTrack()) {
    const source = new EncodedVideoPacketSource((await track.getCodec()) ?? 'avc');
    output.addVideoTrack(source, { maximumPacketCount, rotation: await track.getRotation() });
    const config = (await track.getDecoderConfig()) ?? undefined;
    return { shift, packets, add: (packet) => source.add(packet, { decoderConfig: config }) };
  }
  const source = new EncodedAudioPacketSource((await track.getCodec()) ?? 'aac');
  output.addAudioTrack(source, { maximumPacketCount });
  const config = (await track.getDecoderConfig()) ?? undefined;
  return { shift, packets, add: (packet) => source.add(packet, { decoderConfig: config }) };
}

async function* shownPackets({ track, last }: Plan): AsyncGenerator<EncodedPacket, void> {
  let index = -1;
  for await (const packet of packetsOf(track, false)) {
    index += 1;
    if (index > last) return;
    if (!isHidden(packet)) yield packet;
  }
}

/** Yields the packets of all tracks in the order of their times, so that players find picture and sound close together. */
async function* interleaved(
  lanes: readonly Lane[],
): AsyncGenerator<{ readonly lane: Lane; readonly packet: EncodedPacket }, void> {
  const heads = await Promise.all(
    lanes.map(async (lane) => ({ lane, packet: (await lane.packets.next()).value ?? undefined })),
  );
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.packet === undefined) continue;
      if (first?.packet === undefined || head.packet.timestamp < first.packet.timestamp) first = head;
    }
    if (first?.packet === undefined) return;
    yield { lane: first.lane, packet: first.packet };
    first.packet = (await first.lane.packets.next()).value ?? undefined;
  }
}

/** True for an error of the file system, which says nothing about the video. */
const isOfMachine = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

function inWords(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 160) || 'it is damaged';
}
