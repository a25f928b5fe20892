import { facebook } from '@herald/platform-simulators/facebook/facebook.ts';
import { instagram } from '@herald/platform-simulators/instagram/instagram.ts';
import type { PlatformDefinition } from '@herald/platform-simulators/kit/types.ts';
import { linkedin } from '@herald/platform-simulators/linkedin/linkedin.ts';
import { pinterest } from '@herald/platform-simulators/pinterest/pinterest.ts';
import { boardIdOf } from '@herald/platform-simulators/pinterest/state.ts';
import { threads } from '@herald/platform-simulators/threads/threads.ts';
import { tiktok } from '@herald/platform-simulators/tiktok/tiktok.ts';
import { youtube } from '@herald/platform-simulators/youtube/youtube.ts';
import type { Json } from '../../lib/kernel/json.ts';
import type { AccountKind, Platform } from '../../lib/platforms/contract/names.ts';
import type { PlatformApp } from '../../lib/platforms/contract/tools.ts';

export const redirectUri = 'http://127.0.0.1:4000/callback';
export const app = {
  clientId: '990011223344',
  clientSecret: 'app-secret',
  organization: { clientId: '990011225566', clientSecret: 'organization-secret' },
};
export const login = 'harbour.coffee';

const registered = { id: app.clientId, secret: app.clientSecret, redirectUris: [redirectUri] };
const registeredForOrganizations = {
  id: app.organization.clientId,
  secret: app.organization.clientSecret,
  redirectUris: [redirectUri],
};
const users = [{ username: login }];

/** A platform as the contract sees it. */
export interface PlatformRow {
  readonly platform: Platform;
  readonly as?: AccountKind;
  /** The operator's apps; default: {@link app}. */
  readonly app?: PlatformApp;
  readonly simulator: PlatformDefinition;
  readonly content: string;
  /** The names of fixtures, in order. */
  readonly media: readonly string[];
  readonly cover?: string;
  readonly options: { readonly [key: string]: Json };
  /** Settings of the simulator that differ from its defaults. */
  readonly settings?: Readonly<Record<string, Json>>;
  /** The platform's names of the first preparation call, the last call, and a call after it. */
  readonly operations: { readonly first: string; readonly live: string; readonly after: string };
  /**
   * The name under which a fault hits the last call before it has any effect. It differs from `live` if several calls
   * share an address.
   */
  readonly lastCall: string;
  /** The platform's error code for a request that it will never accept. */
  readonly refusal: string;
  /** A permission that the user can decline. */
  readonly scope: string;
  /** The error with which the browser returns if consent was denied. Default: `access_denied`. */
  readonly denial?: string;
  /**
   * The parameter that makes the platform ask a person again who has consented before. If it documents none: the page
   * that lists its parameters.
   */
  readonly asksAgain: { readonly by: string } | { readonly neverBecause: string };
  /** Each refresh token can be used only once. */
  readonly rotatesRefreshTokens?: true;
  /** Reason why an app cannot lack a permission that it requests. */
  readonly withoutAppScopes?: string;
  /** Reason why there is no token renewal to test. */
  readonly withoutRenewal?: string;
  /** Reason why refreshing a token makes no call. */
  readonly withoutRefreshCall?: string;
  /** Reason why the last call needs no token. */
  readonly withoutTokenAtLastCall?: string;
  /** Reason why the id of a live post may be unknown until it is finished. */
  readonly withoutIdAtOnce?: string;
  /** Reason why an account has no username. */
  readonly withoutUsername?: string;
  /** Reason why half of the last call's response is as good as all of it. */
  readonly withoutAnswerBody?: string;
  /** Reason why no call follows once a post is live. */
  readonly withoutFinishing?: string;
}

const linkedinParameters =
  'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow';

/** One row for each platform, or two if it has two kinds of accounts. */
export const rows: readonly PlatformRow[] = [
  {
    platform: 'facebook',
    simulator: facebook({ app: registered, users }),
    content: 'The harbour at six in the morning',
    media: ['image.jpg', 'square.jpg'],
    options: { firstComment: 'Which one is yours?', altText: ['A quay', 'A pier'] },
    operations: { first: 'photos', live: 'feed', after: 'post_object' },
    lastCall: 'feed',
    refusal: '324',
    scope: 'pages_manage_posts',
    asksAgain: { by: 'auth_type' },
    withoutRenewal: 'Page tokens never expire, so they are checked but not renewed',
  },
  {
    platform: 'instagram',
    simulator: instagram({ app: registered, users }),
    content: 'The harbour at six in the morning #coffee',
    media: ['video.mp4'],
    cover: 'square.jpg',
    options: {
      shareToFeed: true,
      firstComment: 'Which one is yours?',
      userTags: [{ username: 'lighthouse' }],
      locationId: '110843418940484',
    },
    operations: { first: 'media', live: 'media_publish', after: 'media_object' },
    lastCall: 'media_publish',
    refusal: '36004/2207010',
    scope: 'instagram_business_content_publish',
    asksAgain: { by: 'force_reauth' },
  },
  {
    platform: 'linkedin',
    as: 'organization',
    simulator: linkedin({ app: registered, organizationApp: registeredForOrganizations, users }),
    content: 'The harbour at six (in the morning) [at least] #coffee',
    media: ['video.mp4'],
    cover: 'square.jpg',
    options: { title: 'Harbour', firstComment: 'Which one is yours?' },
    operations: { first: 'videos.initializeUpload', live: 'posts.create', after: 'posts.get' },
    lastCall: 'posts.create',
    refusal: 'INVALID_VALUE_FOR_FIELD',
    scope: 'w_organization_social',
    asksAgain: { neverBecause: linkedinParameters },
    denial: 'user_cancelled_authorize',
    withoutAnswerBody: 'the answer is empty: the id of the post comes in a header',
  },
  {
    platform: 'linkedin',
    as: 'member',
    simulator: linkedin({ app: registered, organizationApp: registeredForOrganizations, users }),
    content: 'The harbour at six (in the morning) [at least] #coffee',
    media: ['image.jpg', 'square.jpg'],
    options: { visibility: 'CONNECTIONS' },
    operations: { first: 'images.initializeUpload', live: 'posts.create', after: 'posts.get' },
    lastCall: 'posts.create',
    refusal: 'INVALID_VALUE_FOR_FIELD',
    scope: 'w_member_social',
    asksAgain: { neverBecause: linkedinParameters },
    denial: 'user_cancelled_authorize',
    withoutRenewal: 'LinkedIn gives refresh tokens to approved partners only',
    withoutRefreshCall: 'LinkedIn gives refresh tokens to approved partners only',
    withoutUsername: 'LinkedIn gives no public name of a member',
    withoutAnswerBody: 'the answer is empty: the id of the post comes in a header',
    withoutFinishing: "a member's post is complete after the last call, and nobody may read it",
  },
  {
    platform: 'pinterest',
    simulator: pinterest({ app: registered, users }),
    content: 'The harbour at six in the morning',
    media: ['video.mp4'],
    cover: 'square.jpg',
    options: {
      boardId: boardIdOf(login, 'Harbour'),
      title: 'Harbour',
      link: 'https://example.com/harbour?from=herald',
      altText: 'Boats in the fog',
    },
    operations: { first: 'media.create', live: 'pins.create', after: 'pins.get' },
    lastCall: 'pins.create',
    refusal: '400/1',
    scope: 'pins:write',
    asksAgain: {
      neverBecause:
        'https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/',
    },
    rotatesRefreshTokens: true,
    withoutAppScopes: 'Pinterest documents tiers of access of an app, and no approval of single scopes',
    withoutFinishing: 'a Pin is complete after the last call',
  },
  {
    platform: 'threads',
    simulator: threads({ app: registered, users }),
    content: 'The harbour at six in the morning #coffee',
    media: ['video.mp4'],
    options: {
      topicTag: 'Coffee',
      firstComment: 'Which one is yours?',
      replyApprovals: true,
      textSpoilers: [{ offset: 4, length: 7 }],
    },
    operations: { first: 'threads', live: 'threads_publish', after: 'media_object' },
    lastCall: 'threads_publish',
    refusal: '36003/2207009',
    scope: 'threads_content_publish',
    asksAgain: {
      neverBecause:
        'https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions',
    },
  },
  {
    platform: 'tiktok',
    simulator: tiktok({ app: registered, users }),
    content: 'The harbour at six in the morning #coffee',
    media: ['video.mp4'],
    options: { privacyLevel: 'PUBLIC_TO_EVERYONE', isAigc: true, disableDuet: true },
    // Otherwise no response to the last call is final. Longer processing is tested separately.
    settings: { processingSeconds: 0 },
    operations: { first: 'video.init', live: 'video.upload', after: 'status.fetch' },
    lastCall: 'video.upload',
    refusal: 'invalid_param',
    scope: 'video.publish',
    asksAgain: { by: 'disable_auto_auth' },
    rotatesRefreshTokens: true,
    withoutTokenAtLastCall: 'the last bytes go to a presigned address',
    withoutIdAtOnce: 'a post gets its id only after moderation',
    withoutAnswerBody: 'the answer is empty: only the status of the post counts',
    withoutFinishing: 'finishing makes the same call that detects that a post is live',
  },
  {
    platform: 'youtube',
    simulator: youtube({ app: registered, users }),
    withoutAppScopes: 'Google warns the person if it has not verified the app, and refuses no scope',
    content: 'The harbour at six in the morning',
    media: ['video.mp4'],
    cover: 'square.jpg',
    options: {
      title: 'Harbour',
      privacy: 'unlisted',
      tags: ['coffee', 'early morning'],
      hasPaidProductPlacement: true,
    },
    operations: { first: 'videos.insert.start', live: 'videos.update', after: 'videos.list' },
    lastCall: 'videos.update',
    refusal: 'invalidTitle',
    scope: 'https://www.googleapis.com/auth/youtube.upload',
    asksAgain: { by: 'prompt' },
  },
];

/** The row of a platform, for tests of its particular behaviour. */
export function rowOf(platform: Platform, as?: AccountKind): PlatformRow {
  const row = rows.find((one) => one.platform === platform && (as === undefined || one.as === as));
  if (row === undefined) throw new Error(`no row for ${platform}`);
  return row;
}
