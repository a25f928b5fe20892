import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance } from './support/clock.ts';
import { type DevProcess, startDev } from './support/dev-process.ts';

const root = join(import.meta.dirname, '../..');
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

/** Runs what `npm run admin -- <words>` runs. */
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

/** The rows that a command prints, as `name=value` pairs. */
async function rows(...words: string[]): Promise<Record<string, string>[]> {
  const { stdout, stderr, exitCode } = await admin(words);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('id='))
    .map((line) => Object.fromEntries(line.split('  ').map((pair) => pair.split(/=(.*)/s).slice(0, 2))));
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
    expect(listed).toContainEqual(created);
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['demo', 'other']));
  });

  it('creates a key that opens that workspace and no other', async () => {
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

  it('lists keys without what opens anything', async () => {
    const { stdout } = await admin(['key', 'list', workspaceId]);
    expect(stdout).toContain(`id=${key['id']}  name=till  createdAt=20`);
    expect(stdout).not.toContain('yay_');
  });

  it('revokes a key, and within 30 seconds it opens nothing any more', async () => {
    const { stdout, exitCode } = await admin(['key', 'revoke', workspaceId, key['id'] ?? '']);
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringContaining('Revoked'), exitCode: 0 });
    await advance(run.dev, 30);
    const answer = await listAccounts(key['apiKey'] ?? '');
    expect(answer.status).toBe(401);
    const [listed] = await rows('key', 'list', workspaceId);
    expect(listed?.['revokedAt']).toMatch(/^\d{4}-/);
  });

  it('mends a workspace', async () => {
    const { stdout, stderr, exitCode } = await admin(['workspace', 'mend', workspaceId]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toContain('Looked at 0 posts and 0 planned times');
    expect(await admin(['workspace', 'mend', 'nobody'])).toMatchObject({ exitCode: 1 });
  });

  it('says what is wrong, and that it failed', async () => {
    const [unknown, missing, nowhere] = await Promise.all([
      admin(['workspace', 'paint']),
      admin(['key', 'revoke', workspaceId]),
      admin(['workspace', 'list'], join(directory, 'nothing')),
    ]);
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"workspace paint"') });
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs <key id>') });
    expect(nowhere).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('npm run dev') });
  });
});
