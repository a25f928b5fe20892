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
  /** What `DATA_DIR` is to `npm run dev`. */
  readonly dataDirectory: string;
  readonly demo: TestWorkspace;
  readonly other: TestWorkspace;
  /** What the cloud had to tell: empty when all is well. */
  readonly logged: readonly string[];
  /** What the functions wrote, as `<function>: <line>`. */
  readonly functionLines: readonly string[];
  /** Stops it and starts it on the same data; the old object is of no use then. */
  restart(): Promise<TestCloud>;
}

export interface TestCloudOptions
  extends Partial<Pick<LocalCloudOptions, 'assemblyDirectory' | 'jitter' | 'observer'>> {
  /** Far above the service's own unless a test is about it: all tests of a file come from one address. */
  readonly rateLimitPerMinute?: number;
}

/**
 * The service on a local cloud of its own: free ports, an empty data directory that `stop` removes, and the two demo
 * workspaces. Takes about two seconds, so a test file starts one for all its tests.
 *
 * @param options.assemblyDirectory another assembly than the service's own.
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
