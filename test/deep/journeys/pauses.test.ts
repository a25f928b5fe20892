import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminOf } from '../../journeys/support/admin.ts';
import { type Client, clientOf } from '../../journeys/support/client.ts';
import { advance } from '../../journeys/support/clock.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';
import { expectHeldUntilResumed } from '../../journeys/support/pauses.ts';

const directory = mkdtempSync(join(tmpdir(), 'pauses-'));
const dataDirectory = join(directory, 'data');
const admin = adminOf(dataDirectory);

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

const selectors: Readonly<Record<string, () => readonly string[]>> = {
  'a platform': () => ['--platform', 'threads'],
  'an account': () => ['--account', client.accountId('threads'), '--workspace', client.workspace.id],
};

it.each(Object.keys(selectors))(
  'nothing at all goes to %s that an operator has paused, until the pause ends',
  async (what) => {
    const selector = selectors[what]?.() ?? [];
    const passing = (seconds: number) => ({ meanwhile: () => advance(run.dev, seconds) });
    await expectHeldUntilResumed(
      { run: run.dev, client, admin, passing },
      selector,
      `held by a pause of ${what}`,
      true,
    );
  },
);

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
