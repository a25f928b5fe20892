import { type MediaFetcher, mediaFetcher } from '../kit/media/media-intake.ts';
import type { Workbench } from '../kit/types.ts';

/** Fetches media files with the user agent and the timeout of Meta's platforms. */
export function fetcherOf(workbench: Workbench): MediaFetcher {
  return mediaFetcher(
    workbench,
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    60,
  );
}
