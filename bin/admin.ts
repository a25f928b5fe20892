/** The operator's commands for a stage: `npm run admin`. */
import { parseArgs } from 'node:util';
import { systemClock } from '../lib/kernel/clock.ts';
import { openTable } from '../lib/table/table.ts';
import type { Command, Commands } from './admin/command.ts';
import { keyCommands } from './admin/keys.ts';
import { postCommands } from './admin/posts.ts';
import { queueCommands } from './admin/queues.ts';
import { workspaceCommands } from './admin/workspaces.ts';
import { pointAtLocalCloud } from './local-cloud.ts';
import { tableName } from './table-name.ts';

const commands: Commands = { ...workspaceCommands, ...keyCommands, ...postCommands, ...queueCommands };

const options = `Options
  --stage <name>  the deployed stage to use, with the AWS credentials and region of your shell
  --help          show this text or, after a command, its help

Without --stage it uses the local cloud, which must be running (npm run dev). DATA_DIR names its folder (default: .local).
`;

function usage(name: string, { words, optional = [], more }: Command): string {
  return [
    'npm run admin --',
    name,
    ...words.map((word) => `<${word}>`),
    ...optional.map((word) => `[<${word}>]`),
    ...(more === undefined ? [] : [`[<${more}> …]`]),
  ].join(' ');
}

function help(only = ''): string {
  const rows = Object.entries(commands).filter(([name]) => name.startsWith(only));
  const width = Math.max(...rows.map(([name, command]) => usage(name, command).length));
  const lines = rows.map(([name, command]) => `  ${usage(name, command).padEnd(width)}  ${command.summary}`);
  return `Manage workspaces, keys, posts and queues.\n\n${lines.join('\n')}\n\n${options}`;
}

const helpOf = (name: string, command: Command): string =>
  [
    `${usage(name, command)}\n`,
    `${command.summary}.`,
    ...(command.detail ? [command.detail] : []),
    '',
    options,
  ].join('\n');

/** @returns the exit code: 2 if the arguments are wrong */
async function main(): Promise<number> {
  const { values, positionals } = readArguments();
  const [noun = '', verb = '', ...words] = positionals;
  const name = `${noun} ${verb}`.trim();
  const command = commands[name];
  if (values.help || positionals.length === 0) {
    const isNoun = Object.keys(commands).some((known) => known.startsWith(`${noun} `));
    console.log(command ? helpOf(name, command) : help(isNoun ? `${noun} ` : ''));
    return 0;
  }
  const problem = command ? problemWith(name, command, words) : `Unknown command "${name}".`;
  if (!command || problem !== undefined) {
    console.error(problem);
    console.error(`See npm run admin -- ${command ? `${name} ` : ''}--help`);
    return 2;
  }
  const stage = values.stage ?? (await pointAtLocalCloud());
  const report = (key: object, error: unknown) => console.error('This item cannot be read:', key, error);
  const table = { ...openTable(await tableName(stage)), report };
  await command.run({ stage, table, now: systemClock() }, ...words);
  return 0;
}

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: { stage: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
}

function problemWith(
  name: string,
  { words, optional = [], more }: Command,
  given: readonly string[],
): string | undefined {
  const missing = words[given.length];
  if (missing !== undefined) return `${name} needs <${missing}>.`;
  const tooMany = given[words.length + optional.length];
  return tooMany === undefined || more !== undefined
    ? undefined
    : `${name}: unexpected argument "${tooMany}". Put quotes around arguments with spaces.`;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof TypeError && 'code' in error ? 2 : 1;
}
