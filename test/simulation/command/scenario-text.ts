import type { Scenario } from '../simulate.ts';
import type { Outage } from '../world/faults.ts';
import { counted } from './progress.ts';
import type { StoryNames } from './story-names.ts';

type Post = Scenario['posts'][number];
type Action = Post['actions'][number];

/** Describes a scenario: accounts, posts, what clients do, and what goes wrong. Fields without a text of their own are printed as JSON. */
export function scenarioLines(scenario: Scenario, names: StoryNames): string[] {
  const { world, workspaces, posts, ...others } = scenario;
  const { seed, startMs: _startMs, faults, faultsEndMs, outages = [], ...otherWorld } = world;
  const ends = `until ${names.time(faultsEndMs)}`;
  return [
    `random seed of the world: ${seed}`,
    ...workspaces.map((accounts, index) => {
      const platforms = accounts.map(({ id }) => names.of(id)).join(', ');
      return `workspace-${index + 1}: ${platforms || 'no accounts'}`;
    }),
    ...[...posts].sort((left, right) => left.atMs - right.atMs).flatMap((post) => postLines(post, names)),
    Object.keys(faults).length === 0 ? 'no faults' : `faults ${ends}: ${ratesText(faults)}`,
    ...outages.map((outage) => outageText(outage, names)),
    ...restText(otherWorld, names),
    ...restText(others, names),
  ];
}

/** The number of things that happen, for a headline. */
export function scenarioSize({ world, workspaces, posts }: Scenario): string {
  const actions = posts.reduce((sum, post) => sum + post.actions.length, 0);
  return [
    counted(workspaces.flat().length, 'account'),
    counted(posts.length, 'post'),
    counted(actions, 'later action'),
    counted(Object.keys(world.faults).length, 'kind of fault', 'kinds of faults'),
    counted(world.outages?.length ?? 0, 'outage'),
  ].join(', ');
}

function postLines(post: Post, names: StoryNames): string[] {
  const { platforms, scheduledFor, publishNow, chain, ...others } = post.body as PostBody;
  const when =
    publishNow === true
      ? 'to publish now'
      : scheduledFor === undefined
        ? ''
        : `due ${names.in(String(scheduledFor))}`;
  const parts = [
    platforms && `for ${platforms.map((target) => targetText(target, names)).join(', ')}`,
    when,
    ...(chain ?? []).map((step) => `chain ${plainText(step, names)}`),
    ...restText(others, names),
  ].filter((part) => part !== undefined && part !== '');
  return [
    `${names.time(post.atMs)} a client creates "${post.content}" ${parts.join('; ')}`,
    ...post.actions.map((action) => actionText(action, names)),
  ];
}

interface PostBody {
  readonly platforms?: readonly { readonly accountId: string }[];
  readonly scheduledFor?: unknown;
  readonly publishNow?: unknown;
  readonly chain?: readonly object[];
}

function targetText({ accountId, ...others }: { readonly accountId: string }, names: StoryNames): string {
  const rest = restText(others, names);
  return `${names.of(accountId)}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`;
}

function actionText({ kind, atMs, ...others }: Action, names: StoryNames): string {
  return `  ${names.time(atMs)} ${kind} ${restText(others, names).join(', ')}`.trimEnd();
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
    .map(([name, part]) => `${name} ${plainText(part, names)}`);
}

const plainText = (value: unknown, names: StoryNames): string => names.in(JSON.stringify(value));
