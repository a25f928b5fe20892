import { parseObjectKey } from '../../media/urls.ts';
import type { DraftMedia } from './draft-media.ts';

const addresses = new Map<string, string>();

/** Keeps the file that was just uploaded at hand, so that it is shown before the service serves it, and without loading it again. */
export function rememberLocally(publicUrl: string, file: Blob): void {
  addresses.set(publicUrl, URL.createObjectURL(file));
}

/** The id of a file that the service has; `undefined` for an address elsewhere. */
export function mediaIdOf({ mediaId, url }: Pick<DraftMedia, 'mediaId' | 'url'>): string | undefined {
  if (mediaId !== undefined || !URL.canParse(url)) return mediaId;
  return parseObjectKey(new URL(url).pathname.slice(1))?.mediaId;
}

/**
 * Where the browser can load a file from; `undefined` for an address elsewhere. The panel loads nothing from other servers: they would
 * learn who looks at the draft.
 */
export const shownAddressOf = (media: DraftMedia): string | undefined =>
  addresses.get(media.url) ?? (mediaIdOf(media) === undefined ? undefined : media.url);
