import { facebookAuthorization } from './facebook/authorization.ts';
import { instagramAuthorization } from './instagram/authorization.ts';
import type { Platform } from './names.ts';
import type { PlatformAuthorization } from './oauth.ts';
import { youtubeAuthorization } from './youtube/authorization.ts';

const authorizations: Readonly<Partial<Record<Platform, PlatformAuthorization>>> = {
  facebook: facebookAuthorization,
  instagram: instagramAuthorization,
  youtube: youtubeAuthorization,
};

/** A platform's authorization flow; undefined where the platform is not built yet. */
export function authorizationFor(platform: Platform): PlatformAuthorization | undefined {
  return authorizations[platform];
}
