import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type BugName, bugNames } from '../bugs/planted-bugs.ts';

/** The scenario to run: that of a seed, or one that a shrunk failure was saved as. */
export type ScenarioSource = { readonly seed: number } | { readonly file: string };

/** A parsed command line. */
type Command = ReturnType<typeof parseCommand>;
export type RunCommand = Extract<Command, { readonly kind: 'run' }>;
export type ReplayCommand = Extract<Command, { readonly kind: 'replay' }>;

/** A mistake of the person who runs the command. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Modes of the command. Each but the first is chosen by the option of its name. */
const modes = ['run', 'replay', 'shrink', 'crash-points', 'acts', 'local-cloud'] as const;
type Mode = (typeof modes)[number];

interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly default?: string;
  /** The name of the value in the help. */
  readonly value?: string;
  /** The modes that have the option. */
  readonly of: readonly Mode[];
  readonly help: string;
}

/** The options as `parseArgs` takes them, and as the help describes them. */
const options = {
  seeds: { type: 'string', value: 'N', default: '1000', of: ['run'], help: 'the number of seeds' },
  from: { type: 'string', value: 'S', default: '1', of: ['run'], help: 'the first seed' },
  workers: {
    type: 'string',
    value: 'W',
    default: String(availableParallelism()),
    of: ['run'],
    help: 'the number of parallel processes',
  },
  'keep-going': { type: 'boolean', of: ['run'], help: 'run the remaining seeds after a failure' },
  'no-shrink': { type: 'boolean', of: ['run'], help: 'do not reduce the first failure' },
  replay: {
    type: 'string',
    value: 'S|FILE',
    of: ['replay'],
    help: 'tell the story of one seed, or of a saved scenario (a .json file)',
  },
  all: {
    type: 'boolean',
    of: ['replay'],
    help: 'with --replay: print every call instead of folding those that succeed',
  },
  shrink: {
    type: 'string',
    value: 'S|FILE',
    of: ['shrink'],
    help: 'reduce a failing seed, or a saved scenario, to few steps and save the result',
  },
  'crash-points': {
    type: 'boolean',
    of: ['crash-points'],
    help: 'run one post again and again, with a crash or a pause at each of its external calls',
  },
  acts: {
    type: 'boolean',
    of: ['acts'],
    help: 'run one post again and again, and edit, delete, disconnect, reconnect or pause at each external call of its last minute',
  },
  'local-cloud': {
    type: 'boolean',
    of: ['local-cloud'],
    help: 'run the journeys on a bad day of AWS: indexes lag, services throttle, functions are slow',
  },
  bug: {
    type: 'string',
    value: 'NAME',
    of: ['run', 'replay', 'shrink'],
    help: 'plant a bug of test/simulation/bugs/planted-bugs.ts first, to see what a failure looks like',
  },
  save: {
    type: 'string',
    value: 'DIR',
    // Ignored by git.
    default: '.local/simulation',
    of: ['run', 'shrink'],
    help: 'the folder for shrunk scenarios',
  },
  help: { type: 'boolean', short: 'h', of: [], help: 'print this' },
} as const satisfies Readonly<Record<string, Option>>;

const optionList = Object.entries<Option>(options);
const withValue = ([name, { value }]: (typeof optionList)[number]) => `--${name}${value ? ` ${value}` : ''}`;

export const helpText = `usage: ${modes.map(usageOf).join('\n       ')}

Runs the service in a simulated world. Each seed makes different things go wrong. Checks that no post goes
live twice, early, after its deletion or with outdated content, and that no post is lost. Stops at the first seed that
shows a bug, reduces that seed to few steps, and exits with status 1.

${optionList.map(describe).join('\n')}

Exit status: 0 if no check failed, 1 if one failed, 2 if the arguments are wrong.`;

function usageOf(mode: Mode): string {
  const own = optionList.filter(([, { of }]) => of.includes(mode));
  const parts = own.map((entry) => (entry[0] === mode ? withValue(entry) : `[${withValue(entry)}]`));
  return ['npm run simulate --', ...parts].join(' ');
}

function describe(entry: (typeof optionList)[number]): string {
  const [, { help, default: value }] = entry;
  const width = Math.max(...optionList.map((each) => withValue(each).length));
  return `  ${withValue(entry).padEnd(width)}  ${help}${value === undefined ? '' : ` (default: ${value})`}`;
}

/** Parses the command line. @throws UsageError if it is invalid */
export function parseCommand(line: readonly string[]) {
  const { values, given } = parseOptions(line);
  if (values.help) return { kind: 'help' as const };
  const kind = modeOf(given);
  const bug = bugNamed(values.bug);
  switch (kind) {
    case 'run':
      return {
        kind,
        from: wholeNumber('--from', values.from, 0),
        count: wholeNumber('--seeds', values.seeds, 1),
        workers: wholeNumber('--workers', values.workers, 1),
        keepGoing: values['keep-going'] ?? false,
        shrinks: !values['no-shrink'],
        directory: values.save,
        bug,
      };
    case 'replay':
      return { kind, source: sourceOf('--replay', values.replay), all: values.all ?? false, bug };
    case 'shrink':
      return { kind, source: sourceOf('--shrink', values.shrink), directory: values.save, bug };
    default:
      return { kind };
  }
}

function parseOptions(line: readonly string[]) {
  try {
    const { values, tokens } = parseArgs({ args: [...line], options, tokens: true });
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    return { values, given: given as (keyof typeof options)[] };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws UsageError if two options exclude each other */
function modeOf(given: readonly (keyof typeof options)[]): Mode {
  const chosen = modes.find((mode) => given.some((name) => name === mode));
  const mode = chosen ?? 'run';
  const isOf = ({ of }: Option) => of.includes(mode);
  const misplaced = given.find((name) => !isOf(options[name]));
  if (misplaced === undefined) return mode;
  throw new UsageError(
    chosen === undefined
      ? `--${misplaced} needs ${options[misplaced].of.map((leader) => `--${leader}`).join(' or ')}`
      : `--${misplaced} cannot be used with --${chosen}`,
  );
}

function sourceOf(option: string, text = ''): ScenarioSource {
  return text.endsWith('.json')
    ? { file: text }
    : { seed: wholeNumber(option, text, 0, 'a seed (a whole number) or a .json file') };
}

function bugNamed(name: string | undefined): BugName | undefined {
  const found = bugNames.find((known) => known === name);
  if (name === undefined || found !== undefined) return found;
  const list = bugNames.map((known) => `  "${known}"`).join('\n');
  throw new UsageError(`--bug must be one of these, not ${name}:\n${list}`);
}

function wholeNumber(
  option: string,
  text: string,
  least: number,
  expected = `a whole number${least > 0 ? ` from ${least}` : ''}`,
): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new UsageError(`${option} must be ${expected}, not ${text}`);
  return Number(text);
}
