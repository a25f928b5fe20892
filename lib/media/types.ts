import type { MediaType } from './schemas.ts';

/** What the platforms take, by content type, with the file name endings it is guessed from. */
const types: readonly { contentType: string; endings: readonly string[] }[] = [
  { contentType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  { contentType: 'image/png', endings: ['png'] },
  { contentType: 'image/webp', endings: ['webp'] },
  { contentType: 'image/gif', endings: ['gif'] },
  { contentType: 'video/mp4', endings: ['mp4', 'm4v'] },
  { contentType: 'video/quicktime', endings: ['mov', 'qt'] },
  { contentType: 'video/webm', endings: ['webm'] },
];

export const acceptedContentTypes = types.map(({ contentType }) => contentType);

export const largestImageBytes = 30 * 1024 ** 2;
export const largestVideoBytes = 1024 ** 3;

/** The content type that a file name promises; `undefined` for endings no platform takes. */
export function contentTypeOf(filename: string): string | undefined {
  const ending = filename.toLowerCase().split('.').at(-1) ?? '';
  return types.find(({ endings }) => endings.includes(ending))?.contentType;
}

export function mediaTypeOf(contentType: string): MediaType {
  return contentType.startsWith('video/') ? 'video' : 'image';
}

export function largestBytes(contentType: string): number {
  return mediaTypeOf(contentType) === 'video' ? largestVideoBytes : largestImageBytes;
}
