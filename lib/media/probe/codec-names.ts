// Maps, because a file may name its codec `constructor`.

const mp4Codecs = new Map([
  ['avc1', 'h264'],
  ['avc3', 'h264'],
  ['hvc1', 'hevc'],
  ['hev1', 'hevc'],
  ['dvh1', 'hevc'],
  ['dvhe', 'hevc'],
  ['vp08', 'vp8'],
  ['vp09', 'vp9'],
  ['av01', 'av1'],
  ['mp4a', 'aac'],
  ['Opus', 'opus'],
  ['.mp3', 'mp3'],
]);

const webmCodecs = new Map([
  ['V_VP8', 'vp8'],
  ['V_VP9', 'vp9'],
  ['V_AV1', 'av1'],
  ['V_MPEG4/ISO/AVC', 'h264'],
  ['A_OPUS', 'opus'],
  ['A_VORBIS', 'vorbis'],
  ['A_AAC', 'aac'],
]);

/** Longer than any registered codec id (RFC 9559, "Codec Mappings"). */
export const maxCodecCharacters = 40;

const plain = /^[\w ./-]+$/;

/** The name of a codec that an MP4 file names by a sample entry's type: four characters. */
export const mp4CodecName = (type: string): string => mp4Codecs.get(type) ?? plainName(type);

/** The name of a codec that a WebM file names by its CodecID. */
export const webmCodecName = (id: string): string => webmCodecs.get(id) ?? plainName(id);

/** A name that the file's author chose: as it is if it is short and of plain characters, else `unknown`. */
function plainName(name: string): string {
  const trimmed = name.trim();
  return trimmed.length <= maxCodecCharacters && plain.test(trimmed) ? trimmed : 'unknown';
}
