import type { Account } from '../../lib/accounts/schemas.ts';
import { Vault } from '../../lib/accounts/vault.ts';
import { dayMs } from '../../lib/kernel/clock.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import { memoryDataKeys } from '../support/data-keys.ts';
import { connectAll, drawAccounts } from './accounts.ts';
import { createChecks } from './checks.ts';
import { createClients, type PlannedPost } from './clients.ts';
import { createCommitted } from './committed.ts';
import { type EngineTable, plainTable } from './engine-table.ts';
import { drawFaults, drawOutages, noFaults } from './faults.ts';
import { drawHistory, startMs } from './history.ts';
import { createPlatform, type LedgerEntry, simulatedPlatforms } from './platform.ts';
import { seededRandom } from './random.ts';
import { createService, type PlantedBug } from './service.ts';
import { createWorld, type WorldOptions } from './world.ts';

export interface SimulationPlace {
  readonly engine: EngineTable;
  readonly tableName: string;
}

export interface Scenario {
  readonly world: Omit<WorldOptions, 'trace'>;
  /** The accounts of each workspace. */
  readonly workspaces: readonly (readonly Account[])[];
  readonly posts: readonly PlannedPost[];
}

export interface SimulationResult {
  /** The first violated check. */
  readonly violation: string | undefined;
  /** How many external calls were made. */
  readonly calls: number;
  /** The call at which a process had the scenario's mishap. */
  readonly mishapAt: string | undefined;
  readonly ledger: readonly LedgerEntry[];
  /** The dead letters of the publish queue. */
  readonly deadLetters: readonly PublishMessage[];
  /** The targets as committed at the end. */
  readonly targets: readonly Target[];
}

export interface RunOptions {
  readonly bug?: PlantedBug;
  readonly trace?: (line: string) => void;
}

/** More events than this are taken for an endless loop. */
const maxEvents = 200_000;

/** What has not ended this long after the last fault never will: transient failures are retried for 6 hours. */
const longestEndMs = 2 * dayMs;

/** Runs a scenario until no event is left, a check is violated, or all work should have ended. */
export async function runScenario(
  { engine, tableName }: SimulationPlace,
  scenario: Scenario,
  { bug, trace }: RunOptions = {},
): Promise<SimulationResult> {
  const world = createWorld({ ...scenario.world, trace });
  const committed = createCommitted();
  const accounts = scenario.workspaces.flat();
  const checks = createChecks(world, committed, (platformAccountId) => {
    const account = accounts.find((known) => known.platformAccountId === platformAccountId);
    if (!account) throw new Error(`the account ${platformAccountId} does not exist`);
    return account;
  });
  const platform = createPlatform(world, checks.onLive);
  const vault = new Vault(memoryDataKeys(), world.now);
  await connectAll(plainTable(engine, tableName), accounts, vault);
  const service = createService({
    world,
    engine,
    tableName,
    committed,
    platform,
    vault,
    ...(bug && { bug }),
  });
  const clients = createClients(world, service, checks);
  for (const post of scenario.posts) world.clockwork.at(post.atMs, () => void clients.run(post));
  try {
    const endMs = scenario.world.faultsEndMs + longestEndMs;
    await world.clockwork.run(maxEvents, () => world.violation() !== undefined || world.now() > endMs);
  } catch (error) {
    world.violate(String(error));
  }
  if (world.violation() === undefined) await checks.checkEnd(plainTable(engine, tableName));
  return {
    violation: world.violation(),
    calls: world.calls(),
    mishapAt: world.mishapAt(),
    ledger: platform.ledger,
    deadLetters: service.publishQueue.deadLetters,
    targets: committed.targets(),
  };
}

/** The scenario of a seed: what clients do, and what goes wrong. */
export function scenarioOf(seed: number): Scenario {
  const random = seededRandom(seed);
  const workspaces = Array.from({ length: random.isTrue(0.25) ? 2 : 1 }, () => {
    const count = random.integer(1, 3);
    const platforms = Array.from({ length: count }, () => random.pick(simulatedPlatforms));
    return drawAccounts(random, platforms, startMs);
  });
  const { posts, faultsEndMs } = drawHistory(random, workspaces);
  const faults = drawFaults(random);
  const outages = faults === noFaults ? [] : drawOutages(random, startMs, faultsEndMs);
  return { world: { seed, startMs, faults, faultsEndMs, outages }, workspaces, posts };
}

/** Runs the scenario of a seed. */
export function runSeed(
  place: SimulationPlace,
  seed: number,
  options?: RunOptions,
): Promise<SimulationResult> {
  return runScenario(place, scenarioOf(seed), options);
}
