import { acceptedContentTypes, contentTypeOf, isDocumentType, largestBytes } from '../../media/types.ts';
import { formatBytes } from '../bytes.ts';
import { words } from '../words/words.ts';

/** For the browser's picker. Phones convert photos of other types, such as HEIC, to one of these. */
export const acceptedInPicker = acceptedContentTypes.join(',');
export const acceptedImages = 'image/jpeg,image/png';

/** The type by the name of the file; `undefined` if no platform takes such files. */
export const namedType = (file: Pick<File, 'name' | 'type'>): string | undefined =>
  contentTypeOf(file.name) ?? (acceptedContentTypes.includes(file.type) ? file.type : undefined);

/** Types that phones and cameras make, with what to do about them. */
const known: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/hei[cf]/, 'HEIC'],
  [/avif/, 'AVIF'],
  [/tiff/, 'TIFF'],
  [/svg|xml/, 'SVG'],
  [/bmp/, 'BMP'],
  [/matroska/, 'MKV'],
  [/msvideo|\bavi\b/, 'AVI'],
  [/mp2t|mpeg$/, 'MPEG'],
  [/audio\//, 'audio'],
  [/zip|rar|7z/, 'archive'],
];

/**
 * Why a file cannot be used, before a byte of it is sent; `undefined` if nothing speaks against it.
 *
 * @param found what its bytes are: an accepted type, or what they are instead, in words
 */
export function refusalOf(
  { size }: Pick<File, 'size'>,
  found: { readonly contentType: string } | { readonly problem: string },
): string | undefined {
  if (size === 0) return words.media.refused.empty;
  if ('problem' in found) {
    const [, name] = known.find(([pattern]) => pattern.test(found.problem)) ?? [];
    return words.media.refused.type(name);
  }
  const { contentType } = found;
  const most = largestBytes(contentType);
  if (size <= most) return undefined;
  const kind = isDocumentType(contentType)
    ? 'document'
    : contentType.startsWith('video/')
      ? 'video'
      : 'image';
  return words.media.refused.size(kind, formatBytes(size), formatBytes(most));
}
