/** Runs the whole service on this machine: `npm run dev`. */

import { globSync, watch } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocalCloud } from '@herald/local-cloud/cloud.ts';
import { type DataDirectory, openDataDirectory } from '@herald/local-cloud/data-directory.ts';
import type { Addresses, LocalCloud, LocalCloudOptions } from '@herald/local-cloud/types.ts';
import { buildSite, cacheControlOf } from '../infra/site.ts';
import type { StageSettings } from '../infra/stages.ts';
import { usualFeaturesWith } from '../lib/platforms/registry/features.ts';
import { itemChange } from '../lib/table/stream.ts';
import { connectDemoAccounts, type DemoWorkspace, openDemoWorkspaces } from './dev/demo-workspaces.ts';
import { startIssuer } from './dev/issuer.ts';
import { startPlatforms } from './dev/platforms.ts';
import { giveUpTakenPorts, requireFreePorts, wantedPorts } from './dev/ports.ts';
import { help, readSettings, type Settings } from './dev/settings.ts';
import { settlementOf, summaryOf, type Tally } from './dev/settlements.ts';
import { synthesize } from './dev/synthesis.ts';
import { readable } from './readable.ts';

const root = join(import.meta.dirname, '..');

/** Returns the environment variables that differ from the template in a local run. There are no other differences. */
export function environmentOverrides(
  local: Addresses,
  {
    rateLimitPerMinute,
    dailyLimits,
  }: {
    readonly rateLimitPerMinute?: number | undefined;
    readonly dailyLimits?: StageSettings['dailyLimits'] | undefined;
  } = {},
): Record<string, string> {
  const platformUrls = Object.entries(local.platforms).map(([name, { url }]) => [name, url] as const);
  return {
    // In AWS, CloudFront has its own domain with https. Here the distribution is a port of this machine.
    MEDIA_BASE_URL: local.mediaUrl,
    // In AWS, the URL of API Gateway.
    PUBLIC_BASE_URL: local.apiUrl,
    LINK_BASE_URL: local.apiUrl,
    // Nothing here runs an earlier release.
    TOKEN_KEYS: 'shared',
    // Cognito is not used here: people sign in at a simulated issuer.
    USER_POOL_ID: '',
    // The platforms are simulators on this machine.
    PLATFORM_BASE_URLS: JSON.stringify(Object.fromEntries(platformUrls)),
    // Developers receive their webhooks on this machine.
    PLAIN_HTTP_HOSTS: '127.0.0.1,[::1],localhost',
    // A load test from one machine comes from one address.
    ...(rateLimitPerMinute !== undefined && { RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute) }),
    // A test can exhaust the daily limit of a small app.
    ...(dailyLimits !== undefined && { DAILY_LIMITS: JSON.stringify(dailyLimits) }),
  };
}

async function start(
  settings: Settings,
  data: DataDirectory,
  observer: Pick<LocalCloudOptions, 'onFunctionLine' | 'onAccessLine' | 'onTableChange'>,
): Promise<LocalCloud> {
  data.remove('dev.json');
  // A synthesis takes seconds, so known problems are reported first.
  await requireFreePorts(wantedPorts(settings, data));
  if (settings.port === 0) await giveUpTakenPorts(data);
  // The functions' processes use the cache too, and start in half the time.
  enableCompileCache(join(data.path, 'compile-cache'));
  const assemblyDirectory = join(data.path, 'cdk.out');
  console.log('Synthesizing the stacks …');
  await synthesize(root, assemblyDirectory);
  console.log('Starting the local cloud …');
  return startLocalCloud({
    assemblyDirectory,
    data,
    port: settings.port,
    panelPort: settings.panelPort,
    jitter: settings.jitter,
    environmentOverrides: (addresses) => ({
      ...environmentOverrides(addresses, settings),
      // No platform reviews apps here, so numbers and taking down can be tried.
      PLATFORM_FEATURES: JSON.stringify(usualFeaturesWith(['insights', 'removal'])),
    }),
    startPlatforms,
    startIssuer,
    log: (line) => console.error(line),
    ...observer,
  });
}

/** Writes `dev.json` for programs and prints the same for people. */
async function present(cloud: LocalCloud, data: DataDirectory): Promise<void> {
  const demo = await openDemoWorkspaces(cloud, data);
  const workspaces = await Promise.all(
    demo.map(async (workspace) => ({
      ...workspace,
      accounts: await connectDemoAccounts(cloud, workspace, (line) => console.error(line)),
    })),
  );
  const { apiUrl, panelUrl, awsEndpoint, platforms, issuer } = cloud;
  const processes = cloud.processes().map(({ function: name, pid }) => ({ function: name, pid }));
  const panel = { url: panelUrl };
  const mcpUrl = `${apiUrl}/mcp`;
  const zernioUrl = `${apiUrl}/zernio`;
  data.write('dev.json', {
    apiUrl,
    mcpUrl,
    zernioUrl,
    panel,
    awsEndpoint,
    workspaces,
    platforms,
    issuer,
    processes,
  });
  console.log(summary(cloud, demo, data.path));
}

function summary(
  { apiUrl, panelUrl, awsEndpoint, platforms, issuer }: LocalCloud,
  demo: readonly DemoWorkspace[],
  path: string,
): string {
  const rows = [
    ['Panel', panelUrl],
    ['API', apiUrl],
    ['MCP', `${apiUrl}/mcp`],
    ['for Zernio’s SDK', `${apiUrl}/zernio`],
    ['AWS endpoint', awsEndpoint],
    ...Object.entries(platforms).map(([name, { url }]) => [name, url]),
    ...(issuer === undefined ? [] : [['identity provider', issuer.url]]),
    ...demo.map(({ name, apiKey }) => [`workspace ${name}`, apiKey]),
    ['details', join(path, 'dev.json')],
  ];
  const lines = rows.map(([label = '', value]) => `  ${label.padEnd(17)} ${value}`);
  return `
Herald is ready.

${lines.join('\n')}

Try it:
  curl -s ${apiUrl}/v1/accounts -H 'Authorization: Bearer ${demo[0]?.apiKey}'

To stop it, press Ctrl-C.
`;
}

/** Time without changes before a build, because editors write a file in several steps. */
const quietMs = 100;

/**
 * Rebuilds the panel's site whenever its sources change, and reloads open pages. If the build fails, the error is shown and the
 * site stays as it was.
 *
 * @param directory receives the built site, with source maps
 */
function watchPanel(
  sources: string,
  cloud: Pick<LocalCloud, 'watchPanel' | 'publishPanel'>,
  directory: string,
  log: (line: string) => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();

  async function build(): Promise<void> {
    try {
      const site = await buildSite({ sources, outputDirectory: directory, hasSourceMaps: true });
      const keys = globSync('**/*.*', { cwd: site.directory });
      await cloud.publishPanel(
        keys.map((key) => ({
          key,
          file: join(site.directory, key),
          headers: { 'cache-control': cacheControlOf(key) },
        })),
      );
    } catch (error) {
      log(`The panel cannot be built: ${error instanceof Error ? error.message : error}`);
    }
  }

  cloud.watchPanel();
  watch(sources, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(build);
    }, quietMs);
  }).unref();
}

/** The process exits after this time, even if something has not stopped. */
const stopLimitMs = 4_500;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, verbose: { type: 'boolean', short: 'v' } },
  });
  if (values.help) return console.log(help);
  const settings = readSettings(process.env);
  const data = openDataDirectory(settings.dataDirectory);

  const tally: Tally = { live: 0, failed: 0, requests: 0 };
  let readyAt: number | undefined;
  let cloud: LocalCloud | undefined;
  let isStopping = false;
  async function stop(): Promise<void> {
    // Nothing outlives this process: each child process exits when its pipe to this one breaks.
    if (isStopping || cloud === undefined) process.exit();
    isStopping = true;
    setTimeout(() => process.exit(), stopLimitMs).unref();
    await cloud.stop();
    data.remove('dev.json');
    if (readyAt !== undefined) console.log(summaryOf(tally, performance.now() - readyAt));
    process.exit();
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

  cloud = await start(settings, data, {
    ...(values.verbose && { onFunctionLine: (name, line) => console.log(`${name}  ${readable(line)}`) }),
    onAccessLine() {
      // The run's own requests, which connect the demo accounts, do not count.
      if (readyAt !== undefined) tally.requests += 1;
    },
    onTableChange({ dynamodb }) {
      const settlement = settlementOf(itemChange(dynamodb));
      if (settlement === undefined) return;
      tally[settlement.isLive ? 'live' : 'failed'] += 1;
      console.log(settlement.line);
    },
  });
  await present(cloud, data);
  readyAt = performance.now();
  watchPanel(join(root, 'lib/panel'), cloud, join(data.path, 'site'), (line) => console.error(line));
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
}
