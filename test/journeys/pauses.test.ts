import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, settled, targetOf, until } from './support/client.ts';
import { advance, advanceTo, readClock } from './support/clock.ts';
import { type DevProcess, startDev } from './support/dev-process.ts';
import { platformOf } from './support/platforms.ts';

const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'pauses-'));
const dataDirectory = join(directory, 'data');
const reason = 'Threads loses posts';

let run: DevProcess;
let client: Client;
beforeAll(async () => {
  run = await startDev({ dataDirectory });
  const [demo] = run.dev.workspaces;
  if (!demo) throw new Error('there is no workspace');
  client = clientOf(run.dev, demo);
});
afterAll(async () => {
  await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Runs `npm run admin -- <words>` without npm. */
async function admin(...words: string[]) {
  const { AWS_PROFILE: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, 'bin/admin.ts'), ...words], {
    env: { ...environment, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, exitCode };
}

const schedule = async (platform: string, content: string, dueMs: number) =>
  client.createPost({
    content,
    platforms: [{ accountId: client.accountId(platform) }],
    scheduledFor: new Date(dueMs).toISOString(),
  });

const selectors: Readonly<Record<string, () => readonly string[]>> = {
  'a platform': () => ['--platform', 'threads'],
  'an account': () => ['--account', client.accountId('threads'), '--workspace', client.workspace.id],
};

it.each(Object.keys(selectors))(
  'nothing goes to %s that an operator has paused; the post says why, and is live once after the pause',
  async (what) => {
    const selector = selectors[what]?.() ?? [];
    const threads = platformOf(run.dev, 'threads');
    const dueMs = (await readClock(run.dev)) + 5 * 60_000;
    const content = `held by a pause of ${what}`;
    const { id } = await schedule('threads', content, dueMs);

    const paused = await admin('pause', ...selector, '--reason', reason);
    expect(paused).toMatchObject({ stderr: '', exitCode: 0, stdout: expect.stringContaining(reason) });
    expect((await admin('pause', 'list')).stdout).toContain(reason);
    expect(await admin('pause', ...selector, '--reason', 'again')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is paused'),
    });
    const requests = (await threads.requests()).length;
    await advanceTo(run.dev, dueMs + 1_000);
    const waiting = await until(
      () => client.readPost(id),
      (post) => targetOf(post, 'threads').error !== null,
      { meanwhile: () => advance(run.dev, 20) },
    );
    expect(waiting.status).toBe('scheduled');
    expect(targetOf(waiting, 'threads').error).toMatch(
      /^publishing to (Threads|this account) is paused: Threads loses posts$/,
    );
    await advance(run.dev, 30 * 60);
    expect(await threads.postsSaying(content)).toEqual([]);
    expect(await threads.requests()).toHaveLength(requests);
    expect(await client.timeline(id)).toContainEqual(
      expect.objectContaining({ event: 'paused', reason, nextAt: null }),
    );

    const resumed = await admin('resume', ...selector);
    expect(resumed).toMatchObject({ stderr: '', exitCode: 0 });
    expect(resumed.stdout).toContain('Destinations released: 1.');
    expect((await admin('pause', 'list')).stderr).toBe('none\n');
    const live = await settled(client, id, { meanwhile: () => advance(run.dev, 5) });
    expect(live.status).toBe('published');
    expect(targetOf(live, 'threads').error).toBeNull();
    expect((await client.timeline(id)).map(({ event }) => event)).toContain('resumed');
    await advance(run.dev, 30 * 60);
    expect(await threads.postsSaying(content)).toHaveLength(1);
  },
);

it('a pause of one platform does not touch another', async () => {
  await admin('pause', '--platform', 'youtube', '--reason', 'an incident');
  const dueMs = (await readClock(run.dev)) + 60_000;
  const { id } = await schedule('threads', 'not held', dueMs);
  await advanceTo(run.dev, dueMs);
  const live = await settled(client, id, { meanwhile: () => advance(run.dev, 5) });
  expect(live.status).toBe('published');
  await admin('resume', '--platform', 'youtube');
});

it.each<[string, () => readonly string[], string]>([
  [
    'an unknown platform',
    () => ['pause', '--platform', 'myspace', '--reason', 'x'],
    'must be one of instagram',
  ],
  ['nothing', () => ['pause', '--reason', 'x'], 'give a platform, or --account and --workspace'],
  ['an account without its workspace', () => ['pause', '--account', 'a', '--reason', 'x'], '--workspace'],
  [
    'an unknown account',
    () => ['pause', '--account', 'nobody', '--workspace', client.workspace.id, '--reason', 'x'],
    'account not found',
  ],
  [
    'a platform and a workspace',
    () => ['pause', '--platform', 'threads', '--workspace', client.workspace.id, '--reason', 'x'],
    'for all workspaces',
  ],
  ['two lines', () => ['pause', '--platform', 'threads', '--reason', 'a\nb'], 'on one line'],
  ['no reason', () => ['pause', '--platform', 'threads'], 'pause needs --reason <text>'],
  ['what is not paused', () => ['resume', '--platform', 'threads'], 'no such pause'],
])('the admin command refuses %s and says what is wrong', async (_what, words, message) => {
  const { stderr, exitCode } = await admin(...words());
  expect(stderr).toContain(message);
  expect([1, 2]).toContain(exitCode);
  expect((await admin('pause', 'list')).stderr).toBe('none\n');
});
