import { dayMs } from '../../lib/kernel/clock.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import { memoryDataKeys } from '../support/data-keys.ts';
import { type Database, tableOf } from '../support/database/database.ts';
import { createMemoryDatabase } from '../support/database/memory.ts';
import { tableDefinition } from '../support/table-definition.ts';
import { tellCommits } from './cloud/commit-story.ts';
import { createCommitted } from './cloud/committed.ts';
import { loadFunctions, loadWebhookRoute } from './cloud/functions.ts';
import { readAsNextRelease } from './cloud/releases.ts';
import { readTarget } from './judge/calls.ts';
import { createJudge } from './judge/judge.ts';
import { createNetwork } from './platforms/network.ts';
import { createPlatforms, type LiveEntry } from './platforms/platforms.ts';
import { createClient } from './scenario/clients.ts';
import { scenarioOf } from './scenario/history.ts';
import type { Scenario } from './scenario/plan.ts';
import { type ReadyWorkspace, setUp, usernameOf } from './scenario/setup.ts';
import { createService, mediaBaseUrl, type PlantedBug } from './service.ts';
import type { Tell } from './story.ts';
import { installVirtualTime } from './world/virtual-time.ts';
import { createWorld, errorText, type NumberedCall } from './world/world.ts';

export interface SimulationResult {
  /** The first violated check. */
  readonly violation: string | undefined;
  /** Number of external calls. */
  readonly calls: number;
  /** The call at which a process had the scenario's mishap. */
  readonly mishapAt: string | undefined;
  /** Time of the mishap, in epoch milliseconds. */
  readonly mishapMs: number | undefined;
  /** Posts that went live at the platforms. */
  readonly ledger: readonly LiveEntry[];
  /** The dead letters of the publish queue. */
  readonly deadLetters: readonly string[];
  /** The targets as committed at the end. */
  readonly targets: readonly Target[];
}

export interface RunOptions {
  readonly bug?: PlantedBug;
  readonly trace?: Tell;
  /** Called when an external call begins. */
  readonly onCall?: (call: NumberedCall) => void;
  /** Replaces the run's own database in memory, as does the next one its table. */
  readonly database?: Database;
  readonly tableName?: string;
}

/** More events than this are taken for an endless loop. */
const maxEvents = 1_000_000;

/** Days after the last fault for all work to end, unless the scenario says more: transient failures are retried for 6 hours. */
const usualDays = 2;

const functions = await loadFunctions();
const webhookRoute = await loadWebhookRoute();

/** Runs a scenario until no event is left, a check is violated, or all work should have ended. */
export async function runScenario(
  scenario: Scenario,
  {
    bug,
    trace,
    onCall,
    database: engine = createMemoryDatabase(),
    tableName = 'simulation',
  }: RunOptions = {},
): Promise<SimulationResult> {
  installVirtualTime();
  const { interruption } = scenario;
  const world = createWorld(scenario.world, {
    tell: trace,
    onCall,
    interruption: interruption && {
      ...interruption,
      happen: async () => clients[0]?.interrupt(interruption.act),
    },
  });
  const committed = createCommitted();
  if (trace) tellCommits(committed, world.now, trace);
  const ledger: LiveEntry[] = [];
  const dataKeys = memoryDataKeys();
  const platforms = createPlatforms({
    world,
    seed: scenario.world.seed,
    usernames: usernamesOf(scenario),
    fetch: (input) => fetchFile(String(input)),
    sendWebhook: (url, init) => service.serveWebhook(url, init),
    onLive: (entry) => {
      ledger.push(entry);
      judge.onLive(entry);
      for (const client of clients) client.onLive(entry);
    },
  });
  const service = createService({
    world,
    engine,
    tableName,
    committed,
    dataKeys,
    functions,
    webhookRoute,
    networkTo: createNetwork({
      world,
      platforms,
      onLastCall: (process, platform) => judge.onLastCall(process, platform),
    }),
    deployment: scenario.deployment,
    bug,
  });
  const judge = createJudge({ world, committed, service, platforms });

  async function fetchFile(address: string): Promise<Response> {
    const url = new URL(address);
    if (world.outageOf('files')) return new Response('the media host does not answer', { status: 503 });
    const file = address.startsWith(mediaBaseUrl)
      ? service.bucket.read(decodeURIComponent(url.pathname.slice(1)))
      : undefined;
    if (!file) return new Response('not found', { status: 404 });
    if (file.contentType === 'image/png') judge.onOriginalFetched(address);
    return new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.contentType } });
  }

  const clients: ReturnType<typeof createClient>[] = [];
  const fail = (error: unknown) => world.violate(errorText(error));
  const ports = { world, service, platforms, dataKeys };
  async function begin(): Promise<void> {
    const ready: ReadyWorkspace[] = [];
    await world.invokeQuietly('setup', async () => {
      for (const [index, plan] of scenario.workspaces.entries()) ready.push(await setUp(ports, plan, index));
    });
    for (const workspace of ready) {
      judge.addWorkspace(workspace);
      const client = createClient(ports, judge, workspace);
      clients.push(client);
      world.clockwork.after(0, () => client.begin());
    }
  }
  world.clockwork.at(scenario.world.startMs, () => void begin().catch(fail));
  await engine.request('CreateTable', { ...tableDefinition(tableName) });
  try {
    const endMs = scenario.world.faultsEndMs + (scenario.days ?? usualDays) * dayMs;
    await world.clockwork.run(maxEvents, () => world.violation() !== undefined || world.now() > endMs);
    if (world.violation() === undefined) await judge.checkEnd(tableOf(readAsNextRelease(engine), tableName));
  } catch (error) {
    fail(error);
  } finally {
    await platforms.stop();
    await engine.request('DeleteTable', { TableName: tableName });
  }
  return {
    violation: world.violation(),
    calls: world.calls(),
    mishapAt: world.mishapAt(),
    mishapMs: world.mishapMs(),
    ledger,
    deadLetters: [...service.queues.publish.deadLetters, ...service.queues.upload.deadLetters],
    targets: committed.ofKind('target').map(readTarget),
  };
}

/** The users that each platform has in a scenario: the first workspace's user, the second one's, or both. */
function usernamesOf({ workspaces }: Scenario): Partial<Record<Platform, string[]>> {
  const users: Partial<Record<Platform, string[]>> = {};
  for (const [index, workspace] of workspaces.entries()) {
    for (const { platform } of workspace.accounts)
      users[platform] = [...new Set([...(users[platform] ?? []), usernameOf(workspace, index)])];
  }
  return users;
}

/** Runs the scenario of a seed. */
export function runSeed(seed: number, options?: RunOptions): Promise<SimulationResult> {
  return runScenario(scenarioOf(seed), options);
}

export { scenarioOf } from './scenario/history.ts';
export type { Scenario } from './scenario/plan.ts';
