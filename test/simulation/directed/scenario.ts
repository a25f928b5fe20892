import { minuteMs } from '../../../lib/kernel/clock.ts';
import { startMs } from '../scenario/history.ts';
import type { PlannedAccount, PlannedPost, PlannedWorkspace, Scenario } from '../scenario/plan.ts';
import type { Deployment } from '../service.ts';
import { noFaults } from '../world/faults.ts';
import type { WorldOptions } from '../world/world.ts';

/** Three platforms with different rules for a call that leaves no trace, in the order of the workspace's accounts. */
export const accounts = [
  // Its containers have a status, which may lag.
  { platform: 'instagram' },
  // An upload session makes one video at most, so the call can be repeated.
  { platform: 'youtube' },
  // Only its list can show a post.
  { platform: 'linkedin', as: 'organization' },
] as const satisfies readonly PlannedAccount[];

export interface DirectedScenario {
  readonly posts: readonly PlannedPost[];
  readonly world?: Partial<WorldOptions>;
  readonly deployment?: Partial<Deployment>;
  readonly workspace?: Partial<PlannedWorkspace>;
}

/** A scenario of one workspace in which nothing goes wrong, except for what `world` says. */
export function directedScenario({
  posts,
  world = {},
  deployment = {},
  workspace = {},
}: DirectedScenario): Scenario {
  const dueTimes = posts.map(({ due, atMs }) => (typeof due === 'number' ? due : atMs));
  return {
    world: {
      seed: 1,
      startMs,
      faults: noFaults,
      faultsEndMs: Math.max(...dueTimes) + 60 * minuteMs,
      ...world,
    },
    deployment: { workers: 4, redelivers: true, ...deployment },
    workspaces: [{ accounts, hasWebhook: false, posts, disconnects: [], comments: [], ...workspace }],
  };
}

/** A post to every account, which is created at the start of the run. */
export const postToAll = (name: string, dueMs: number): PlannedPost => ({
  name,
  atMs: startMs,
  due: dueMs,
  targets: accounts.map((_, account) => ({ account })),
  chain: [],
  actions: [],
});
