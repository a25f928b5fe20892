import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { badDayVariable } from '../../support/bad-day.ts';

const root = join(import.meta.dirname, '../../..');

/** Runs all journeys on local clouds that have a bad day. @returns whether all passed */
export async function runJourneys(): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // The configuration of the deep run has the daily journeys too.
  const config = ['--config', 'vitest.deep.config.ts', '--project', 'journeys'];
  const flags = ['run', ...config, '--testTimeout', '300000'];
  const tests = spawn(process.execPath, [vitest, ...flags], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [badDayVariable]: '1' },
  });
  const status = await new Promise<number | null>((resolve) => tests.once('exit', resolve));
  return status === 0;
}
