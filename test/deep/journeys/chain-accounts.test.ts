import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { connectAccount } from '../../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import { type Client, clientOf, settled, targetOf, until } from '../../journeys/support/client.ts';
import { advance, advanceTo, passing, readClock } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
let client: Client;
visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
});

const account = () => client.accountId('threads');
const disconnect = async () => (await client.expectStatus(200, 'DELETE', `/v1/accounts/${account()}`)).json();
const reconnect = async () => {
  const { apiKey } = cloud.demo;
  expect(await connectAccount(cloud.apiUrl, apiKey, 'threads', demoUsername('demo'))).toBeUndefined();
  await client.expectStatus(200, 'GET', `/v1/accounts/${account()}`);
};
let isDisconnected = false;
beforeEach(() => {
  isDisconnected = false;
});
afterEach(async () => {
  if (isDisconnected) await reconnect();
});

/** A post on LinkedIn that a step on Threads follows after half an hour. */
const postWithStep = (content: string, changes: object) =>
  client.createPost({
    content,
    platforms: [{ accountId: client.accountId('linkedin') }],
    chain: [{ kind: 'followUp', accountIds: [account()], afterMinutes: 30, content: `${content}: the step` }],
    ...changes,
  });

/** Waits until the step of a post has become a post. @returns that post */
async function stepOf({ id }: PostView): Promise<PostView> {
  const step = await until(
    async () => (await client.readPost(id)).chain[0],
    (found) => found?.status === 'fired',
    passing(cloud, 5),
  );
  return client.readPost(step?.postId ?? '');
}

const preview = async () =>
  z
    .object({ scheduledTargets: z.int(), waitingChainSteps: z.int() })
    .parse((await client.expectStatus(200, 'GET', `/v1/accounts/${account()}/disconnect-preview`)).json());

it('a step whose account is lost after its chain has started fails at its time and says what helps; a retry publishes it once the account is back', async () => {
  const content = `A lost account ${await readClock(cloud)}`;
  const child = await stepOf(await postWithStep(content, { publishNow: true }));
  expect(child.status).toBe('scheduled');
  isDisconnected = true;
  expect(await disconnect()).toMatchObject({ scheduledTargets: 1, waitingChainSteps: 0 });
  await advanceTo(cloud, Date.parse(child.scheduledFor ?? ''));
  const failed = await settled(client, child.id, passing(cloud, 5));
  expect(targetOf(failed, 'threads')).toMatchObject({
    status: 'failed',
    error: 'the account is disconnected: connect it again',
    errorDetail: { code: 'account_disconnected', category: 'reconnect' },
  });
  await reconnect();
  isDisconnected = false;
  await advance(cloud, 60);
  expect((await client.readPost(child.id)).status).toBe('failed');
  await client.expectStatus(200, 'POST', `/v1/posts/${child.id}/retry`);
  expect(await settled(client, child.id, passing(cloud, 5))).toMatchObject({ status: 'published' });
  expect(await platformOf(cloud, 'threads').postsSaying(`${content}: the step`)).toHaveLength(1);
}, 180_000);

it('a step whose account is lost before its chain starts, and is back before the time of the step, is published', async () => {
  const content = `A returning account ${await readClock(cloud)}`;
  const dueMs = (await readClock(cloud)) + 10 * minuteMs;
  const parent = await postWithStep(content, { scheduledFor: new Date(dueMs).toISOString() });
  await until(preview, ({ waitingChainSteps }) => waitingChainSteps === 1);
  isDisconnected = true;
  expect(await disconnect()).toMatchObject({ waitingChainSteps: 1 });
  const changed = await client.expectStatus(200, 'PATCH', `/v1/posts/${parent.id}`, {
    content: `${content}!`,
  });
  expect(changed.json()).toMatchObject({
    warnings: [{ field: 'chain[0].accountIds[0]', code: 'account_unknown' }],
  });
  await advanceTo(cloud, dueMs);
  const child = await stepOf(parent);
  await reconnect();
  isDisconnected = false;
  await advanceTo(cloud, Date.parse(child.scheduledFor ?? ''));
  expect(await settled(client, child.id, passing(cloud, 5))).toMatchObject({ status: 'published' });
}, 180_000);
