import type { Command, CommandOption, Commands } from './command.ts';

type Row = readonly [left: string, right: string];

const commonOptions: readonly Row[] = [
  ['--stage <name>', 'the deployed stage to use, with the AWS credentials and region of your shell'],
  ['--json', 'print the result as JSON, for programs; notes and errors go to stderr'],
  ['--help', 'show this text or, after a command, its help with all options'],
];
const localCloud =
  'Without --stage it uses the local cloud, which must be running (npm run dev). DATA_DIR names its folder (default: .local).\nExit codes: 0 done, 1 refused or unhealthy, 2 wrong usage.';

/**
 * Returns the help text for a command, for all commands of a noun, or for everything.
 *
 * @param about as `parseCommand` returns it
 */
export function helpFor(commands: Commands, about: string): string {
  const command = commands[about];
  const only = about && `${about} `;
  const named = Object.entries(commands).filter(([name]) => name.startsWith(only));
  const byName = named.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const rows = byName.map(([name, each]): Row => [shortUsage(name, each), each.summary]);
  const list = table(rows);
  const usageOfAll = `npm run admin -- <command>\n\nSee what the service does, and manage workspaces, members, keys, posts, webhooks, pauses and queues.`;
  if (!command) return text(usageOfAll, `Commands\n${list}`, optionsText({}));
  return text(
    usage(about, command),
    [`${command.summary}.`, ...(command.detail ? [command.detail] : [])].join('\n'),
    ...(rows.length > 0 ? [`See also\n${list}`] : []),
    optionsText(command),
  );
}

const text = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n\n${localCloud}\n`;

function optionsText({ options = {} }: Pick<Command, 'options'>): string {
  const own = Object.entries(options).map(([name, option]): Row => [flagOf(name, option), option.summary]);
  return `Options\n${table([...own, ...commonOptions])}`;
}

/** Returns an option as it is written, such as `--reason <text>`. Pure. */
export const flagOf = (name: string, { value }: CommandOption): string =>
  value === undefined ? `--${name}` : `--${name} <${value}>`;

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Returns a command's line in a list, without its options. */
function shortUsage(name: string, { words, optional = [], more, options = {} }: Command): string {
  return [
    name,
    ...words.map((word) => `<${word}>`),
    ...optional.map((word) => `[<${word}>]`),
    ...(more === undefined ? [] : [`[<${more}> …]`]),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
  ].join(' ');
}

function usage(name: string, { words, optional = [], more, options = {} }: Command): string {
  const flags = Object.entries(options).map(([name, option]) => {
    const flag = flagOf(name, option);
    return option.isRequired ? flag : `[${flag}]`;
  });
  return [
    'npm run admin --',
    name,
    ...words.map((word) => `<${word}>`),
    ...optional.map((word) => `[<${word}>]`),
    ...(more === undefined ? [] : [`[<${more}> …]`]),
    ...flags,
  ].join(' ');
}
