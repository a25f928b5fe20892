import { styleText } from 'node:util';
import type { SimulationResult } from '../simulate.ts';
import type { StoryEntry } from '../story.ts';
import type { ReplayCommand } from './arguments.ts';
import { counted, type Print } from './progress.ts';
import { loadSimulation, openScenario, type StoryNames, scenarioLines, storyNames } from './scenario.ts';

/**
 * Runs a scenario and tells its story.
 *
 * @param output where each line goes, and whether it shows colours
 * @returns true if no check failed
 */
export async function replay(
  command: ReplayCommand,
  { print, colour }: Pick<StoryOptions, 'print' | 'colour'>,
): Promise<boolean> {
  const { title, scenario, bug } = openScenario(command.source, command.bug);
  const { runScenario } = await loadSimulation(bug);
  const names = storyNames(scenario);
  print(bug === undefined ? title : `${title}, with a planted bug: ${bug}`);
  for (const line of scenarioLines(scenario, names)) print(`  ${line}`);
  print('');

  const printer = new StoryPrinter({ names, all: command.all, colour, print });
  const result = await runScenario(scenario, { trace: (entry: StoryEntry) => printer.tell(entry) });
  printer.end();
  print('');
  for (const line of endLines(result, names)) print(line);
  return result.violation === undefined;
}

/** The final state of each target, and the verdict. */
function endLines({ targets, ledger, calls, violation }: SimulationResult, names: StoryNames): string[] {
  return [
    'targets at the end:',
    ...targets.map(({ accountId, postId, status, error, scheduledFor, publishedAt }) => {
      const times = [scheduledFor && `due ${scheduledFor}`, publishedAt && `live ${publishedAt}`];
      const details = [...times, error].filter((detail) => detail !== undefined && detail !== '');
      return names.in(`  post ${postId} on ${accountId}: ${[status, ...details].join(', ')}`);
    }),
    `${ledger.length} live on the platforms, ${calls} external calls`,
    violation === undefined ? 'no check failed' : names.in(`FAILED: ${violation}`),
  ];
}

interface StoryOptions {
  readonly names: StoryNames;
  /** True to print every call. */
  readonly all: boolean;
  readonly colour: boolean;
  readonly print: Print;
}

type Kind = StoryEntry['kind'];

const labels: Readonly<Record<Kind, string>> = {
  call: '',
  fault: 'fault',
  commit: 'COMMIT',
  live: 'LIVE',
  client: 'client',
  note: '',
  violation: 'VIOLATION',
};

const colours: Readonly<Partial<Record<Kind, Parameters<typeof styleText>[0]>>> = {
  call: 'dim',
  fault: 'yellow',
  commit: 'cyan',
  live: ['bold', 'green'],
  client: 'blue',
  violation: ['bold', 'red'],
};

const timeWidth = '+10:02:13.250'.length;
const actorWidth = 'client workspace-1'.length;
const labelWidth = labels.violation.length;

/** So few calls are printed, because a fold would take as much room. */
const fewestFolded = 3;

/** A fold names so many actors, and counts the others. */
const mostActors = 3;

/** Prints a run line by line. Folds consecutive calls that succeeded. */
export class StoryPrinter {
  readonly #options: StoryOptions;
  #boring: StoryEntry[] = [];

  constructor(options: StoryOptions) {
    this.#options = options;
  }

  tell(entry: StoryEntry): void {
    this.#options.names.learn(entry);
    if (entry.kind === 'call' && entry.outcome === undefined && !this.#options.all) {
      this.#boring.push(entry);
      return;
    }
    this.end();
    this.#options.print(this.#lineOf(entry));
  }

  /** Prints what is not printed yet. */
  end(): void {
    const boring = this.#boring;
    this.#boring = [];
    if (boring.length < fewestFolded) for (const entry of boring) this.#options.print(this.#lineOf(entry));
    else this.#options.print(this.#paint('call', `${this.#timeOf(boring[0])}  ${foldText(boring)}`));
  }

  #lineOf({ atMs, actor, kind, text, outcome }: StoryEntry): string {
    const { names } = this.#options;
    const columns = [
      this.#timeOf({ atMs }),
      names.in(actor).padEnd(actorWidth),
      labels[kind].padEnd(labelWidth),
    ];
    const start = `${columns.join('  ')}  `;
    const what = names
      .in(text)
      .trimEnd()
      .replaceAll('\n', `\n${' '.repeat(timeWidth + 2)}`);
    const result = outcome === undefined ? '' : this.#paint('fault', ` → ${names.in(outcome)}`);
    return `${this.#paint(kind, `${start}${what}`)}${result}`;
  }

  #timeOf(entry: Pick<StoryEntry, 'atMs'> | undefined): string {
    return (entry ? this.#options.names.time(entry.atMs) : '').padStart(timeWidth);
  }

  #paint(kind: Kind, text: string): string {
    const style = colours[kind];
    return style && this.#options.colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** Such as `… 14 reads by relay, publish #3`, or `… 5 calls (3 reads, 2 sends) by relay`. */
function foldText(entries: readonly StoryEntry[]): string {
  const byVerb = Map.groupBy(entries, ({ text }) => text.split(' ', 1)[0] ?? text);
  // A text that begins with the name of a platform is a call to it.
  const parts = [...byVerb].map(
    ([verb, { length }]) => `${length} ${verb.endsWith(':') ? `to ${verb.slice(0, -1)}` : verb}`,
  );
  const all = [...new Set(entries.map(({ actor }) => actor))];
  const shown = all.slice(0, mostActors).join(', ');
  const actors = all.length > mostActors ? `${shown} and ${all.length - mostActors} more` : shown;
  const what = parts.length === 1 ? parts.join() : `${counted(entries.length, 'call')} (${parts.join(', ')})`;
  return `… ${what} by ${actors}`;
}
