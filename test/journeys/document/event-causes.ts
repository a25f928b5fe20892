import { expect } from 'vitest';
import {
  connectAccount,
  connectDemoAccounts,
  openTableAsAdministrator,
} from '../../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { noteLive, storeReading } from '../../../lib/insights/store.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { tellOfEndingVersions } from '../../../lib/webhooks/version-notices.ts';
import { settled, until } from '../support/client.ts';
import { platformOf } from '../support/platforms.ts';
import type { Fixture } from './fixture.ts';

/** The types of the webhook events that have arrived. */
export const typesReceived = ({ receiver }: Fixture): string[] =>
  receiver.received.map(({ body }) => JSON.parse(body.toString()).type as string);

/** One row per event type: causes the event. */
export const eventCauses: Readonly<Record<string, (fixture: Fixture) => Promise<unknown>>> = {
  // The fixture has already caused these four.
  'post.published': async () => undefined,
  'post.failed': async () => undefined,
  'post.target.published': async () => undefined,
  'post.target.failed': async () => undefined,
  'post.target.removed': async (fixture) => {
    const { id } = await fixture.client.createPost({
      content: 'soon taken down',
      platforms: [{ accountId: fixture.client.accountId('facebook') }],
      publishNow: true,
    });
    await settled(fixture.client, id);
    await fixture.asking('unpublishPost')(202, { path: { id } });
  },
  'post.scheduled': (fixture) => fixture.makeScheduled(),
  'post.partial': async (fixture) => {
    await platformOf(fixture.cloud, 'instagram').planFault('media', 'error:36004/2207010');
    const { accountId, imageUrl } = fixture.things;
    await fixture.client.createPost({
      content: 'live on one of two',
      mediaItems: [{ type: 'image', url: imageUrl }],
      platforms: [{ accountId }, { accountId: fixture.client.accountId('threads') }],
      publishNow: true,
    });
  },
  'webhook.test': (fixture) => fixture.asking('testWebhook')(202, { path: { id: fixture.things.webhookId } }),
  'comment.received': (fixture) =>
    fixture.control('comments', {
      postId: fixture.things.platformPostId,
      username: 'ann',
      text: 'Where is the sale?',
    }),
  'dm.received': (fixture) =>
    fixture.control('messages', { username: 'ann', text: 'Hello!', account: demoUsername('demo') }),
  'account.disconnected': (fixture) =>
    fixture.asking('disconnectAccount')(200, {
      path: { id: fixture.other.accountId('tiktok') },
      apiKey: fixture.cloud.other.apiKey,
    }),
  'account.connected': async (fixture) => {
    const problems: string[] = [];
    await connectDemoAccounts(fixture.cloud, fixture.cloud.other, (line) => problems.push(line));
    expect(problems).toEqual([]);
  },
  'account.expiring': async (fixture) => {
    const youtube = platformOf(fixture.cloud, 'youtube');
    const connect = () =>
      connectAccount(fixture.cloud.apiUrl, fixture.cloud.other.apiKey, 'youtube', demoUsername('other'));
    await youtube.settings({ grantSeconds: 12 * 3_600 });
    expect(await connect()).toBeUndefined();
    // The sweep reads an index, which may not have the account yet.
    await until(
      () => typesReceived(fixture),
      (types) => types.includes('account.expiring'),
      {
        meanwhile: () => fixture.cloud.invoke('refresh-tokens', {}),
      },
    );
    await youtube.settings({ grantSeconds: 0 });
    expect(await connect()).toBeUndefined();
  },
  'platform.version.ending': async ({ cloud }) => {
    const problems: string[] = [];
    const sunsetOn = toTimestamp(cloud.clock.now() + 30 * dayMs).slice(0, 10);
    const ports = {
      table: openTableAsAdministrator(cloud),
      now: () => cloud.clock.now(),
      versionOf: async (platform: Platform) => (platform === 'tiktok' ? { name: 'v2', sunsetOn } : undefined),
      report: (message: string) => problems.push(message),
    };
    await tellOfEndingVersions(ports, Number.POSITIVE_INFINITY);
    expect(problems).toEqual([]);
  },
  'post.metrics': async ({ cloud, things }) => {
    const now = cloud.clock.now();
    const table = openTableAsAdministrator(cloud);
    const target = {
      workspaceId: cloud.demo.id,
      postId: things.liveId,
      accountId: things.accountId,
      platform: 'instagram' as const,
      platformPostId: things.platformPostId,
      publishedAt: toTimestamp(now),
      isStory: false,
    };
    await noteLive(table, target, now);
    const reading = { at: toTimestamp(now), n: [10, 8, 3, 1, 'withheld', 2, null] };
    await storeReading(table, target, '1h', reading, { isAnnounced: true, isRetried: false });
  },
  'account.expired': async (fixture) => {
    await platformOf(fixture.cloud, 'threads').revoke(demoUsername('other'));
    await fixture.other.createPost({
      content: 'revoked',
      platforms: [{ accountId: fixture.other.accountId('threads') }],
      publishNow: true,
    });
  },
};
