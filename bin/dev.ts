/** Runs the whole service on this machine: `npm run dev`. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocalCloud } from '../infra/local/cloud/cloud.ts';
import { type DataDirectory, openDataDirectory } from '../infra/local/cloud/data-directory.ts';
import type { Addresses, LocalCloud } from '../infra/local/cloud/types.ts';
import type { StageSettings } from '../infra/stages.ts';
import { connectDemoAccounts, type DemoWorkspace, openDemoWorkspaces } from './dev/demo-workspaces.ts';
import { startIssuer } from './dev/issuer.ts';
import { startPlatforms } from './dev/platforms.ts';
import { synthesize } from './dev/synthesis.ts';
import { watchPanel } from './dev/watch-panel.ts';

const root = join(import.meta.dirname, '..');

const help = `Run the whole of Herald on this machine: npm run dev

It synthesizes the stacks if sources have changed, starts a local cloud that runs them, and creates two workspaces.

Options (npm run dev -- --verbose)
  --verbose         show the functions' log lines, which are also in DATA_DIR/logs
  --help            show this text

Environment (default)
  PORT                   the API's port; 0 for any free one (3000)
  PANEL_PORT             the panel's port; 0 for any free one (3001)
  DATA_DIR               folder of all data; delete it to start from scratch (.local)
  SCHEDULER_JITTER       real: schedules fire up to 60 s late, as in AWS; none: on the second (none)
  RATE_LIMIT_PER_MINUTE  requests per minute from one address under /v1 (as in the template)
`;

/** The environment variables that differ from the template in a local run. There are no other differences. */
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
    // Nobody is known to Cognito here: people sign in at a simulated issuer.
    USER_POOL_ID: '',
    // The platforms are simulators on this machine.
    PLATFORM_BASE_URLS: JSON.stringify(Object.fromEntries(platformUrls)),
    // Developers receive their webhooks on this machine.
    PLAIN_HTTP_HOSTS: '127.0.0.1,[::1],localhost',
    // A load test from one machine comes from one address.
    ...(rateLimitPerMinute !== undefined && { RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute) }),
    // A test fills the day of a small app.
    ...(dailyLimits !== undefined && { DAILY_LIMITS: JSON.stringify(dailyLimits) }),
  };
}

interface Settings {
  readonly port: number;
  readonly panelPort: number;
  readonly dataDirectory: string;
  readonly jitter: 'real' | 'none';
  readonly rateLimitPerMinute: number | undefined;
  readonly isVerbose: boolean;
}

/** @throws Error with a one-line message if a setting is not valid. */
function readSettings(environment: NodeJS.ProcessEnv, isVerbose: boolean): Settings {
  const {
    PORT = '3000',
    PANEL_PORT = '3001',
    DATA_DIR = '.local',
    SCHEDULER_JITTER = 'none',
    RATE_LIMIT_PER_MINUTE,
  } = environment;
  const [port, panelPort] = [readPort('PORT', PORT), readPort('PANEL_PORT', PANEL_PORT)];
  if (SCHEDULER_JITTER !== 'real' && SCHEDULER_JITTER !== 'none') {
    throw new Error(`SCHEDULER_JITTER must be real or none, not ${SCHEDULER_JITTER}`);
  }
  if (RATE_LIMIT_PER_MINUTE !== undefined && !/^[1-9]\d{0,8}$/.test(RATE_LIMIT_PER_MINUTE)) {
    throw new Error(`RATE_LIMIT_PER_MINUTE must be a whole number from 1, not ${RATE_LIMIT_PER_MINUTE}`);
  }
  const rateLimitPerMinute = RATE_LIMIT_PER_MINUTE === undefined ? undefined : Number(RATE_LIMIT_PER_MINUTE);
  return {
    port,
    panelPort,
    dataDirectory: DATA_DIR,
    jitter: SCHEDULER_JITTER,
    rateLimitPerMinute,
    isVerbose,
  };
}

function readPort(variable: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${variable} must be a number from 0 to 65535, not ${text}`);
}

async function start(settings: Settings, data: DataDirectory): Promise<LocalCloud> {
  data.remove('dev.json');
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
    environmentOverrides: (addresses) => environmentOverrides(addresses, settings),
    startPlatforms,
    startIssuer,
    log: (line) => console.error(line),
    ...(settings.isVerbose && { onFunctionLine: (name, line) => console.log(`${name}  ${line}`) }),
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
  data.write('dev.json', { apiUrl, panel, awsEndpoint, workspaces, platforms, issuer, processes });
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

/** The process exits after this time, even if something has not stopped. */
const stopLimitMs = 4_500;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, verbose: { type: 'boolean', short: 'v' } },
  });
  if (values.help) return console.log(help);
  const settings = readSettings(process.env, values.verbose ?? false);
  const data = openDataDirectory(settings.dataDirectory);

  let cloud: LocalCloud | undefined;
  let isStopping = false;
  async function stop(): Promise<void> {
    // Nothing outlives this process: each child process exits when its pipe to this one breaks.
    if (isStopping || cloud === undefined) process.exit();
    isStopping = true;
    setTimeout(() => process.exit(), stopLimitMs).unref();
    await cloud.stop();
    data.remove('dev.json');
    process.exit();
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

  cloud = await start(settings, data);
  await present(cloud, data);
  watchPanel(join(root, 'lib/panel'), cloud, join(data.path, 'site'), (line) => console.error(line));
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
}
