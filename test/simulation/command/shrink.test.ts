import { describe, expect, it } from 'vitest';
import { scenarioOf } from '../scenario/history.ts';
import type { PlannedPost, Scenario } from '../scenario/plan.ts';
import { maskedViolation, reductions, shrink, type VersionResult } from './shrink.ts';

/** A scenario with much to remove. */
const large = (() => {
  for (let seed = 1; ; seed += 1) {
    const scenario = scenarioOf(seed);
    const { workspaces, world } = scenario;
    const posts = postsOf(scenario);
    const actions = posts.flatMap((post) => post.actions);
    if (
      workspaces.length === 2 &&
      workspaces.every(({ accounts }) => accounts.length > 1) &&
      actions.length > 4 &&
      Object.keys(world.faults).length > 8 &&
      posts.length > 3
    )
      return scenario;
  }
})();
const [wantedPost] = postsOf(large).filter(({ actions }) => actions.length > 1);
const wantedFault = Object.keys(large.world.faults)[3] ?? '';

function postsOf({ workspaces }: Scenario): readonly PlannedPost[] {
  return workspaces.flatMap(({ posts }) => posts);
}

const size = (scenario: Scenario) => JSON.stringify(scenario).length;

/** Fails if one post with a target and an action, one kind of fault, and perhaps one random seed are there. */
function runOf(isSeed: (seed: number) => boolean = () => true) {
  return async (scenario: Scenario): Promise<VersionResult> => {
    for (const { accounts, posts } of scenario.workspaces) {
      const targets = posts.flatMap((post) => post.targets);
      if (targets.some(({ account }) => !accounts[account])) throw new Error('an account is missing');
    }
    const post = postsOf(scenario).find(({ name }) => name === wantedPost?.name);
    const isFailing =
      post !== undefined &&
      post.targets.length > 0 &&
      post.actions.length > 0 &&
      wantedFault in scenario.world.faults &&
      isSeed(scenario.world.seed);
    return { violation: isFailing ? `target ${size(scenario)} went live twice` : undefined, calls: 9 };
  };
}
const failure: VersionResult = { violation: 'target 1 went live twice', calls: 9 };

describe('shrinking', () => {
  it('leaves only what the failure needs', async () => {
    const { scenario, violation, isMinimal } = await shrink(large, failure, runOf(), { maxRuns: 2_000 });
    const [workspace] = scenario.workspaces;
    expect(scenario.workspaces).toHaveLength(1);
    expect(workspace).toMatchObject({ hasWebhook: false, disconnects: [], comments: [] });
    expect(workspace?.accounts).toEqual([{ platform: expect.any(String) }]);
    expect(workspace?.posts).toMatchObject([
      { name: wantedPost?.name, targets: [{ account: 0 }], chain: [], actions: [expect.anything()] },
    ]);
    expect(Object.keys(scenario.world.faults)).toEqual([wantedFault]);
    expect(scenario.world.outages ?? []).toEqual([]);
    expect(violation).toMatch(/^target \d+ went live twice$/);
    expect(isMinimal).toBe(true);
  });

  it('tries other random seeds, because a smaller world draws other numbers', async () => {
    const isRare = (seed: number) => seed % 3 === large.world.seed % 3;
    const isOnlyNext = (scenario: Scenario) => (postsOf(scenario).length === postsOf(large).length ? 0 : 1);
    const run = async (scenario: Scenario) => runOf((seed) => isRare(seed + isOnlyNext(scenario)))(scenario);
    const { scenario } = await shrink(large, failure, run, { maxRuns: 4_000 });
    expect(postsOf(scenario)).toHaveLength(1);
    expect(scenario.world.seed).not.toBe(large.world.seed);
  });

  it('removes an account with everything that refers to it', async () => {
    const accounts = [{ platform: 'facebook' }, { platform: 'youtube' }, { platform: 'threads' }] as const;
    const plannedComments = {
      automationAfterMs: 1,
      replies: true,
      writes: true,
      isGated: false,
      buttons: 'everywhere',
      comments: [],
    } as const;
    const comments = [
      { ...plannedComments, account: 0, name: 'first' },
      { ...plannedComments, account: 2, name: 'last' },
    ];
    const targets = [{ account: 0 }, { account: 2 }];
    const post = { name: 'post', atMs: 1, due: 2, targets, chain: [], actions: [] };
    const [version] =
      reductions['drop accounts']?.({
        ...large,
        workspaces: [{ accounts, hasWebhook: false, posts: [post], disconnects: [], comments }],
      }) ?? [];
    expect(version?.workspaces[0]).toMatchObject({
      accounts: [{ platform: 'youtube' }, { platform: 'threads' }],
      posts: [{ targets: [{ account: 1 }] }],
      comments: [{ account: 1, name: 'last' }],
    });
  });

  it('removes items of lists and rates that it does not know', async () => {
    const more = { ...large, quotas: [1, 2, 3], weather: { storm: 0.5, hail: 0.25 } };
    const run = async (scenario: Scenario): Promise<VersionResult> => {
      const { quotas, weather } = scenario as typeof more;
      return { violation: quotas.includes(2) && 'hail' in weather ? failure.violation : undefined, calls: 1 };
    };
    const { scenario } = await shrink(more, { ...failure, calls: 1 }, run, { maxRuns: 2_000 });
    const { quotas, weather } = scenario as typeof more;
    expect(quotas).toEqual([2]);
    expect(Object.keys(weather)).toEqual(['hail']);
  });

  it('refuses a version that fails in another way, or with a much longer story', async () => {
    const otherwise = async () => ({ violation: 'target 1 was lost', calls: 9 });
    const longer = async () => ({ ...failure, calls: 90 });
    for (const run of [otherwise, longer])
      expect((await shrink(large, failure, run, { maxRuns: 50 })).scenario).toBe(large);
  });

  it('ends after the given number of runs with the smallest version so far', async () => {
    let runs = 0;
    const run = (scenario: Scenario) => {
      runs += 1;
      return runOf()(scenario);
    };
    const shrunk = await shrink(large, failure, run, { maxRuns: 12 });
    expect(runs).toBe(12);
    expect(shrunk).toMatchObject({ runs: 12, isMinimal: false });
    expect(size(shrunk.scenario)).toBeLessThan(size(large));
  });

  it('tells of each smaller version at once, so that an interruption loses none', async () => {
    const told: Scenario[] = [];
    const { scenario } = await shrink(large, failure, runOf(), {
      maxRuns: 100,
      onRun: (_runs, smallest) => expect(smallest).toBe(told.at(-1)),
      onBest: (best) => told.push(best.scenario),
    });
    expect(told[0]).toBe(large);
    expect(told.length).toBeGreaterThan(2);
    expect(told.at(-1)).toBe(scenario);
  });
});

it('violations of one check are the same without their ids, numbers, texts and stacks', () => {
  const masked = maskedViolation(
    'POST#019ca945-0a00-70ff-88b9-48081d2f4a3f went live as "a" 12 ms early\n    at file.ts:3',
  );
  expect(masked).toBe('POST#ID went live as TEXT N ms early');
});
