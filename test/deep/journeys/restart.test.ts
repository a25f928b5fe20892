import { exec, execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import { clientOf, settled, targetOf, until } from '../../journeys/support/client.ts';
import { advance, advanceTo, readClock } from '../../journeys/support/clock.ts';
import {
  type DevFile,
  type DevProcess,
  failToStartDev,
  isRunning,
  startDev,
} from '../../journeys/support/dev-process.ts';
import { platformOf } from '../../journeys/support/platforms.ts';

const root = join(import.meta.dirname, '../../..');
const directory = mkdtempSync(join(tmpdir(), 'restart-'));
const dataDirectory = join(directory, 'data');
let running: DevProcess | undefined;
let first: DevFile;
const posts: PostView[] = [];

afterAll(async () => {
  await running?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

function dev(): DevProcess {
  if (running === undefined) throw new Error('npm run dev is not running');
  return running;
}

/** Stops the run and checks that every process that it started ends soon. */
async function end(signal: NodeJS.Signals) {
  const pids = dev().descendants();
  const outcome = await dev().end(signal);
  running = undefined;
  await until(
    () => pids.filter(isRunning),
    (left) => left.length === 0,
    { withinSeconds: 5 },
  );
  return { ...outcome, processes: pids.length };
}

function clientOfDemo({ apiUrl, workspaces: [demo] }: DevFile) {
  if (demo === undefined) throw new Error('there is no workspace');
  return clientOf({ apiUrl }, demo);
}

async function schedulePost(content: string): Promise<void> {
  const client = clientOfDemo(dev().dev);
  posts.push(
    await client.createPost({
      content,
      mediaItems: [{ type: 'image', url: await client.upload('image.jpg') }],
      platforms: [{ accountId: client.accountId('instagram') }],
      scheduledFor: new Date((await readClock(first)) + 600_000).toISOString(),
    }),
  );
}

/** The settings with which a run has the addresses of the first one. */
const samePorts = () => ({ PORT: new URL(first.apiUrl).port, PANEL_PORT: new URL(first.panel.url).port });

/** Runs a command of the operator's, as a program. */
async function admin(...words: string[]) {
  const environment = { ...process.env, DATA_DIR: dataDirectory };
  const command = promisify(execFile)(process.execPath, [join(root, 'bin/admin.ts'), ...words], {
    env: environment,
  });
  return command.then(
    () => ({ exitCode: 0, stderr: '' }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ exitCode: code, stderr }),
  );
}

describe('npm run dev', () => {
  it('is ready without further steps, and lists its addresses in dev.json', async () => {
    running = await startDev({ dataDirectory });
    first = running.dev;
    expect(first.workspaces.map(({ name }) => name)).toEqual(['demo', 'other']);
    expect(first.mcpUrl).toBe(`${first.apiUrl}/mcp`);
    expect(first.zernioUrl).toBe(`${first.apiUrl}/zernio`);
    const platforms = Object.keys(first.platforms).sort();
    expect(platforms).toEqual(expect.arrayContaining(['instagram', 'youtube']));
    for (const { accounts } of first.workspaces) {
      expect(accounts.map(({ platform }) => platform).sort()).toEqual(platforms);
    }
    const processes = await fetch(`${first.awsEndpoint}/_local/processes`);
    const listed = first.processes.map((process) => expect.objectContaining(process));
    expect(await processes.json()).toEqual(expect.arrayContaining(listed));
    expect(first.processes.length).toBeGreaterThan(0);
  });

  it('has the given rate limit per minute, or else that of the template', async () => {
    const answer = await clientOfDemo(first).expectStatus(200, 'GET', '/v1/accounts');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('600');
  });

  it('prints a command that works if it is pasted', async () => {
    const [command = ''] = dev()
      .output()
      .split('\n')
      .filter((line) => line.trim().startsWith('curl'));
    const { stdout } = await promisify(exec)(command);
    expect(JSON.parse(stdout)).toMatchObject({ accounts: first.workspaces[0]?.accounts });
  });

  it('ends with one line and exit code 1 if it cannot run', async () => {
    const { port } = new URL(first.apiUrl);
    const second = join(directory, 'second');
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const settings = [
      [{ PORT: 'many' }, 'PORT must be a number from 0 to 65535, not many'],
      [{ PANEL_PORT: '70000' }, 'PANEL_PORT must be a number from 0 to 65535, not 70000'],
      [{ SCHEDULER_JITTER: 'some' }, 'SCHEDULER_JITTER must be real or none, not some'],
      [{ RATE_LIMIT_PER_MINUTE: '0' }, 'RATE_LIMIT_PER_MINUTE must be a whole number from 1, not 0'],
      [{}, `another local cloud runs in ${dataDirectory}: stop it, or choose another folder with DATA_DIR`],
      [{ PORT: port, DATA_DIR: second }, `port ${port} is in use: stop the other program or set PORT`],
      [
        { PANEL_PORT: port, DATA_DIR: join(directory, 'third') },
        `port ${port} is in use: stop the other program or set PANEL_PORT`,
      ],
      [
        { DATA_DIR: file },
        `${file} is a file, not a folder: remove it, or choose another folder with DATA_DIR`,
      ],
    ] as const;
    await Promise.all(
      settings.map(async ([environment, line]) =>
        expect(await failToStartDev({ dataDirectory, environment })).toEqual({
          // Before the synthesis, which takes seconds.
          stdout: '',
          stderr: `${line}\n`,
          exitCode: 1,
        }),
      ),
    );
    expect(existsSync(join(second, 'dev.json'))).toBe(false);
  });

  it('is not affected by these failed starts', async () => {
    await schedulePost('before Ctrl-C');
    await clientOfDemo(dev().dev).expectStatus(200, 'GET', '/health');
  });

  it('writes the access log of the API beside the logs of the functions', async () => {
    const lines = readFileSync(join(dataDirectory, 'logs/access.log'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ routeKey: 'POST /v1/posts', status: '201' }),
    );
  });

  it('ends with all its processes within five seconds of Ctrl-C', async () => {
    const { output } = dev();
    const { milliseconds, processes, exitCode } = await end('SIGINT');
    expect(output()).toMatch(/\nRan for .*: 0 destinations live, 0 failed, \d+ requests to the API\.\n$/);
    expect(milliseconds).toBeLessThan(5_000);
    expect(processes).toBeGreaterThan(first.processes.length);
    expect(exitCode).toBe(0);
    await expect(fetch(first.apiUrl)).rejects.toThrow();
  });

  it('keeps its data across a restart', async () => {
    running = await startDev({ dataDirectory, environment: samePorts() });
    const { processes: _, ...now } = running.dev;
    const { processes: __, ...before } = first;
    expect(now).toEqual(before);
    expect(await clientOfDemo(running.dev).readPost(posts[0]?.id ?? '')).toEqual(posts[0]);
  });

  it('leaves no processes behind if it is killed', async () => {
    await schedulePost('before the kill');
    await advance(first, 60);
    const { processes } = await end('SIGKILL');
    expect(processes).toBeGreaterThan(0);
  });

  it('is known to be over after it was killed', async () => {
    expect(existsSync(join(dataDirectory, 'dev.json'))).toBe(true);
    expect(await admin('workspace', 'list')).toEqual({
      exitCode: 1,
      stderr: `no local run is running in ${dataDirectory}; start one with npm run dev, or name a deployed stage with --stage\n`,
    });
  });

  it('publishes posts once that were scheduled before it was stopped and before it was killed', async () => {
    running = await startDev({ dataDirectory });
    expect(running.dev.apiUrl).not.toBe(first.apiUrl);
    const client = clientOfDemo(running.dev);
    await advanceTo(running.dev, Date.parse(posts[1]?.scheduledFor ?? '') + 1_000);
    for (const { id, content } of posts) {
      const post = await settled(client, id);
      const live = await platformOf(running.dev, 'instagram').postsSaying(content);
      expect(live.map((found) => found.id)).toEqual([targetOf(post, 'instagram').platformPostId]);
    }
  });

  it('prints a line for each destination that has settled', async () => {
    for (const { id } of posts) {
      await until(
        () => dev().output(),
        (output) => new RegExp(`^\\S+Z  instagram  ${id}  live \\d+\\.\\d s late$`, 'm').test(output),
      );
    }
  });

  it('writes no tokens to its logs', async () => {
    await end('SIGTERM');
    const log = readFileSync(join(dataDirectory, 'logs/publish-target.log'), 'utf8');
    expect(log).toContain('a target was processed');
    expect(log).not.toMatch(/IGAA|ya29|access_token=/);
  });
});
