import type { MediaFetcher } from '../kit/media/media-intake.ts';

/** How Meta's platforms fetch files from public addresses. */
export function fetcherOf(stop: AbortSignal): MediaFetcher {
  return {
    userAgent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    timeoutSeconds: 60,
    stop,
  };
}
