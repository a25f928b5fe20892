import { toRequestedItem } from '../../media/urls.ts';
import type { Target } from '../../targets/schemas.ts';
import type { PlatformEntry } from './schemas.ts';

/**
 * Converts a target to the form of the request, without its time.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toEntry(target: Target, mediaBaseUrl: string): PlatformEntry {
  return {
    accountId: target.accountId,
    platformSpecificData: target.options,
    ...(target.content !== undefined && { customContent: target.content }),
    ...(target.mediaItems && {
      customMedia: target.mediaItems.map((item) => toRequestedItem(mediaBaseUrl, item)),
    }),
  };
}
