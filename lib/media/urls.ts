import type { MediaItem, MediaReference, RequestedMediaItem, RequestedReference } from './schemas.ts';

/** Accepted files. The media host serves only these, and no upload grant can write here. */
const objectPrefix = 'media/';
/** Where upload grants write. Not public. */
const incomingPrefix = 'incoming/';

/**
 * The key of a file's public object. It is fixed when the upload is granted. The id in it cannot be guessed, so only
 * people who were given the URL can read it.
 */
export function objectKeyFor(workspaceId: string, mediaId: string, filename: string): string {
  return `${objectPrefix}${workspaceId}/${mediaId}/${safeName(filename)}`;
}

/** The key that a file is uploaded to, from the key of its public object. */
export function incomingKeyOf(objectKey: string): string {
  return `${incomingPrefix}${objectKey.slice(objectPrefix.length)}`;
}

/** Platforms fetch the URL as it is: plain ASCII without characters that need escaping. Keeps the extension. */
function safeName(filename: string): string {
  const plain = filename.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-');
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,10})?$/.exec(plain) ?? [];
  const kept = stem.slice(extension.length - 80).replace(/^[-.]+/, '');
  return `${kept || 'file'}${extension}`;
}

/** How the keys of all objects of a workspace begin: of uploads, and of public objects. */
export function objectPrefixesOf(workspaceId: string): { readonly incoming: string; readonly media: string } {
  return { incoming: `${incomingPrefix}${workspaceId}/`, media: `${objectPrefix}${workspaceId}/` };
}

/** @param baseUrl the media host, without a final slash */
export function publicUrl(baseUrl: string, objectKey: string): string {
  return `${baseUrl}/${objectKey}`;
}

/** The workspace and media id inside the key of a public object; `undefined` for any other key. */
export function parseObjectKey(objectKey: string): { workspaceId: string; mediaId: string } | undefined {
  const match = /^media\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/[A-Za-z0-9._-]+$/.exec(objectKey);
  const [, workspaceId, mediaId] = match ?? [];
  return workspaceId && mediaId ? { workspaceId, mediaId } : undefined;
}

/**
 * The file that an object of the bucket belongs to, and both of its keys; `undefined` for any key that is not of our form.
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

/** Whether a URL leads to the media host, however it is spelled: case, default port, dots and escapes do not matter. */
export function isAtMediaHost(baseUrl: string, url: URL): boolean {
  return url.href.startsWith(new URL(`${baseUrl}/`).href);
}

/** The reference behind a public URL of this workspace; `undefined` for any other URL. */
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

/** The reference of a request to this file. Where the file comes from, only its record says. */
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

/** The form of the request: a type that was guessed is left out, as it was in the request. */
export function toRequestedItem(baseUrl: string, reference: MediaReference): RequestedMediaItem {
  const { type, ...item } = toMediaItem(baseUrl, reference);
  return reference.isTypeGuessed ? item : { type, ...item };
}
