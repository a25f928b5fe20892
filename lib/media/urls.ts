import type { MediaItem, MediaReference } from './schemas.ts';

const objectPrefix = 'media/';

/** The key of a file in the bucket. The id in it cannot be guessed, so only people who were given the URL can read it. */
export function objectKeyFor(workspaceId: string, mediaId: string, filename: string): string {
  return `${objectPrefix}${workspaceId}/${mediaId}/${safeName(filename)}`;
}

/** Platforms fetch the URL as it is: plain ASCII without characters that need escaping. Keeps the extension. */
function safeName(filename: string): string {
  const plain = filename.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-');
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,10})?$/.exec(plain) ?? [];
  const kept = stem.slice(extension.length - 80).replace(/^[-.]+/, '');
  return `${kept || 'file'}${extension}`;
}

/** @param baseUrl the media host, without a final slash */
export function publicUrl(baseUrl: string, objectKey: string): string {
  return `${baseUrl}/${objectKey}`;
}

/** The workspace and media id inside one of our object keys; `undefined` for any other key. */
export function parseObjectKey(objectKey: string): { workspaceId: string; mediaId: string } | undefined {
  const match = /^media\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/[A-Za-z0-9._-]+$/.exec(objectKey);
  const [, workspaceId, mediaId] = match ?? [];
  return workspaceId && mediaId ? { workspaceId, mediaId } : undefined;
}

/** The reference behind a public URL of this workspace; `undefined` for any other URL. */
export function referenceFromUrl(
  baseUrl: string,
  workspaceId: string,
  item: MediaItem,
): MediaReference | undefined {
  if (!item.url.startsWith(`${baseUrl}/`)) return undefined;
  const objectKey = item.url.slice(baseUrl.length + 1);
  const parsed = parseObjectKey(objectKey);
  if (parsed?.workspaceId !== workspaceId) return undefined;
  const { url: _url, ...described } = item;
  return { ...described, mediaId: parsed.mediaId, objectKey };
}

export function toMediaItem(
  baseUrl: string,
  { mediaId: _mediaId, objectKey, ...described }: MediaReference,
): MediaItem {
  return { ...described, url: publicUrl(baseUrl, objectKey) };
}
