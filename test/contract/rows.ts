import { facebook } from '../../infra/local/platforms/facebook/facebook.ts';
import { instagram } from '../../infra/local/platforms/instagram/instagram.ts';
import type { PlatformDefinition } from '../../infra/local/platforms/kit/types.ts';
import { linkedin } from '../../infra/local/platforms/linkedin/linkedin.ts';
import { pinterest } from '../../infra/local/platforms/pinterest/pinterest.ts';
import { boardIdOf } from '../../infra/local/platforms/pinterest/state.ts';
import { threads } from '../../infra/local/platforms/threads/threads.ts';
import { tiktok } from '../../infra/local/platforms/tiktok/tiktok.ts';
import { youtube } from '../../infra/local/platforms/youtube/youtube.ts';
import type { Json } from '../../lib/kernel/json.ts';
import type { AccountKind, Platform } from '../../lib/platforms/contract/names.ts';

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

/** What the contract has to know of a platform. */
export interface PlatformRow {
  readonly platform: Platform;
  readonly as?: AccountKind;
  readonly simulator: PlatformDefinition;
  readonly content: string;
  /** Fixtures, in order. */
  readonly media: readonly string[];
  readonly cover?: string;
  readonly options: { readonly [key: string]: Json };
  /** Of the simulator, where another one than usual is wanted. */
  readonly settings?: Readonly<Record<string, Json>>;
  /** The platform's own names: its first call of the preparation, the call that makes a post live, one after it. */
  readonly operations: { readonly first: string; readonly live: string; readonly after: string };
  /**
   * The name under which a fault hits the last call before it has any effect; another one than `live` where several
   * calls share an address.
   */
  readonly lastCall: string;
  /** An error of the platform for a request that it will never accept. */
  readonly refusal: string;
  /** A permission that the user may leave out. */
  readonly scope: string;
  /** With what the browser comes back where consent was denied; `access_denied` where nothing is said. */
  readonly denial?: string;
  /** Each refresh token is good for one refresh. */
  readonly rotatesRefreshTokens?: true;
  /** Why there is no renewal of tokens to test. */
  readonly withoutRenewal?: string;
  /** Why no call is made where tokens are to be refreshed. */
  readonly withoutRefreshCall?: string;
  /** Why the last call asks for no token. */
  readonly withoutTokenAtLastCall?: string;
  /** Why the id of a live post may be known only once it is finished. */
  readonly withoutIdAtOnce?: string;
  /** Why an account has no username. */
  readonly withoutUsername?: string;
  /** Why it cannot be proven that nothing went live. */
  readonly withoutAbsence?: string;
  /** Why half of the last call's answer is as good as all of it. */
  readonly withoutAnswerBody?: string;
  /** Why nothing is called once a post is live. */
  readonly withoutFinishing?: string;
}

/** One row for each platform that is built. */
export const rows: readonly PlatformRow[] = [
  {
    platform: 'facebook',
    simulator: facebook({ app: registered, users }),
    content: 'The harbour at six in the morning',
    media: ['image.jpg', 'square.jpg'],
    options: { firstComment: 'Which one is yours?' },
    operations: { first: 'photos', live: 'feed', after: 'post_object' },
    lastCall: 'feed',
    refusal: '324',
    scope: 'pages_manage_posts',
    withoutRenewal: 'Page tokens have no end, so they are looked at and not renewed',
  },
  {
    platform: 'instagram',
    simulator: instagram({ app: registered, users }),
    content: 'The harbour at six in the morning #coffee',
    media: ['video.mp4'],
    cover: 'square.jpg',
    options: { shareToFeed: true, firstComment: 'Which one is yours?' },
    operations: { first: 'media', live: 'media_publish', after: 'media_object' },
    lastCall: 'media_publish',
    refusal: '36004/2207010',
    scope: 'instagram_business_content_publish',
  },
  {
    platform: 'linkedin',
    as: 'organization',
    simulator: linkedin({ app: registered, organizationApp: registeredForOrganizations, users }),
    content: 'The harbour at six (in the morning) [at least] #coffee',
    media: ['video.mp4'],
    options: { title: 'Harbour' },
    operations: { first: 'videos.initializeUpload', live: 'posts.create', after: 'posts.get' },
    lastCall: 'posts.create',
    refusal: 'INVALID_VALUE_FOR_FIELD',
    scope: 'w_organization_social',
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
    denial: 'user_cancelled_authorize',
    withoutRenewal: 'LinkedIn gives refresh tokens to approved partners only',
    withoutRefreshCall: 'LinkedIn gives refresh tokens to approved partners only',
    withoutUsername: 'LinkedIn tells no public name of a member',
    withoutAbsence: "nobody may read a member's posts: what answers the question is the post, sent again",
    withoutAnswerBody: 'the answer is empty: the id of the post comes in a header',
    withoutFinishing: "a member's post is complete with the last call, and nobody may read it",
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
    },
    operations: { first: 'media.create', live: 'pins.create', after: 'pins.get' },
    lastCall: 'pins.create',
    refusal: '400/1',
    scope: 'pins:write',
    rotatesRefreshTokens: true,
    withoutFinishing: 'a Pin is complete with the last call',
  },
  {
    platform: 'threads',
    simulator: threads({ app: registered, users }),
    content: 'The harbour at six in the morning #coffee',
    media: ['video.mp4'],
    options: { topicTag: 'Coffee', firstComment: 'Which one is yours?' },
    operations: { first: 'threads', live: 'threads_publish', after: 'media_object' },
    lastCall: 'threads_publish',
    refusal: '36003/2207009',
    scope: 'threads_content_publish',
  },
  {
    platform: 'tiktok',
    simulator: tiktok({ app: registered, users }),
    content: 'The harbour at six in the morning #coffee',
    media: ['video.mp4'],
    options: { privacyLevel: 'PUBLIC_TO_EVERYONE', isAigc: true, disableDuet: true },
    // Else no answer of the last call is final: what a longer processing makes of it is tested apart.
    settings: { processingSeconds: 0 },
    operations: { first: 'video.init', live: 'video.upload', after: 'status.fetch' },
    lastCall: 'video.upload',
    refusal: 'invalid_param',
    scope: 'video.publish',
    rotatesRefreshTokens: true,
    withoutTokenAtLastCall: 'the last bytes go to an address that is its own permission',
    withoutIdAtOnce: 'a post is given its id once it was moderated',
    withoutAnswerBody: 'the answer is empty: the status of the post is what counts',
    withoutFinishing: 'what is asked then is the same by which a post is known to be live',
  },
  {
    platform: 'youtube',
    simulator: youtube({ app: registered, users }),
    content: 'The harbour at six in the morning',
    media: ['video.mp4'],
    cover: 'square.jpg',
    options: { title: 'Harbour', privacy: 'unlisted', tags: ['coffee', 'early morning'] },
    operations: { first: 'videos.insert.start', live: 'videos.insert', after: 'videos.list' },
    lastCall: 'videos.insert.chunk',
    refusal: 'invalidTitle',
    scope: 'https://www.googleapis.com/auth/youtube.upload',
  },
];

/** The row of a platform, for tests of what it alone does. */
export function rowOf(platform: Platform): PlatformRow {
  const row = rows.find((candidate) => candidate.platform === platform);
  if (row === undefined) throw new Error(`no row for ${platform}`);
  return row;
}
