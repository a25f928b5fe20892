import { parseArgs } from 'node:util';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { systemClock } from '../lib/kernel/clock.ts';
import { HeraldError } from '../lib/kernel/errors.ts';
import { mendWorkspace } from '../lib/sweeping/mend.ts';
import { openTable } from '../lib/table/table.ts';
import {
  createKey,
  createWorkspace,
  getWorkspace,
  listKeys,
  listWorkspaces,
  type Operator,
  revokeKeyById,
} from '../lib/workspaces/index.ts';
import { pointAtLocalCloud } from './local-cloud.ts';

const help = `Manage workspaces and their API keys.

  npm run admin -- workspace create <name>
  npm run admin -- workspace list
  npm run admin -- workspace mend <workspace id>   bring lists and calendars up to the posts, after a day without the relay
  npm run admin -- key create <workspace id> [<name>]
  npm run admin -- key list <workspace id>
  npm run admin -- key revoke <workspace id> <key id>

Options
  --stage <name>  the deployed stage to work on, with the AWS credentials and region of your shell
  --help          this text

Without --stage it works on the local run (npm run dev), which must be up. DATA_DIR names its folder (.local).
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { stage: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});

type Command = (operator: Operator, ...words: string[]) => Promise<void>;

const commands: Readonly<Record<string, { words: readonly string[]; run: Command }>> = {
  'workspace create': {
    words: ['name'],
    run: async (operator, name = '') => {
      const workspace = await createWorkspace(operator, { name });
      print([{ id: workspace.id, name: workspace.name }]);
    },
  },
  'workspace list': {
    words: [],
    run: async ({ table }) => print(await listWorkspaces(table)),
  },
  'workspace mend': {
    words: ['workspace id'],
    run: async ({ table, now }, workspaceId = '') => {
      const { id } = await getWorkspace(table, workspaceId);
      const { posts, times } = await mendWorkspace(table, id, now);
      console.log(`Looked at ${posts} posts and ${times} planned times: what was behind is mended.`);
    },
  },
  'key create': {
    words: ['workspace id'],
    run: async (operator, workspaceId = '', name = 'API key') => {
      const { key, apiKey } = await createKey(operator, { workspaceId, name });
      print([{ id: key.id, name: key.name, apiKey }]);
      console.log('Keep the key now: it is not shown again.');
    },
  },
  'key list': {
    words: ['workspace id'],
    run: async ({ table }, workspaceId = '') => {
      const keys = await listKeys(table, workspaceId);
      print(
        keys.map(({ id, name, createdAt, revokedAt }) => ({
          id,
          name,
          createdAt,
          revokedAt: revokedAt ?? '',
        })),
      );
    },
  },
  'key revoke': {
    words: ['workspace id', 'key id'],
    run: async (operator, workspaceId = '', keyId = '') => {
      await revokeKeyById(operator, { workspaceId, keyId });
      console.log('Revoked. Running functions may still take the key for up to 30 seconds.');
    },
  },
};

async function main(): Promise<number> {
  const [noun = '', verb = '', ...words] = positionals;
  const command = commands[`${noun} ${verb}`];
  if (values.help || positionals.length === 0) {
    console.log(help);
    return 0;
  }
  if (!command || words.length < command.words.length) {
    const missing = command?.words[words.length];
    console.error(missing ? `${noun} ${verb} needs <${missing}>.` : `There is no command "${noun} ${verb}".`);
    console.error('npm run admin -- --help lists the commands.');
    return 2;
  }
  const stage = values.stage ?? (await pointAtLocalCloud());
  const operator = { table: openTable(await tableName(stage)), now: systemClock() };
  await command.run(operator, ...words);
  return 0;
}

/** Every stage publishes its table's name as a parameter. */
async function tableName(stage: string): Promise<string> {
  const name = `/herald/${stage}/table-name`;
  const { Parameter } = await new SSMClient().send(new GetParameterCommand({ Name: name }));
  if (!Parameter?.Value)
    throw new HeraldError('not_found', `stage ${stage} is not deployed here: no parameter ${name}`);
  return Parameter.Value;
}

function print(rows: readonly Record<string, string>[]): void {
  for (const row of rows) {
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name}=${value}`)
        .join('  '),
    );
  }
  if (rows.length === 0) console.log('none');
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
