import { requireMay } from '../../lib/access/may.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { openTable } from '../../lib/table/table.ts';
import { localTime, pointAtLocalCloud } from '../local-cloud.ts';
import { readable } from '../readable.ts';
import { stageRetention, tableName } from '../table-name.ts';
import { auditCommands } from './audit.ts';
import { automationCommands } from './automations.ts';
import { type Commands, type ExitCode, operatorAct, type Shell } from './command.ts';
import { helpFor, type ParsedLine, parseCommand } from './command-line.ts';
import { doctorCommands } from './doctor.ts';
import { failureOf } from './failures.ts';
import { importCommands } from './import.ts';
import { keyCommands } from './keys.ts';
import { memberCommands } from './members.ts';
import { outputTo } from './output.ts';
import { pauseCommands } from './pauses.ts';
import { postCommands } from './posts.ts';
import { preflightCommands } from './preflight.ts';
import { queueCommands } from './queues.ts';
import { rateLimitCommands } from './rate-limits.ts';
import { restoreCommands } from './restore.ts';
import { statusCommands } from './status.ts';
import { tailCommands } from './tail.ts';
import { webhookCommands } from './webhooks.ts';
import { workspaceCommands } from './workspaces.ts';

/** The commands of operators, by name. */
export const commands: Commands = {
  ...statusCommands,
  ...doctorCommands,
  ...preflightCommands,
  ...tailCommands,
  ...workspaceCommands,
  ...keyCommands,
  ...memberCommands,
  ...rateLimitCommands,
  ...auditCommands,
  ...postCommands,
  ...importCommands,
  ...pauseCommands,
  ...queueCommands,
  ...restoreCommands,
  ...webhookCommands,
  ...automationCommands,
};

async function run({ command, stage, options, words, isJson }: RunLine, shell: Shell): Promise<ExitCode> {
  const out = outputTo(shell.stdout, shell.stderr, isJson);
  if ('runPlain' in command) return command.runPlain({ stage, out, shell }, words, options);
  const isLocal = stage === undefined;
  const stageName = stage ?? (await pointAtLocalCloud());
  const report = ({ pk, sk }: { readonly pk: string; readonly sk: string }) =>
    out.note(`This item cannot be read: ${pk} ${sk}`);
  const { table: own } = options;
  const [name, retention] = await Promise.all([
    typeof own === 'string' ? own : tableName(stageName),
    stageRetention(stageName),
  ]);
  const table = { ...openTable(name), retention, report };
  const act = operatorAct(command.verb);
  requireMay(act.actor, act.verb);
  const nowMs = isLocal ? await localTime() : systemClock();
  const context = { ...act, stage: stageName, isLocal, table, now: nowMs, out };
  return (await command.run(context, words, options)) ?? 0;
}

type RunLine = Extract<ParsedLine, { readonly state: 'run' }>;

/** Runs the command that the words name. */
export async function main(words: readonly string[], shell: Shell): Promise<ExitCode> {
  const print = (text: string) => shell.stdout.write(`${text}\n`);
  const complain = (text: string) => shell.stderr.write(`${text}\n`);
  const line = parseCommand(commands, words);
  switch (line.state) {
    case 'help':
      print(helpFor(commands, line.about));
      return 0;
    case 'wrong':
      complain(line.problem);
      complain(`See npm run admin -- ${line.help}`);
      return 2;
    case 'run':
      try {
        return await run(line, shell);
      } catch (error) {
        const { message, exitCode } = failureOf(error, line.stage);
        // The text may come from a platform or a customer.
        complain(message.split('\n').map(readable).join('\n'));
        return exitCode;
      }
  }
}
