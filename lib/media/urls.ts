import type { Recipe } from './renditions/recipe.ts';
import type { MediaItem, MediaReference, RequestedMediaItem, RequestedReference } from './schemas.ts';

/** The prefix of accepted files. The media host serves only these, and no upload grant can write here. */
const objectPrefix = 'media/';
/** The prefix under which upload grants write. Not public. */
const incomingPrefix = 'incoming/';

/**
 * Returns the key of a file's public object. It is fixed when the upload is granted. The id in it cannot be guessed, so
 * only people who were given the URL can read it.
 */
export function objectKeyFor(workspaceId: string, mediaId: string, filename: string): string {
  return `${objectPrefix}${workspaceId}/${mediaId}/${safeName(filename)}`;
}

/** Returns the key of a rendition's public object. No upload can have it: the keys of uploads have one part less. */
export function renditionObjectKeyFor(
  {
    workspaceId,
    mediaId,
    id,
  }: { readonly workspaceId: string; readonly mediaId: string; readonly id: string },
  contentType: Recipe['contentType'],
): string {
  return `${objectPrefix}${workspaceId}/${mediaId}/renditions/${id}.${renditionExtensions[contentType]}`;
}

/**
 * Returns the key or the URL of a file's preview, from that of its public object: a small picture of a video. The object exists once
 * somebody has stored it.
 */
export const previewOf = (keyOrUrl: string): string => keyOrUrl.replace(/[^/]+$/, 'renditions/preview.jpg');

/** The file name extensions of renditions. */
const renditionExtensions: Readonly<Record<Recipe['contentType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** Returns the key that a file is uploaded to, from the key of its public object. */
export function incomingKeyOf(objectKey: string): string {
  return `${incomingPrefix}${objectKey.slice(objectPrefix.length)}`;
}

/**
 * Makes a name that is safe in a URL, because platforms fetch the URL as it is: plain ASCII without characters that
 * need escaping. Keeps the extension.
 */
function safeName(filename: string): string {
  const plain = filename.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-');
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,10})?$/.exec(plain) ?? [];
  const kept = stem.slice(extension.length - 80).replace(/^[-.]+/, '');
  return `${kept || 'file'}${extension}`;
}

/** Returns the prefixes of a workspace's keys: of uploads, and of public objects. */
export function objectPrefixesOf(workspaceId: string): { readonly incoming: string; readonly media: string } {
  return { incoming: `${incomingPrefix}${workspaceId}/`, media: `${objectPrefix}${workspaceId}/` };
}

/** Returns the public URL of an object. @param baseUrl the media host, without a final slash */
export function publicUrl(baseUrl: string, objectKey: string): string {
  return `${baseUrl}/${objectKey}`;
}

/** Reads the workspace and media id from the key of a public object; `undefined` for any other key. */
export function parseObjectKey(objectKey: string): { workspaceId: string; mediaId: string } | undefined {
  const match = /^media\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/[A-Za-z0-9._-]+$/.exec(objectKey);
  const [, workspaceId, mediaId] = match ?? [];
  return workspaceId && mediaId ? { workspaceId, mediaId } : undefined;
}

/**
 * Returns the file of an object in the bucket, and both of its keys; `undefined` for any key that is not in our format.
 *
 * @param anyKey the key of an upload or of a public object
 */
export function parseUploadKey(
  anyKey: string,
): { workspaceId: string; mediaId: string; objectKey: string; incomingKey: string } | undefined {
  const objectKey = anyKey.startsWith(incomingPrefix)
    ? `${objectPrefix}${anyKey.slice(incomingPrefix.length)}`
    : anyKey;
  const ids = parseObjectKey(objectKey);
  return ids && { ...ids, objectKey, incomingKey: incomingKeyOf(objectKey) };
}

/** Returns true if a URL leads to the media host, however it is spelled: case, default port, dots and escapes do not matter. */
export function isAtMediaHost(baseUrl: string, url: URL): boolean {
  return url.href.startsWith(new URL(`${baseUrl}/`).href);
}

/** Returns the reference behind a public URL of this workspace; `undefined` for any other URL. */
export function referenceFromUrl(
  baseUrl: string,
  workspaceId: string,
  item: RequestedMediaItem,
): RequestedReference | undefined {
  if (!item.url.startsWith(`${baseUrl}/`)) return undefined;
  const objectKey = item.url.slice(baseUrl.length + 1);
  const parsed = parseObjectKey(objectKey);
  if (parsed?.workspaceId !== workspaceId) return undefined;
  return referenceTo(item, parsed.mediaId, objectKey);
}

/** Returns a request's reference to this file, without the file's origin, which only its record has. */
export function referenceTo(
  { url: _url, sourceUrl: _shown, type, ...described }: RequestedMediaItem,
  mediaId: string,
  objectKey: string,
): RequestedReference {
  const asStored = type === 'document' ? ({ type: 'image', isDocument: true } as const) : type && { type };
  return { ...described, ...asStored, mediaId, objectKey };
}

export function toMediaItem(
  baseUrl: string,
  { mediaId: _mediaId, isTypeGuessed: _guess, objectKey, isDocument, type, ...described }: MediaReference,
): MediaItem {
  return { type: isDocument ? 'document' : type, ...described, url: publicUrl(baseUrl, objectKey) };
}

/** Converts a reference to the form of the request: leaves out a guessed type, because the request had none. */
export function toRequestedItem(baseUrl: string, reference: MediaReference): RequestedMediaItem {
  const { type, ...item } = toMediaItem(baseUrl, reference);
  return reference.isTypeGuessed ? item : { type, ...item };
}
