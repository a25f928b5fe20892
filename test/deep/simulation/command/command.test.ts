import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { doneCount, type RunState } from '../../../simulation/command/run-state.ts';

const seedCount = 8;
/** Each test starts several processes. */
const timeout = 60_000;
let directory: string;
let running: ChildProcess | undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'simulate-'));
});
afterAll(() => {
  running?.kill();
  rmSync(directory, { recursive: true });
});

/** Runs the command. @param onOutput called with everything printed so far */
async function simulate(line: readonly string[], onOutput?: (output: string, child: ChildProcess) => void) {
  const child = spawn(process.execPath, [
    join(import.meta.dirname, '../../../simulation/command/run.ts'),
    ...line,
    '--state',
    directory,
  ]);
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.(output, child);
    });
  const [status] = await once(child, 'close');
  return { status, output };
}

const stateFile = () => join(directory, 'run.json');
const readState = () => JSON.parse(readFileSync(stateFile(), 'utf8')) as RunState;

it('a run is interrupted, refused if the code has changed, and resumed to its end', { timeout }, async () => {
  let isInterrupted = false;
  const interrupted = await simulate(['--seeds', `${seedCount}`, '--workers', '1'], (output, child) => {
    if (isInterrupted || !output.includes(`running ${seedCount} seeds`)) return;
    isInterrupted = true;
    child.kill('SIGINT');
  });
  expect(interrupted.output).toContain(`continue with: npm run simulate -- --resume --state ${directory}`);
  expect(interrupted.status).toBe(130);
  const state = readState();
  expect(doneCount(state)).toBeGreaterThan(0);
  expect(doneCount(state)).toBeLessThan(seedCount);

  writeFileSync(stateFile(), JSON.stringify({ ...state, fingerprint: 'other code' }));
  const refused = await simulate(['--resume']);
  expect(refused).toMatchObject({ status: 2, output: expect.stringContaining('has changed') });

  writeFileSync(stateFile(), JSON.stringify(state));
  const resumed = await simulate(['--resume', '--workers', '1']);
  expect(resumed.output).toContain(`resuming: ${doneCount(state)} of ${seedCount} seeds are done`);
  expect(resumed.output).toContain(`running ${seedCount - doneCount(state)} seeds`);
  expect(resumed.output).toMatch(
    /\n8 of 8 seeds in \d+ s: \d+ live posts, [\d,]+ external calls, 0 failures\n$/,
  );
  expect(resumed.status).toBe(0);
  expect(existsSync(stateFile())).toBe(false);
});

it('a failing run is shrunk to a scenario that a replay tells', { timeout }, async () => {
  const bug = 'a target goes live as soon as it is prepared';
  const failed = await simulate(['--from', '2', '--seeds', '1', '--workers', '1', '--bug', bug]);
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
