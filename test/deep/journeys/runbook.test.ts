import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { deleteItem, putItem, updateItem } from '../../../lib/table/items.ts';
import { automationPartition, deliveriesPartition, type Key, targetKey } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import { openTable, type Table } from '../../../lib/table/table.ts';
import { adminOf } from '../../journeys/support/admin.ts';
import { type Client, clientOf, type Patience, settled, until } from '../../journeys/support/client.ts';
import { advance, readClock } from '../../journeys/support/clock.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { argumentsOf, runbookSections } from '../../journeys/support/runbook.ts';

const directory = mkdtempSync(join(tmpdir(), 'runbook-'));
const dataDirectory = join(directory, 'data');
const admin = adminOf(dataDirectory);

let run: DevProcess;
let client: Client;
let other: Client;
let sqs: SQSClient;
let ssm: SSMClient;
let table: Table;
/** A server of a customer that answers every request with 503. */
let brokenServer: Server;
let brokenUrl: string;

beforeAll(async () => {
  run = await startDev({ dataDirectory });
  const [demo, second] = run.dev.workspaces;
  if (!demo || !second) throw new Error('there are no workspaces');
  client = clientOf(run.dev, demo);
  other = clientOf(run.dev, second);
  const { administrator: credentials } = JSON.parse(
    readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8'),
  );
  const access = { region: 'us-east-1', endpoint: run.dev.awsEndpoint, credentials };
  sqs = new SQSClient(access);
  ssm = new SSMClient(access);
  const { TableNames: [name = ''] = [] } = await new DynamoDBClient(access).send(new ListTablesCommand({}));
  table = openTable(name, access);
  brokenServer = createServer((_request, response) => void response.writeHead(503).end());
  await new Promise<void>((resolve) => brokenServer.listen(0, '127.0.0.1', resolve));
  brokenUrl = `http://127.0.0.1:${(brokenServer.address() as AddressInfo).port}`;
}, 120_000);
afterAll(async () => {
  await run.end('SIGTERM');
  brokenServer.closeAllConnections();
  brokenServer.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Steps of the clock with which workers and sweeps keep up. */
const passing = { meanwhile: () => advance(run.dev, 30), withinSeconds: 300 };

/** The patience with work that waits for nothing: a clock that jumps could cost a worker its lease in the middle of a call. */
const inRealTime = { withinSeconds: 300 };

async function urlOf(queue: string): Promise<string> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  return QueueUrls.find((url) => url.includes(queue)) ?? '';
}

async function sendTo(queue: string, MessageBody: string): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: await urlOf(queue), MessageBody }));
}

/** Waits until a queue holds messages. */
const arrivalsIn = (queue: string, patience: Patience = passing) =>
  until(
    async () => {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: await urlOf(queue), AttributeNames }),
      );
      return Number(Attributes['ApproximateNumberOfMessages']);
    },
    (messages) => messages > 0,
    patience,
  );

/** Waits until the log of a function has a line that contains a text. */
const logged = (functionName: string, text: string) =>
  until(
    () => readFileSync(join(dataDirectory, 'logs', `${functionName}.log`), { encoding: 'utf8', flag: 'a+' }),
    (log) => log.includes(text),
    passing,
  );

const postTo = (owner: Client, platform: string, content: string, more: object = {}) =>
  owner.createPost({
    content,
    publishNow: true,
    platforms: [{ accountId: owner.accountId(platform) }],
    ...more,
  });

/** Waits until a post is tried again later. */
const isPutOff = (id: string) =>
  until(
    () => client.readPost(id),
    ({ platforms: [target] }) => typeof target?.errorDetail?.retryAt === 'string',
    inRealTime,
  );

/** Waits until a post says that it waits for the end of a pause. */
const waitsForPause = (id: string) =>
  until(
    () => client.readPost(id),
    ({ platforms: [target] }) => target?.error?.includes('paused') === true,
    passing,
  );

/** Replaces the app credentials of a platform. @returns a function that restores them */
async function replaceCredentials(platform: string, value: object): Promise<() => Promise<void>> {
  const put = (Value: string) =>
    ssm.send(
      new PutParameterCommand({
        ...{ Name: `/herald/dev/platforms/${platform}`, Type: 'SecureString', Overwrite: true, Value },
      }),
    );
  await put(JSON.stringify(value));
  return async () => {
    const secret = secretOf(platform);
    await put(JSON.stringify({ ...secret, ...(platform === 'linkedin' && { organization: secret }) }));
    // Functions keep what they have read for five minutes.
    await advance(run.dev, 6 * 60);
  };
}

const secretOf = (platform: string) => ({
  ...{ clientId: `herald-${platform}`, clientSecret: `local-secret-of-${platform}` },
});

/** Writes an attribute that no release understands. @returns a function that restores the item */
async function makeUnreadable(key: Key, changes: Readonly<Record<string, unknown>>) {
  const { item } = await updateItem(table, key, { set: changes, if: unconditionally });
  if (item === undefined) throw new Error(`there is no item ${key.sk}`);
  return async (usual: Readonly<Record<string, unknown>>) => {
    await updateItem(table, key, { set: usual, if: unconditionally });
  };
}

/** A time in the index `overdue` that is due for every sweep. */
const longAgo = new Date(0).toISOString();
const dueNow = async () => toTimestamp(await readClock(run.dev));

type Values = Readonly<Record<string, string>>;

interface Answer {
  /** Parts of what the command prints. */
  readonly says: readonly (string | RegExp)[];
  /** The exit code; default: 0. Any, if it depends on the incidents before. */
  readonly code?: 1 | 'any';
  /** The event before the command is run, such as the end of the outage. */
  readonly first?: () => Promise<unknown>;
}

/** An incident that this test makes. */
interface Incident {
  /** Makes the incident. @returns the values of the placeholders in the printed commands */
  readonly make: () => Promise<Values>;
  /** The answers of the printed commands. */
  readonly answers: (values: Values) => Readonly<Record<string, Answer>>;
  /** Ends what the commands leave. */
  readonly end?: () => Promise<unknown>;
}

const failed: string[] = [];
const restores: (() => Promise<unknown>)[] = [];
const restoreAll = async () => {
  for (const restore of restores.splice(0).reverse()) await restore();
};

/** Makes the credentials of LinkedIn's app useless, and publishes there. @returns the post, which is put off */
async function publishWithoutCredentials(): Promise<string> {
  restores.push(await replaceCredentials('linkedin', {}));
  const { id } = await postTo(client, 'linkedin', 'without credentials');
  await isPutOff(id);
  return id;
}

/** Stores a target that the sweep finds, and that no release understands. @returns its post */
async function makeTargetUnreadable(): Promise<string> {
  const later = toTimestamp((await readClock(run.dev)) + 600 * minuteMs);
  const { id } = await client.createPost({
    content: 'unreadable',
    scheduledFor: later,
    platforms: [{ accountId: client.accountId('facebook') }],
  });
  const key = targetKey(client.workspace.id, id, client.accountId('facebook'));
  const restore = await makeUnreadable(key, { status: 'of a later release', dueAt: longAgo });
  restores.push(() => restore({ status: 'scheduled', dueAt: later }));
  return id;
}

/** Creates an endpoint that answers with 503, and sends it an event. */
async function makeEndpointFail(): Promise<string> {
  const body = { url: brokenUrl, events: ['post.published'] };
  const made = await client.expectStatus(201, 'POST', '/v1/webhooks', body);
  const { webhook } = z.object({ webhook: z.object({ id: z.string() }) }).parse(made.json());
  await client.expectStatus(202, 'POST', `/v1/webhooks/${webhook.id}/test`);
  await until(
    async () => (await admin('webhook', 'deliveries', webhook.id)).stdout,
    (text) => text.includes('503'),
    passing,
  );
  restores.push(() => client.expectStatus(200, 'DELETE', `/v1/webhooks/${webhook.id}`));
  return webhook.id;
}

/**
 * Creates an automation for a post of the simulated Instagram, and lets somebody comment on it.
 *
 * @param before happens before the comment
 */
async function commentOnAutomation(before: () => Promise<unknown>): Promise<string> {
  const posts = await fetch(`${run.dev.platforms['instagram']?.control}/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: demoUsername('demo') }),
  });
  const { id: platformPostId } = z.object({ id: z.string() }).parse(await posts.json());
  const automation = { accountId: client.accountId('instagram'), platformPostId, commentReply: 'Thank you' };
  const made = await client.expectStatus(201, 'POST', '/v1/comment-automations', automation);
  const { id } = z.object({ automation: z.object({ id: z.string() }) }).parse(made.json()).automation;
  await before();
  await platformOf(run.dev, 'instagram').comment(platformPostId, 'clara', 'hello');
  await until(
    async () => (await admin('automation', 'why', id)).stdout,
    (text) => !text.includes('Nothing waits'),
    passing,
  );
  return id;
}

const pauseInstagram = () => admin('pause', '--platform', 'instagram', '--reason', 'Instagram loses replies');

const incidents: Readonly<Record<string, Incident>> = {
  'Most posts to a platform fail': {
    async make() {
      const threads = platformOf(run.dev, 'threads');
      await threads.planFault('*', 'error:100', 100);
      for (let count = 0; count < 5; count += 1) {
        const { id } = await postTo(client, 'threads', `refused ${count}`);
        expect((await settled(client, id, inRealTime)).status).toBe('failed');
        failed.push(id);
      }
      await threads.clearFaults();
      return { platform: 'threads', 'post id': failed[0] ?? '' };
    },
    answers: (values) => ({
      status: { code: 1, says: [/threads +0 +5/, 'platform_rejected', 'Not healthy'] },
      'post list --failed --since 1h --platform <platform>': { says: [...failed, 'platform_rejected'] },
      'post why <post id>': { says: ['threads', 'failed', 'the user', 'POST https://'] },
      'pause --platform <platform> --reason "…"': { says: ['threads', '…'] },
      'post retry <post id>': { says: [/Retried threads/, `post why ${values['post id']}`] },
    }),
    end: () => admin('resume', '--platform', 'threads'),
  },

  'A dead-letter queue holds messages': {
    async make() {
      await makeTargetUnreadable();
      const { id: workspaceId } = client.workspace;
      const account = { pk: `WORKSPACE#${workspaceId}`, sk: 'ACCOUNT#of-a-later-release' };
      await putItem(table, { ...account, kind: 'account', status: 'ok' }, unconditionally);
      restores.push(() => deleteItem(table, account, unconditionally));
      const [, postId = ''] = failed;
      await sendTo('PublishQueue', JSON.stringify({ workspaceId, postId, wakeNumber: 'of a later release' }));
      await sendTo('SchedulerDeadLetters', JSON.stringify({ workspaceId, postId }));
      for (const queue of ['PublishDeadLetters', 'relaydeadletters', 'announcedeadletters'])
        await arrivalsIn(queue);
      return { 'queue name': 'publish', 'post id': postId, 'workspace id': workspaceId };
    },
    answers: ({ 'post id': postId = '', 'workspace id': workspaceId = '' }) => ({
      'queue peek <queue name>': { says: [`postId=${postId}`] },
      'post why <post id>': { says: ['threads', 'failed'] },
      'tail --failures --since 12h': { says: ['a message failed', postId, 'a change cannot be read'] },
      'queue list': { says: [/publish +\d+ +\d+ +1/] },
      'queue redrive <queue name>': { says: ['Moved 1 back to publish.'] },
      'post retry <post id>': { says: ['Retried threads'] },
      'queue peek schedules': { says: [`postId=${postId}`] },
      'queue redrive schedules': { says: ['Moved 1 to publish.'] },
      'queue peek relay': { says: [`pk=POST#${workspaceId}`] },
      'workspace rebuild <workspace id>': { first: restoreAll, says: [/\d+/] },
      'queue peek announce': { says: ['eventName=INSERT', 'kind=account'] },
    }),
  },

  'Posts are overdue': {
    make: async () => ({ 'post id': await makeTargetUnreadable() }),
    answers: ({ 'post id': postId = '' }) => ({
      status: { code: 1, says: [postId, 'cannot be read'] },
    }),
    end: restoreAll,
  },

  'Overdue posts are not recovered': {
    async make() {
      const id = await makeTargetUnreadable();
      await logged('sweep', id);
      return { 'post id': id };
    },
    answers: ({ 'post id': postId = '' }) => ({
      'tail --failures --function sweep': { says: ['not swept', postId] },
      doctor: { code: 1, says: ['cannot be read', postId] },
    }),
    end: restoreAll,
  },

  'Posts are late because the relay is behind': {
    async make() {
      await logged('relay', await makeTargetUnreadable());
      return { 'workspace id': client.workspace.id };
    },
    answers: ({ 'workspace id': workspaceId = '' }) => ({
      'tail --failures --function relay': { says: ['a change cannot be read', workspaceId] },
      'workspace list': { says: [workspaceId, other.workspace.id] },
      'workspace rebuild <workspace id>': { first: restoreAll, says: [/\d+/] },
    }),
  },

  'Posts wait for their schedules': {
    async make() {
      await sendTo('DistantWakeQueue', 'nonsense');
      await logged('keep-schedules', 'a message failed');
      return {};
    },
    answers: () => ({
      'tail --failures --function keep-schedules': { says: ['a message failed', 'nonsense'] },
    }),
  },

  'Follow-up posts are late': {
    async make() {
      await sendTo('ChainQueue', 'nonsense');
      // It does not wait for the queue's visibility timeout.
      await arrivalsIn('ChainDeadLetters', inRealTime);
      return {};
    },
    answers: () => ({ 'tail --failures --function run-chain': { says: ['a message failed', 'nonsense'] } }),
  },

  'Posts wait in the publish queue': {
    make: async () => ({ 'post id': await publishWithoutCredentials() }),
    answers: ({ 'post id': postId = '' }) => ({
      'tail --failures --function publish-target': { says: [postId] },
      'post why <post id>': { says: ['linkedin', 'internal', 'an error on our side'] },
      status: { code: 'any', says: [/publish +\d+ /, /linkedin +\S+ +1 /] },
    }),
    end: restoreAll,
  },

  'API clients get 5xx errors': {
    async make() {
      restores.push(await replaceCredentials('linkedin', {}));
      return {};
    },
    answers: () => ({ doctor: { code: 1, says: [/linkedin: app credentials .*no valid clientId/] } }),
    end: restoreAll,
  },

  "A platform's API version ends soon": {
    async make() {
      const sunset = new Date((await readClock(run.dev)) + 30 * dayMs).toISOString();
      const version = { apiVersion: '202609', apiVersionSunsetOn: sunset.slice(0, 10) };
      restores.push(await replaceCredentials('youtube', { ...secretOf('youtube'), ...version }));
      return {};
    },
    answers: () => ({
      doctor: { says: [/warning +youtube: API version +youtube serves version 202609 of its API for/] },
    }),
    end: restoreAll,
  },

  'Files wait to be sent to platforms': {
    async make() {
      restores.push(await replaceCredentials('youtube', {}));
      const url = await client.upload('video.mp4');
      const { id } = await postTo(client, 'youtube', 'a video', { mediaItems: [{ type: 'video', url }] });
      await isPutOff(id);
      return { platform: 'youtube', 'post id': id };
    },
    answers: ({ 'post id': postId = '' }) => ({
      'tail --failures --function upload-target': { says: [postId] },
      'post why <post id>': { says: ['youtube', 'internal'] },
      'pause --platform <platform> --reason "…"': { says: ['youtube'] },
    }),
    async end() {
      await restoreAll();
      await admin('resume', '--platform', 'youtube');
    },
  },

  'Posts go live late': {
    async make() {
      await admin('pause', '--platform', 'facebook', '--reason', 'Facebook loses posts');
      const { id } = await postTo(client, 'facebook', 'late');
      await waitsForPause(id);
      return { 'post id': id, 'workspace id': client.workspace.id };
    },
    answers: () => ({
      'pause list': { says: ['facebook', 'Facebook loses posts'] },
      'post why <post id>': { says: ['facebook', 'paused'] },
      'post timeline <workspace id> <post id>': { says: ['Facebook loses posts'] },
    }),
    end: () => admin('resume', '--platform', 'facebook'),
  },

  'A platform is in trouble': {
    async make() {
      const threads = platformOf(run.dev, 'threads');
      await threads.planFault('*', 'error:2', 10_000);
      const owners = [client, other].flatMap((owner) => [owner, owner, owner]);
      const posts = await Promise.all(owners.map((owner) => postTo(owner, 'threads', 'in an outage')));
      await until(
        async () => (await client.expectStatus(200, 'GET', '/v1/workspace')).text,
        (text) => /"incidents":\[\{"platform":"threads"/.test(text),
        passing,
      );
      return { platform: 'threads', 'post id': posts[0]?.id ?? '' };
    },
    answers: ({ 'post id': postId = '' }) => ({
      status: {
        code: 1,
        says: [/threads has trouble since/, client.workspace.id, other.workspace.id],
      },
      'post why <post id>': { says: ['threads', 'platform_unavailable', 'POST https://'] },
      'tail --failures': { says: ['a destination was put off', postId] },
      'pause --platform <platform> --reason "…"': { says: ['threads'] },
      'resume --platform <platform>': {
        async first() {
          await waitsForPause(postId);
          await platformOf(run.dev, 'threads').clearFaults();
        },
        says: ['Resumed.', /Destinations released: [1-6]/],
      },
    }),
  },

  'Destinations wait for a daily limit': {
    async make() {
      const threads = platformOf(run.dev, 'threads');
      await threads.limits({ posts: 0 });
      restores.push(() => threads.limits({ posts: 250 }));
      const { id } = await postTo(client, 'threads', 'beyond the limit');
      await until(
        () => client.readPost(id),
        ({ platforms: [target] }) =>
          target?.error?.startsWith('waiting for a limit of the platform') === true,
        inRealTime,
      );
      return { 'workspace id': client.workspace.id };
    },
    answers: () => ({ 'workspace rebuild <workspace id>': { says: [/\d+/] } }),
    end: restoreAll,
  },

  'Webhooks are late': {
    make: async () => ({ 'webhook id': await makeEndpointFail() }),
    answers: ({ 'webhook id': id = '' }) => ({
      'webhook list --failing': { says: [id, client.workspace.id, new URL(brokenUrl).host, '503'] },
      'webhook disable <webhook id>': { says: ['Switched off.'] },
    }),
    end: restoreAll,
  },

  'Almost all webhooks fail': {
    make: async () => ({ 'webhook id': await makeEndpointFail() }),
    answers: ({ 'webhook id': id = '' }) => ({
      'webhook list --failing': { says: [id] },
      'webhook deliveries <webhook id>': { says: ['webhook.test', 'pending', '503'] },
    }),
    end: restoreAll,
  },

  'Webhooks are not retried': {
    async make() {
      const webhookId = await makeEndpointFail();
      const partition = deliveriesPartition(client.workspace.id, webhookId);
      const [delivery] = await queryAll(table, { partition });
      const key = { pk: partition, sk: String(delivery?.['sk']) };
      const restore = await makeUnreadable(key, { status: 'of a later release', dueAt: longAgo });
      restores.push(async () => restore({ status: 'pending', dueAt: await dueNow() }));
      await logged('sweep-deliveries', webhookId);
      return { 'webhook id': webhookId };
    },
    answers: ({ 'webhook id': id = '' }) => ({
      'tail --failures --function sweep-deliveries': { says: ['a delivery cannot be read', id] },
    }),
    end: restoreAll,
  },

  'Files are not fetched': {
    async make() {
      const answer = await client.expectStatus(202, 'POST', '/v1/media', { url: `${brokenUrl}/image.jpg` });
      const { media } = z.object({ media: z.object({ id: z.string() }) }).parse(answer.json());
      await until(
        async () => (await client.expectStatus(200, 'GET', `/v1/media/${media.id}`)).text,
        (text) => text.includes('503'),
        inRealTime,
      );
      return {};
    },
    answers: () => ({
      status: { code: 1, says: [/imports of files +\S*/, client.workspace.id, '503'] },
      // The other server is down. It is no error of ours.
      'tail --failures --function import-media': { says: ['none'] },
    }),
  },

  'Replies and messages are put off': {
    async make() {
      const instagram = platformOf(run.dev, 'instagram');
      restores.push(() => instagram.clearFaults());
      const id = await commentOnAutomation(() => instagram.planFault('*', 'error:2', 10_000));
      await until(
        async () => (await admin('status')).stdout,
        (text) => text.includes('the platform did not take them'),
        passing,
      );
      return { 'automation id': id };
    },
    answers: ({ 'automation id': id = '' }) => ({
      status: { code: 1, says: ['replies and messages', id] },
      'automation why <automation id>': { says: [/waiting/] },
    }),
    end: restoreAll,
  },

  'Comments are not answered': {
    async make() {
      return { 'automation id': await commentOnAutomation(pauseInstagram) };
    },
    answers: () => ({
      'pause list': { says: ['instagram', 'Instagram loses replies'] },
      'automation why <automation id>': { says: [/waiting/, 'paused'] },
    }),
    end: () => admin('resume', '--platform', 'instagram'),
  },

  'Delayed replies and messages are not sent': {
    async make() {
      restores.push(() => admin('resume', '--platform', 'instagram'));
      const id = await commentOnAutomation(pauseInstagram);
      const partition = automationPartition(id);
      const actions = (await queryAll(table, { partition })).filter((item) => 'dueAt' in item);
      const key = { pk: partition, sk: String(actions[0]?.['sk']) };
      const state = actions[0]?.['state'];
      const restore = await makeUnreadable(key, { state: 'of a later release', dueAt: longAgo });
      restores.push(async () => restore({ state, dueAt: await dueNow() }));
      await logged('sweep-actions', 'an action cannot be read');
      return { 'automation id': id };
    },
    answers: () => ({
      'tail --failures --function sweep-actions': { says: ['an action cannot be read'] },
      status: { code: 1, says: [/replies and messages +\d+ +[1-9]/] },
    }),
    end: restoreAll,
  },

  'Many accounts have expired': {
    async make() {
      await platformOf(run.dev, 'linkedin').planFault('*', 'expire-token');
      const { id } = await postTo(client, 'linkedin', 'expired');
      expect((await settled(client, id, inRealTime)).status).toBe('failed');
      return { 'post id': id };
    },
    answers: ({ 'post id': postId = '' }) => ({
      doctor: { says: [/linkedin: app credentials +\S+ is complete/] },
      'post retry <post id>': { says: ['Retried linkedin'] },
      'post list --failed --since 24h': { says: [postId, 'account_expired'] },
    }),
  },
};

/** Incidents that no test can make on the local cloud, and the reason. */
const notMade: Readonly<Record<string, string>> = {
  ...reasonFor('a group of alarms; its members are made', [
    ...['Capacity is used up', 'Publishing is late', 'Requests fail', 'Background work fails'],
  ]),
  ...reasonFor('the local cloud refuses nothing and bills nothing', [
    ...['Functions are throttled', 'Almost all of the account’s concurrency is used'],
    ...['Requests to the table are throttled', 'The month costs more than planned'],
  ]),
  ...reasonFor('only AWS’s own tools help', [
    ...['A function does not run although there is work', 'Somebody has switched off a function'],
    ...['API clients wait long', 'Restore lost data', 'After an AWS outage'],
  ]),
  ...reasonFor('prints no command of ours', [
    ...[
      'Token refresh is failing',
      'An account has the status `error`',
      'Requests to delete data are not done',
    ],
    ...['Webhooks from platforms are refused', 'Deleted and expired files are not removed'],
    ...['Deleted workspaces are not erased', 'Tracked links fail', 'Clicks are not counted'],
    ...['Uploads stay pending', 'Files are not imported', 'Files are not converted'],
    ...['Numbers of posts are not read', 'Posts at risk are not announced'],
  ]),
};

function reasonFor(reason: string, titles: readonly string[]): Record<string, string> {
  return Object.fromEntries(titles.map((title) => [title, reason]));
}

it('every incident of the runbook is made, or has a reason that it is not', () => {
  const titles = runbookSections().map(({ title }) => title);
  expect([...Object.keys(incidents), ...Object.keys(notMade)].sort()).toEqual(titles.sort());
});

it('an incident whose section prints commands that help is made', () => {
  const silent = runbookSections().filter(({ title }) => notMade[title] === 'prints no command of ours');
  expect(silent.flatMap(({ commands }) => commands)).toEqual([]);
});

it.each(Object.entries(incidents))(
  '%s',
  async (title, incident) => {
    const printed = runbookSections().find((section) => section.title === title)?.commands ?? [];
    try {
      const values = await incident.make();
      const answers = incident.answers(values);
      expect(Object.keys(answers).sort()).toEqual([...printed].sort());
      for (const command of printed) {
        const { says = [], code = 0, first } = answers[command] ?? {};
        await first?.();
        const { stdout, stderr, exitCode } = await admin(...argumentsOf(command, values));
        const said = `${stdout}${stderr}`;
        if (code !== 'any') expect(exitCode, `${command}: ${said}`).toBe(code);
        for (const part of says) expect(said, command).toMatch(part);
      }
    } finally {
      await incident.end?.();
    }
  },
  600_000,
);
