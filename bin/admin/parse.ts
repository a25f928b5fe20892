import { parseArgs } from 'node:util';
import type { Command, Commands } from './command.ts';
import { flagOf } from './help.ts';

/** The meaning of a line of `npm run admin`. */
export type ParsedLine =
  | {
      readonly state: 'run';
      readonly command: Command;
      readonly words: readonly string[];
      readonly options: Readonly<Record<string, string>>;
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
  const words = all.slice(name.split(' ').length);
  const problem = problemWithOptions(name, command, given) ?? problemWithWords(name, command, words);
  if (problem !== undefined) return { state: 'wrong', problem, help: `${name} --help` };
  const { stage, ...options } = Object.fromEntries(given.map((option) => [option.name, option.value ?? '']));
  return { state: 'run', command, words, options, stage, isJson };
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
  const known = Object.values(commands).flatMap(({ options = {} }) => Object.entries(options));
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: {
      stage: { type: 'string' },
      ...Object.fromEntries(
        known.map(([name, { value }]) => [
          name,
          { type: value === undefined ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
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
  const known: NonNullable<Command['options']> = { ...options, stage: { value: 'name', summary: '' } };
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
