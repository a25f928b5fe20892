import { parseArgs } from 'node:util';
import { HeraldError } from '../../lib/kernel/errors.ts';
import {
  type Command,
  type Commands,
  isReadOnly,
  type Option,
  type Options,
  type Values,
} from './command.ts';
import { inWords } from './output.ts';

/** The options of every command. */
const commonOptions = {
  stage: {
    value: 'name',
    summary: 'the deployed stage to use, with the AWS credentials and region of your shell',
  },
  json: { summary: 'print the result as JSON, for programs; notes and errors go to stderr' },
  help: { summary: 'show this text or, after a command, its help with all options' },
} as const satisfies Options;

/** The meaning of a line of `npm run admin`. */
export type ParsedLine =
  | {
      readonly state: 'run';
      readonly command: Command;
      readonly words: Values;
      readonly options: Values;
      /** Absent for the local cloud. */
      readonly stage: string | undefined;
      /** True if the result is for a program. */
      readonly isJson: boolean;
    }
  /** `about` is a command, a noun, or empty for everything. */
  | { readonly state: 'help'; readonly about: string }
  /** `help` is the line to run for help. */
  | { readonly state: 'wrong'; readonly problem: string; readonly help: string };

/**
 * Reads the arguments of `npm run admin`. Options may come before, between and after the words.
 *
 * @param commands by name: one word, such as `pause`, or two, such as `key create`
 */
export function parseCommand(commands: Commands, args: readonly string[]): ParsedLine {
  const { words: all, given, isHelp, isJson } = readTokens(commands, args);
  const [noun = '', verb = ''] = all;
  const pair = `${noun} ${verb}`.trim();
  const name = ownValue(commands, pair) ? pair : noun;
  const command = ownValue(commands, name);
  if (isHelp || all.length === 0) {
    const isNoun = Object.keys(commands).some((known) => known.startsWith(`${noun} `));
    return { state: 'help', about: command ? name : isNoun ? noun : '' };
  }
  if (!command) {
    const verbs = Object.keys(commands).flatMap((known) => (known.startsWith(`${noun} `) ? [known] : []));
    if (verbs.length === 0) return { state: 'wrong', problem: `Unknown command "${pair}".`, help: '--help' };
    const problem = verb === '' ? `${noun} is not a command by itself.` : `Unknown command "${pair}".`;
    return { state: 'wrong', problem: `${problem} There are: ${verbs.join(', ')}.`, help: `${noun} --help` };
  }
  const own = all.slice(name.split(' ').length);
  const problem = problemWithOptions(name, command, given) ?? problemWithWords(name, command, own);
  if (problem !== undefined) return { state: 'wrong', problem, help: `${name} --help` };
  try {
    const words = readWords(command, own);
    const options = readOptions(command, given);
    const stage = given.find((option) => option.name === 'stage')?.value;
    return { state: 'run', command, words, options, stage, isJson };
  } catch (error) {
    if (error instanceof HeraldError)
      return { state: 'wrong', problem: error.message, help: `${name} --help` };
    throw error;
  }
}

/** Returns an object's own value under a name that somebody has typed: every object also inherits names such as `constructor`. */
const ownValue = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

interface GivenOption {
  readonly name: string;
  /** The option as given, such as `-5` for `-5GB`. */
  readonly rawName: string;
  readonly value: string | undefined;
}

/**
 * Splits the arguments into tokens. An option takes a value in every command that has it or in none, so a value is recognized
 * before the command is known.
 */
function readTokens(commands: Commands, args: readonly string[]) {
  const known = [commonOptions, ...Object.values(commands).map(({ options = {} }) => options)];
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      known.flatMap(Object.entries<Option>).map(([name, { value }]) => [
        name,
        {
          type: value === undefined ? ('boolean' as const) : ('string' as const),
          ...(name === 'help' && { short: 'h' }),
        },
      ]),
    ),
  });
  const words: string[] = [];
  const given: GivenOption[] = [];
  let isHelp = false;
  let isJson = false;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help') isHelp = true;
    else if (token.name === 'json' && token.value === undefined) isJson = true;
    // Without `=`, the parser takes a following option for the value.
    else if (!token.inlineValue && token.value?.startsWith('-'))
      given.push({ name: token.name, rawName: token.rawName, value: undefined });
    else given.push({ name: token.name, rawName: token.rawName, value: token.value });
  }
  return { words, given, isHelp, isJson };
}

function problemWithOptions(
  name: string,
  { options = {} }: Command,
  given: readonly GivenOption[],
): string | undefined {
  const known: Options = { ...options, stage: commonOptions.stage };
  const seen = new Set<string>();
  for (const option of given) {
    const declared = ownValue(known, option.name);
    if (!declared && /^-\d/.test(option.rawName)) return `${name}: a number must not be negative.`;
    if (!declared) return `${name} has no option ${option.rawName}.`;
    if (declared.value === undefined && option.value !== undefined)
      return `${name}: --${option.name} takes no value.`;
    if (declared.value !== undefined && !option.value)
      return `${name}: --${option.name} needs <${declared.value}>.`;
    if (seen.has(option.name)) return `${name}: --${option.name} is given twice.`;
    seen.add(option.name);
  }
  const missing = Object.entries(options).find(([each, { isRequired }]) => isRequired && !seen.has(each));
  return missing && `${name} needs ${flagOf(...missing)}.`;
}

function problemWithWords(
  name: string,
  { words = {} }: Command,
  given: readonly string[],
): string | undefined {
  const declared = Object.entries(words);
  const missing = declared
    .slice(given.length)
    .find(([, { isRepeated, default: other }]) => !isRepeated && other === undefined);
  if (missing) return `${name} needs <${inWords(missing[0])}>.`;
  const tooMany = given[declared.length];
  return tooMany === undefined || declared.at(-1)?.[1].isRepeated
    ? undefined
    : `${name}: unexpected argument "${tooMany}". Put quotes around arguments with spaces.`;
}

const readText = (_: string, text: string): unknown => text;

/** @throws HeraldError `invalid` */
function readWords({ words = {} }: Command, given: readonly string[]): Values {
  return Object.fromEntries(
    Object.entries(words).map(([name, { read = readText, isRepeated, default: other = '' }], index) => [
      name,
      isRepeated
        ? given.slice(index).map((text) => read(inWords(name), text))
        : read(inWords(name), given[index] ?? other),
    ]),
  );
}

/** @throws HeraldError `invalid` */
function readOptions({ options = {} }: Command, given: readonly GivenOption[]): Values {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, read = readText, default: other }]) => {
      const found = given.find((option) => option.name === name);
      if (value === undefined) return [name, found !== undefined];
      const text = found?.value ?? other;
      return [name, text === undefined ? undefined : read(name, text)];
    }),
  );
}

type Row = readonly [left: string, right: string];

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
  const { summary, detail, options = {} } = command;
  const facts = [
    `${summary}.`,
    ...(detail ? [detail] : []),
    ...(isReadOnly(command) ? ['It changes nothing.'] : []),
  ];
  return text(
    usage(about, command),
    facts.join('\n'),
    ...(rows.length > 0 ? [`See also\n${list}`] : []),
    optionsText(options),
  );
}

const text = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n\n${localCloud}\n`;

function optionsText(own: Options): string {
  const rows = Object.entries<Option>({ ...own, ...commonOptions }).map(([name, option]): Row => {
    const { summary, default: other } = option;
    return [flagOf(name, option), other === undefined ? summary : `${summary}; default: ${other}`];
  });
  return `Options\n${table(rows)}`;
}

/** Returns an option as it is written, such as `--reason <text>`. Pure. */
const flagOf = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} <${value}>`;

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Returns a command's line in a list, without its options. */
const shortUsage = (name: string, command: Command): string =>
  [name, ...wordsOf(command), ...(Object.keys(command.options ?? {}).length > 0 ? ['[options]'] : [])].join(
    ' ',
  );

function usage(name: string, command: Command): string {
  const flags = Object.entries(command.options ?? {}).map(([each, option]) => {
    const flag = flagOf(each, option);
    return option.isRequired ? flag : `[${flag}]`;
  });
  return ['npm run admin --', name, ...wordsOf(command), ...flags].join(' ');
}

const wordsOf = ({ words = {} }: Command): string[] =>
  Object.entries(words).map(([name, { isRepeated, default: other }]) => {
    const word = `<${inWords(name)}>`;
    if (isRepeated) return `[${word} …]`;
    return other === undefined ? word : `[${word}]`;
  });
