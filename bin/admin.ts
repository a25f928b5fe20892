/** The operator's commands for a stage: `npm run admin`. */
import { requireMay } from '../lib/access/may.ts';
import { systemClock } from '../lib/kernel/clock.ts';
import { openTable } from '../lib/table/table.ts';
import { auditCommands } from './admin/audit.ts';
import { automationCommands } from './admin/automations.ts';
import { type Commands, type ExitCode, operatorAct } from './admin/command.ts';
import { doctorCommands } from './admin/doctor.ts';
import { failureOf } from './admin/failures.ts';
import { helpFor } from './admin/help.ts';
import { importCommands } from './admin/import.ts';
import { keyCommands } from './admin/keys.ts';
import { memberCommands } from './admin/members.ts';
import { outputTo } from './admin/output.ts';
import { type ParsedLine, parseCommand } from './admin/parse.ts';
import { pauseCommands } from './admin/pauses.ts';
import { postCommands } from './admin/posts.ts';
import { preflightCommands } from './admin/preflight.ts';
import { queueCommands } from './admin/queues.ts';
import { rateLimitCommands } from './admin/rate-limits.ts';
import { restoreCommands } from './admin/restore.ts';
import { statusCommands } from './admin/status.ts';
import { tailCommands } from './admin/tail.ts';
import { webhookCommands } from './admin/webhooks.ts';
import { workspaceCommands } from './admin/workspaces.ts';
import { localTime, pointAtLocalCloud } from './local-cloud.ts';
import { readable } from './readable.ts';
import { stageRetention, tableName } from './table-name.ts';

const commands: Commands = {
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

async function run({ command, stage, options, words, isJson }: RunLine): Promise<ExitCode> {
  const out = outputTo(process.stdout, process.stderr, isJson);
  if ('runPlain' in command) return command.runPlain({ stage, options, out }, ...words);
  const isLocal = stage === undefined;
  const stageName = stage ?? (await pointAtLocalCloud());
  const report = ({ pk, sk }: { readonly pk: string; readonly sk: string }) =>
    out.note(`This item cannot be read: ${pk} ${sk}`);
  const [name, retention] = await Promise.all([
    options['table'] ?? tableName(stageName),
    stageRetention(stageName),
  ]);
  const table = { ...openTable(name), retention, report };
  const act = operatorAct(command.verb);
  requireMay(act.actor, act.verb);
  const nowMs = isLocal ? await localTime() : systemClock();
  const context = { ...act, stage: stageName, isLocal, table, now: nowMs, options, out };
  return (await command.run(context, ...words)) ?? 0;
}

type RunLine = Extract<ParsedLine, { readonly state: 'run' }>;

async function main(): Promise<ExitCode> {
  const line = parseCommand(commands, process.argv.slice(2));
  switch (line.state) {
    case 'help':
      console.log(helpFor(commands, line.about));
      return 0;
    case 'wrong':
      console.error(line.problem);
      console.error(`See npm run admin -- ${line.help}`);
      return 2;
    case 'run':
      try {
        return await run(line);
      } catch (error) {
        const { message, exitCode } = failureOf(error, line.stage);
        // The words may be a platform's or a customer's.
        console.error(message.split('\n').map(readable).join('\n'));
        return exitCode;
      }
  }
}

process.exitCode = await main();
