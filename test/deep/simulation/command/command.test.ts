import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Each test starts several processes. */
const timeout = 120_000;
let directory: string;
let running: ChildProcess | undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'simulate-'));
});
afterAll(() => {
  running?.kill();
  rmSync(directory, { recursive: true });
});

/** Runs the command until all its processes have ended. @param onOutput called with everything printed so far */
async function simulate(line: readonly string[], onOutput?: (output: string, child: ChildProcess) => void) {
  const child = spawn(process.execPath, [
    join(import.meta.dirname, '../../../simulation/command/run.ts'),
    ...line,
  ]);
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.(output, child);
    });
  const [status, signal] = await once(child, 'close');
  return { status, signal, output };
}

it('a run says how many seeds it runs, and what they did', { timeout }, async () => {
  const { output, status } = await simulate(['--seeds', '8', '--workers', '2']);
  expect(output).toMatch(/^8 seeds from 1, in 2 processes\n/);
  expect(output).toMatch(/\n8 of 8 seeds in .+: \d+ live posts, [\d,]+ external calls, 0 failures\n/);
  expect(output).toMatch(/\n\d+ files of lib that no history has entered:\n {2}lib\//);
  expect(output).not.toContain('publish.ts');
  expect(status).toBe(0);
});

it('Ctrl-C ends a run and its processes', { timeout }, async () => {
  // The output ends only with the last process that has inherited it.
  const { signal, output } = await simulate(['--seeds', '100000', '--workers', '2'], (_output, child) =>
    child.kill('SIGINT'),
  );
  expect(signal).toBe('SIGINT');
  expect(output).toBe('100,000 seeds from 1, in 2 processes\n');
});

it('an option that does not exist is refused', { timeout }, async () => {
  const { status, output } = await simulate(['--resume']);
  expect(output).toMatch(/^Unknown option '--resume'.*\n\nFor all options: npm run simulate -- --help\n$/s);
  expect(status).toBe(2);
});

it('a failing run is shrunk to a scenario that a replay tells', { timeout }, async () => {
  const bug = 'a target goes live as soon as it is prepared';
  const failed = await simulate([
    ...['--from', '2', '--seeds', '1', '--workers', '1'],
    ...['--bug', bug, '--save', directory],
  ]);
  expect(failed.output).toContain(`see it with: npm run simulate -- --replay 2 --bug "${bug}"`);
  expect(failed.status).toBe(1);
  const [file = ''] = readdirSync(directory).filter((name) => name.endsWith('.json'));
  expect(file).toBe('seed-2-shrunk.json');

  const { output, status } = await simulate(['--replay', join(directory, file)]);
  expect(output).toMatch(/^ +\+\S+ +\w+ +LIVE +shows /m);
  expect(output).toMatch(/^targets at the end:\n {2}post w\dp\d on \w+-1: /m);
  expect(output).toMatch(/FAILED: .* went live \d+ ms early on \w+\n$/);
  expect(status).toBe(1);
});
