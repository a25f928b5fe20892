import type { MediaType } from '../platforms/contract/names.ts';

interface FileType {
  readonly contentType: string;
  readonly endings: readonly string[];
}

/** The document types that LinkedIn accepts. */
const documentTypes: readonly FileType[] = [
  { contentType: 'application/pdf', endings: ['pdf'] },
  { contentType: 'application/msword', endings: ['doc'] },
  {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    endings: ['docx'],
  },
  { contentType: 'application/vnd.ms-powerpoint', endings: ['ppt'] },
  {
    contentType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    endings: ['pptx'],
  },
];

/** The content types that the platforms accept, or that Herald converts for them, with the file name extensions that imply them. */
const types: readonly FileType[] = [
  { contentType: 'image/jpeg', endings: ['jpg', 'jpeg', 'jfif'] },
  { contentType: 'image/png', endings: ['png'] },
  { contentType: 'image/webp', endings: ['webp'] },
  { contentType: 'image/gif', endings: ['gif'] },
  { contentType: 'image/heic', endings: ['heic', 'heics'] },
  { contentType: 'image/heif', endings: ['heif', 'heifs', 'hif'] },
  { contentType: 'image/avif', endings: ['avif'] },
  { contentType: 'video/mp4', endings: ['mp4', 'm4v'] },
  { contentType: 'video/quicktime', endings: ['mov', 'qt'] },
  { contentType: 'video/webm', endings: ['webm'] },
  { contentType: 'video/matroska', endings: ['mkv'] },
  ...documentTypes,
];

/** The placeholder for the type of an imported file until its bytes are seen. */
export const unknownContentType = 'application/octet-stream';

export const acceptedContentTypes = types.map(({ contentType }) => contentType);

export const largestImageBytes = 30 * 1024 ** 2;
export const largestVideoBytes = 1024 ** 3;
export const largestDocumentBytes = 100 * 1024 ** 2;

/** Types that people often have and that are not accepted, with their names and the file name extensions that imply them. */
const refusedTypes: readonly (FileType & { readonly name: string })[] = [
  { name: 'TIFF', contentType: 'image/tiff', endings: ['tif', 'tiff'] },
  { name: 'BMP', contentType: 'image/bmp', endings: ['bmp'] },
  { name: 'SVG', contentType: 'image/svg+xml', endings: ['svg'] },
  { name: 'AVI', contentType: 'video/vnd.avi', endings: ['avi'] },
  { name: 'AVI', contentType: 'video/x-msvideo', endings: [] },
  { name: 'WMV', contentType: 'video/x-ms-wmv', endings: ['wmv'] },
  { name: '3GP', contentType: 'video/3gpp', endings: ['3gp'] },
  { name: 'MPEG', contentType: 'video/mpeg', endings: ['mpg', 'mpeg'] },
];

/** Other names that programs use for a registered type. */
const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'video/x-matroska': 'video/matroska',
};

/**
 * Returns the usual form of a content type that a client names: lower case, without parameters such as
 * `; charset=binary`, and under its registered name. An upload is signed for this form.
 */
export function normalizedContentType(named: string): string {
  const [plain = ''] = named.split(';');
  const type = plain.trim().toLowerCase();
  return Object.hasOwn(otherNames, type) ? (otherNames[type] ?? type) : type;
}

/** Returns the content type that a file name's extension implies; `undefined` if no platform accepts the extension. */
export function contentTypeOf(filename: string): string | undefined {
  return types.find(({ endings }) => endings.includes(endingOf(filename)))?.contentType;
}

/** The extension of a file name. Spaces around a name come from copying it. */
const endingOf = (filename: string): string => filename.trim().toLowerCase().split('.').at(-1) ?? '';

/**
 * Returns the name of a type that people often have and that is not accepted; `undefined` for any other.
 *
 * @param contentType in its usual form
 */
export function refusedTypeName(contentType: string): string | undefined {
  return refusedTypes.find((refused) => refused.contentType === contentType)?.name;
}

/** Returns the name of a type that is not accepted and that a file name's extension implies; `undefined` for any other. */
export function refusedTypeNameOf(filename: string): string | undefined {
  return refusedTypes.find(({ endings }) => endings.includes(endingOf(filename)))?.name;
}

/** The accepted types in words: `JPEG, PNG, …`. */
export const acceptedInWords =
  'JPEG, PNG, WebP, GIF, HEIC and AVIF images, MP4, QuickTime, WebM and Matroska (MKV) videos, PDF, Word and PowerPoint documents';

/** Returns true for a document. Only LinkedIn publishes documents. */
export const isDocumentType = (contentType: string): boolean =>
  documentTypes.some((document) => document.contentType === contentType);

/** Returns the type of such a file in a post. A document is an `image`, unless the request calls it a `document`. */
export function mediaTypeOf(contentType: string): MediaType {
  return contentType.startsWith('video/') ? 'video' : 'image';
}

/** The kind of a file for people. In posts, a document is an `image`. */
export const mediaKinds = ['image', 'video', 'document'] as const;
export type MediaKind = (typeof mediaKinds)[number];

export const mediaKindOf = (contentType: string): MediaKind =>
  isDocumentType(contentType) ? 'document' : mediaTypeOf(contentType);

export function largestBytes(contentType: string): number {
  if (isDocumentType(contentType)) return largestDocumentBytes;
  return mediaTypeOf(contentType) === 'video' ? largestVideoBytes : largestImageBytes;
}
