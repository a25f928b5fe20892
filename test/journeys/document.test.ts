import { afterAll, describe, expect, it } from 'vitest';
import { connectAccount, connectDemoAccounts } from '../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../bin/dev/platforms.ts';
import { deployedOperations } from '../../lib/operations.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { accountRows } from './document/account-rows.ts';
import { type Fixture, openFixture } from './document/fixture.ts';
import { postRows } from './document/post-rows.ts';
import { publicRows } from './document/public-rows.ts';
import { unknownId } from './document/rows.ts';
import { until } from './support/client.ts';
import { platformOf } from './support/platforms.ts';

const rows = { ...accountRows, ...postRows, ...publicRows };

let fixture: Fixture;
visitSharedCloud(async (cloud) => {
  fixture = await openFixture(cloud);
});
afterAll(() => fixture.stop());

it('the rows cover exactly the operations of the document', () => {
  expect(Object.keys(rows).sort()).toEqual([...fixture.document.operationIds].sort());
});

describe('a response is found to differ from the document', () => {
  const body = (change: object) => async () => {
    const { status, headers, text } = await fixture.asking('getWorkspace')(200);
    const { workspace } = JSON.parse(text) as { workspace: object };
    return { status, headers, text: JSON.stringify({ workspace: { ...workspace, ...change } }) };
  };
  const headers = (change: (headers: Headers) => void) => async () => {
    const answer = await fixture.asking('getWorkspace')(200);
    const changed = new Headers(answer.headers);
    change(changed);
    return { ...answer, headers: changed };
  };
  it.each([
    ['with an undocumented field', body({ secret: 'x' })],
    ['without a required field', body({ name: undefined })],
    ['with a field of another type', body({ storage: { usedBytes: '1', quotaBytes: 2 } })],
    ['with an invalid id', body({ id: 'x' })],
    ['without a header', headers((given) => given.delete('x-ratelimit-reset'))],
    ['as text', headers((given) => given.set('content-type', 'text/plain'))],
    [
      'with an undocumented status',
      async () => ({ ...(await fixture.asking('getWorkspace')(200)), status: 418 }),
    ],
  ])('%s', async (_what, answer) => {
    expect(fixture.document.problemsOfAnswer('getWorkspace', await answer())).toHaveLength(1);
  });
});

describe('requests and responses match the document', () => {
  it.each(Object.entries(rows))('%s', async (operationId, row) => {
    await row(fixture.asking(operationId), fixture);
  });

  const withKey = deployedOperations.filter(({ access }) => access === 'key');
  it.each(withKey.map(({ id }) => id))('%s without a key', async (id) => {
    await fixture.asking(id)(401, {
      apiKey: '',
      path: { id: unknownId, deliveryId: unknownId, boardId: '1', platform: 'threads', state: 'unknown' },
    });
  });

  const byId = withKey.filter(({ path }) => path.includes('{id}'));
  it.each(byId.map(({ id, method }) => [id, method] as const))(
    '%s with an unknown id',
    async (id, method) => {
      const path = { id: unknownId, deliveryId: unknownId, boardId: '1' };
      const body = { since: '2026-01-01T00:00:00Z', name: 'Boats', text: 'Where?' };
      await fixture.asking(id)(404, { path, ...(/P(OST|UT|ATCH)/.test(method) && { body }) });
    },
  );

  it.each(withKey.map(({ id }) => id))('%s with a parameter twice', async (id) => {
    const path = {
      id: unknownId,
      deliveryId: unknownId,
      boardId: '1',
      platform: 'threads',
      state: 'unknown',
    };
    await fixture.asking(id)(400, { path, query: 'x=1&x=2' });
  });
});

describe('webhook events match the document', () => {
  const seen = () => fixture.receiver.received.map(({ body }) => JSON.parse(body.toString()).type as string);
  /** One row per event type: causes the event. */
  const causes: Readonly<Record<string, () => Promise<unknown>>> = {
    // The fixture has already caused these four.
    'post.published': async () => undefined,
    'post.failed': async () => undefined,
    'post.target.published': async () => undefined,
    'post.target.failed': async () => undefined,
    'post.scheduled': () => fixture.makeScheduled(),
    'post.partial': async () => {
      await platformOf(fixture.cloud, 'instagram').planFault('media', 'error:36004/2207010');
      const { accountId, imageUrl } = fixture.things;
      await fixture.client.createPost({
        content: 'live on one of two',
        mediaItems: [{ type: 'image', url: imageUrl }],
        platforms: [{ accountId }, { accountId: fixture.client.accountId('threads') }],
        publishNow: true,
      });
    },
    'webhook.test': () => fixture.asking('testWebhook')(202, { path: { id: fixture.things.webhookId } }),
    'comment.received': () =>
      fixture.control('comments', {
        postId: fixture.things.platformPostId,
        username: 'ann',
        text: 'Where is the sale?',
      }),
    'dm.received': () =>
      fixture.control('messages', { username: 'ann', text: 'Hello!', account: demoUsername('demo') }),
    'account.disconnected': () =>
      fixture.asking('disconnectAccount')(200, {
        path: { id: fixture.other.accountId('tiktok') },
        apiKey: fixture.cloud.other.apiKey,
      }),
    'account.connected': async () => {
      const problems: string[] = [];
      await connectDemoAccounts(fixture.cloud, fixture.cloud.other, (line) => problems.push(line));
      expect(problems).toEqual([]);
    },
    'account.expiring': async () => {
      const youtube = platformOf(fixture.cloud, 'youtube');
      const connect = () =>
        connectAccount(fixture.cloud.apiUrl, fixture.cloud.other.apiKey, 'youtube', demoUsername('other'));
      await youtube.settings({ grantSeconds: 12 * 3_600 });
      expect(await connect()).toBeUndefined();
      // The sweep reads an index, which may not have the account yet.
      await until(seen, (types) => types.includes('account.expiring'), {
        meanwhile: () => fixture.cloud.invoke('refresh-tokens', {}),
      });
      await youtube.settings({ grantSeconds: 0 });
      expect(await connect()).toBeUndefined();
    },
    'account.expired': async () => {
      await platformOf(fixture.cloud, 'threads').revoke(demoUsername('other'));
      await fixture.other.createPost({
        content: 'revoked',
        platforms: [{ accountId: fixture.other.accountId('threads') }],
        publishNow: true,
      });
    },
  };

  it('the rows cover exactly the events of the document', () => {
    expect(Object.keys(causes).sort()).toEqual([...fixture.document.eventTypes].sort());
  });

  it.each(Object.entries(causes))('%s', async (type, cause) => {
    await cause();
    await until(seen, (types) => types.includes(type));
    for (const { headers, body } of fixture.receiver.received) {
      if (JSON.parse(body.toString()).type !== type) continue;
      expect(fixture.document.problemsOfEvent({ headers, body: body.toString() }), body.toString()).toEqual(
        [],
      );
    }
  });
});
