/** The facts about a WebM file that a platform checks, read from its elements (RFC 9559). */
export interface WebmFacts {
  readonly durationSeconds: number;
  readonly video: {
    /** The CodecID: `V_VP8`, `V_VP9`, … */
    readonly codec: string;
    readonly width: number;
    readonly height: number;
    /** Absent if the file does not say it. */
    readonly framesPerSecond?: number;
  };
  readonly audio?: { readonly codec: string; readonly channels: number };
}

interface Element {
  readonly id: number;
  readonly content: Buffer;
  /** Absent if the element does not say its size: it lasts to the end of its parent. */
  readonly sizeBytes?: number;
  readonly end: number;
}

/**
 * Reads a WebM file from its beginning, which contains the tracks, and from its end, which contains the last cluster.
 *
 * @returns undefined if the file is not WebM, or if it ends before its segment does
 */
export function readWebm(head: Buffer, tail: Buffer, fileBytes: number): WebmFacts | undefined {
  try {
    const [header, segment] = elements(head);
    if (header?.id !== 0x1a45dfa3 || segment?.id !== 0x18538067) return undefined;
    if (text(find(header.content, 0x4282)) !== 'webm') return undefined;
    const startsAt = segment.content.byteOffset - head.byteOffset;
    if (segment.sizeBytes !== undefined && startsAt + segment.sizeBytes > fileBytes) return undefined;
    if (segment.sizeBytes === undefined && endsWithinCluster(tail)) return undefined;
    const [info, tracks] = [find(segment.content, 0x1549a966), find(segment.content, 0x1654ae6b)];
    if (info === undefined || tracks === undefined) return undefined;
    const entries = elements(tracks).filter(({ id }) => id === 0xae);
    const ofType = (type: number) =>
      entries.find(({ content }) => number(find(content, 0x83)) === type)?.content;
    const [video, audio] = [ofType(1), ofType(2)];
    const picture = video && find(video, 0xe0);
    if (video === undefined || picture === undefined) return undefined;
    const scale = number(find(info, 0x2ad7b1)) || 1_000_000;
    const own = find(info, 0x4489);
    const ticks =
      own === undefined ? lastTicks(tail) : own.length === 4 ? own.readFloatBE() : own.readDoubleBE();
    const frameNanoseconds = number(find(video, 0x23e383));
    const sound = audio && find(audio, 0xe1);
    return {
      durationSeconds: (ticks * scale) / 1e9,
      video: {
        codec: text(find(video, 0x86)),
        width: number(find(picture, 0xb0)),
        height: number(find(picture, 0xba)),
        ...(frameNanoseconds > 0 && { framesPerSecond: 1e9 / frameNanoseconds }),
      },
      ...(audio && {
        audio: { codec: text(find(audio, 0x86)), channels: number(sound && find(sound, 0x9f)) || 1 },
      }),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns true if the last cluster, or its last element, is longer than the bytes. */
function endsWithinCluster(tail: Buffer): boolean {
  const at = tail.lastIndexOf(clusterId);
  const cluster = tail.subarray(Math.max(0, at));
  const content = at < 0 ? undefined : elements(cluster)[0]?.content;
  const last = content && elements(content).at(-1);
  return last !== undefined && last.end > (content?.length ?? 0);
}

const clusterId = Buffer.from('1f43b675', 'hex');

/** The time of the last block of a file. */
function lastTicks(tail: Buffer): number {
  const at = tail.lastIndexOf(clusterId);
  const [cluster] = at < 0 ? [] : elements(tail.subarray(at));
  if (cluster === undefined) return 0;
  const start = number(find(cluster.content, 0xe7));
  const blocks = elements(cluster.content).filter(({ id }) => id === 0xa3);
  // The number of the track takes one byte, and the time in the cluster two.
  return blocks.reduce((last, { content }) => Math.max(last, start + content.readInt16BE(1)), start);
}

/** Reads elements (RFC 8794) until the bytes end, or are none. */
function elements(parent: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < parent.length; ) {
    const idBytes = lengthOf(parent[at]);
    const sizeAt = at + idBytes;
    const sizeBytes = lengthOf(parent[sizeAt]);
    const start = sizeAt + sizeBytes;
    if (idBytes > 4 || sizeBytes > 8 || start > parent.length) break;
    const id = parent.readUIntBE(at, idBytes);
    // A BigInt, because a size of eight bytes is not exact with its mark.
    const marked = BigInt(`0x${parent.toString('hex', sizeAt, start)}`);
    const mask = (1n << BigInt(7 * sizeBytes)) - 1n;
    const isOpen = (marked & mask) === mask;
    const size = isOpen ? parent.length - start : Number(marked & mask);
    const end = start + size;
    found.push({ id, content: parent.subarray(start, end), end, ...(!isOpen && { sizeBytes: size }) });
    at = end;
  }
  return found;
}

/** The number of bytes of an id or a size that begins with this byte. */
const lengthOf = (first: number | undefined): number => (first ? Math.clz32(first) - 23 : 9);

const find = (parent: Buffer, id: number): Buffer | undefined =>
  elements(parent).find((element) => element.id === id)?.content;

const number = (content: Buffer | undefined): number =>
  content === undefined || content.length === 0 || content.length > 6
    ? 0
    : content.readUIntBE(0, content.length);

const text = (content: Buffer | undefined): string => content?.toString('latin1') ?? '';
