import { systemClock } from '../../lib/kernel/clock.ts';
import { localTime, pointAtLocalCloud } from '../local-cloud.ts';
import { type Commands, type PlainContext, plainCommand } from './command.ts';
import { type Check, checkLines } from './doctor/check.ts';

export const doctorCommands: Commands = {
  doctor: plainCommand({
    isRead: true,
    summary:
      'find problems of a stage, or of this machine and its local cloud; exits with 1 if there are any',
    detail:
      'With --stage: Region, credentials, stacks, each platform’s parameter (never its value), how long each platform serves its API version, and stuck work. ' +
      'Without: also DATA_DIR, the database engine, the port, and files that a killed run has left.',
    runPlain: async (context) => {
      const checks = await lookAtAll(context);
      const isHealthy = checks.every(({ state }) => state !== 'wrong');
      context.out.result({ isHealthy, checks }, checkLines(checks));
      return isHealthy ? 0 : 1;
    },
  }),
};

/** Runs the checks in order: a check is left out if an earlier one shows that it cannot succeed. */
async function lookAtAll({ stage, out }: PlainContext): Promise<readonly Check[]> {
  // This module loads clients that no other command needs.
  const { checkContent, checkShell, checkStacks } = await import('./doctor/stage.ts');
  if (stage !== undefined) {
    const shell = await checkShell(stage);
    if (shell.some(({ state }) => state === 'wrong')) return shell;
    out.note('Looking at the stacks, the parameters and the table …');
    const { readStage } = await import('../settings-file.ts');
    return [
      ...shell,
      ...(await checkStacks(readStage(stage))),
      ...(await checkContent(stage, systemClock())),
    ];
  }
  const { checkMachine } = await import('./doctor/machine.ts');
  const { checks, isRunning } = await checkMachine(process.env);
  if (!isRunning) return checks;
  const local = await pointAtLocalCloud();
  return [...checks, ...(await checkContent(local, await localTime()))];
}
