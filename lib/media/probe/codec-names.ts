// Maps, because a file may name its codec `constructor`.

/** The library's names for codecs, where the platforms have others. */
const libraryNames = new Map([['avc', 'h264']]);

/** Codecs that the library does not know, by the type of their sample entry (MP4) or their CodecID (WebM). */
const otherNames = new Map([
  ['mp4v', 'mpeg4'],
  ['V_MPEG4/ISO/ASP', 'mpeg4'],
]);

/** Longer than any registered codec id (RFC 9559, "Codec Mappings"). */
const maxCodecCharacters = 40;

const plain = /^[\w ./-]+$/;

/**
 * Returns the name of a track's codec; `undefined` if the file does not tell which it is.
 *
 * @param known the library's name
 * @param own the file's own name for it: as it is if it is short and of plain characters, else `unknown`
 */
export function codecName(known: string | null, own: unknown): string | undefined {
  if (known !== null) return libraryNames.get(known) ?? known;
  // `mp4a` stands for many codecs. Its `esds` box names the codec, and is missing or names a rare one.
  if (typeof own !== 'string' || own === 'mp4a') return undefined;
  const trimmed = own.trim();
  if (trimmed.length > maxCodecCharacters || !plain.test(trimmed)) return 'unknown';
  return otherNames.get(trimmed) ?? trimmed;
}
