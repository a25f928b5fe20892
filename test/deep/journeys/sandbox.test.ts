import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { clientOf, until } from '../../journeys/support/client.ts';
import { advanceTo, readClock } from '../../journeys/support/clock.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';
import { projectRoot, runInShell, sectionsOf } from '../../journeys/support/shell.ts';

const directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
const dataDirectory = join(directory, 'data');
let run: DevProcess;

beforeAll(async () => {
  run = await startDev({ dataDirectory });
});
afterAll(async () => {
  await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

const [beginning, ...others] = sectionsOf('docs/sandbox.md');
const scenarios = others.filter(({ commands }) => commands !== '');

/** Runs one of the commands as a program. */
function command(name: string, ...words: string[]) {
  const child = spawn(process.execPath, [join(projectRoot, 'bin/dev-control.ts'), name, ...words], {
    env: { ...process.env, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'close').then(([exitCode]) => ({ stdout, stderr, exitCode }));
  return { child, ended, output: () => stdout };
}

describe('the scenarios of docs/sandbox.md', () => {
  it('are one for each outcome that a product has to handle', () => {
    expect(scenarios.map(({ title }) => title)).toEqual([
      'A refused post',
      'A lost answer',
      'A rate limit',
      'An exhausted quota',
      'Late processing',
      'A missed post',
      'An expired account',
      'A comment',
    ]);
  });

  it.each(scenarios)('$title prints what the document says', async ({ commands, output }) => {
    const { stdout, stderr } = await runInShell(`${beginning?.commands}\n${commands}`, { dataDirectory });
    expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' });
  });

  it('are told by the run', () => {
    expect(run.output()).toMatch(/Z {2}threads {4}\S+ {2}failed: Threads: .*\[platform_rejected\]\n/);
    expect(run.output()).toMatch(/Z {2}threads {4}\S+ {2}failed: missed: .*\[missed\]\n/);
    expect(run.output()).toMatch(/Z {2}linkedin {3}\S+ {2}failed: .*\[account_expired\]\n/);
    expect(run.output()).toMatch(/Z {2}instagram {2}\S+ {2}live\n/);
  });

  it('are told with their lateness if they had a time', async () => {
    const [demo] = run.dev.workspaces;
    if (!demo) throw new Error('there is no workspace');
    const client = clientOf(run.dev, demo);
    const dueMs = (await readClock(run.dev)) + minuteMs;
    const { id } = await client.createPost({
      content: 'A post with a time',
      platforms: [{ accountId: client.accountId('threads') }],
      scheduledFor: toTimestamp(dueMs),
    });
    await advanceTo(run.dev, dueMs);
    await until(run.output, (output) =>
      new RegExp(`Z {2}threads {4}${id} {2}live \\d+\\.\\d s late\\n`).test(output),
    );
  });
});

describe('the receiver', () => {
  it('prints the events of the workspace once their signatures are verified, and ends without a trace', async () => {
    const receiver = command('receiver', '--port', '0');
    await until(receiver.output, (text) => text.includes('Receiving the events of the workspace demo'));
    const refused = await fetch(/http:\S+herald/.exec(receiver.output())?.[0] ?? '', {
      method: 'POST',
      body: '{}',
    });
    expect(refused.status).toBe(401);
    await runInShell(`${beginning?.commands}\npublish threads 'For the receiver'`, { dataDirectory });
    const seen = await until(receiver.output, (text) => text.includes('post.published'));
    expect(seen).toMatch(/^\S+Z {2}post\.published {2}\S+ {2}\(signature verified\)\n\{\n {2}"post": \{$/m);
    expect(seen).toContain('Refused a request whose signature is wrong.');
    receiver.child.kill('SIGINT');
    expect(await receiver.ended).toMatchObject({ exitCode: 0, stderr: '' });
    const [{ apiKey = '' } = {}] = run.dev.workspaces;
    const left = await fetch(`${run.dev.apiUrl}/v1/webhooks`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(await left.json()).toMatchObject({ webhooks: [] });
  });
});

describe('a command', () => {
  it.each([
    ['clock', '-1h', 'the clock only moves forward: give a time such as +1h'],
    ['clock', 'later', 'give a duration, such as +1h, +90s or +2d, or a time, not later'],
    ['clock', '2020-01-01T00:00:00Z', 'the clock only moves forward: give a time such as +1h'],
    ['fault', 'myspace error:1', /^there is no platform myspace: use one of facebook, .*youtube$/],
    ['fault', '', /^name a platform: facebook, /],
    ['fault', 'threads explode', /^fault must be one of error, /],
    ['fault', 'threads error', 'fault error needs a code, such as error:190'],
    ['fault', 'threads error:100 --call like', /^--call must be one of .*threads_publish/],
    ['fault', 'threads error:100 --times 0', '--times must be a whole number from 1, not 0'],
    ['fault', 'threads --times 2', '--call and --times need a fault, such as error:100'],
    ['fault', 'threads --limit posts', '--limit must be <name>=<value>, not posts'],
    ['fault', 'threads --limit likes=1', /^unknown limit likes; use one of posts/],
    ['fault', 'threads --loud', /^Unknown option '--loud'/],
    ['comment', '', 'give the text of the comment'],
    ['comment', 'two words', 'put the text of the comment in quotation marks'],
    ['comment', 'link --post 1', 'postId names no known post'],
    ['receiver', '--port many', '--port must be a number from 0 to 65535, not many'],
    ['receiver', '--workspace none', 'there is no workspace none: use one of demo, other'],
  ])('%s %s says what is wrong, and ends with 2', async (name, words, problem) => {
    const { stderr, exitCode } = await command(name, ...words.split(' ').filter((word) => word !== '')).ended;
    const [first = '', ...rest] = stderr.split('\n');
    if (typeof problem === 'string') expect(first).toBe(problem);
    else expect(first).toMatch(problem);
    expect(rest).toEqual([`See npm run dev:${name} -- --help`, '']);
    expect(exitCode).toBe(2);
  });

  it.each(['clock', 'comment', 'fault', 'receiver'])('%s explains itself', async (name) => {
    const { stdout, exitCode } = await command(name, '--help').ended;
    expect([stdout.includes(`npm run dev:${name}`), exitCode]).toEqual([true, 0]);
  });

  it('shows the clock without moving it', async () => {
    const { stdout } = await command('clock').ended;
    expect(stdout).toMatch(/^It is \S+Z \(\d+ s ahead\)\.\n$/);
  });

  it('without a run says how to start one', async () => {
    const child = spawn(process.execPath, [join(projectRoot, 'bin/dev-control.ts'), 'clock'], {
      env: { ...process.env, DATA_DIR: '/no/run' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const [exitCode] = await once(child, 'close');
    expect([stderr, exitCode]).toEqual([
      'no local run is running in /no/run; start one with npm run dev\n',
      1,
    ]);
  });
});
