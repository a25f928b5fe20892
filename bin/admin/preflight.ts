import { findStage } from '../../infra/stages.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { type Commands, type PlainContext, plainCommand } from './command.ts';
import { type Check, checkLines, ok, wrong } from './doctor/check.ts';
import { failureOf } from './failures.ts';

export const preflightCommands: Commands = {
  preflight: plainCommand({
    isRead: true,
    summary: 'check whether a stage can be deployed to your account, and which quotas to raise first',
    detail:
      'Needs --stage. It reads the settings, then quotas and settings of the account with the credentials of your shell. It needs read rights only. ' +
      'Without credentials it prints the points to check by hand. ' +
      'Exit codes: 0 nothing stands in the way, perhaps with warnings; 1 something is wrong or could not be read.',
    options: {
      config: { value: 'file', summary: 'the settings file; default: HERALD_CONFIG, or herald.config.json' },
    },
    runPlain: async (context, _, { config }) => {
      const checks = await look(context, config);
      const isReady = checks.every(({ state }) => state === 'ok' || state === 'warning');
      context.out.result({ isReady, checks }, checkLines(checks));
      return isReady ? 0 : 1;
    },
  }),
};

async function look(
  { stage: name, out }: PlainContext,
  config: string | undefined,
): Promise<readonly Check[]> {
  if (name === undefined)
    throw new HeraldError('invalid', 'preflight needs --stage, such as --stage production');
  const read = await settingsOf(name, config);
  if ('check' in read) return [read];
  const { stage } = read;
  // These modules load clients that no other command needs.
  const [{ openAccount }, { itemsOf, lookAtItems, planOf }, { checkOperator }, { checkShell }] =
    await Promise.all([
      import('../../lib/aws/account.ts'),
      import('./preflight/preflight.ts'),
      import('./preflight/settings.ts'),
      import('./doctor/stage.ts'),
    ]);
  const shell = await checkShell(name, stage.region);
  const region =
    stage.region ?? shell.find(({ check, state }) => check === 'Region' && state === 'ok')?.found;
  const items = itemsOf(stage, region ?? '<Region>', openAccount(region));
  const before = [ok('settings', 'are valid'), checkOperator(stage), ...shell];
  if (shell.some(({ state }) => state === 'wrong')) {
    out.note('Nothing of the account can be read. Points to check by hand:');
    return [...before, ...planOf(items)];
  }
  out.note('Looking at quotas, certificates and parameters …');
  return [...before, ...(await lookAtItems(items, (error) => failureOf(error, name).message))];
}

/** Returns the stage, or the problem with its settings. */
async function settingsOf(name: string, file: string | undefined) {
  // This module loads the schemas of all settings, which few commands need.
  const { readSettings } = await import('../settings-file.ts');
  try {
    return { stage: findStage(name, readSettings(file)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The message has one line for each problem, but a finding is a row of a table.
    return wrong('settings', message.replaceAll('\n', '; '), 'correct the settings file: docs/deploy.md');
  }
}
