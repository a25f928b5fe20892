import { facebook } from '../../infra/local/platforms/facebook/facebook.ts';
import { instagram } from '../../infra/local/platforms/instagram/instagram.ts';
import type { PlatformDefinition } from '../../infra/local/platforms/kit/types.ts';
import { youtube } from '../../infra/local/platforms/youtube/youtube.ts';
import type { Json } from '../../lib/kernel/json.ts';
import type { Platform } from '../../lib/platforms/names.ts';

export const redirectUri = 'http://127.0.0.1:4000/callback';
export const app = { clientId: '990011223344', clientSecret: 'app-secret' };
export const login = 'harbour.coffee';

const registered = { id: app.clientId, secret: app.clientSecret, redirectUris: [redirectUri] };
const users = [{ username: login }];

/** What the contract has to know of a platform. */
export interface PlatformRow {
  readonly platform: Platform;
  readonly simulator: PlatformDefinition;
  readonly content: string;
  /** Fixtures, in order. */
  readonly media: readonly string[];
  readonly cover?: string;
  readonly options: { readonly [key: string]: Json };
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
  /** Why there is no renewal of tokens to test. */
  readonly withoutRenewal?: string;
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
