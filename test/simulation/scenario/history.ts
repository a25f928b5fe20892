import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import {
  drawFaults,
  drawFurtherFaults,
  drawOutages,
  drawRenditionFaults,
  noFaults,
} from '../world/faults.ts';
import { type Random, seededRandom } from '../world/random.ts';
import type {
  PlannedAccount,
  PlannedAction,
  PlannedComment,
  PlannedComments,
  PlannedDisconnect,
  PlannedMessage,
  PlannedMessages,
  PlannedPost,
  PlannedStep,
  PlannedTarget,
  PlannedWorkspace,
  Scenario,
} from './plan.ts';

/** The time at which every run begins. */
export const startMs = Date.parse('2026-03-01T12:00:00Z');

/** Clocks of Lambda hosts are kept within a second of each other; twice that is more than was ever reported. */
const clockSkewMs = 2 * secondMs;

const platforms: readonly Platform[] = [
  'facebook',
  'instagram',
  'linkedin',
  'pinterest',
  'threads',
  'tiktok',
  'youtube',
];

/** The scenario of a seed: what customers do, how the service is deployed, and what goes wrong. */
export function scenarioOf(seed: number): Scenario {
  const scenario = withFurther(commonScenarioOf(seed), seededRandom(seed ^ 0xf127));
  const eventful = withEvents(
    withConversions(scenario, seededRandom(seed ^ 0xc1c1)),
    seededRandom(seed ^ 0xfeed),
  );
  return withMessages(withRemovals(eventful, seededRandom(seed ^ 0xde1e)), seededRandom(seed ^ 0xd12e));
}

/** Lets automations answer replies to stories, messages with a keyword, or both. Drawn apart, too. */
function withMessages(scenario: Scenario, random: Random): Scenario {
  const { workspaces, world } = scenario;
  const draw = (account: number, appliesTo: PlannedMessages['appliesTo'], name: string): PlannedMessages => {
    const automationAfterMs = random.between(5 * secondMs, minuteMs);
    const drawMessage = (): PlannedMessage => ({
      ...drawComment(random, automationAfterMs + 15 * minuteMs * random.next() ** 2),
      by: random.pick(['dan', 'eve'] as const),
      isStoryReply: random.isTrue(appliesTo === 'story_replies' ? 0.8 : 0.3),
    });
    const written = Array.from({ length: random.integer(1, 3) }, drawMessage);
    return { account, name, appliesTo, automationAfterMs, isGated: random.isTrue(0.5), written };
  };
  const planned = workspaces.map(({ accounts, sharesAccounts, deletedMs }, index) => {
    const account = accounts.findIndex(({ platform }) => platform === 'instagram');
    const kinds = random.pick([
      [],
      ['story_replies'],
      ['direct_messages'],
      ['story_replies', 'direct_messages'],
    ] as const);
    // The workspace whose accounts are shared knows the people; a workspace that is deleted has no automations.
    if (account < 0 || sharesAccounts || deletedMs !== undefined) return [];
    return kinds.map((kind) => draw(account, kind, `w${index} ${kind}`));
  });
  const moments = planned.flat().flatMap(({ written }) => written.map(({ afterMs }) => startMs + afterMs));
  return {
    ...scenario,
    world: { ...world, faultsEndMs: Math.max(world.faultsEndMs, ...moments) },
    workspaces: workspaces.map((workspace, index) => {
      const messages = planned[index] ?? [];
      return messages.length === 0 ? workspace : { ...workspace, messages };
    }),
  };
}

/** Lets customers take live posts down, mostly soon after they went live, and some of them twice. Drawn apart, too. */
function withRemovals(scenario: Scenario, random: Random): Scenario {
  const actionOf = (post: PlannedPost): PlannedAction => {
    const liveMs = dueMsOf(post);
    const afterMs = random.pick([5 * secondMs, 30 * secondMs, 10 * minuteMs]);
    return { kind: 'unpublish', atMs: Math.floor(liveMs + random.between(0, afterMs)) };
  };
  return {
    ...scenario,
    workspaces: scenario.workspaces.map((workspace) => ({
      ...workspace,
      posts: workspace.posts.map((post) => {
        if (!random.isTrue(0.3)) return post;
        const again = random.isTrue(0.4) ? [actionOf(post)] : [];
        return { ...post, actions: [...post.actions, actionOf(post), ...again] };
      }),
    })),
  };
}

/** Lets customers read their event feeds, and disable their endpoints for a while. Drawn apart, too. */
function withEvents(scenario: Scenario, random: Random): Scenario {
  return {
    ...scenario,
    workspaces: scenario.workspaces.map((workspace) => {
      const fromMs = startMs + random.between(5 * secondMs, 5 * minuteMs);
      const untilMs = fromMs + random.pick([10 * minuteMs, 24 * hourMs]);
      const isOff = random.isTrue(0.3) && workspace.hasWebhook;
      return {
        ...workspace,
        ...(random.isTrue(0.4) && { readsEvents: true }),
        ...(isOff && { endpointOff: { fromMs, untilMs } }),
      };
    }),
  };
}

/** Lets pictures for Instagram be of a type that must be converted. Drawn apart, too. */
function withConversions(scenario: Scenario, random: Random): Scenario {
  const { world, workspaces } = scenario;
  const isPng = ({ accounts }: PlannedWorkspace, { account, file }: PlannedTarget) =>
    accounts[account]?.platform === 'instagram' && file !== 'video.mp4';
  const isPossible = workspaces.some((workspace) =>
    workspace.posts.some(({ targets }) => targets.some((target) => isPng(workspace, target))),
  );
  if (!isPossible || !random.isTrue(0.5)) return scenario;
  return {
    ...scenario,
    world:
      world.faults === noFaults
        ? world
        : { ...world, faults: { ...world.faults, ...drawRenditionFaults(random) } },
    workspaces: workspaces.map((workspace) => ({
      ...workspace,
      posts: workspace.posts.map((post) => ({
        ...post,
        targets: post.targets.map((target) =>
          isPng(workspace, target) ? { ...target, file: 'image.png' as const } : target,
        ),
      })),
    })),
  };
}

/** Adds what only some histories have. It is drawn apart, so that it leaves the rest of a seed as it is. */
function withFurther(scenario: Scenario, random: Random): Scenario {
  const { world, workspaces } = scenario;
  const isCalm = world.faults === noFaults;
  const [first, second] = workspaces;
  const shared = first && second && random.isTrue(0.5) ? [first, sharing(random, first)] : workspaces;
  const hasComments = workspaces.some(({ comments }) => comments.length > 0);
  const lookups = hasComments && random.isTrue(0.3) ? { connectionLost: 0.15, readsLate: 0.3 } : {};
  const all = shared.map((workspace) => withPauses(random, withImports(random, workspace)));
  // A deleted workspace is erased after its grace of 30 days, and files are kept for as long.
  const isLong = random.isTrue(0.04);
  const isDeleted = isLong && random.isTrue(0.5);
  return {
    ...scenario,
    ...(isLong && { days: 35 }),
    world: {
      ...world,
      faults: isCalm ? noFaults : { ...world.faults, ...lookups, ...drawFurtherFaults(random) },
    },
    workspaces: (isDeleted ? withDeletion(random, all) : all).map((each) => withSameTexts(random, each)),
  };
}

/** Lets the same people comment at the same time on a second post, whose automation sends the same texts. */
function withSameTexts(random: Random, workspace: PlannedWorkspace): PlannedWorkspace {
  const [first] = workspace.comments;
  if (!first?.writes || first.isGated || first.post !== undefined || !random.isTrue(0.6)) return workspace;
  const comments = first.comments.map((comment) => ({
    ...comment,
    afterMs: Math.floor(comment.afterMs + random.between(0, 2 * secondMs)),
  }));
  const again = { ...first, name: `${first.name} again`, texts: first.name, comments };
  return { ...workspace, comments: [first, again] };
}

/** Lets operators delete the last workspace, which has no automations. */
function withDeletion(random: Random, workspaces: readonly PlannedWorkspace[]): PlannedWorkspace[] {
  return workspaces.map((workspace, index) =>
    index < workspaces.length - 1
      ? workspace
      : { ...workspace, comments: [], deletedMs: startMs + random.between(2, 20) * minuteMs },
  );
}

/** Draws a workspace that has connected the accounts of another one. Often it posts the other's text at the other's time, too. */
function sharing(random: Random, { accounts, posts }: PlannedWorkspace): PlannedWorkspace {
  const [first] = posts;
  const own = drawPost(random, accounts, 'w1p0');
  const twin = first && { ...first, name: 'w1p1', text: first.text ?? first.name, actions: [] };
  return {
    accounts,
    sharesAccounts: true,
    hasWebhook: random.isTrue(0.5),
    posts: twin && random.isTrue(0.7) ? [own, twin] : [own],
    disconnects: drawDisconnects(random, accounts),
    comments: [],
  };
}

function withImports(random: Random, workspace: PlannedWorkspace): PlannedWorkspace {
  if (!random.isTrue(0.2)) return workspace;
  const posts = workspace.posts.map((post) => ({
    ...post,
    targets: post.targets.map((target) => ({ ...target, ...(random.isTrue(0.6) && { isImported: true }) })),
  }));
  return { ...workspace, posts };
}

function withPauses(random: Random, workspace: PlannedWorkspace): PlannedWorkspace {
  const [post] = workspace.posts;
  if (!post || !random.isTrue(0.12)) return workspace;
  const atMs = Math.max(startMs, dueMsOf(post) + random.between(-3, 1) * minuteMs);
  const account = random.isTrue(0.6) ? { account: random.integer(0, workspace.accounts.length - 1) } : {};
  const isOfPlatform = random.isTrue(0.4) ? { isOfPlatform: true } : {};
  const endMs = atMs + random.between(0, 30) * minuteMs;
  return { ...workspace, pauses: [{ ...account, ...isOfPlatform, atMs, endMs }] };
}

function commonScenarioOf(seed: number): Scenario {
  const random = seededRandom(seed);
  const workspaces = Array.from({ length: random.isTrue(0.25) ? 2 : 1 }, (_, index) =>
    drawWorkspace(random, index),
  );
  const moments = workspaces.flatMap(({ posts, comments }) => [
    ...posts.flatMap((post) => [dueMsOf(post), ...post.actions.map(({ atMs }) => atMs)]),
    ...comments.flatMap((planned) => {
      const liveMs = dueMsOf(posts.find(({ name }) => name === planned.post));
      return planned.comments.map(({ afterMs }) => liveMs + afterMs);
    }),
  ]);
  const faultsEndMs = Math.max(...moments) + random.between(0, 30 * minuteMs);
  const faults = drawFaults(random);
  const isCalm = faults === noFaults;
  return {
    world: {
      seed,
      startMs,
      faults,
      faultsEndMs,
      outages: isCalm ? [] : drawOutages(random, startMs, faultsEndMs),
      clockSkewMs: isCalm ? 0 : clockSkewMs,
      ...(!isCalm && random.isTrue(0.2) && { rollout: drawRollout(random, faultsEndMs) }),
    },
    deployment: isCalm
      ? { workers: 10, redelivers: true }
      : { workers: random.integer(2, 6), redelivers: random.isTrue(0.5) },
    workspaces,
  };
}

/** Returns the due time of a post; the start of the run without a post. */
function dueMsOf(post: PlannedPost | undefined): number {
  return typeof post?.due === 'number' ? post.due : (post?.atMs ?? startMs);
}

/** A deployment takes minutes. */
function drawRollout(random: Random, faultsEndMs: number) {
  const fromMs = random.between(startMs, faultsEndMs);
  return { fromMs, untilMs: fromMs + random.between(0, 10 * minuteMs) };
}

function drawWorkspace(random: Random, index: number): PlannedWorkspace {
  const accounts = drawAccounts(random);
  const posts = Array.from({ length: random.integer(1, 2) }, (_, number) =>
    drawPost(random, accounts, `w${index}p${number}`),
  );
  // Customers do post the same text twice, for example by a mistake in their own retries.
  const [first, second] = posts;
  const isTwin = first && second && random.isTrue(0.15);
  return {
    accounts,
    hasWebhook: random.isTrue(0.5),
    posts: isTwin ? [first, { ...second, text: first.name }] : posts,
    disconnects: drawDisconnects(random, accounts),
    comments: drawComments(random, accounts, posts, `w${index} comments`),
  };
}

/** Accounts of different platforms, in random order. */
function drawAccounts(random: Random): PlannedAccount[] {
  const left = [...platforms];
  return Array.from({ length: random.integer(1, 3) }, () => {
    const platform = random.pick(left);
    left.splice(left.indexOf(platform), 1);
    const gapMinutes = random.integer(1, 30);
    const isRhythmic = random.isTrue(0.3);
    return {
      platform,
      ...(platform === 'linkedin' && { as: random.pick(['member', 'organization'] as const) }),
      settings: drawSettings(random, platform),
      ...(isRhythmic && {
        rhythm: {
          gapMinutes,
          dailyCap: 100,
          dayWindow: { from: '00:00', to: '00:00' },
          collisionBufferMinutes: 1,
        },
      }),
    };
  });
}

function drawPost(random: Random, accounts: readonly PlannedAccount[], name: string): PlannedPost {
  const atMs = startMs + random.between(5 * secondMs, minuteMs);
  const aheadMs = random.isTrue(0.3) ? random.between(0, 30 * hourMs) : random.between(0, 12 * minuteMs);
  const dueMs = Math.floor(atMs + aheadMs);
  const due = random.isTrue(0.15) ? 'now' : random.isTrue(0.1) ? 'auto' : dueMs;
  const nearMs = due === dueMs ? dueMs : atMs;
  const targets = drawTargets(random, accounts, due === dueMs ? dueMs : undefined);
  return {
    name,
    atMs,
    due,
    targets,
    chain: random.isTrue(0.3) ? [drawStep(random, accounts, targets)] : [],
    actions: drawActions(random, accounts, atMs, nearMs),
  };
}

function drawTargets(random: Random, accounts: readonly PlannedAccount[], dueMs?: number): PlannedTarget[] {
  const chosen = accounts.map((_, account) => account).filter(() => random.isTrue(0.6));
  return (chosen.length > 0 ? chosen : [0]).map((account) => ({
    account,
    ...drawFile(random),
    ...(random.isTrue(0.15) && { hasOwnText: true }),
    ...(random.isTrue(0.2) && { hasFirstComment: true }),
    ...(dueMs !== undefined &&
      random.isTrue(0.15) && { dueMs: Math.floor(dueMs + random.between(0, 10 * minuteMs)) }),
  }));
}

function drawFile(random: Random): Pick<PlannedTarget, 'file'> {
  return random.pick([{}, { file: 'image.jpg' }, { file: 'video.mp4' }] as const);
}

/** The settings of each simulator that differ between runs: how long it works, in seconds, and what is undocumented. */
const variable: Readonly<
  Record<Platform, { readonly seconds: readonly string[]; readonly flags: readonly string[] }>
> = {
  facebook: { seconds: ['videoProcessingSeconds'], flags: ['duplicateCheck'] },
  instagram: {
    seconds: ['imageProcessingSeconds', 'videoProcessingSeconds'],
    flags: ['firstReadMissing', 'publishesAgain'],
  },
  linkedin: { seconds: ['imageProcessingSeconds'], flags: [] },
  pinterest: { seconds: ['videoProcessingSeconds'], flags: [] },
  threads: {
    seconds: ['processingSeconds', 'videoProcessingSeconds'],
    flags: ['publishesAgain'],
  },
  tiktok: { seconds: ['processingSeconds', 'postIdDelaySeconds'], flags: [] },
  youtube: { seconds: ['processingSeconds', 'completionSeconds'], flags: [] },
};

function drawSettings(random: Random, platform: Platform): Record<string, boolean | number> {
  const { seconds, flags } = variable[platform];
  const draw = <Value>(names: readonly string[], chance: number, value: () => Value) =>
    names.filter(() => random.isTrue(chance)).map((name) => [name, value()] as const);
  return Object.fromEntries([
    ...draw(seconds, 0.3, () => random.integer(0, 60)),
    ...draw(flags, 0.3, () => random.isTrue(0.5)),
    ...draw(['changesTexts'], 0.3, () => true),
    ...draw(['otherPosts'], 0.2, () => random.integer(1, 40)),
  ]);
}

function drawStep(
  random: Random,
  accounts: readonly PlannedAccount[],
  targets: readonly PlannedTarget[],
): PlannedStep {
  const kind = random.pick(['followUp', 'crossPost'] as const);
  const account = random.integer(0, accounts.length - 1);
  // A crossPost to a destination of the post would be refused.
  const isRepeat = targets.some((target) => target.account === account);
  return { kind: isRepeat ? 'followUp' : kind, account, afterMinutes: random.integer(0, 20) };
}

/** Draws actions, most of them near the due time, when races are likely. */
function drawActions(
  random: Random,
  accounts: readonly PlannedAccount[],
  atMs: number,
  dueMs: number,
): PlannedAction[] {
  const near = () =>
    Math.max(atMs, dueMs + random.between(-5, 5) * secondMs - random.between(0, 1) ** 4 * 6 * minuteMs);
  const actions: PlannedAction[] = [];
  if (random.isTrue(0.35)) {
    const movesTo = random.isTrue(0.4)
      ? { dueMs: Math.floor(dueMs + random.between(-60, 240) * secondMs) }
      : {};
    const targets = random.isTrue(0.2) ? { targets: drawTargets(random, accounts) } : {};
    actions.push({ kind: 'edit', atMs: near(), ...movesTo, ...targets });
  }
  if (random.isTrue(0.15)) actions.push({ kind: 'edit', atMs: near() });
  if (random.isTrue(0.2)) actions.push({ kind: 'delete', atMs: near() });
  if (random.isTrue(0.3)) actions.push({ kind: 'retry', atMs: dueMs + random.between(0, 10) * minuteMs });
  if (random.isTrue(0.1)) actions.push({ kind: 'retry', atMs: dueMs + random.between(0, 300) * minuteMs });
  return actions;
}

function drawDisconnects(random: Random, accounts: readonly PlannedAccount[]): PlannedDisconnect[] {
  if (!random.isTrue(0.1)) return [];
  const atMs = startMs + random.between(minuteMs, 15 * minuteMs);
  const againMs = atMs + random.between(secondMs, 10 * minuteMs);
  return [{ account: random.integer(0, accounts.length - 1), atMs, ...(random.isTrue(0.6) && { againMs }) }];
}

/** Draws an automation of a post that was made before the run, or of one that goes live during the run. */
function drawComments(
  random: Random,
  accounts: readonly PlannedAccount[],
  posts: readonly PlannedPost[],
  name: string,
): PlannedComments[] {
  const account = accounts.findIndex(({ platform }) => platform === 'instagram');
  if (account < 0 || !random.isTrue(0.7)) return [];
  const own = posts.filter(({ targets }) => targets.some((target) => target.account === account));
  const isOfPost = own.length > 0 && random.isTrue(0.5);
  const automationAfterMs = random.between(isOfPost ? 0 : 5 * secondMs, minuteMs);
  const writes = random.isTrue(0.7);
  return [
    {
      account,
      name,
      ...(isOfPost && { post: random.pick(own).name }),
      automationAfterMs,
      replies: !writes || random.isTrue(0.6),
      writes,
      isGated: writes && random.isTrue(0.5),
      buttons: random.isTrue(0.7) ? 'everywhere' : random.pick(['messages only', 'refused'] as const),
      comments: Array.from({ length: random.integer(1, 4) }, () =>
        drawComment(random, automationAfterMs + 15 * minuteMs * random.next() ** 2),
      ),
    },
  ];
}

function drawComment(random: Random, afterMs: number): PlannedComment {
  return {
    afterMs: Math.floor(afterMs),
    by: random.pick(['ann', 'bob', 'cem'] as const),
    isMatching: random.isTrue(0.8),
    ...(random.isTrue(0.8) && { answers: random.pick(['taps', 'taps', 'taps twice', 'writes'] as const) }),
  };
}
