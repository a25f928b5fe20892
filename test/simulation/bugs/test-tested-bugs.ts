import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bugVariable, testedBugs } from './tested-bugs.ts';

const root = join(import.meta.dirname, '../../..');

interface JsonReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Tests that the test which each bug names fails with the bug. A run of all unit tests shows that it passes without. */
export function testTestedBugs(names: readonly string[]): void {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tested-bugs-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** Runs tests with a bug, in a process of its own. @returns the titles of those that fail */
  async function failuresWith(name: string, file: string, test: string): Promise<readonly string[]> {
    const report = join(directory, `${names.indexOf(name)}.json`);
    const config = ['--config', 'test/simulation/bugs/vitest.config.ts'];
    const output = ['--reporter', 'json', '--outputFile', report];
    const only = ['--testNamePattern', test.replaceAll(/[^\w ]/g, '.'), file];
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const tests = spawn(process.execPath, [vitest, 'run', ...config, ...output, ...only], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, [bugVariable]: name },
    });
    await once(tests, 'exit');
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport;
    return testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
      .map(({ title }) => title);
  }

  describe('a named test finds a planted bug', { timeout: 300_000 }, () => {
    it.each(names)('%s', async (name) => {
      const { caughtBy: [file, test] = ['', ''] } = testedBugs[name] ?? {};
      const failures = await failuresWith(name, file, test);
      expect(failures).toContainEqual(expect.stringContaining(test));
    });
  });
}
