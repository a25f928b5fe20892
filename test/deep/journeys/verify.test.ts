import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { facebookVerification } from '../../../bin/verify/claims/facebook.ts';
import { claimsOf } from '../../../bin/verify/verification.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';

const root = join(import.meta.dirname, '../../..');
const directory = mkdtempSync(join(tmpdir(), 'verify-'));
const dataDirectory = join(directory, 'data');

let run: DevProcess;
beforeAll(async () => {
  run = await startDev({ dataDirectory });
});
afterAll(async () => {
  await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Runs `npm run verify -- <words>` without npm. */
async function verify(...words: string[]) {
  const { AWS_PROFILE: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, 'bin/verify.ts'), ...words], {
    cwd: directory,
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

function accountId(platform: string): string {
  const [demo] = run.dev.workspaces;
  return demo?.accounts.find((account) => account.platform === platform)?.id ?? '';
}

async function ask(platform: string, path: string): Promise<unknown[]> {
  const answer = await fetch(`${run.dev.platforms[platform]?.control}/${path}`);
  return (await answer.json()) as unknown[];
}

describe('npm run verify', () => {
  it('with --dry-run shows the requests and the claims, and sends nothing', async () => {
    const before = (await ask('facebook', 'requests')).length;
    const { stdout, exitCode } = await verify('facebook', '--account', accountId('facebook'), '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('GET https://graph.facebook.com/{version}/{object}, at most 100 times');
    expect(stdout).toContain('Skipped: it makes a public post: add --allow-public.');
    expect(stdout).toContain('facebook-text-listed: The Page’s list of posts shows a new text');
    expect(await ask('facebook', 'requests')).toHaveLength(before);
  });

  it('sends nothing without an agreement', async () => {
    const before = (await ask('facebook', 'requests')).length;
    const { stderr, exitCode } = await verify('facebook', '--account', accountId('facebook'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('add --yes if you agree, or --dry-run');
    expect(await ask('facebook', 'requests')).toHaveLength(before);
  });

  it('checks the claims with the stage’s app and the account’s token, deletes its posts, and writes a report', async () => {
    const report = join(directory, 'report.md');
    const { stdout, stderr, exitCode } = await verify(
      'facebook',
      '--account',
      accountId('facebook'),
      '--allow-public',
      '--yes',
      '--report',
      report,
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    // The other claims need a file or a person.
    const others = claimsOf(facebookVerification).length - 5;
    expect(stdout).toContain(`5 confirmed, 0 refuted, ${others} not checked.`);
    expect(readFileSync(report, 'utf8')).toContain('| confirmed | `facebook-same-text-refused`');
    expect(await ask('facebook', 'posts')).toEqual([]);
  });

  it.each([
    [['facebook', '--account', 'x', '--dry-run'], 'x is not an account of this stage'],
    [['myspace', '--account', 'x'], 'Unknown platform "myspace"'],
    [['facebook'], '--account is missing'],
    [['facebook', '--account', 'x', '--image'], 'argument missing'],
  ])('%j: says what to do, and ends with exit code 2', async (words, message) => {
    const { stderr, exitCode } = await verify(...words);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('refuses an account of another platform', async () => {
    const { stderr, exitCode } = await verify('youtube', '--account', accountId('facebook'), '--dry-run');
    expect(stderr).toContain('is an account of Facebook. GET /v1/accounts?platform=youtube lists the ids.');
    expect(exitCode).toBe(2);
    expect(existsSync(join(directory, 'verify-youtube'))).toBe(false);
  });
});
