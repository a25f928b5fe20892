import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';

const root = join(import.meta.dirname, '../../..');
const directory = mkdtempSync(join(tmpdir(), 'smoke-'));
const dataDirectory = join(directory, 'data');

let run: DevProcess;
beforeAll(async () => {
  run = await startDev({ dataDirectory });
});
afterAll(async () => {
  await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Runs `npm run <script> -- <words>` without npm. */
async function command(script: string, words: readonly string[], environment: Record<string, string> = {}) {
  const { AWS_PROFILE: _, HERALD_API_KEY: __, ...own } = process.env;
  const child = spawn(process.execPath, [join(root, `bin/${script}.ts`), ...words], {
    cwd: directory,
    env: { ...own, DATA_DIR: dataDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, exitCode };
}
const smoke = (...words: string[]) => command('smoke', words);

const Results = z.array(z.object({ step: z.string(), state: z.string(), found: z.string() }));
const statesOf = (stdout: string) =>
  Object.fromEntries(Results.parse(JSON.parse(stdout)).map(({ step, state }) => [step, state]));

const withoutAccount = {
  'the API answers': 'ok',
  'an unknown key is refused': 'ok',
  'the workspace is read': 'ok',
  'a file is uploaded, inspected and public': 'ok',
  'a draft is stored, listed and deleted': 'ok',
  'a webhook is sent': 'ok',
  'an unknown link is not found': 'ok',
};

/** The demo workspace, with its account of a platform that needs no media. */
function demo() {
  const [workspace] = run.dev.workspaces;
  const account = workspace?.accounts.find(({ platform }) => platform === 'threads');
  return { workspaceId: workspace?.id ?? '', apiKey: workspace?.apiKey ?? '', accountId: account?.id ?? '' };
}

describe('npm run smoke', () => {
  it('does the main job in a workspace of its own, and deletes it', async () => {
    const { stdout, stderr, exitCode } = await smoke('--json');
    expect(statesOf(stdout), stderr).toEqual({
      ...withoutAccount,
      'a post is scheduled and deleted': 'left out',
      'a post goes live': 'left out',
    });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('ok: the API answers');
    expect(`${stdout}${stderr}`).not.toContain('yay_');

    const { stdout: list } = await command('admin', ['workspace', 'list', '--json']);
    expect(JSON.parse(list)).toContainEqual(
      expect.objectContaining({ name: 'Smoke test', state: 'deleting' }),
    );
  });

  it('plans and publishes a post on an account, and leaves only the live post', async () => {
    const { workspaceId, accountId, apiKey } = demo();
    const before = await posts(apiKey);
    const { stdout, stderr, exitCode } = await smoke(
      ...['--workspace', workspaceId, '--account', accountId, '--publish', '--json'],
    );
    expect(statesOf(stdout), stderr).toEqual({
      ...withoutAccount,
      'a post is scheduled and deleted': 'ok',
      'a post goes live': 'ok',
    });
    expect(exitCode).toBe(0);
    expect((await posts(apiKey)) - before).toBe(1);
    const keys = await command('admin', ['key', 'list', workspaceId, '--json']);
    const made = JSON.parse(keys.stdout).filter(({ name }: { name: string }) => name === 'Smoke test');
    expect(made).toEqual([expect.objectContaining({ revokedAt: expect.any(String) })]);
  });

  it('uses the key of the environment, and then needs no AWS credentials', async () => {
    const { stdout, exitCode } = await command('smoke', ['--api', run.dev.apiUrl, '--json'], {
      HERALD_API_KEY: demo().apiKey,
      DATA_DIR: join(directory, 'nothing'),
    });
    expect(statesOf(stdout)).toMatchObject(withoutAccount);
    expect(exitCode).toBe(0);
  });

  it('says which steps fail, and exits with 1', async () => {
    const { stdout, exitCode } = await command('smoke', ['--api', run.dev.apiUrl, '--json'], {
      HERALD_API_KEY: `yay_${'x'.repeat(43)}`,
    });
    expect(statesOf(stdout)).toMatchObject({
      'the API answers': 'ok',
      'the workspace is read': 'failed',
      'a draft is stored, listed and deleted': 'failed',
    });
    expect(exitCode).toBe(1);
  });

  it.each([
    [['--publish'], '--publish needs --account'],
    [['--account', 'x'], '--account needs its workspace'],
    [['--api', 'nonsense'], '--api must be a URL'],
    [['--stag', 'dev'], '--stag'],
  ])('%j is wrong usage', async (words, problem) => {
    const { stderr, exitCode } = await smoke(...words);
    expect(stderr).toContain(problem);
    expect(exitCode).toBe(2);
  });

  it('has a help text', async () => {
    const { stdout, exitCode } = await smoke('--help');
    expect(stdout).toContain('--workspace <id>');
    expect(exitCode).toBe(0);
  });
});

async function posts(apiKey: string): Promise<number> {
  const answer = await fetch(`${run.dev.apiUrl}/v1/posts?limit=500`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return ((await answer.json()) as { posts: unknown[] }).posts.length;
}
