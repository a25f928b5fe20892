import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, settled, until } from '../../journeys/support/client.ts';
import { advance } from '../../journeys/support/clock.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';
import { platformOf } from '../../journeys/support/platforms.ts';

const root = join(import.meta.dirname, '../../..');
const directory = mkdtempSync(join(tmpdir(), 'operating-'));
const dataDirectory = join(directory, 'data');

let run: DevProcess;
let client: Client;

beforeAll(async () => {
  run = await startDev({ dataDirectory });
  const [demo] = run.dev.workspaces;
  if (!demo) throw new Error('there is no workspace');
  client = clientOf(run.dev, demo);
}, 120_000);
afterAll(async () => {
  if (run.child.exitCode === null && run.child.signalCode === null) await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Runs `npm run admin -- <words>` without npm. No customer's key is in its environment. */
async function admin(words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { AWS_PROFILE: _, AWS_REGION: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(root, 'bin/admin.ts'), ...words], {
    env: { ...inherited, DATA_DIR: dataDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, exitCode };
}

/** Runs a command with JSON output, which must end with this exit code. */
async function json(words: string, code = 0) {
  const { stdout, stderr, exitCode } = await admin([...words.split(' '), '--json']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: code });
  return JSON.parse(stdout);
}

/** Puts a message into the dead letters of a queue. */
async function addDeadLetter(queue: string, MessageBody: string): Promise<void> {
  const { administrator: credentials } = JSON.parse(
    readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8'),
  );
  const sqs = new SQSClient({ region: 'us-east-1', endpoint: run.dev.awsEndpoint, credentials });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const QueueUrl = QueueUrls.find((url) => url.toLowerCase().includes(queue));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
}

describe('before anything has happened', () => {
  it('status is healthy', async () => {
    const status = await json('status');
    expect(status).toMatchObject({ isHealthy: true, problems: [] });
    expect(status.queues.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['inbound', 'media-arrived', 'publish', 'schedules']),
    );
  });

  it('doctor finds the machine, the parameters and the versions as they should be', async () => {
    const { isHealthy, checks } = await json('doctor');
    expect(isHealthy).toBe(true);
    const names = checks.map(({ check }: { check: string }) => check);
    expect(names).toEqual(
      expect.arrayContaining([
        'DATA_DIR',
        'database engine',
        'local cloud',
        'threads: app credentials',
        'stuck work',
      ]),
    );
  });

  it.each([
    ['status', { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }, 'no AWS Region'],
    ['doctor', { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }, 'AWS_REGION'],
  ])('%s of a stage without a Region says so', async (command, credentials, message) => {
    const none = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
    const { stdout, stderr, exitCode } = await admin([command, '--stage', 'x'], { ...credentials, ...none });
    expect({ exitCode, said: stdout + stderr }).toEqual({
      exitCode: 1,
      said: expect.stringContaining(message),
    });
  });
});

describe('a post that fails', () => {
  let postId = '';
  beforeAll(async () => {
    const threads = platformOf(run.dev, 'threads');
    await threads.planFault('*', 'error:100', 20);
    const post = await client.createPost({
      content: 'refused',
      publishNow: true,
      platforms: [{ accountId: client.accountId('threads') }],
    });
    postId = post.id;
    expect((await settled(client, postId, { meanwhile: () => advance(run.dev, 5) })).status).toBe('failed');
    await threads.clearFaults();
  });

  it('is listed with all workspaces', async () => {
    const row = { postId, platform: 'threads', workspaceId: client.workspace.id, code: 'platform_rejected' };
    expect(await json('post list --failed --since 1h')).toEqual([expect.objectContaining(row)]);
    expect(await json('post list --failed --platform linkedin')).toEqual([]);
  });

  it('is counted by status, and one failure does not make a stage unhealthy', async () => {
    const { platforms } = await json('status');
    expect(platforms).toEqual([
      {
        platform: 'threads',
        live: 0,
        failed: 1,
        reasons: [expect.objectContaining({ code: 'platform_rejected' })],
      },
    ]);
  });

  it('is explained on one screen by its id alone', async () => {
    const { stdout, exitCode } = await admin(['post', 'why', postId]);
    expect(exitCode).toBe(0);
    for (const part of [
      client.workspace.id,
      'threads',
      'failed',
      'platform_rejected',
      'the user',
      'post retry',
      'POST https://',
    ])
      expect(stdout).toContain(part);
    expect(stdout.split('\n').length).toBeLessThan(20);
  });

  it('has a line in the log', async () => {
    const lines = await until(
      async () => (await admin(['tail', '--failures', '--since', '1h'])).stdout,
      (text) => text.includes(postId),
    );
    expect(lines).toMatch(/a destination failed .*code=platform_rejected/);
  });

  it('is retried in the name of the operator, and is then no longer listed', async () => {
    expect(await json(`post retry ${postId}`)).toMatchObject({ retried: [{ platform: 'threads' }] });
    expect((await settled(client, postId, { meanwhile: () => advance(run.dev, 5) })).status).toBe(
      'published',
    );
    expect(await json('post list --failed')).toEqual([]);
    const { stdout } = await admin(['audit', 'export', client.workspace.id]);
    const entries = stdout.split('\n').filter((line) => line.includes('post.retry'));
    expect(entries.map((entry) => JSON.parse(entry))).toMatchObject([
      { subjectId: postId, actor: { kind: 'operator', id: userInfo().username } },
    ]);
    expect(await admin(['post', 'retry', postId])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no destination of this post has failed'),
    });
  });

  it.each([
    ['post why nope', 1, 'post not found'],
    ['post retry nope', 1, 'post not found'],
    ['post list --failed --since soon', 2, 'since: must be a duration'],
    ['post list --failed --since 8d', 2, 'since: may be at most 7d'],
    ['post list --failed --platform myspace', 2, 'platform: must be one of'],
    ['post list', 2, 'post list needs --failed.'],
    ['queue peek nope', 1, 'no such queue'],
    ['queue peek publish --limit 0', 2, 'limit: must be a whole number from 1 to 100'],
    ['webhook deliveries nope', 1, 'webhook not found'],
    ['webhook disable nope', 1, 'webhook not found'],
    ['automation why nope', 1, 'automation not found'],
    ['workspace rename nope x', 1, 'workspace not found'],
  ])('%s exits with %i', async (words, exitCode, message) => {
    expect(await admin(words.split(' '))).toMatchObject({
      exitCode,
      stderr: expect.stringContaining(message),
    });
  });
});

describe('dead letters', () => {
  const ids = { workspaceId: 'w-1', postId: 'p-1', accessToken: 'very-secret' };

  it.each(['media arrived', 'MediaArrived', 'media-arrived'])(
    'of %j are read without being deleted: their ids, and nothing secret',
    async (name) => {
      if (name === 'media arrived') await addDeadLetter('mediaarriveddeadletters', JSON.stringify(ids));
      const { stdout, exitCode } = await admin(['queue', 'peek', name, '--json']);
      expect({ exitCode, rows: JSON.parse(stdout) }).toMatchObject({
        exitCode: 0,
        rows: [{ ids: ['workspaceId=w-1', 'postId=p-1'] }],
      });
      expect(stdout).not.toContain('very-secret');
    },
  );

  it('make a stage unhealthy', async () => {
    const { isHealthy, problems } = await json('status', 1);
    expect({ isHealthy, problems }).toEqual({
      isHealthy: false,
      problems: ['media-arrived has 1 dead letters: queue peek media-arrived'],
    });
  });

  it('are moved back only without --dry-run', async () => {
    const { stdout } = await admin(['queue', 'redrive', 'media arrived', '--dry-run']);
    expect(stdout).toBe('Would move 1 back to media-arrived.\n');
    expect(await json('queue redrive media-arrived')).toMatchObject({ moved: 1 });
  });

  it('of schedules are moved to the queue publish', async () => {
    await addDeadLetter('schedulerdeadletters', JSON.stringify({ workspaceId: 'w-1' }));
    const dryRun = await admin(['queue', 'redrive', 'schedules', '--dry-run']);
    expect(dryRun.stdout).toBe('Would move 1 to publish.\n');
    expect(await json('queue redrive schedules')).toEqual({ queue: 'schedules', moved: 1 });
    expect(await json('queue redrive schedules --dry-run')).toEqual({ queue: 'schedules', wouldMove: 0 });
    expect(await json('queue peek schedules')).toEqual([]);
  });
});

describe('what customers have', () => {
  it('a dead endpoint is found by its deliveries, and switched off', async () => {
    const body = { url: 'http://127.0.0.1:9/', events: ['post.published'] };
    const made = await client.expectStatus(201, 'POST', '/v1/webhooks', body);
    const { webhook } = made.json() as { webhook: { id: string } };
    await client.expectStatus(202, 'POST', `/v1/webhooks/${webhook.id}/test`);
    const deliveries = await until(
      () => json(`webhook deliveries ${webhook.id}`),
      ([first]) => first?.attempts > 0,
    );
    expect(deliveries).toMatchObject([{ type: 'webhook.test', statusCode: null, error: expect.any(String) }]);
    expect(await json(`webhook disable ${webhook.id}`)).toMatchObject({ isActive: false, isRepeated: false });
    expect(await json(`webhook disable ${webhook.id}`)).toMatchObject({ isRepeated: true });
    const read = await client.expectStatus(200, 'GET', `/v1/webhooks/${webhook.id}`);
    expect(read.json()).toMatchObject({ webhook: { isActive: false, status: 'disabled' } });
  });

  it('an automation is explained by its id alone', async () => {
    const { id: postId } = await client.createPost({
      content: 'comment here',
      publishNow: true,
      mediaItems: [{ type: 'image', url: await client.upload('square.jpg') }],
      platforms: [{ accountId: client.accountId('instagram') }],
    });
    await settled(client, postId, { meanwhile: () => advance(run.dev, 5) });
    const [live] = (await client.readPost(postId)).platforms;
    const automation = {
      accountId: client.accountId('instagram'),
      platformPostId: live?.platformPostId,
      commentReply: 'Thank you',
    };
    const made = await client.expectStatus(201, 'POST', '/v1/comment-automations', automation);
    const { id } = (made.json() as { automation: { id: string } }).automation;
    expect(await json(`automation why ${id}`)).toMatchObject({
      workspaceId: client.workspace.id,
      state: 'active',
      accountState: 'ok',
      counts: { matches: 0, failures: 0 },
      groups: [],
    });
    expect((await admin(['automation', 'why', id])).stdout).toContain(
      'Nothing waits, and nothing has failed.',
    );
  });

  it('a workspace is renamed', async () => {
    expect(await admin(['workspace', 'rename', client.workspace.id, ''])).toMatchObject({ exitCode: 2 });
    const renamed = await admin(['workspace', 'rename', client.workspace.id, 'Harbour Coffee', '--json']);
    expect(JSON.parse(renamed.stdout)).toEqual({ id: client.workspace.id, name: 'Harbour Coffee' });
    const listed = await json('workspace list');
    expect(listed).toContainEqual(expect.objectContaining({ name: 'Harbour Coffee' }));
  });
});

it('a local cloud that was killed is named as such, by every command', async () => {
  await run.end('SIGKILL');
  const [status, doctor] = [await admin(['status']), await admin(['doctor'])];
  expect(status).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/npm run dev/) });
  expect(doctor.stdout).toContain('has ended without removing');
}, 60_000);
