/** Starts the local cloud: the engines, the functions of a synthesized assembly, and their invokers. */

import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { distributionNames, readAssembly } from './assembly/assembly.ts';
import { createMovableClock, type MovableClock } from './clock.ts';
import type { DataDirectory } from './data-directory.ts';
import { startEdges, stopEdges } from './edge/edge.ts';
import { timingRoute } from './engines/dynamodb/timing-route.ts';
import { startEngines } from './engines/start.ts';
import { createTokenBuckets, ratesRoute } from './engines/token-bucket.ts';
import { defaultTiming, type ObjectEvent } from './engines/types.ts';
import { startEventSources } from './event-sources/event-sources.ts';
import { startTableChanges } from './event-sources/table-changes.ts';
import { openGateway } from './gateway/gateway.ts';
import { openAccessKeys } from './identity/access-keys.ts';
import type { CloudModel, FunctionResource } from './model.ts';
import { createFunctionPool, type FunctionPool } from './runtime/function-pool.ts';
import { openLogFiles } from './runtime/log-files.ts';
import type { Addresses, LocalCloud, LocalCloudOptions } from './types.ts';

/** The maximum number of environments per function of the API, so that they fit on a developer's machine. */
const environmentsOfApiFunction = 4;
/**
 * The maximum number of environments per worker. More than two per processor would only share it, and each compiles the same code
 * again.
 */
const environmentsOfWorker = Math.min(10, Math.max(4, 2 * availableParallelism()));

/** The distributions that have an address of their own, by the names of their ports. */
const namedDistributions = { media: 'MediaDistribution', panel: 'PanelDistribution' } as const;

/** The name of the access log, which is next to the functions' logs. */
const accessLogName = 'access';

const portsFile = 'ports.json';
const clockFile = 'clock.json';

/**
 * Starts everything in the order of its dependencies.
 *
 * @throws Error if a port is in use, if no database engine is installed, or if the template cannot be run. Everything already
 *   started is stopped first.
 */
export async function startLocalCloud(options: LocalCloudOptions): Promise<LocalCloud> {
  const closers: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await start(options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: LocalCloudOptions,
  closers: (() => unknown)[],
): Promise<Omit<LocalCloud, 'stop'>> {
  const { data, jitter, log = () => {} } = options;
  const ports = z.record(z.string(), z.number()).parse(data.read(portsFile) ?? {});
  const clock = openClock(data);
  const keys = openAccessKeys(data);
  const buckets = createTokenBuckets(options.rates);
  const databaseTiming = { ...defaultTiming, ...options.databaseTiming };

  const gateway = await openGateway({
    port: options.port ?? ports['api'] ?? 0,
    now: clock.now,
    bucket: buckets.api,
  });
  closers.push(() => gateway.stop());
  const edges = await startEdges(
    distributionNames(options.assemblyDirectory),
    {
      ...ports,
      [namedDistributions.media]: ports['media'] ?? 0,
      [namedDistributions.panel]: options.panelPort ?? ports['panel'] ?? 0,
    },
    log,
  ).catch((error: Error) => {
    if (!error.message.startsWith(`Port ${options.panelPort} `)) throw error;
    throw new Error(`port ${options.panelPort} is in use: stop the other program or set PANEL_PORT`);
  });
  closers.push(() => stopEdges(edges));
  const edgeUrl = (name: string) => edges[name]?.url ?? '';
  const [mediaUrl, panelUrl] = [edgeUrl(namedDistributions.media), edgeUrl(namedDistributions.panel)];
  const platforms = await options.startPlatforms?.({
    dataDirectory: data.path,
    clock,
    apiUrl: gateway.url,
    ports,
  });
  if (platforms !== undefined) closers.push(() => platforms.stop());
  const issuer = await options.startIssuer?.({
    dataDirectory: data.path,
    clock,
    port: ports['issuer'] ?? 0,
    panelUrl,
  });
  if (issuer !== undefined) closers.push(() => issuer.stop());
  const addressesFrom = (awsEndpoint: string): Addresses => ({
    apiUrl: gateway.url,
    awsEndpoint,
    mediaUrl,
    panelUrl,
    platforms: platforms?.addresses ?? {},
    ...(issuer && { issuer: { url: issuer.url, control: issuer.control } }),
  });

  let pool: FunctionPool | undefined;
  const engines = await startEngines({
    dataDirectory: data.path,
    clock,
    jitter,
    identities: keys,
    buckets,
    databaseTiming,
    log,
    port: ports['awsEndpoint'] ?? 0,
    edges,
    model({ endpointUrl }) {
      const model = readAssembly({
        directory: options.assemblyDirectory,
        addresses: { endpointUrl, apiUrl: gateway.url, edgeUrl },
        secretValue: openSecrets(data),
        environmentOverrides: options.environmentOverrides?.(addressesFrom(endpointUrl)) ?? {},
        parameters: [...(platforms?.parameters ?? []), ...(issuer?.parameters ?? [])],
      });
      keys.admit(model);
      const memoryOf = ({ name, memoryMegabytes }: FunctionResource) =>
        options.memoryMegabytes?.[name] ?? memoryMegabytes;
      const functions = model.functions.map((each) => ({ ...each, memoryMegabytes: memoryOf(each) }));
      return { ...model, functions };
    },
    onObjectEvent: (event) => deliverObjectEvent(pool, event),
    ...options.observer,
  });
  closers.push(() => engines.stop());
  const { model, endpointUrl } = engines;
  const addresses = addressesFrom(endpointUrl);
  const edgePorts = Object.entries(edges)
    .filter(([name]) => !Object.values<string>(namedDistributions).includes(name))
    .map(([name, { url }]) => [name, portOf(url)] as const);
  data.write(portsFile, { ...ports, ...Object.fromEntries(edgePorts), ...portsOf(addresses) });

  const logs = openLogFiles(join(data.path, 'logs'));
  closers.push(() => logs.stop());
  const maximumEnvironments = environmentLimits(model);
  const functions = createFunctionPool({
    functions: model.functions,
    region: model.region,
    endpointUrl,
    credentials: keys.of,
    clockOffsetMs: clock.offsetMs,
    maximumEnvironments,
    workDirectory: join(data.path, 'runtime'),
    onLogLine(name, line) {
      logs.write(name, line);
      options.onFunctionLine?.(name, line);
    },
    sharesProcessor: options.sharesProcessor ?? false,
    startBucket: buckets.lambda,
    ...options.observer,
  });
  pool = functions;
  closers.push(() => functions.stop());

  gateway.serve({
    api: model.api,
    accountId: model.accountId,
    invoke: functions.invoke,
    onAccessLine(line) {
      logs.write(accessLogName, line);
      options.onAccessLine?.(line);
    },
  });
  const { queues, streamReader } = engines;
  const surroundings = { clock, region: model.region, queues, invoke: functions.invoke, log };
  if (options.onTableChange) {
    const changes = startTableChanges(model.tables, engines.streamReader, {
      clock,
      log,
      startedMs: Date.now(),
      onChange: options.onTableChange,
    });
    closers.push(changes.stop);
  }
  const sources = startEventSources(model, surroundings, streamReader, maximumEnvironments);
  closers.push(async () => {
    gateway.close();
    // The sources stop first, so that functions get no new events. They finish once the running events have ended.
    const drained = sources.stop();
    await functions.stop();
    await drained;
  });
  engines.control.mount('/_local/rates', ratesRoute(buckets));
  engines.control.mount('/_local/database', timingRoute(databaseTiming));
  engines.control.mount('/_local/processes', () => ({ body: functions.processes() }));

  return {
    ...addresses,
    model,
    clock,
    administrator: keys.administrator,
    processes: functions.processes,
    watchPanel: () => edges[namedDistributions.panel]?.watchPages(),
    async publishPanel(files) {
      const bucketName = bucketOf(model, namedDistributions.panel);
      await engines.upload(files.map((file) => ({ ...file, bucketName })));
      edges[namedDistributions.panel]?.reloadPages();
    },
    invoke(functionName, event) {
      const arn = model.functions.find(({ name }) => name === functionName)?.arn;
      return functions.invoke(arn ?? functionName, event);
    },
  };
}

/** Returns the name of the bucket behind a distribution's default behavior. */
function bucketOf({ distributions }: CloudModel, name: string): string {
  const origin = distributions.find((distribution) => distribution.name === name)?.behaviors.at(-1)?.origin;
  if (origin?.kind !== 'bucket') throw new Error(`${name} serves no bucket`);
  return origin.bucketArn.split(':').at(-1) ?? '';
}

/** Restores the offset of the last run. Without it, times that the last run stored would be in the future. */
function openClock(data: DataDirectory): MovableClock {
  const stored = z.object({ offsetMs: z.number() }).optional().parse(data.read(clockFile));
  return createMovableClock({
    offsetMs: stored?.offsetMs ?? 0,
    onMove: (offsetMs) => data.write(clockFile, { offsetMs }),
  });
}

const secretsFile = 'secrets.json';

/** Opens the values of the template's secrets: 64 random characters each, created on first use, and then kept. */
function openSecrets(data: DataDirectory): (secretArn: string) => string {
  const values = z.record(z.string(), z.string()).parse(data.read(secretsFile) ?? {});
  return (secretArn) => {
    const known = values[secretArn];
    if (known !== undefined) return known;
    const value = randomBytes(32).toString('hex');
    values[secretArn] = value;
    data.write(secretsFile, values);
    return value;
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

function portsOf(addresses: Addresses): Record<string, number> {
  const { apiUrl, awsEndpoint, mediaUrl, panelUrl, platforms, issuer } = addresses;
  const urls = { api: apiUrl, awsEndpoint, media: mediaUrl, panel: panelUrl, issuer: issuer?.url ?? '' };
  const all = [
    ...Object.entries(urls).filter(([, url]) => url !== ''),
    ...Object.entries(platforms).map(([name, { url }]) => [name, url] as const),
  ];
  return Object.fromEntries(all.map(([name, url]) => [name, portOf(url)]));
}

function environmentLimits({ api }: CloudModel): (resource: FunctionResource) => number {
  const routed = new Set(api.routes.map(({ functionArn }) => functionArn));
  return ({ arn, reservedConcurrency = Infinity }) =>
    Math.min(reservedConcurrency, routed.has(arn) ? environmentsOfApiFunction : environmentsOfWorker);
}

/** @throws Error if the function did not handle the event; the engine then retries. */
async function deliverObjectEvent(pool: FunctionPool | undefined, event: ObjectEvent): Promise<void> {
  const outcome = await pool?.invoke(event.destinationArn, event.notification);
  if (outcome?.ok !== true)
    throw new Error(outcome?.error.errorMessage ?? 'the functions have not started yet');
}
