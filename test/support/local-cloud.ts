import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startLocalCloud } from '@herald/local-cloud/cloud.ts';
import { openDataDirectory } from '@herald/local-cloud/data-directory.ts';
import type { LocalCloud, LocalCloudOptions } from '@herald/local-cloud/types.ts';
import { inject } from 'vitest';
import * as z from 'zod';
import {
  connectDemoAccounts,
  createDemo,
  type DemoAccount,
  type DemoWorkspace,
  openDemoWorkspaces,
  openTableAsAdministrator,
} from '../../bin/dev/demo-workspaces.ts';
import { startIssuer } from '../../bin/dev/issuer.ts';
import { demoWorkspaceNames, startPlatforms } from '../../bin/dev/platforms.ts';
import { environmentOverrides } from '../../bin/dev.ts';
import type { StageSettings } from '../../infra/stages.ts';
import type { StageFeatures } from '../../lib/platforms/contract/features.ts';
import { unconditionally } from '../../lib/table/condition.ts';
import { deleteItem } from '../../lib/table/items.ts';
import { allDueShards, type Key } from '../../lib/table/keys.ts';
import { queryAll } from '../../lib/table/query.ts';
import { indexes } from '../../lib/table/schema.ts';
import type { Table } from '../../lib/table/table.ts';
import { requireOverdueComplete } from './audit-overdue.ts';
import { strictness } from './bad-day.ts';

/** `SHOW_LOGS=1`: prints what the functions log, and keeps the data directories. */
export const showsLogs = process.env['SHOW_LOGS'] === '1';

/** A cloud that is running, for the report of a failed test. */
export interface OpenCloud extends Pick<LocalCloud, 'platforms'> {
  readonly functionLines: readonly string[];
}
export const openClouds = new Set<OpenCloud>();

export interface TestWorkspace extends DemoWorkspace {
  readonly accounts: readonly DemoAccount[];
}

/** A local cloud with two workspaces for one test file. */
export interface CloudVisit extends Omit<LocalCloud, 'stop'> {
  readonly demo: TestWorkspace;
  readonly other: TestWorkspace;
  /** The log of the local cloud itself, which is empty unless something goes wrong. */
  readonly logged: readonly string[];
  /** The log lines of the functions, as `<function>: <line>`. */
  readonly functionLines: readonly string[];
  /** Corresponds to the `DATA_DIR` of `npm run dev`. */
  readonly dataDirectory: string;
}

/** A local cloud that only one test file uses. */
export interface TestCloud extends CloudVisit {
  stop(): Promise<void>;
  /** Stops the cloud and starts a new one with the same data. Do not use the old object afterwards. */
  restart(): Promise<TestCloud>;
}

export interface TestCloudOptions
  extends Partial<
    Pick<
      LocalCloudOptions,
      | 'assemblyDirectory'
      | 'jitter'
      | 'observer'
      | 'databaseTiming'
      | 'rates'
      | 'sharesProcessor'
      | 'memoryMegabytes'
    >
  > {
  /** Far above the service's own limit by default, because all requests of a test file come from one address. */
  readonly rateLimitPerMinute?: number;
  /** Replaces the features of the stage. */
  readonly stageFeatures?: StageFeatures;
  /** Replaces the stage's `dailyLimits`. */
  readonly dailyLimits?: StageSettings['dailyLimits'];
  /** Replaces the stage's `retentionDays`. */
  readonly retentionDays?: StageSettings['retentionDays'];
}

/**
 * Starts the service on a new local cloud with free ports, an empty data directory that `stop` removes, and the two demo
 * workspaces. It takes a few seconds. `stop` fails if the sweep would not find a waiting target. Tests that change
 * neither the cloud's options nor its platforms' accounts share a cloud instead, see `shared-cloud.ts`.
 *
 * @param options.assemblyDirectory replaces the service's own assembly
 */
export async function startTestCloud(options: TestCloudOptions = {}): Promise<TestCloud> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-'));
  try {
    return await startIn(directory, options);
  } catch (error) {
    discard(directory);
    throw error;
  }
}

async function startIn(directory: string, options: TestCloudOptions): Promise<TestCloud> {
  const { cloud, data, logged, functionLines, end } = await startEmptyCloud(directory, options);
  try {
    const [demo, other] = await connectAccounts(cloud, await openDemoWorkspaces(cloud, data), logged);
    return {
      ...cloud,
      dataDirectory: directory,
      demo,
      other,
      logged,
      functionLines,
      async stop() {
        try {
          await audit(cloud);
        } finally {
          await end();
          discard(directory);
        }
      },
      async restart() {
        await end();
        return startIn(directory, options);
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A running cloud for several test files, one after the other. */
export interface SharedCloud {
  /**
   * Opens two new workspaces, and starts new logs: `logged` and `functionLines` hold what comes from now on, without late
   * lines about the workspaces of earlier visits. The simulators have their usual settings and limits again, and no planned
   * faults. The tasks that earlier visits have left to the sweep are gone: its log does not say whose they were.
   */
  visit(): Promise<CloudVisit>;
  /** @throws Error if the sweep would not find a waiting target */
  audit(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSharedCloud(): Promise<SharedCloud> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-'));
  const { cloud, logged, functionLines, end } = await startEmptyCloud(directory, {});
  const restoreSimulators = await rememberSimulators(cloud);
  const workspaceIds: string[] = [];
  return {
    async visit() {
      const [firstLogged, firstLine] = [logged.length, functionLines.length];
      const formerIds = [...workspaceIds];
      const ofThisVisit = (line: string) => !formerIds.some((id) => line.includes(id));
      await restoreSimulators();
      const table = openTableAsAdministrator(cloud);
      await removeRepairTasks(table);
      const names = demoWorkspaceNames;
      const workspaces = await Promise.all(names.map((name) => createDemo(table, cloud.clock.now(), name)));
      const [demo, other] = await connectAccounts(cloud, workspaces, logged);
      workspaceIds.push(demo.id, other.id);
      return {
        ...cloud,
        dataDirectory: directory,
        demo,
        other,
        get logged() {
          return logged.slice(firstLogged).filter(ofThisVisit);
        },
        get functionLines() {
          return functionLines.slice(firstLine).filter(ofThisVisit);
        },
      };
    },
    audit: () => audit(cloud),
    async stop() {
      await end();
      discard(directory);
    },
  };
}

/** Reads the simulators' settings and limits. @returns a function that restores them and drops planned faults */
async function rememberSimulators({ platforms }: LocalCloud): Promise<() => Promise<void>> {
  const ask = async (url: string, method = 'GET', body?: unknown) => {
    const response = await fetch(url, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}`);
    return z.record(z.string(), z.unknown()).parse(await response.json());
  };
  const urls = Object.values(platforms).flatMap(({ control }) => [
    `${control}/settings`,
    `${control}/limits`,
  ]);
  const usual = await Promise.all(urls.map(async (url) => ({ url, values: await ask(url) })));
  const restore = async ({ url, values }: (typeof usual)[number]) => {
    const present = await ask(url);
    const changed = Object.entries(values).filter(
      ([name, value]) => !isDeepStrictEqual(present[name], value),
    );
    if (changed.length > 0) await ask(url, 'PUT', Object.fromEntries(changed));
  };
  return async () => {
    await Promise.all([
      ...usual.map(restore),
      ...Object.values(platforms).map(({ control }) => ask(`${control}/faults`, 'DELETE')),
    ]);
  };
}

function audit(cloud: LocalCloud): Promise<void> {
  return requireOverdueComplete(openTableAsAdministrator(cloud), cloud.clock.now());
}

async function removeRepairTasks(table: Table): Promise<void> {
  for (const partition of allDueShards) {
    const waiting = (await queryAll(table, { partition, index: indexes.overdue })) as unknown as Key[];
    const tasks = waiting.filter(({ sk }) => sk === 'CHORE');
    await Promise.all(tasks.map(({ pk, sk }) => deleteItem(table, { pk, sk }, unconditionally)));
  }
}

function discard(directory: string): void {
  if (showsLogs) console.log(`The data directory of the local cloud is kept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
}

async function startEmptyCloud(
  directory: string,
  { rateLimitPerMinute = 1_000_000, stageFeatures, dailyLimits, retentionDays, ...options }: TestCloudOptions,
) {
  const data = openDataDirectory(directory);
  const logged: string[] = [];
  const functionLines: string[] = [];
  const cloud = await startLocalCloud({
    jitter: 'none',
    ...strictness,
    ...options,
    assemblyDirectory: options.assemblyDirectory ?? inject('assemblyDirectory'),
    data,
    environmentOverrides: (addresses) => ({
      ...environmentOverrides(addresses, { rateLimitPerMinute, dailyLimits }),
      ...(retentionDays && { RETENTION_DAYS: JSON.stringify(retentionDays) }),
      ...(stageFeatures && { PLATFORM_FEATURES: JSON.stringify(stageFeatures) }),
    }),
    startPlatforms,
    startIssuer,
    log: (line) => logged.push(line),
    onFunctionLine: (name, line) => {
      functionLines.push(`${name}: ${line}`);
      if (showsLogs) console.log(`${name}: ${line}`);
    },
  });
  const open = { platforms: cloud.platforms, functionLines };
  openClouds.add(open);
  const end = async () => {
    openClouds.delete(open);
    await cloud.stop();
    data.release();
  };
  return { cloud, data, logged, functionLines, end };
}

async function connectAccounts(
  cloud: LocalCloud,
  workspaces: readonly DemoWorkspace[],
  logged: string[],
): Promise<[TestWorkspace, TestWorkspace]> {
  const [demo, other] = await Promise.all(
    workspaces.map(async (workspace) => ({
      ...workspace,
      accounts: await connectDemoAccounts(cloud, workspace, (line) => logged.push(line)),
    })),
  );
  if (demo === undefined || other === undefined) throw new Error('the demo workspaces are missing');
  return [demo, other];
}
