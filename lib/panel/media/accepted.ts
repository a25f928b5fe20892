import { acceptedContentTypes, contentTypeOf, isDocumentType, largestBytes } from '../../media/types.ts';
import { formatBytes } from '../bytes.ts';
import { words } from '../words/words.ts';

/** For the browser's picker. Phones convert photos of other types, such as HEIC, to one of these. */
export const acceptedInPicker = acceptedContentTypes.join(',');
export const acceptedImages = 'image/jpeg,image/png';

/** The type by the name of the file; `undefined` if no platform takes such files. */
export const namedType = (file: Pick<File, 'name' | 'type'>): string | undefined =>
  contentTypeOf(file.name) ?? (acceptedContentTypes.includes(file.type) ? file.type : undefined);

/** Formats that phones and cameras make, by the type that the browser names and the ending of the file's name. */
const known: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/hei[cf]/, 'HEIC'],
  [/avif/, 'AVIF'],
  [/tiff?/, 'TIFF'],
  [/svg|[/]xml/, 'SVG'],
  [/bmp/, 'BMP'],
  [/matroska|mkv/, 'MKV'],
  [/msvideo|\bavi\b/, 'AVI'],
  [/mp2t|mpe?g$/, 'MPEG'],
  [/audio\//, 'audio'],
  [/zip|rar|7z/, 'archive'],
];

/**
 * Why a file cannot be used, before a byte of it is sent; `undefined` if nothing speaks against it.
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
