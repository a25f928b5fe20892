import { acceptedContentTypes, contentTypeOf, isDocumentType, largestBytes } from '../../media/types.ts';
import { formatBytes } from '../bytes.ts';
import { words } from '../words/words.ts';

/** The types for the browser's picker. Of the last ones, many systems do not know the type. */
export const acceptedInPicker = `${acceptedContentTypes},.heic,.heif,.avif,.mkv`;
export const acceptedImages = 'image/jpeg,image/png';

/** The type by the name of the file; `undefined` if no platform takes such files. */
export const namedType = (file: Pick<File, 'name' | 'type'>): string | undefined =>
  contentTypeOf(file.name) ?? (acceptedContentTypes.includes(file.type) ? file.type : undefined);

/** Formats that phones and cameras make, by the type that the browser names and the ending of the file's name. */
const known: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/tiff?/, 'TIFF'],
  [/svg|[/]xml/, 'SVG'],
  [/bmp/, 'BMP'],
  [/msvideo|\bavi\b/, 'AVI'],
  [/mp2t|mpe?g$/, 'MPEG'],
  [/\bwmv\b/, 'WMV'],
  [/audio\//, 'audio'],
  [/zip|rar|7z/, 'archive'],
];

/**
 * Returns the reason why a file cannot be used, before a byte of it is sent; `undefined` if nothing speaks against it.
 *
 * @param contentType by its bytes, if they are of a known one
 */
export function refusalOf(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  contentType: string | undefined,
): string | undefined {
  if (size === 0) return words.media.refused.empty;
  if (contentType === undefined || !acceptedContentTypes.includes(contentType)) {
    const said = `${contentType} ${type} ${name.toLowerCase().split('.').at(-1)}`;
    const [, format] = known.find(([pattern]) => pattern.test(said)) ?? [];
    return words.media.refused.type(format);
  }
  const most = largestBytes(contentType);
  if (size <= most) return undefined;
  const kind = isDocumentType(contentType)
    ? 'document'
    : contentType.startsWith('video/')
      ? 'video'
      : 'image';
  return words.media.refused.size(kind, formatBytes(size), formatBytes(most));
}

/** The number of bytes at the begin of a file that tell its format. */
export const headBytes = 64;

const isoVideos = ['video/mp4', 'video/quicktime'];

/** Formats by their first bytes as hexadecimal digits, with the types that share each. */
const formats: readonly (readonly [signature: RegExp, types: readonly string[]])[] = [
  [/^ffd8ff/, ['image/jpeg']],
  [/^89504e470d0a1a0a/, ['image/png']],
  // RIFF….WEBP
  [/^52494646.{8}57454250/, ['image/webp']],
  // GIF8
  [/^47494638/, ['image/gif']],
  // ….ftyp, and what QuickTime began with before there were brands: moov, mdat, wide
  [/^.{8}66747970/, isoVideos],
  [/^.{8}(?:6d6f6f76|6d646174|77696465)/, isoVideos],
  // EBML with `matroska` as its type, and of WebM
  [/^1a45dfa3(?:..)*6d6174726f736b61/, ['video/matroska']],
  [/^1a45dfa3/, ['video/webm']],
  // %PDF
  [/^25504446/, ['application/pdf']],
  [/^d0cf11e0a1b11ae1/, ['application/msword', 'application/vnd.ms-powerpoint']],
  // PK, of ZIP archives
  [
    /^504b0304/,
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
  ],
];

/** Other formats that begin with `ftyp`, by brand, with the types that share each. */
const otherBrands: readonly (readonly [brand: RegExp, types: readonly string[]])[] = [
  [/^(?:hei|hev)/, ['image/heic', 'image/heif']],
  // A brand that says nothing of the codec
  [/^(?:mif1|msf1)/, ['image/heic', 'image/heif', 'image/avif']],
  [/^avi/, ['image/heif', 'image/avif']],
  [/^[MF]4[AB]/, ['audio/mp4']],
  // JPEG 2000, raw photos, protected videos, videos of old phones
  [/^(?:jp|crx|[MF]4P|3g2)/, []],
];

/**
 * The content type of a file by its first bytes: one that the platforms take, or the name of a usual one that none takes. Otherwise
 * `undefined`. The service has the last word: it looks deeper into the file, once it has arrived.
 *
 * @param expected the type by the file's name, which decides between types that share a format
 */
export function typeOfHead(head: Uint8Array, expected: string | undefined): string | undefined {
  const digits = Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const format = formats.find(([signature]) => signature.test(digits))?.[1];
  const brand = String.fromCharCode(...head.subarray(8, 12));
  const other = format === isoVideos && otherBrands.find(([pattern]) => pattern.test(brand));
  const types = other ? other[1] : (format ?? []);
  if (expected !== undefined && types.includes(expected)) return expected;
  // Any archive begins like a document of Office.
  return types.some((type) => type.startsWith('application/')) && types.length > 1 ? undefined : types[0];
}
