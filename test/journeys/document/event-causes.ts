import { expect } from 'vitest';
import {
  connectAccount,
  connectDemoAccounts,
  openTableAsAdministrator,
} from '../../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { noteLive, storeReading } from '../../../lib/insights/store.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { endPauseParts, findPause, newPause, putPauseParts } from '../../../lib/pauses/manage.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { tellOfEndingVersions } from '../../../lib/webhooks/version-notices.ts';
import { settled, until } from '../support/client.ts';
import { platformOf } from '../support/platforms.ts';
import type { Fixture } from './fixture.ts';

/** The types of the webhook events that have arrived. */
export const typesReceived = ({ receiver }: Fixture): string[] =>
  receiver.received.map(({ body }) => JSON.parse(body.toString()).type as string);

/** A pause of an account to which the fixture's posts go. */
function pauseOfDemo({ cloud, things: { accountId } }: Fixture) {
  const context = { table: openTableAsAdministrator(cloud), now: cloud.clock.now() };
  const scope = { kind: 'account', workspaceId: cloud.demo.id, accountId } as const;
  return { context, pause: newPause(context, scope, 'Something is wrong') };
}

/** Runs the checks of waiting posts until an event has arrived. The relay asks for them, and their findings follow the stream. */
const untilTold = (fixture: Fixture, type: string) =>
  until(
    async () => typesReceived(fixture),
    (types) => types.includes(type),
    { meanwhile: () => fixture.cloud.invoke('check-ahead', {}) },
  );

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
  'post.at_risk': async (fixture) => {
    await fixture.makeScheduled();
    const { context, pause } = pauseOfDemo(fixture);
    await transact(context.table, putPauseParts(context, pause));
    await untilTold(fixture, 'post.at_risk');
  },
  'post.risk_cleared': async (fixture) => {
    const { context, pause } = pauseOfDemo(fixture);
    const stored = await findPause(context.table, pause.scope);
    await transact(context.table, endPauseParts(context, stored ?? pause));
    await untilTold(fixture, 'post.risk_cleared');
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
