import * as z from 'zod';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { hasAdapter } from '../../lib/platforms/registry/adapters.ts';
import type { Client } from '../journeys/support/client.ts';
import type { TestCloud } from '../support/local-cloud.ts';

/** A platform and the entry for it in a post's `platforms`. */
export interface Destination {
  readonly platform: Platform;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Platforms that get a video, because they cannot prepare an image ahead of its time or do not accept images. */
const takesVideo: readonly Platform[] = ['pinterest', 'tiktok', 'youtube'];

const Accounts = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      platform: z.custom<Platform>(),
      meta: z.object({ boards: z.array(z.object({ id: z.string() })).optional() }),
    }),
  ),
});

/** The kinds of posts, by their media. */
export const kinds = ['text', 'image', 'video'] as const;
export type Kind = (typeof kinds)[number];

/** The platforms that do not accept posts of a kind. */
const refusing: Readonly<Record<Kind, readonly Platform[]>> = {
  text: ['instagram', 'pinterest', 'tiktok', 'youtube'],
  image: ['youtube'],
  video: [],
};

/**
 * Returns a destination for each account of the client's workspace, with media that can be prepared ahead of its time.
 *
 * @param only these platforms; absent: all
 */
export async function preparedDestinations(
  client: Client,
  videoUrl: string,
  only?: readonly Platform[],
): Promise<Destination[]> {
  return (await destinationsOf(client, only)).map(({ platform, entry }) => ({
    platform,
    entry: {
      ...entry,
      ...(takesVideo.includes(platform) && { customMedia: [{ type: 'video', url: videoUrl }] }),
    },
  }));
}

/**
 * Returns a destination for each account of the client's workspace that accepts such a post.
 *
 * @param only these platforms; absent: all
 */
export async function destinationsFor(
  client: Client,
  kind: Kind,
  only?: readonly Platform[],
): Promise<Destination[]> {
  return (await destinationsOf(client, only)).filter(({ platform }) => !refusing[kind].includes(platform));
}

async function destinationsOf(client: Client, only: readonly Platform[] | undefined): Promise<Destination[]> {
  const answer = await client.expectStatus(200, 'GET', '/v1/accounts');
  const { accounts } = Accounts.parse(answer.json());
  return accounts
    .filter(({ platform }) => hasAdapter(platform) && (only?.includes(platform) ?? true))
    .map(({ id, platform, meta }) => ({
      platform,
      entry: {
        accountId: id,
        platformSpecificData: {
          ...(platform === 'pinterest' && { boardId: meta.boards?.[0]?.id }),
          ...(platform === 'tiktok' && { privacyLevel: 'PUBLIC_TO_EVERYONE' }),
        },
      },
    }));
}

/** So that the bench measures the service and not the quota of its app at YouTube. */
export const raisedDailyLimits = { youtube: 1_000_000 } as const;

/** Raises every limit of the simulated platforms, so that the bench measures the service and not their quotas. */
export async function raiseLimits({ platforms }: TestCloud): Promise<void> {
  for (const { control } of Object.values(platforms)) {
    const limits = z.record(z.string(), z.number()).parse(await (await fetch(`${control}/limits`)).json());
    const raised = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, value * 10_000]));
    if (Object.keys(raised).length === 0) continue;
    const answer = await fetch(`${control}/limits`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(raised),
    });
    if (!answer.ok) throw new Error(`${control}/limits returned ${answer.status}: ${await answer.text()}`);
  }
}
