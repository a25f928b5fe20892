import type { Account } from '../../lib/accounts/schemas.ts';
import { markAccount } from '../../lib/accounts/store.ts';
import { AccountTokens } from '../../lib/accounts/tokens/access-tokens.ts';
import type { Vault } from '../../lib/accounts/vault.ts';
import { minuteMs, secondMs, toTimestamp } from '../../lib/kernel/clock.ts';
import type { PlatformAdapter } from '../../lib/platforms/contract/adapter.ts';
import type { PlatformAuthorization } from '../../lib/platforms/contract/authorization.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import type { PlatformRules } from '../../lib/platforms/contract/rules.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';
import type { ChainMessage } from '../../lib/posts/chain/schemas.ts';
import { runChain } from '../../lib/posts/run-chain.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../lib/publishing/ports.ts';
import { publishTarget } from '../../lib/publishing/publish.ts';
import { type RelayPorts, relayChange } from '../../lib/publishing/relay/relay.ts';
import { type SweepPorts, sweepOverdue } from '../../lib/recovery/sweep.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { adapterOf } from './adapters.ts';
import type { Change, Committed } from './committed.ts';
import type { EngineTable, Item } from './engine-table.ts';
import { isInjected } from './faults.ts';
import { leadSecondsOf, type SimulatedPlatform, simulatedPlatforms } from './platform.ts';
import { createQueue } from './queue.ts';
import { createSchedules } from './schedules.ts';
import { createStream, type StreamRecord } from './stream.ts';
import { type AlterRequest, tableOf } from './table.ts';
import { describe, type Process, type World } from './world.ts';

/** A planted bug: it replaces a function or a port. */
export interface PlantedBug {
  readonly alterRequest?: AlterRequest;
  readonly alterAdapter?: (adapter: PlatformAdapter) => PlatformAdapter;
  readonly runChain?: typeof runChain;
}

export interface ServiceSetting {
  readonly world: World;
  readonly engine: EngineTable;
  readonly tableName: string;
  readonly committed: Committed;
  readonly platform: SimulatedPlatform;
  readonly vault: Vault;
  readonly bug?: PlantedBug;
}

/** The limits of the functions and their event sources. They must equal those of the stacks. */
const publishTimeoutMs = 300 * secondMs;
const relayTimeoutMs = 60 * secondMs;
const sweepTimeoutMs = 55 * secondMs;
const maxReceives = 5;

/** The service without its cloud: the engine's real functions on simulated queues, schedules and streams. */
export function createService(setting: ServiceSetting) {
  const { world, committed, bug } = setting;
  const { now, random } = world;
  const tableFor = (process: Process) => tableOf({ ...setting, alter: bug?.alterRequest }, process);

  const publishQueue = createQueue<PublishMessage>({
    world,
    name: 'publish queue',
    visibilityMs: 6 * publishTimeoutMs,
    maxReceives,
    consume: (message) =>
      world.invoke(
        { name: 'publish', workspaceId: message.workspaceId, timeoutMs: publishTimeoutMs },
        async (process) => {
          await publishTarget(message, publishingPorts(process), now() + publishTimeoutMs);
        },
      ),
  });
  const chainQueue = createQueue<ChainMessage>({
    world,
    name: 'chain queue',
    visibilityMs: 6 * relayTimeoutMs,
    maxReceives,
    consume: (message) =>
      world.invoke(
        { name: 'chain', workspaceId: message.workspaceId, timeoutMs: relayTimeoutMs },
        async (process) => {
          const ports = { table: tableFor(process), now, chance: random.next, rulesFor };
          await (bug?.runChain ?? runChain)(ports, message);
        },
      ),
  });
  const schedules = createSchedules(world, (message) => publishQueue.add(message, 0));
  const stream = createStream(world, relay);
  committed.listen((change) => {
    if (change.kind === 'target') stream.append(change);
    planSweep(change);
  });

  function publishingPorts(process: Process): PublishingPorts {
    const table = tableFor(process);
    const tokens = new AccountTokens({
      table,
      vault: setting.vault,
      now,
      sleep: (milliseconds) => world.sleep(process, milliseconds),
      uniqueId: world.newId,
      authorizationFor: () => authorizationOf(process),
      toolsFor: unusedTools,
    });
    return {
      table,
      now,
      sleep: (milliseconds) => world.sleep(process, milliseconds),
      every: (milliseconds, task) => world.every(process, milliseconds, task),
      chance: random.next,
      uniqueId: world.newId,
      adapterFor: (name) => {
        const adapter = adapterOf(setting.platform, simulated(name), process);
        return bug?.alterAdapter?.(adapter) ?? adapter;
      },
      rulesFor: () => undefined,
      toolsFor: unusedTools,
      accessToken: (account, item) => tokens.accessToken(account, item),
      renewToken: (account, item) => tokens.renewToken(account, item),
      mediaSource: () => {
        throw new Error('the simulated posts have no files');
      },
      enqueue: (message, delaySeconds) => publishQueue.sendFrom(process, message, delaySeconds),
      sendToDeadLetters: (message) => publishQueue.sendToDeadLetters(process, message),
      report: (message, error) => {
        if (!isInjected(error)) world.violate(`${message}: ${describe(error)}`);
      },
      markAccount: (account: Account, status, reason) => markAccount(table, account, status, reason),
    };
  }

  const unusedTools = async (): Promise<PlatformTools> => ({
    now,
    app: { clientId: '', clientSecret: '' },
    http: {
      connectAhead: async () => {},
      addressOf: (url) => url,
      send: () => Promise.reject(new Error('the simulated platforms speak no HTTP')),
    },
  });

  function authorizationOf(process: Process): PlatformAuthorization {
    const unused = () => {
      throw new Error('the simulation connects no accounts');
    };
    return {
      usesPkce: false,
      requiredScopes: [],
      renewal: { minimumAgeSeconds: 0, aheadSeconds: 300, sweepAgeSeconds: 86_400 },
      authorizationUrl: unused,
      exchange: unused,
      refresh: (tokens) =>
        world.call(process, 'platform: refresh the token', () => {
          if (world.happens('refreshRefused')) throw new PlatformError('reauthorise', 'access was revoked');
          if (world.happens('rateLimited')) throw new PlatformError('retry', 'too many requests');
          return { ...tokens, accessToken: world.newId(), obtainedAt: toTimestamp(now()) };
        }),
    };
  }

  /** Like the relay function, works changes in parallel. @returns how many to checkpoint: those before the first failure */
  async function relay(records: readonly StreamRecord[]): Promise<number> {
    let done = 0;
    const outcome = await world.invoke({ name: 'relay', timeoutMs: relayTimeoutMs }, async (process) => {
      const outcomes = await Promise.allSettled(
        records.map(({ change: { before, after }, atMs }) =>
          relayChange(
            { before: before && targetFromItem(before), after: after && targetFromItem(after), atMs },
            relayPorts({ ...process, workspaceId: String((after ?? before)?.['workspaceId']) }),
          ),
        ),
      );
      for (const settled of outcomes) {
        if (settled.status === 'rejected' && !isInjected(settled.reason))
          world.violate(`the relay failed without an injected fault: ${describe(settled.reason)}`);
      }
      const failed = outcomes.findIndex(({ status }) => status === 'rejected');
      done = failed < 0 ? records.length : failed;
    });
    return outcome === 'crashed' ? 0 : done;
  }

  function relayPorts(process: Process): RelayPorts {
    return {
      table: tableFor(process),
      now,
      enqueue: (message, delaySeconds) => publishQueue.sendFrom(process, message, delaySeconds),
      enqueueChain: (message) => chainQueue.sendFrom(process, message, 0),
      schedule: (message, atMs) => schedules.schedule(process, message, atMs),
      unschedule: (message) => schedules.unschedule(process, message),
      report: (effect, error) => {
        if (!isInjected(error)) world.violate(`the relay could not ${effect.kind}: ${describe(error)}`);
      },
    };
  }

  const plannedSweeps = new Set<number>();

  /** Sweeps run every minute. This simulates only those that could find something. */
  function planSweep({ after }: Pick<Change, 'after'>): void {
    if (after?.['dueAt']) sweepAt(Date.parse(overdueSince(after)) + 15 * secondMs + 1);
  }

  /** Since when the item has been overdue. */
  function overdueSince({ dueAt, wakeAt, leaseUntil }: Item): string {
    return String(leaseUntil ?? wakeAt ?? dueAt);
  }

  function sweepAt(earliestMs: number): void {
    const minute = Math.ceil(earliestMs / minuteMs) * minuteMs;
    if (plannedSweeps.has(minute)) return;
    plannedSweeps.add(minute);
    world.clockwork.at(minute, () => {
      plannedSweeps.delete(minute);
      if (isAnythingOverdue()) void sweep();
    });
  }

  function isAnythingOverdue(): boolean {
    const overdue = toTimestamp(now() - 15 * secondMs);
    return committed.has((item) => item['dueAt'] !== undefined && overdueSince(item) < overdue);
  }

  async function sweep(): Promise<void> {
    const startedMs = now();
    await world.invoke({ name: 'sweep', timeoutMs: sweepTimeoutMs }, async (process) => {
      const ports: SweepPorts = {
        table: tableFor(process),
        now,
        uniqueId: world.newId,
        enqueue: (message, delaySeconds) => publishQueue.sendFrom(process, message, delaySeconds),
        enqueueAll: (messages) => publishQueue.sendAllFrom(process, messages),
        enqueueAllChains: (messages) => chainQueue.sendAllFrom(process, messages),
        schedule: (message, atMs) => schedules.schedule(process, message, atMs),
        report: (message, error) => {
          const isRefusal = message.includes('did not accept');
          if (!isRefusal && !isInjected(error)) world.violate(`${message}: ${describe(error)}`);
        },
      };
      await sweepOverdue(ports, startedMs + sweepTimeoutMs - 10 * secondMs);
    });
    if (isAnythingOverdue()) sweepAt(startedMs + 1);
  }

  return { tableFor, publishQueue, chainQueue };
}

export type Service = ReturnType<typeof createService>;

export const rulesFor = (platform: Platform): PlatformRules => ({
  check: () => [],
  leadSeconds: () => leadSecondsOf[simulated(platform)],
});

function simulated(platform: Platform) {
  const name = simulatedPlatforms.find((known) => known === platform);
  if (!name) throw new Error(`${platform} is not simulated`);
  return name;
}
