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

/** The content types that the platforms accept, with the file name extensions that imply them. */
const types: readonly FileType[] = [
  { contentType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  { contentType: 'image/png', endings: ['png'] },
  { contentType: 'image/webp', endings: ['webp'] },
  { contentType: 'image/gif', endings: ['gif'] },
  { contentType: 'video/mp4', endings: ['mp4', 'm4v'] },
  { contentType: 'video/quicktime', endings: ['mov', 'qt'] },
  { contentType: 'video/webm', endings: ['webm'] },
  ...documentTypes,
];

/** The placeholder for the type of an imported file until its bytes are seen. */
export const unknownContentType = 'application/octet-stream';

export const acceptedContentTypes = types.map(({ contentType }) => contentType);

export const largestImageBytes = 30 * 1024 ** 2;
export const largestVideoBytes = 1024 ** 3;
export const largestDocumentBytes = 100 * 1024 ** 2;

/** Other names that programs use for a registered type. */
const otherNames: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg' };

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
  const ending = filename.toLowerCase().split('.').at(-1) ?? '';
  return types.find(({ endings }) => endings.includes(ending))?.contentType;
}

/** Returns true for a document. Only LinkedIn publishes documents. */
export const isDocumentType = (contentType: string): boolean =>
  documentTypes.some((document) => document.contentType === contentType);

/** Returns the type of such a file in a post. A document is an `image`, unless the request calls it a `document`. */
export function mediaTypeOf(contentType: string): MediaType {
  return contentType.startsWith('video/') ? 'video' : 'image';
}

export function largestBytes(contentType: string): number {
  if (isDocumentType(contentType)) return largestDocumentBytes;
  return mediaTypeOf(contentType) === 'video' ? largestVideoBytes : largestImageBytes;
}
