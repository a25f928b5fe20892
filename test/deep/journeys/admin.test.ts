import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { auditPartition } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import { openTable } from '../../../lib/table/table.ts';
import { advance, advanceTo, readClock } from '../../journeys/support/clock.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';

const root = join(import.meta.dirname, '../../..');
const directory = mkdtempSync(join(tmpdir(), 'admin-'));
const dataDirectory = join(directory, 'data');

let run: DevProcess;
beforeAll(async () => {
  run = await startDev({ dataDirectory, environment: { RATE_LIMIT_PER_MINUTE: '1234' } });
});
afterAll(async () => {
  await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Reads the queues with an administrator's credentials. */
async function findDeadLetters(name: string) {
  const { administrator: credentials } = JSON.parse(
    readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8'),
  );
  const sqs = new SQSClient({ region: 'us-east-1', endpoint: run.dev.awsEndpoint, credentials });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const QueueUrl = QueueUrls.find((url) => url.includes(`${name}DeadLetters`));
  return { send: (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody })) };
}

/** The entries of an audit log, oldest first, with an administrator's credentials. */
async function auditLog(workspaceId: string) {
  const { administrator: credentials } = JSON.parse(
    readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8'),
  );
  const access = { region: 'us-east-1', endpoint: run.dev.awsEndpoint, credentials };
  const [name] = (await new DynamoDBClient(access).send(new ListTablesCommand({}))).TableNames ?? [];
  const table = { ...openTable(name ?? '', access) };
  return queryAll(table, { partition: auditPartition(workspaceId) });
}

/** Stores who signs people in, with an administrator's credentials, in place of what the run stores. */
async function storeSignIn(issuer: string): Promise<void> {
  const { administrator: credentials } = JSON.parse(
    readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8'),
  );
  const ssm = new SSMClient({ region: 'us-east-1', endpoint: run.dev.awsEndpoint, credentials });
  const Value = JSON.stringify({ issuer, clientId: 'panel' });
  await ssm.send(
    new PutParameterCommand({ Name: '/herald/dev/sign-in', Type: 'SecureString', Value, Overwrite: true }),
  );
}

/** Runs `npm run admin -- <words>` without npm. */
async function admin(words: readonly string[], DATA_DIR = dataDirectory) {
  const { AWS_PROFILE: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, 'bin/admin.ts'), ...words], {
    env: { ...environment, DATA_DIR },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, exitCode };
}

/** Runs a command with JSON output and returns its rows, or its only one. */
async function rows(...words: string[]): Promise<Record<string, string>[]> {
  const { stdout, stderr, exitCode } = await admin([...words, '--json']);
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  return [JSON.parse(stdout)].flat();
}

function listAccounts(apiKey: string): Promise<Response> {
  return fetch(`${run.dev.apiUrl}/v1/accounts`, { headers: { authorization: `Bearer ${apiKey}` } });
}

describe('npm run admin', () => {
  let workspaceId = '';
  let key: Record<string, string> = {};

  it('creates a workspace and lists it', async () => {
    const [created] = await rows('workspace', 'create', 'Harbour Coffee');
    expect(created).toEqual({ id: expect.any(String), name: 'Harbour Coffee' });
    workspaceId = created?.['id'] ?? '';
    const listed = await rows('workspace', 'list');
    expect(listed).toContainEqual({ ...created, state: 'active' });
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['demo', 'other']));
  });

  it('creates a key for that workspace and no other', async () => {
    const [created = {}] = await rows('key', 'create', workspaceId, 'till');
    expect(created).toEqual({
      id: expect.any(String),
      name: 'till',
      apiKey: expect.stringMatching(/^yay_/),
    });
    key = created;
    const answer = await listAccounts(key['apiKey'] ?? '');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1234');
    expect(await answer.json()).toEqual({ accounts: [], nextCursor: null });
  });

  it('lists keys without their secrets', async () => {
    const { stdout } = await admin(['key', 'list', workspaceId]);
    expect(stdout).toMatch(/^ID +NAME +CREATED AT .* LAST FOUR +PERMISSIONS/);
    expect(stdout).toMatch(new RegExp(`^${key['id']}  till  20.* all +all +never`, 'm'));
    expect(stdout).not.toContain('yay_');
  });

  it('rotates a key: its id stays, and within 30 seconds only the new key works', async () => {
    const [rotated = {}] = await rows('key', 'rotate', workspaceId, key['id'] ?? '');
    expect(rotated).toEqual({ id: key['id'], name: 'till', apiKey: expect.stringMatching(/^yay_/) });
    await advance(run.dev, 30);
    expect((await listAccounts(key['apiKey'] ?? '')).status).toBe(401);
    expect((await listAccounts(rotated['apiKey'] ?? '')).status).toBe(200);
    expect(await rows('key', 'list', workspaceId)).toHaveLength(1);
    key = rotated;
  });

  it('rotates a key with an overlap, in which both values work', async () => {
    const { stdout, stderr } = await admin([
      'key',
      'rotate',
      workspaceId,
      key['id'] ?? '',
      '--overlap',
      '2h',
    ]);
    expect(stderr).toMatch(/The old one works until 20\S+Z\./);
    const [, apiKey = ''] = /^api key +(\S+)$/m.exec(stdout) ?? [];
    const statuses = async () => [
      (await listAccounts(key['apiKey'] ?? '')).status,
      (await listAccounts(apiKey)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    const [listed] = await rows('key', 'list', workspaceId);
    expect(listed).toMatchObject({ oldValueUntil: expect.stringMatching(/^20/), lastFour: apiKey.slice(-4) });
    await advance(run.dev, 2 * 3_600 + 30);
    expect(await statuses()).toEqual([401, 200]);
    key = { ...key, apiKey };
  });

  it('issues a key that may only read, and refuses it everything else', async () => {
    const limits = ['--permissions', 'read', '--expires', '1d'];
    const [reader = {}] = await rows('key', 'create', workspaceId, 'dashboard', ...limits);
    const apiKey = reader['apiKey'] ?? '';
    expect((await listAccounts(apiKey)).status).toBe(200);
    const answer = await fetch(`${run.dev.apiUrl}/v1/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'a draft', isDraft: true }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      {
        error: 'this API key lacks the permission "draft" or "publish"',
        code: 'permission_missing',
        docUrl: expect.stringMatching(/\/docs\/errors\/permission_missing$/),
      },
    ]);
    const refusal = (await auditLog(workspaceId)).find(({ outcome }) => outcome === 'refused');
    expect(refusal).toMatchObject({
      verb: 'post.create',
      actor: { kind: 'key', id: reader['id'] },
      requestId: answer.headers.get('x-request-id'),
    });
    const [, listed] = await rows('key', 'list', workspaceId);
    expect(listed).toMatchObject({
      permissions: 'read',
      accounts: 'all',
      expiresAt: expect.stringMatching(/^20/),
      lastUsedAt: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      createdBy: `operator:${userInfo().username}`,
    });
    await advance(run.dev, 86_400);
    expect((await listAccounts(apiKey)).status).toBe(401);
    await admin(['key', 'revoke', workspaceId, reader['id'] ?? '']);
  });

  it.each([
    [['--permissions', 'read,everything'], 'permissions: "everything" is not one of: read, draft, publish'],
    [['--permissions', ','], 'permissions: must name at least one of'],
    [
      ['--accounts', 'instagram'],
      'accounts: instagram is not an account of this workspace: use the ids of its connected accounts',
    ],
    [['--expires', 'soon'], 'expires: must be a day (2027-01-01), a time'],
    [['--expires', '2020-01-01'], 'expires: must be in the future'],
  ])('issues no key with %j', async (options, message) => {
    expect(await admin(['key', 'create', workspaceId, 'x', ...options])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
      stdout: '',
    });
  });

  it('sets how much a workspace may store', async () => {
    const [set] = await rows('workspace', 'quota', workspaceId, '1.5GB');
    expect(set).toMatchObject({ id: workspaceId, quotaBytes: 1.5 * 1024 ** 3, usedBytes: 0 });
    expect(await rows('workspace', 'show', workspaceId)).toEqual([set]);
    expect(await admin(['workspace', 'quota', workspaceId, 'much'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('must be a size'),
    });
  });

  it('lists, sets and clears the hosts that a connection may return to', async () => {
    const hosts = async (...words: string[]) => {
      const { stdout, stderr, exitCode } = await admin([
        'workspace',
        'redirect-hosts',
        workspaceId,
        ...words,
      ]);
      return exitCode === 0 ? stdout.trim().split('\n') : stderr;
    };
    const begin = async (redirectUrl: string) => {
      const answer = await fetch(`${run.dev.apiUrl}/v1/connect/threads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key['apiKey']}`, 'content-type': 'application/json' },
        body: JSON.stringify({ redirectUrl }),
      });
      return answer.status;
    };
    expect(await hosts()).toEqual(['any']);
    expect(await hosts('App.Example.com', 'localhost')).toEqual(['app.example.com', 'localhost']);
    expect(await hosts()).toEqual(['app.example.com', 'localhost']);
    expect(await begin('https://app.example.com/done')).toBe(201);
    expect(await begin('https://evil.example/done')).toBe(400);
    expect(await begin('http://127.0.0.1:3000/done')).toBe(400);
    for (const wrong of ['https://app.example.com', 'app.example.com:8443', 'app.example.com/x', '']) {
      expect(await hosts(wrong)).toContain('must be a host name');
    }
    expect(await hosts('any')).toEqual(['any']);
    expect(await begin('https://evil.example/done')).toBe(201);
    const help = await admin(['workspace', 'redirect-hosts', '--help']);
    expect(help.stdout).toContain('workspace redirect-hosts <workspace id> [<host> …]');
  });

  it('limits the requests of a key and of a workspace, which the response then names', async () => {
    const limit = async (...words: string[]) => {
      const { stdout, stderr, exitCode } = await admin(words);
      await advance(run.dev, 30);
      return exitCode === 0 ? stdout : stderr;
    };
    const ask = async () => {
      const answer = await listAccounts(key['apiKey'] ?? '');
      const { error } = (await answer.json()) as { error?: string };
      return { status: answer.status, limit: answer.headers.get('x-ratelimit-limit'), error };
    };
    const nextMinute = async () =>
      advanceTo(run.dev, Math.ceil((await readClock(run.dev)) / minuteMs) * minuteMs);
    expect(await limit('key', 'rate-limit', workspaceId, key['id'] ?? '', '1')).toContain(
      'The key may make 1',
    );
    await nextMinute();
    expect(await ask()).toEqual({ status: 200, limit: '1', error: undefined });
    expect(await ask()).toEqual({ status: 429, limit: '1', error: 'too many requests with this API key' });

    expect(await limit('workspace', 'rate-limit', workspaceId, '2')).toContain('The workspace may make 2');
    expect(await limit('key', 'rate-limit', workspaceId, key['id'] ?? '', 'default')).toContain(
      'of the stage',
    );
    await nextMinute();
    expect([await ask(), await ask(), await ask()]).toEqual([
      { status: 200, limit: '2', error: undefined },
      { status: 200, limit: '2', error: undefined },
      { status: 429, limit: '2', error: 'too many requests of this workspace' },
    ]);

    expect(await limit('workspace', 'rate-limit', workspaceId, 'default')).toContain('of the stage');
    expect(await ask()).toEqual({ status: 200, limit: '1234', error: undefined });
    for (const wrong of ['0', 'many', '1e3', '60001'])
      expect(await limit('workspace', 'rate-limit', workspaceId, wrong)).toContain('from 1 to 60,000');
  });

  describe('members', () => {
    const of = () => ['--workspace', workspaceId];
    const ada = ['--email', 'Ada@Example.com'];
    beforeAll(() => storeSignIn('http://127.0.0.1:1/issuer'));

    it('invites, lists, edits and removes', async () => {
      const [added] = await rows('member', 'add', ...of(), ...ada, '--role', 'owner');
      expect(added).toMatchObject({
        email: 'ada@example.com',
        role: 'owner',
        status: 'invited',
        personId: '',
      });
      expect(await rows('member', 'list', ...of())).toEqual([added]);
      const [edited] = await rows('member', 'edit', ...of(), ...ada, '--role', 'member');
      expect(edited).toEqual({ ...added, role: 'member' });
      expect(await admin(['member', 'remove', ...of(), ...ada])).toEqual({
        ...{ stdout: 'The invitation is withdrawn.\n', stderr: '', exitCode: 0 },
      });
      expect(await rows('member', 'list', ...of())).toEqual([]);
      const actor = { kind: 'operator', id: userInfo().username };
      const entries = (await auditLog(workspaceId)).filter(({ subjectId }) => subjectId === added?.['id']);
      expect(entries.map(({ verb }) => verb)).toEqual(['member.invite', 'member.edit', 'member.remove']);
      for (const entry of entries) expect(entry).toMatchObject({ actor, outcome: 'done' });
    });

    it.each([
      [['member', 'add', '--workspace', 'W', '--email', 'ada', '--role', 'owner'], 'email: must be an email'],
      [['member', 'add', '--workspace', 'W', ...ada, '--role', 'boss'], 'role: must be member or owner'],
      [['member', 'add', '--workspace', 'nobody', ...ada, '--role', 'owner'], 'workspace not found'],
      [['member', 'edit', '--workspace', 'W', ...ada, '--role', 'owner'], 'member not found'],
      [['member', 'remove', '--workspace', 'W', ...ada], 'member not found'],
    ])('refuses %j', async (words, message) => {
      const given = words.map((word) => (word === 'W' ? workspaceId : word));
      const exitCode = message.includes('must be') ? 2 : 1;
      expect(await admin(given)).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
    });

    it('are described by --help', async () => {
      const [noun, one, incomplete] = await Promise.all([
        admin(['member', '--help']),
        admin(['member', 'add', '--help']),
        admin(['member', 'add', ...of(), ...ada]),
      ]);
      for (const verb of ['add', 'list', 'edit', 'remove']) expect(noun.stdout).toContain(`member ${verb}`);
      expect(one.stdout).toContain('member add --workspace <id> --email <address> --role <role>');
      expect(incomplete).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('needs --role <role>'),
      });
    });
  });

  it('prints the timeline of a post', async () => {
    const [demo] = run.dev.workspaces;
    const answer = await fetch(`${run.dev.apiUrl}/v1/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo?.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'a draft', isDraft: true }),
    });
    const { post } = (await answer.json()) as { post: { id: string } };
    const { stdout, exitCode } = await admin(['post', 'timeline', demo?.id ?? '', post.id]);
    expect({ stdout, exitCode }).toEqual({
      stdout: expect.stringMatching(/^20.*Z {2}post {2}created\n$/),
      exitCode: 0,
    });
    expect(await admin(['post', 'timeline', workspaceId, post.id])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('post'),
    });
  });

  it('lists the queues, and puts dead letters back', async () => {
    const deadLetters = await findDeadLetters('Chain');
    await deadLetters.send('{"nothing":"to do"}');
    const listed = await admin(['queue', 'list']);
    expect(listed.stderr).toBe('');
    expect(listed.stdout).toMatch(/^chain +0 +0 +1$/m);
    expect(await admin(['queue', 'redrive', 'chain'])).toMatchObject({
      exitCode: 0,
      stdout: 'Moved 1 back to chain.\n',
    });
    expect(await admin(['queue', 'redrive', 'publish'])).toMatchObject({
      exitCode: 0,
      stdout: 'publish has no dead letters.\n',
    });
    const actor = { kind: 'operator', id: userInfo().username };
    expect(await auditLog('stage')).toMatchObject([{ verb: 'queue.redrive', subjectId: 'chain', actor }]);
    const { exitCode, stderr } = await admin(['queue', 'redrive', 'post']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/no such queue\. Choose one of: .*chain, .*publish/),
    });
  });

  it('prints help for all commands, for a noun and for one command', async () => {
    const [all, queues, one] = await Promise.all([
      admin(['--help']),
      admin(['queue', '--help']),
      admin(['key', 'rotate', '--help']),
    ]);
    const names = [...all.stdout.matchAll(/^ {2}(\w+ \w+)/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['workspace quota', 'post timeline', 'queue redrive']));
    expect(queues.stdout).toContain('queue list');
    expect(queues.stdout).not.toContain('key rotate');
    expect(one.stdout).toContain('npm run admin -- key rotate <workspace id> <key id>');
    expect(one.stdout).toContain('without an interruption');
  });

  it('revokes a key, which stops working within 30 seconds', async () => {
    const { stdout, exitCode } = await admin(['key', 'revoke', workspaceId, key['id'] ?? '']);
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringContaining('Revoked'), exitCode: 0 });
    expect(await admin(['key', 'revoke', workspaceId, key['id'] ?? ''])).toEqual({
      ...{ stdout: expect.stringMatching(/^It was revoked before, at 20\S+Z\.\n$/), stderr: '', exitCode: 0 },
    });
    await advance(run.dev, 30);
    const answer = await listAccounts(key['apiKey'] ?? '');
    expect(answer.status).toBe(401);
    const [listed] = await rows('key', 'list', workspaceId);
    expect(listed?.['revokedAt']).toMatch(/^\d{4}-/);
  });

  it('rebuilds a workspace', async () => {
    const { stdout, stderr, exitCode } = await admin(['workspace', 'rebuild', workspaceId]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toContain('Checked 0 posts, 0 planned times and 0 places in days.');
    expect(await admin(['workspace', 'rebuild', 'nobody'])).toMatchObject({ exitCode: 1 });
    const verbs = (await auditLog(workspaceId)).map(({ verb }) => verb);
    const changes = ['workspace.create', 'workspace.set-redirect-hosts', 'key.revoke', 'workspace.rebuild'];
    expect(verbs).toEqual(expect.arrayContaining(changes));
  });

  it('exports the audit log of a workspace and of the stage, oldest first, as lines of JSON', async () => {
    const exported = async (...words: string[]) => {
      const { stdout, stderr, exitCode } = await admin(['audit', 'export', ...words]);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    };
    const stored = await auditLog(workspaceId);
    const ids = stored.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(3);
    const entries = await exported(workspaceId);
    expect(entries.map(({ id }) => id)).toEqual(ids);
    expect(entries[0]).not.toHaveProperty('pk');
    const at = String(stored[2]?.['at']);
    const since = stored.filter((entry) => String(entry['at']) >= at);
    expect((await exported(workspaceId, '--from', at)).map(({ id }) => id)).toEqual(
      since.map(({ id }) => id),
    );
    expect(await exported(workspaceId, '--to', '2020-01-01')).toEqual([]);
    expect(await exported('stage')).toMatchObject([{ verb: 'queue.redrive', outcome: 'begun' }]);
    expect(await admin(['audit', 'export', 'nobody'])).toMatchObject({ exitCode: 1 });
  });

  it('fails with an error message and exit code', async () => {
    const [nobody, unknown, missing, nowhere] = await Promise.all([
      admin(['key', 'list', 'nope']),
      admin(['workspace', 'paint']),
      admin(['key', 'revoke', workspaceId]),
      admin(['workspace', 'list'], join(directory, 'nothing')),
    ]);
    expect(nobody).toEqual({ exitCode: 1, stderr: 'workspace not found\n', stdout: '' });
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"workspace paint"') });
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs <key id>') });
    expect(nowhere).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('npm run dev') });
  });
});
