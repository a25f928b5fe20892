import type { MediaFetcher } from '../kit/media/media-intake.ts';

/** The user agent and timeout with which Meta's platforms fetch media files. */
export function fetcherOf(stop: AbortSignal): MediaFetcher {
  return {
    userAgent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    timeoutSeconds: 60,
    stop,
  };
}
