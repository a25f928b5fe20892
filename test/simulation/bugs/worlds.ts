import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { PlannedComments, PlannedPost, PlannedWorkspace, Scenario } from '../scenario/plan.ts';
import type { Faults, Outage } from '../world/faults.ts';

/** Narrows the scenario of a seed to what a bug needs, so that few seeds are enough to find it. */
export type Narrow = (drawn: Scenario) => Scenario;

/** Only these faults happen, and operators do nothing. */
export const onlyFaults =
  (faults: Faults): Narrow =>
  (drawn) => {
    const { days: _, ...usual } = drawn;
    const { seed, startMs, faultsEndMs } = drawn.world;
    const workspaces = drawn.workspaces.map(({ deletedMs: _never, ...kept }) => ({ ...kept, pauses: [] }));
    return { ...usual, workspaces, world: { seed, startMs, faultsEndMs, faults } };
  };

/** Only one part of the world fails, for some minutes from the start. */
export const onlyOutage =
  (of: Outage['of'], minutes: number): Narrow =>
  (drawn) => {
    const { world, ...rest } = onlyFaults({})(drawn);
    const fromMs = world.startMs + 20 * secondMs;
    return { ...rest, world: { ...world, outages: [{ of, fromMs, untilMs: fromMs + minutes * minuteMs }] } };
  };

/** Changes each workspace's first post. */
export const withPosts =
  (posts: (first: PlannedPost) => readonly PlannedPost[]): Narrow =>
  (drawn) => ({
    ...drawn,
    workspaces: drawn.workspaces.map((workspace): PlannedWorkspace => {
      const [first] = workspace.posts;
      return first ? { ...workspace, posts: posts(first), disconnects: [], comments: [] } : workspace;
    }),
  });

/** All accounts are on one platform: one per workspace. */
export const onPlatform =
  (platform: Platform): Narrow =>
  (drawn) => ({
    ...drawn,
    workspaces: drawn.workspaces.map((workspace) => ({
      ...workspace,
      accounts: [{ platform }],
      posts: workspace.posts.map((post) => ({ ...post, targets: [{ account: 0 }], chain: [], actions: [] })),
      disconnects: [],
      comments: [],
      messages: [],
    })),
  });

/** Each customer has one post, which is a thread of four parts, and asks for another try of what has failed. */
export const withThread: Narrow = (drawn) => {
  const onThreads = both(
    onPlatform('threads'),
    withPosts((first) => {
      const due = Math.floor(first.atMs + 2 * minuteMs);
      const retries = [30, 300].map((minutes) => ({
        kind: 'retry' as const,
        atMs: due + minutes * minuteMs,
      }));
      return [{ ...first, due, targets: [{ account: 0, furtherParts: 3 }], chain: [], actions: retries }];
    }),
  );
  return onThreads(drawn);
};

/** Applies one after the other. */
export const both =
  (one: Narrow, other: Narrow): Narrow =>
  (drawn) =>
    other(one(drawn));

/** A customer publishes the same text twice. */
export const twins = withPosts((first) => {
  const post = { ...first, chain: [], actions: [] };
  return [post, { ...post, name: `${first.name} again`, text: first.name, atMs: first.atMs + secondMs }];
});

/** A post that is due in two hours, and several that are due some seconds after their requests. */
export const distantAndNear = withPosts((first) => {
  const plain = { ...first, targets: [{ account: 0 }], chain: [], actions: [] };
  const near = Array.from({ length: 5 }, (_, index) => {
    const atMs = first.atMs + (31 + 20 * index) * secondMs;
    return { ...plain, name: `${first.name} soon ${index}`, atMs, due: Math.floor(atMs + 12 * secondMs) };
  });
  const atMs = first.atMs + 30 * secondMs;
  return [{ ...plain, atMs, due: Math.floor(atMs + 120 * minuteMs) }, ...near];
});

/** Posts that are due three seconds apart. */
export const everyThreeSeconds = withPosts((first) =>
  Array.from({ length: 10 }, (_, index) => ({
    ...first,
    name: `${first.name} ${index}`,
    due: Math.floor(first.atMs + (60 + 3 * index) * secondMs),
    targets: [{ account: 0 }],
    chain: [],
    actions: [],
  })),
);

/** A customer edits a post several times, some seconds after it is due, or before if they are negative. */
export const withEdits = (...secondsAfterDue: readonly number[]): Narrow =>
  withPosts((first) => {
    const due = Math.floor(first.atMs + 2 * minuteMs);
    const actions = secondsAfterDue.map((seconds) => ({
      kind: 'edit' as const,
      atMs: due + seconds * secondMs,
    }));
    return [{ ...first, due, targets: [{ account: 0 }], chain: [], actions }];
  });

/** Each customer has one post, which is due in two minutes. */
export const dueSoon = withEdits();

/** A customer deletes a post some minutes before it is due, when its file is on its platform already. */
export const deletedBeforeDue = withPosts((first) => {
  const due = Math.floor(first.atMs + 20 * minuteMs);
  const actions = [{ kind: 'delete' as const, atMs: first.atMs + 8 * minuteMs }];
  return [{ ...first, due, targets: [{ account: 0 }], chain: [], actions }];
});

/** People only comment on posts of one account on Instagram, for as long as things go wrong. */
const withComments =
  (...comments: readonly PlannedComments[]): Narrow =>
  ({ world, deployment }) => ({
    world: { ...world, faultsEndMs: world.startMs + hourMs },
    deployment,
    workspaces: [
      { accounts: [{ platform: 'instagram' }], hasWebhook: false, posts: [], disconnects: [], comments },
    ],
  });

const people = ['ann', 'bob', 'cem'] as const;
const automation = {
  ...{ account: 0, name: 'first', automationAfterMs: 0, buttons: 'everywhere' },
  ...{ replies: false, writes: true, isGated: false },
  // By then, the requests that create the automations have been repeated until they succeed.
  comments: people.map((by) => ({ by, afterMs: 40 * minuteMs, isMatching: true })),
} as const satisfies PlannedComments;

/** Four automations send the same people the same text at the same time. */
export const withSameTexts = withComments(
  automation,
  ...['second', 'third', 'fourth'].map((name) => ({ ...automation, name, texts: automation.name })),
);

/** People who do not follow the account answer its questions in words, because its messages may have no buttons. */
export const withAnswers = withComments({
  ...automation,
  ...{ isGated: true, buttons: 'refused' },
  comments: [{ by: 'bob', afterMs: minuteMs, isMatching: true, answers: 'writes' }],
});

/** Each customer has one post with a follow-up. */
export const withChain = withPosts((first) => [
  {
    ...first,
    due: Math.floor(first.atMs + 2 * minuteMs),
    targets: [{ account: 0 }],
    chain: [{ kind: 'followUp', account: 0, afterMinutes: 1 }],
    actions: [],
  },
]);

/** Each customer has one post with a picture that must be converted for Instagram, due in so many minutes. */
export const withConversion = (dueMinutes: number, isImported = false): Narrow =>
  both(
    onPlatform('instagram'),
    withPosts((first) => [
      {
        ...first,
        due: Math.floor(first.atMs + dueMinutes * minuteMs),
        targets: [{ account: 0, file: 'image.png', ...(isImported && { isImported }) }],
        chain: [],
        actions: [],
      },
    ]),
  );

/** The run goes on until files are removed after their last publication. */
export const forWeeks: Narrow = (drawn) => ({ ...drawn, days: 35 });
