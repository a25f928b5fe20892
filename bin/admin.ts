/** The operator's commands for a stage: `npm run admin`. */
import { requireMay } from '../lib/access/may.ts';
import { systemClock } from '../lib/kernel/clock.ts';
import { openTable } from '../lib/table/table.ts';
import { auditCommands } from './admin/audit.ts';
import { type Commands, operatorAct } from './admin/command.ts';
import { helpFor } from './admin/help.ts';
import { importCommands } from './admin/import.ts';
import { keyCommands } from './admin/keys.ts';
import { memberCommands } from './admin/members.ts';
import { parseCommand } from './admin/parse.ts';
import { pauseCommands } from './admin/pauses.ts';
import { postCommands } from './admin/posts.ts';
import { queueCommands } from './admin/queues.ts';
import { rateLimitCommands } from './admin/rate-limits.ts';
import { workspaceCommands } from './admin/workspaces.ts';
import { pointAtLocalCloud } from './local-cloud.ts';
import { tableName } from './table-name.ts';

const commands: Commands = {
  ...workspaceCommands,
  ...keyCommands,
  ...memberCommands,
  ...rateLimitCommands,
  ...auditCommands,
  ...postCommands,
  ...importCommands,
  ...pauseCommands,
  ...queueCommands,
};

/** @returns the exit code: 2 if the arguments are wrong */
async function main(): Promise<number> {
  const line = parseCommand(commands, process.argv.slice(2));
  switch (line.state) {
    case 'help':
      console.log(helpFor(commands, line.about));
      return 0;
    case 'wrong':
      console.error(line.problem);
      console.error(`See npm run admin -- ${line.help}`);
      return 2;
    case 'run': {
      const { command } = line;
      if ('runWithKey' in command)
        return command.runWithKey({ stage: line.stage, options: line.options }, ...line.words);
      const stage = line.stage ?? (await pointAtLocalCloud());
      const report = (key: object, error: unknown) => console.error('This item cannot be read:', key, error);
      const table = { ...openTable(await tableName(stage)), report };
      const act = operatorAct(command.verb);
      requireMay(act.actor, act.verb);
      await command.run({ ...act, stage, table, now: systemClock(), options: line.options }, ...line.words);
      return 0;
    }
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
