import type { Call } from '../kit/call.ts';
import { type MediaFetcher, mediaFetcher } from '../kit/media/media-intake.ts';
import type { Records } from '../kit/records.ts';
import type { Platform, Workbench } from '../kit/types.ts';
import { unknownPath } from './graph-errors.ts';
import { killToken, type MetaToken } from './tokens.ts';
import type { Usage } from './usage.ts';

/** The app's registration with one of Meta's platforms. */
export interface MetaApp {
  /** The app id on this platform, not the id of the Meta app. */
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  /** The addresses that the platform calls when a person has removed the app. Without them no callback can be sent. */
  readonly callbacks?: CallbackUrls;
}

/** The addresses that the app has registered for the callbacks. */
interface CallbackUrls {
  readonly deauthorizeUrl: string;
  readonly dataDeletionUrl: string;
}

/** Returns the parts of a `Platform` that all of Meta's platforms share. @param tokenOf returns the token of a call */
export function metaPlatform<Token extends MetaToken>(
  usage: Usage,
  tokens: Records<Token>,
  tokenOf: (call: Call) => string | undefined,
): Pick<Platform, 'rateLimited' | 'expireToken' | 'unknownPath' | 'headers'> {
  return {
    rateLimited: usage.limited,
    expireToken: (call) => killToken(tokens, tokenOf(call), 463),
    unknownPath,
    headers: usage.headers,
  };
}

/** Fetches media files with the user agent and the timeout of Meta's platforms. */
export function fetcherOf(workbench: Workbench): MediaFetcher {
  return mediaFetcher(
    workbench,
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    60,
  );
}
