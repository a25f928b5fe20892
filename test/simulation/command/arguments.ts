import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type BugName, bugNames } from '../bugs/planted-bugs.ts';

/** The scenario to run: that of a seed, or one that a shrunk failure was saved as. */
export type ScenarioSource = { readonly seed: number } | { readonly file: string };

interface Common {
  /** Folder for the state of a run and shrunk scenarios. */
  readonly directory: string;
  readonly bug?: BugName | undefined;
}

export type RunCommand = Common & {
  readonly kind: 'run';
  readonly from: number;
  readonly count: number;
  /** The number of parallel processes. */
  readonly workers: number;
  readonly keepGoing: boolean;
  readonly shrinks: boolean;
};

export type ResumeCommand = Pick<RunCommand, 'directory' | 'workers' | 'keepGoing' | 'shrinks'> & {
  readonly kind: 'resume';
};

export type ReplayCommand = Common & {
  readonly kind: 'replay';
  readonly source: ScenarioSource;
  /** True to print every call instead of folding those that succeed. */
  readonly all: boolean;
};

export type ShrinkCommand = Common & { readonly kind: 'shrink'; readonly source: ScenarioSource };

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'crash points' }
  | { readonly kind: 'local cloud' }
  | RunCommand
  | ResumeCommand
  | ReplayCommand
  | ShrinkCommand;

/** A mistake of the person who runs the command. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ignored by git. */
export const defaultDirectory = '.local/simulation';

export const helpText = `usage: npm run simulate -- [--seeds N] [--from S] [--workers W] [--keep-going] [--no-shrink]
       npm run simulate -- --resume [--workers W] [--keep-going] [--no-shrink]
       npm run simulate -- --replay S|FILE [--all]
       npm run simulate -- --shrink S|FILE
       npm run simulate -- --crash-points
       npm run simulate -- --local-cloud

Runs the service in a simulated world. Each seed makes different things go wrong. Checks that no post goes
live twice, early, after its deletion or with outdated content, and that no post is lost. Stops at the first seed that
shows a bug, reduces that seed to few steps, and exits with status 1. Ctrl-C saves what is done.

  --seeds N       the number of seeds (default: 1000)
  --from S        the first seed (default: 1)
  --workers W     the number of parallel processes (default: one per core)
  --keep-going    run the remaining seeds after a failure
  --no-shrink     do not reduce the first failure
  --resume        continue a run that was interrupted or that stopped at a failure
  --replay S      tell the story of one seed, or of a saved scenario (a .json file)
  --all           with --replay: print every call instead of folding those that succeed
  --shrink S      reduce a failing seed, or a saved scenario, to few steps and save the result
  --crash-points  run one post again and again, with a crash or a pause at each of its external calls
  --local-cloud   run the journeys on a bad day of AWS: indexes lag, services throttle, functions are slow
  --bug NAME      plant a bug of test/simulation/bugs/planted-bugs.ts first, to see what a failure looks like
  --state DIR     where the state of a run and shrunk scenarios are saved (default: ${defaultDirectory})
  --help          print this

Exit status: 0 if no check failed, 1 if one failed, 2 if the arguments are wrong or --resume is refused, 130 after Ctrl-C.`;

const options = {
  help: { type: 'boolean', short: 'h' },
  seeds: { type: 'string' },
  from: { type: 'string' },
  workers: { type: 'string' },
  'keep-going': { type: 'boolean' },
  'no-shrink': { type: 'boolean' },
  resume: { type: 'boolean' },
  replay: { type: 'string' },
  all: { type: 'boolean' },
  shrink: { type: 'string' },
  'crash-points': { type: 'boolean' },
  'local-cloud': { type: 'boolean' },
  bug: { type: 'string' },
  state: { type: 'string' },
} as const;

type Option = keyof typeof options;

/** The options that choose what to do, each with those that may accompany it. */
const companions: Readonly<Partial<Record<Option, readonly Option[]>>> = {
  resume: ['workers', 'keep-going', 'no-shrink', 'state'],
  replay: ['all', 'bug', 'state'],
  shrink: ['bug', 'state'],
  'crash-points': [],
  'local-cloud': [],
};
const companionsOfRun: readonly Option[] = [
  'seeds',
  'from',
  'workers',
  'keep-going',
  'no-shrink',
  'bug',
  'state',
];

/** Parses the command line. Returns `wrong` with a message if it is invalid. */
export function parseCommand(line: readonly string[]): Command {
  try {
    const { values } = parseArgs({ args: [...line], options });
    if (values.help) return { kind: 'help' };
    checkCombination(Object.keys(values) as Option[]);
    const directory = values.state ?? defaultDirectory;
    const common = { directory, bug: bugNamed(values.bug) };
    const how = {
      workers: wholeNumber('--workers', values.workers ?? String(availableParallelism()), 1),
      keepGoing: values['keep-going'] ?? false,
      shrinks: !values['no-shrink'],
    };
    if (values['crash-points']) return { kind: 'crash points' };
    if (values['local-cloud']) return { kind: 'local cloud' };
    if (values.replay !== undefined) {
      const source = sourceOf('--replay', values.replay);
      return { kind: 'replay', ...common, source, all: values.all ?? false };
    }
    if (values.shrink !== undefined)
      return { kind: 'shrink', ...common, source: sourceOf('--shrink', values.shrink) };
    if (values.resume) return { kind: 'resume', directory, ...how };
    return {
      kind: 'run',
      ...common,
      ...how,
      from: wholeNumber('--from', values.from ?? '1', 0),
      count: wholeNumber('--seeds', values.seeds ?? '1000', 1),
    };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws Error if two options exclude each other */
function checkCombination(given: readonly Option[]): void {
  const chosen = given.find((option) => companions[option]);
  const allowed = (chosen && companions[chosen]) ?? companionsOfRun;
  const misplaced = given.find((option) => option !== chosen && !allowed.includes(option));
  if (misplaced === undefined) return;
  throw new Error(
    chosen === undefined
      ? `--${misplaced} needs ${leaderOf(misplaced)}`
      : `--${misplaced} cannot be used with --${chosen}`,
  );
}

const leaderOf = (option: Option): string =>
  Object.entries(companions)
    .filter(([, allowed]) => allowed.includes(option))
    .map(([leader]) => `--${leader}`)
    .join(' or ');

function sourceOf(option: string, text: string): ScenarioSource {
  return text.endsWith('.json')
    ? { file: text }
    : { seed: wholeNumber(option, text, 0, 'a seed (a whole number) or a .json file') };
}

function bugNamed(name: string | undefined): BugName | undefined {
  const found = bugNames.find((known) => known === name);
  if (name === undefined || found !== undefined) return found;
  const list = bugNames.map((known) => `  "${known}"`).join('\n');
  throw new Error(`--bug must be one of these, not ${name}:\n${list}`);
}

function wholeNumber(
  option: string,
  text: string,
  least: number,
  expected = `a whole number${least > 0 ? ` from ${least}` : ''}`,
): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new Error(`${option} must be ${expected}, not ${text}`);
  return Number(text);
}
