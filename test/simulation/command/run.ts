/** The command `npm run simulate`. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { badDayVariable } from '../../support/bad-day.ts';
import { helpText, parseCommand, UsageError } from './arguments.ts';
import { type Print, progressPrinter } from './progress.ts';
import { replay } from './replay.ts';
import { runSeeds } from './run-seeds.ts';
import { openScenario } from './scenario.ts';
import { shrinkAndSave } from './shrink.ts';

const print: Print = (line) => console.log(line);

/** @returns true if no check failed */
async function main(): Promise<boolean> {
  const command = parseCommand(process.argv.slice(2));
  switch (command.kind) {
    case 'help':
      print(helpText);
      return true;
    case 'run':
      return await runSeeds(command, print);
    case 'replay': {
      const colour = process.stdout.isTTY === true && !process.env['NO_COLOR'];
      return await replay(command, { print, colour });
    }
    case 'shrink': {
      const isFailing = await shrinkAndSave(
        openScenario(command.source, command.bug),
        command.directory,
        print,
      );
      return !isFailing;
    }
    case 'crash-points':
      return await runAllCrashPoints();
    case 'acts':
      return await runAllActs();
    case 'local-cloud':
      return await runJourneys();
  }
}

/** Runs one post with a mishap at each of its external calls, and prints what fails. @returns true if nothing failed */
async function runAllCrashPoints(): Promise<boolean> {
  // It loads the service, which the other modes may load only after their bug is planted.
  const { crashWorlds, mishapKinds, runCrashPoints } = await import('../directed/crash-points.ts');
  const showProgress = progressPrinter(print);
  let failureCount = 0;
  for (const [name, world] of Object.entries(crashWorlds)) {
    for (const kind of mishapKinds) {
      const title = `if ${name}: a process ${kind}`;
      let done = 0;
      const onRun = () => {
        done += 1;
        showProgress(() => `${title} an external call: ${done} runs`);
      };
      const { callCount, failures, unknownCount } = await runCrashPoints(world, kind, { step: 1, onRun });
      print(
        `${title} each of ${callCount} external calls: ${failures.length} failures, ${unknownCount} unknown outcomes`,
      );
      for (const failure of failures) print(JSON.stringify(failure));
      failureCount += failures.length;
    }
  }
  return failureCount === 0;
}

/** Runs one post with a person's act at each external call of its last minute. @returns true if nothing failed */
async function runAllActs(): Promise<boolean> {
  const { acts, meetings, runActs } = await import('../directed/acts.ts');
  const showProgress = progressPrinter(print);
  let failureCount = 0;
  for (const [name, meeting] of Object.entries(meetings)) {
    for (const act of acts) {
      const title = `${act}, ${name} a call`;
      let done = 0;
      const onRun = () => {
        done += 1;
        showProgress(() => `${title}: ${done} runs`);
      };
      const { callCount, failures, ends } = await runActs(act, meeting, { step: 1, onRun });
      print(`${title}: ${callCount} calls, ${failures.length} failures`);
      for (const [end, count] of Object.entries(ends)) print(`  ${count} times: ${end}`);
      for (const failure of failures) print(JSON.stringify(failure));
      failureCount += failures.length;
    }
  }
  return failureCount === 0;
}

/** Runs all journeys on local clouds that have a bad day. @returns true if all passed */
async function runJourneys(): Promise<boolean> {
  const root = join(import.meta.dirname, '../../..');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // The configuration of the deep run has the daily journeys too.
  const config = ['--config', 'vitest.deep.config.ts', '--project', 'journeys'];
  const tests = spawn(process.execPath, [vitest, 'run', ...config, '--testTimeout', '300000'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [badDayVariable]: '1' },
  });
  const status = await new Promise<number | null>((resolve) => tests.once('exit', resolve));
  return status === 0;
}

// A reader such as `head` may close the pipe.
process.stdout.on('error', () => process.exit(1));

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (error instanceof UsageError)
    console.error(`${error.message}\n\nFor all options: npm run simulate -- --help`);
  else console.error(error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
