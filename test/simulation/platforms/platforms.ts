import { facebook } from '@herald/platform-simulators/facebook/facebook.ts';
import { instagram } from '@herald/platform-simulators/instagram/instagram.ts';
import type { LivePost } from '@herald/platform-simulators/kit/live-post.ts';
import { type OpenPlatform, openPlatform } from '@herald/platform-simulators/kit/open-platform.ts';
import type { PlatformDefinition } from '@herald/platform-simulators/kit/types.ts';
import { linkedin } from '@herald/platform-simulators/linkedin/linkedin.ts';
import { pinterest } from '@herald/platform-simulators/pinterest/pinterest.ts';
import { threads } from '@herald/platform-simulators/threads/threads.ts';
import { tiktok } from '@herald/platform-simulators/tiktok/tiktok.ts';
import { youtube } from '@herald/platform-simulators/youtube/youtube.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { PlatformApp } from '../../../lib/platforms/contract/tools.ts';
import { seededRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';

export const app = {
  clientId: '990011223344',
  clientSecret: 'app-secret',
  organization: { clientId: '990011225566', clientSecret: 'organization-secret' },
  metaAppSecret: 'meta-secret',
  webhookVerifyToken: 'verify-token',
} satisfies PlatformApp;

/** The URL to which Instagram sends its webhooks. */
export const webhookUrl = 'https://api.example.com/platforms/instagram/webhook';

export const redirectUri = 'http://127.0.0.1:4000/callback';

const registered = { id: app.clientId, secret: app.clientSecret, redirectUris: [redirectUri] };
const forOrganizations = { ...app.organization, redirectUris: [redirectUri] };

/** The simulators' definitions, for some users. */
const definitions: Readonly<Record<Platform, (usernames: readonly string[]) => PlatformDefinition>> = {
  facebook: (names) => facebook({ app: registered, users: usersOf(names) }),
  instagram: (names) =>
    instagram({
      app: {
        ...registered,
        metaSecret: app.metaAppSecret,
        webhook: { callbackUrl: webhookUrl, verifyToken: app.webhookVerifyToken },
      },
      users: usersOf(names),
    }),
  linkedin: (names) =>
    linkedin({
      app: registered,
      organizationApp: {
        id: forOrganizations.clientId,
        secret: forOrganizations.clientSecret,
        redirectUris: [redirectUri],
      },
      users: usersOf(names),
    }),
  pinterest: (names) => pinterest({ app: registered, users: usersOf(names) }),
  threads: (names) => threads({ app: registered, users: usersOf(names) }),
  tiktok: (names) => tiktok({ app: registered, users: usersOf(names) }),
  youtube: (names) => youtube({ app: registered, users: usersOf(names) }),
};

const usersOf = (usernames: readonly string[]) => usernames.map((username) => ({ username }));

/** A post that went live, and where. */
export interface LiveEntry {
  readonly platform: Platform;
  readonly post: LivePost;
  /** The time at which the platform made it live. */
  readonly liveMs: number;
}

export interface PlatformsSetting {
  readonly world: World;
  readonly seed: number;
  /** The users of each platform. */
  readonly usernames: Readonly<Partial<Record<Platform, readonly string[]>>>;
  /** Fetches files for the platforms, without any simulated time. */
  readonly fetch: typeof fetch;
  /** Sends Instagram's webhooks. Takes simulated time. */
  readonly sendWebhook: (url: string, init: RequestInit) => Promise<Response>;
  readonly onLive: (entry: LiveEntry) => void;
}

export type Platforms = ReturnType<typeof createPlatforms>;

/** The real rules of the platforms, without their servers, in the world's time. */
export function createPlatforms(setting: PlatformsSetting) {
  const { world, seed, usernames, fetch, onLive } = setting;
  // Their own random numbers, so that they draw none of the world's.
  const bytes = seededRandom(seed ^ 0x5eed);
  const randomBytes = (count: number) =>
    Buffer.from(Array.from({ length: count }, () => bytes.integer(0, 255)));
  const open = new Map<Platform, OpenPlatform>();
  const planned = new Map<Platform, number>();

  for (const [name, users] of Object.entries(usernames)) {
    const platform = name as Platform;
    open.set(
      platform,
      openPlatform({
        definition: definitions[platform](users),
        clock: world,
        baseUrl: (host) => `https://${host}`,
        fetch: (input, init) =>
          String(input).startsWith(webhookUrl)
            ? sendWebhook(platform, String(input), init)
            : fetch(input, init),
        randomBytes,
        lagMs: { state: () => drawLagMs(world), list: () => drawLagMs(world) },
        onLive: (post, liveMs) => {
          world.note('live', platform, `shows "${post.content}" as ${post.id} of ${post.accountId}`);
          onLive({ platform, post, liveMs });
        },
      }),
    );
  }

  const of = (platform: Platform): OpenPlatform => {
    const found = open.get(platform);
    if (!found) throw new Error(`${platform} is not simulated in this run`);
    return found;
  };

  /** Lets the platform go on at the time at which something of its own is due. */
  function planNext(platform: Platform): void {
    const nextMs = of(platform).nextChangeMs();
    const plannedMs = planned.get(platform) ?? 0;
    const isPlanned = plannedMs === nextMs || (plannedMs > world.now() && plannedMs < (nextMs ?? Infinity));
    if (nextMs === undefined || isPlanned) return;
    planned.set(platform, nextMs);
    world.clockwork.at(nextMs, () => goOn(platform));
  }

  /** Waits for files, which take no simulated time, but not for the answers to webhooks. */
  async function goOn(platform: Platform): Promise<void> {
    await of(platform).settle();
    await of(platform).idle('file');
    planNext(platform);
  }

  /** Sends a webhook, and lets the platform go on with the answer: it may send the webhook again later. */
  async function sendWebhook(platform: Platform, url: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await setting.sendWebhook(url, init);
    } finally {
      world.clockwork.after(1, () => goOn(platform));
    }
  }

  /** Calls a control address of a simulator. */
  async function control(platform: Platform, method: string, path: string, body?: object): Promise<unknown> {
    const served = await of(platform).serve({
      method,
      target: `/_control/${path}`,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    });
    planNext(platform);
    if (served.kind !== 'answer' || served.answer.status >= 400)
      throw new Error(`${platform} refused ${method} ${path}: ${JSON.stringify(served)}`);
    return JSON.parse(served.answer.body);
  }

  return {
    of,
    serve: async (platform: Platform, request: Parameters<OpenPlatform['serve']>[0]) => {
      const served = await of(platform).serve(request);
      await of(platform).idle('file');
      planNext(platform);
      return served;
    },
    control,
    /** One of the platform's users revokes the app's authorization. */
    async revoke(platform: Platform): Promise<void> {
      const username = world.random.pick(usernames[platform] ?? []);
      world.note('fault', platform, `${username} revokes the authorization`);
      await control(platform, 'POST', 'revoke', { username });
    },
    names: [...open.keys()],
    stop: () => Promise.all([...open.values()].map((platform) => platform.stop())),
  };
}

/**
 * Draws how old the state is that a read shows: usually none; under the fault, from a second to a quarter of an hour, each
 * power of ten as likely as the next. Some are longer than any adapter assumes.
 */
function drawLagMs(world: World): number {
  return world.happens('readsLate') ? 10 ** world.random.between(0, 3) * secondMs : 0;
}
