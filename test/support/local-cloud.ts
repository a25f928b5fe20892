import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import {
  connectDemoAccounts,
  type DemoAccount,
  type DemoWorkspace,
  openDemoWorkspaces,
} from '../../bin/dev/demo-workspaces.ts';
import { startPlatforms } from '../../bin/dev/platforms.ts';
import { environmentOverrides } from '../../bin/dev.ts';
import { type LocalCloud, type LocalCloudOptions, startLocalCloud } from '../../infra/local/cloud/cloud.ts';
import { openDataDirectory } from '../../infra/local/cloud/data-directory.ts';

export interface TestWorkspace extends DemoWorkspace {
  readonly accounts: readonly DemoAccount[];
}

export interface TestCloud extends LocalCloud {
  /** Corresponds to the `DATA_DIR` of `npm run dev`. */
  readonly dataDirectory: string;
  readonly demo: TestWorkspace;
  readonly other: TestWorkspace;
  /** The log of the local cloud itself, which is empty unless something goes wrong. */
  readonly logged: readonly string[];
  /** The log lines of the functions, as `<function>: <line>`. */
  readonly functionLines: readonly string[];
  /** Stops the cloud and starts a new one with the same data. Do not use the old object afterwards. */
  restart(): Promise<TestCloud>;
}

export interface TestCloudOptions
  extends Partial<Pick<LocalCloudOptions, 'assemblyDirectory' | 'jitter' | 'observer'>> {
  /** By default far above the service's own limit, because all requests of a test file come from one address. */
  readonly rateLimitPerMinute?: number;
}

/**
 * Starts the service on a new local cloud with free ports, an empty data directory that `stop` removes, and the two demo
 * workspaces. It takes about two seconds, so a test file starts one cloud for all its tests.
 *
 * @param options.assemblyDirectory replaces the service's own assembly
 */
export async function startTestCloud(options: TestCloudOptions = {}): Promise<TestCloud> {
  const directory = mkdtempSync(join(tmpdir(), 'herald-'));
  try {
    return await startIn(directory, options);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(
  directory: string,
  { rateLimitPerMinute = 1_000_000, ...options }: TestCloudOptions,
): Promise<TestCloud> {
  const data = openDataDirectory(directory);
  const logged: string[] = [];
  const functionLines: string[] = [];
  const log = (line: string) => logged.push(line);
  const cloud = await startLocalCloud({
    jitter: 'none',
    ...options,
    assemblyDirectory: options.assemblyDirectory ?? inject('assemblyDirectory'),
    data,
    port: 0,
    environmentOverrides: (addresses) => environmentOverrides(addresses, { rateLimitPerMinute }),
    startPlatforms,
    log,
    onFunctionLine: (name, line) => functionLines.push(`${name}: ${line}`),
  });
  const end = async () => {
    await cloud.stop();
    data.release();
  };
  try {
    const workspaces = await openDemoWorkspaces(cloud, data);
    const [demo, other] = await Promise.all(
      workspaces.map(async (workspace) => ({
        ...workspace,
        accounts: await connectDemoAccounts(cloud, workspace, log),
      })),
    );
    if (demo === undefined || other === undefined) throw new Error('the demo workspaces are missing');
    return {
      ...cloud,
      dataDirectory: directory,
      demo,
      other,
      logged,
      functionLines,
      async stop() {
        await end();
        rmSync(directory, { recursive: true, force: true });
      },
      async restart() {
        await end();
        return startIn(directory, { rateLimitPerMinute, ...options });
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
