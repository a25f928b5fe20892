import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { plantBug } from '../bugs/plant.ts';
import { type BugName, scenarioWith } from '../bugs/planted-bugs.ts';
import type {
  PlannedAccount,
  PlannedAction,
  PlannedPost,
  PlannedTarget,
  PlannedWorkspace,
  Scenario,
} from '../scenario/plan.ts';
import type { StoryEntry } from '../story.ts';
import type { Outage } from '../world/faults.ts';
import { type ScenarioSource, UsageError } from './arguments.ts';
import { counted } from './progress.ts';

/** A scenario to run, with the bug to plant first. */
export interface NamedScenario {
  /** `seed 42`, or the path of the file. */
  readonly title: string;
  readonly scenario: Scenario;
  readonly bug?: BugName | undefined;
}

/** The contents of the file of a shrunk failure. */
interface SavedScenario {
  /** The check that failed, as it was reported. */
  readonly violation: string;
  readonly bug?: BugName | undefined;
  readonly scenario: Scenario;
}

/**
 * @param bug replaces the bug that a file names
 * @throws UsageError if the file does not exist or is not a saved scenario
 */
export function openScenario(source: ScenarioSource, bug: BugName | undefined): NamedScenario {
  if ('seed' in source)
    return { title: `seed ${source.seed}`, scenario: scenarioWith(source.seed, bug), bug };
  const saved = readSaved(source.file);
  return { title: source.file, scenario: saved.scenario, bug: bug ?? saved.bug };
}

function readSaved(file: string): SavedScenario {
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedScenario;
    if (saved.scenario.world && saved.scenario.deployment) return saved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new UsageError(`${file} does not exist`);
  }
  throw new UsageError(`${file} is not a scenario that this command has saved`);
}

/** Plants a bug and loads the simulation, and with it the service. To be called once in a process. */
export async function loadSimulation(bug: BugName | undefined): Promise<typeof import('../simulate.ts')> {
  const requireLoaded = plantBug(bug);
  const simulation = await import('../simulate.ts');
  requireLoaded();
  return simulation;
}

/** Returns the path of the file for the shrunk version of a scenario. */
export function shrunkFile(directory: string, title: string): string {
  const name = title
    .replace(/^.*\//, '')
    .replace(/\.json$/, '')
    .replaceAll(' ', '-');
  return join(directory, `${name.replace(/-shrunk$/, '')}-shrunk.json`);
}

/** Saves a scenario for `--replay`. */
export function saveScenario(file: string, saved: SavedScenario): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`);
}

/** Returns the bug's option for the command line; empty without a bug. */
export const bugArgument = (bug: string | undefined) => (bug === undefined ? '' : ` --bug "${bug}"`);

/** The names of the accounts of one workspace, by their index. */
type AccountNames = readonly string[];

/**
 * Describes a scenario: accounts, posts, what clients do, and what goes wrong. Fields without a text of their own are printed
 * as JSON.
 */
export function scenarioLines(scenario: Scenario, names: StoryNames): string[] {
  const { world, workspaces, deployment, ...others } = scenario;
  const {
    seed,
    startMs: _startMs,
    faults,
    faultsEndMs,
    outages = [],
    clockSkewMs = 0,
    rollout,
    ...otherWorld
  } = world;
  const { workers, redelivers, ...otherDeployment } = deployment;
  const accounts = accountNames(workspaces);
  return [
    `random seed of the world: ${seed}`,
    ...workspaces.flatMap((workspace, index) =>
      workspaceLines(workspace, index, accounts[index] ?? [], names),
    ),
    `at most ${workers} workers for each queue`,
    ...(redelivers ? [] : ['the queues repeat no message']),
    ...(clockSkewMs > 0 ? [`the clocks of processes are off by up to ${clockSkewMs} ms`] : []),
    ...(rollout
      ? [`the next release is deployed from ${names.time(rollout.fromMs)} to ${names.time(rollout.untilMs)}`]
      : []),
    Object.keys(faults).length === 0
      ? 'no faults'
      : `faults until ${names.time(faultsEndMs)}: ${ratesText(faults)}`,
    ...outages.map((outage) => outageText(outage, names)),
    ...restText({ ...otherWorld, ...otherDeployment, ...others }, names),
  ];
}

/** The number of things that happen, for a headline. */
export function scenarioSize({ world, workspaces }: Scenario): string {
  const posts = workspaces.flatMap((workspace) => workspace.posts);
  const actions = posts.reduce((sum, post) => sum + post.actions.length, 0);
  return [
    counted(workspaces.flatMap(({ accounts }) => accounts).length, 'account'),
    counted(posts.length, 'post'),
    counted(actions, 'later action'),
    counted(Object.keys(world.faults).length, 'kind of fault', 'kinds of faults'),
    counted(world.outages?.length ?? 0, 'outage'),
  ].join(', ');
}

/** Numbers the accounts of each platform, in the order in which a run connects them. */
function accountNames(workspaces: readonly PlannedWorkspace[]): AccountNames[] {
  const counts = new Map<string, number>();
  return workspaces.map(({ accounts }) =>
    accounts.map(({ platform }) => {
      const count = (counts.get(platform) ?? 0) + 1;
      counts.set(platform, count);
      return `${platform}-${count}`;
    }),
  );
}

function workspaceLines(
  { accounts, hasWebhook, posts, disconnects, comments, messages = [], ...others }: PlannedWorkspace,
  index: number,
  known: AccountNames,
  names: StoryNames,
): string[] {
  const texts = accounts.map((account, number) => accountText(account, known[number] ?? '', names));
  return [
    `workspace-${index + 1}: ${[...texts, ...(hasWebhook ? ['a webhook endpoint'] : [])].join(', ') || 'no accounts'}`,
    ...posts.toSorted((one, other) => one.atMs - other.atMs).flatMap((post) => postLines(post, known, names)),
    ...disconnects.map(({ account, atMs, againMs }) => {
      const again = againMs === undefined ? '' : ` and connects it again at ${names.time(againMs)}`;
      return `${names.time(atMs)} somebody disconnects ${known[account]}${again}`;
    }),
    ...comments.map(({ account, name, post, comments: written, ...rest }) => {
      const where = post === undefined ? 'an earlier post' : `"${post}"`;
      const people = `${written.length} comments on ${where} of ${known[account]}`;
      return [`"${name}" answers ${people}`, ...restText(rest, names)].join('; ');
    }),
    ...messages.map(({ account, name, appliesTo, written, ...rest }) => {
      const what = appliesTo === 'story_replies' ? 'replies to stories' : 'messages';
      return [
        `"${name}" answers ${what} (${written.length} written) to ${known[account]}`,
        ...restText(rest, names),
      ].join('; ');
    }),
    ...restText(others, names),
  ];
}

function accountText(
  { platform: _platform, as, rhythm, ...others }: PlannedAccount,
  name: string,
  names: StoryNames,
) {
  const details = [
    ...(as === undefined ? [] : [as]),
    ...(rhythm ? [`a slot every ${counted(rhythm.gapMinutes ?? 0, 'minute')}`] : []),
    ...restText(others, names),
  ];
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}

function postLines(post: PlannedPost, known: AccountNames, names: StoryNames): string[] {
  const { name, atMs, due, targets, chain, actions, text, ...others } = post;
  const when =
    typeof due === 'number'
      ? `due ${names.time(due)}`
      : due === 'now'
        ? 'due now'
        : 'due in the next free slot';
  const parts = [
    `for ${targetsText(targets, known, names)}`,
    when,
    ...(text === undefined ? [] : [`with the text of "${text}"`]),
    ...chain.map(
      ({ kind, account, afterMinutes }) =>
        `${kind} on ${known[account]} ${counted(afterMinutes, 'minute')} later`,
    ),
    ...restText(others, names),
  ];
  return [
    `${names.time(atMs)} a client creates "${name}" ${parts.join('; ')}`,
    ...actions.map((action) => actionText(action, known, names)),
  ];
}

function targetsText(targets: readonly PlannedTarget[], known: AccountNames, names: StoryNames): string {
  const texts = targets.map(({ account, hasOwnText, dueMs, ...others }) => {
    const details = [
      ...(hasOwnText ? ['own text'] : []),
      ...(dueMs === undefined ? [] : [`due ${names.time(dueMs)}`]),
      ...restText(others, names),
    ];
    return details.length === 0 ? `${known[account]}` : `${known[account]} (${details.join(', ')})`;
  });
  return texts.join(', ') || 'no account';
}

function actionText(action: PlannedAction, known: AccountNames, names: StoryNames): string {
  const start = `  ${names.time(action.atMs)} ${action.kind}`;
  if (action.kind !== 'edit') return start;
  const { dueMs, targets } = action;
  const parts = [
    ...(dueMs === undefined ? [] : [`due ${names.time(dueMs)}`]),
    ...(targets ? [`for ${targetsText(targets, known, names)}`] : []),
  ];
  return parts.length === 0 ? start : `${start}: ${parts.join('; ')}`;
}

function outageText({ of, fromMs, untilMs }: Outage, names: StoryNames): string {
  return `outage of ${of} from ${names.time(fromMs)} to ${names.time(untilMs)}`;
}

const ratesText = (rates: Readonly<Record<string, number>>): string =>
  Object.entries(rates)
    .map(([name, rate]) => `${name} ${Number((100 * rate).toPrecision(2))} %`)
    .join(', ');

/** The members of an object that say something. */
function restText(value: object, names: StoryNames): string[] {
  return Object.entries(value)
    .filter(
      ([, part]) => part !== undefined && JSON.stringify(part) !== '{}' && JSON.stringify(part) !== '[]',
    )
    .map(([name, part]) => `${name} ${names.in(JSON.stringify(part))}`);
}

/** Makes texts of a run short: names for ids, and times relative to the start. */
export interface StoryNames {
  /** The name of a known id: `instagram-1`, `workspace-1`. Other ids are cut. */
  of(id: string): string;
  /** Replaces every id and timestamp in a text. */
  in(text: string): string;
  /** @param atMs epoch milliseconds */
  time(atMs: number): string;
  /** Takes the names that an entry introduces. */
  learn(entry: Pick<StoryEntry, 'names'>): void;
}

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
const isOwn = (id: string): boolean => id.replace(uuid, '') === '';
const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Names for a run that begins at this time. The run's story introduces the ids. */
export function storyNames({ world }: { readonly world: Pick<Scenario['world'], 'startMs'> }): StoryNames {
  const names = new Map<string, string>();
  /** Names of the platforms' ids, which have any form. */
  const foreign = new Map<string, string>();
  // Ids begin with their time, which is nearly the same for all ids of a run.
  const of = (id: string) => names.get(id) ?? `…${id.slice(-6)}`;
  const time = (atMs: number) => relativeTime(atMs - world.startMs);
  return {
    of,
    time,
    in(text) {
      let result = text.replaceAll(uuid, of).replaceAll(timestamp, (moment) => time(Date.parse(moment)));
      for (const [id, name] of foreign) result = result.replaceAll(id, name);
      return result;
    },
    learn({ names: introduced = {} }) {
      for (const [id, name] of Object.entries(introduced)) (isOwn(id) ? names : foreign).set(id, name);
    },
  };
}

/** A time since the start of a run: `+02:13.250`, or `+1:02:13.250` from an hour on. */
export function relativeTime(milliseconds: number): string {
  const size = Math.abs(Math.floor(milliseconds));
  const two = (count: number) => String(count).padStart(2, '0');
  const hours = Math.floor(size / hourMs);
  const minutes = two(Math.floor((size % hourMs) / minuteMs));
  const seconds = two(Math.floor((size % minuteMs) / secondMs));
  const rest = String(size % secondMs).padStart(3, '0');
  return `${milliseconds < 0 ? '-' : '+'}${hours > 0 ? `${hours}:` : ''}${minutes}:${seconds}.${rest}`;
}
