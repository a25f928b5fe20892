import type { PlatformAuthorization } from '../contract/authorization.ts';
import type { AccountKind, Platform } from '../contract/names.ts';
import { facebookAuthorization } from '../facebook/authorization.ts';
import { instagramAuthorization } from '../instagram/authorization.ts';
import { linkedinMemberAuthorization, linkedinOrganizationAuthorization } from '../linkedin/authorization.ts';
import { pinterestAuthorization } from '../pinterest/authorization.ts';
import { threadsAuthorization } from '../threads/authorization.ts';
import { tiktokAuthorization } from '../tiktok/authorization.ts';
import { youtubeAuthorization } from '../youtube/authorization.ts';

const authorizations: Readonly<Partial<Record<Platform, PlatformAuthorization>>> = {
  facebook: facebookAuthorization,
  instagram: instagramAuthorization,
  linkedin: linkedinMemberAuthorization,
  pinterest: pinterestAuthorization,
  threads: threadsAuthorization,
  tiktok: tiktokAuthorization,
  youtube: youtubeAuthorization,
};

const organizationAuthorizations: Readonly<Partial<Record<Platform, PlatformAuthorization>>> = {
  linkedin: linkedinOrganizationAuthorization,
};

/**
 * Returns a platform's authorization flow; undefined for a platform without one.
 *
 * @param as the kind of author that the login posts as; `organization` selects a platform's separate flow for
 *   organizations. Either flow can refresh the other's tokens
 */
export function authorizationFor(platform: Platform, as?: AccountKind): PlatformAuthorization | undefined {
  return (as === 'organization' ? organizationAuthorizations : authorizations)[platform];
}
