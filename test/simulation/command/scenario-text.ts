import type {
  PlannedAccount,
  PlannedAction,
  PlannedPost,
  PlannedTarget,
  PlannedWorkspace,
} from '../scenario/plan.ts';
import type { Scenario } from '../simulate.ts';
import type { Outage } from '../world/faults.ts';
import { counted } from './progress.ts';
import type { StoryNames } from './story-names.ts';

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
  { accounts, hasWebhook, posts, disconnects, comments, ...others }: PlannedWorkspace,
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
