/** The command `npm run simulate`. */
import { plantBug } from '../bugs/plant.ts';
import { helpText, parseCommand, UsageError } from './arguments.ts';
import { runAll } from './run-all.ts';
import { openScenario } from './scenario-file.ts';
import { StatusLine } from './status-line.ts';

/** Two signals this close are one Ctrl-C, because npm passes on the signal that the terminal sends to all processes. */
const sameInterruptMs = 500;

const print = (line: string) => console.log(line);
const status = new StatusLine(process.stderr, performance.now());

/** The first Ctrl-C ends the work in order, a later one immediately. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  let firstMs: number | undefined;
  const interrupt = () => {
    const nowMs = performance.now();
    firstMs ??= nowMs;
    if (nowMs - firstMs > sameInterruptMs) process.exit(130);
    if (controller.signal.aborted) return;
    status.clear();
    print('stopping after the runs in progress; press Ctrl-C again to stop immediately');
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

/** Imports what runs the service only after its bug is planted. @returns the exit status */
async function main(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  switch (command.kind) {
    case 'help':
      print(helpText);
      return 0;
    case 'wrong':
      console.error(`${command.message}\n\nFor all options: npm run simulate -- --help`);
      return 2;
    case 'replay': {
      plantBug(openScenario(command.source, command.bug).bug);
      const { replay } = await import('./replay.ts');
      const colour = process.stdout.isTTY === true && !process.env['NO_COLOR'];
      return (await replay(command, { print, colour })) ? 0 : 1;
    }
    case 'shrink': {
      const named = openScenario(command.source, command.bug);
      plantBug(named.bug);
      const { shrinkAndSave } = await import('./shrink-command.ts');
      const isFailing = await shrinkAndSave(named, command.directory, {
        print,
        status,
        signal: interruption(),
      });
      return isFailing ? 1 : 0;
    }
    case 'crash points': {
      const { runAllCrashPoints } = await import('./crash-points-command.ts');
      return (await runAllCrashPoints(print, status)) ? 0 : 1;
    }
    case 'local cloud': {
      const { runJourneys } = await import('./run-journeys.ts');
      return (await runJourneys()) ? 0 : 1;
    }
    case 'run':
    case 'resume':
      return runAll(command, { print, status, signal: interruption() });
  }
}

// A reader such as `head` may close the pipe.
process.stdout.on('error', () => process.exit(1));

try {
  process.exitCode = await main();
} catch (error) {
  status.clear();
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
