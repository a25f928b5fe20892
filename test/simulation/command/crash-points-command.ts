import { crashWorlds, mishapKinds, runCrashPoints } from '../directed/crash-points.ts';
import type { StatusLine } from './status-line.ts';

/**
 * Runs one post with a mishap at each of its external calls, and prints what fails.
 *
 * @returns whether nothing failed
 */
export async function runAllCrashPoints(print: (line: string) => void, status: StatusLine): Promise<boolean> {
  let failureCount = 0;
  for (const [name, faults] of Object.entries(crashWorlds)) {
    for (const kind of mishapKinds) {
      const title = `if ${name}: a process ${kind}`;
      let done = 0;
      const onRun = () => {
        done += 1;
        status.show(`${title} an external call: ${done} runs`, performance.now());
      };
      const report = await runCrashPoints(faults, kind, { step: 1, onRun });
      status.clear();
      const { callCount, failures, unknownCount } = report;
      print(
        `${title} each of ${callCount} external calls: ${failures.length} failures, ${unknownCount} unknown outcomes`,
      );
      for (const failure of failures) print(JSON.stringify(failure));
      failureCount += failures.length;
    }
  }
  return failureCount === 0;
}
