/** Starts the local cloud: the engines, the functions of a synthesized assembly, and what invokes them. */
import { join } from 'node:path';
import * as z from 'zod';
import { distributionNames, readAssembly } from './assembly/assembly.ts';
import { type Clock, createMovableClock, type MovableClock } from './clock.ts';
import type { DataDirectory } from './data-directory.ts';
import { startEdges, stopEdges } from './edge/edges.ts';
import { timingRoute } from './engines/dynamodb/timing-route.ts';
import { startEngines } from './engines/start.ts';
import { createTokenBuckets, type Rates, ratesRoute } from './engines/token-bucket.ts';
import { type DatabaseTiming, defaultTiming, type EngineOptions, type ObjectEvent } from './engines/types.ts';
import { startEventSources } from './event-sources/event-sources.ts';
import { openGateway } from './gateway/gateway.ts';
import { openAccessKeys } from './identity/access-keys.ts';
import type { CloudModel, FunctionResource, ParameterResource, UploadedFile } from './model.ts';
import type { Credentials } from './runtime/environment-variables.ts';
import type { InvokeOutcome } from './runtime/execution-environment.ts';
import { createFunctionPool, type FunctionPool, type FunctionPoolOptions } from './runtime/function-pool.ts';
import { openLogFiles } from './runtime/log-files.ts';
import { openSecrets } from './secrets.ts';

/** URLs without a trailing slash. */
export interface Addresses {
  readonly apiUrl: string;
  readonly awsEndpoint: string;
  /** Serves uploaded media; empty if the assembly has no distribution for it. */
  readonly mediaUrl: string;
  /** The panel's host; empty if the assembly has none. */
  readonly panelUrl: string;
  /** Per platform: its simulator's URL, and the URL of the controls with which tests act as its users. */
  readonly platforms: Readonly<Record<string, { readonly url: string; readonly control: string }>>;
  /** The identity provider at which people sign in to the panel, and its controls; absent if there is none. */
  readonly issuer?: { readonly url: string; readonly control: string };
}

export interface RunningPlatforms {
  readonly addresses: Addresses['platforms'];
  /** Stored in addition to the template's own parameters. */
  readonly parameters: readonly Pick<ParameterResource, 'name' | 'type' | 'value'>[];
  stop(): Promise<void>;
}

/** Starts the platforms' simulators. `ports` are the ports of the last run, keyed by name. */
export type StartPlatforms = (surroundings: {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly apiUrl: string;
  readonly ports: Readonly<Record<string, number>>;
}) => Promise<RunningPlatforms>;

export interface RunningIssuer {
  readonly url: string;
  readonly control: string;
  /** Stored in addition to the template's own parameters. */
  readonly parameters: RunningPlatforms['parameters'];
  stop(): Promise<void>;
}

/** Starts the identity provider. `port` is that of the last run, or 0. */
export type StartIssuer = (surroundings: {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly port: number;
  readonly panelUrl: string;
}) => Promise<RunningIssuer>;

export interface LocalCloudOptions {
  /** A synthesized `cdk.out`. */
  readonly assemblyDirectory: string;
  /** Holds everything that survives a restart: data, keys, ports, logs. */
  readonly data: DataDirectory;
  /** The API's port; 0: the port of the last run or, in the first run, any free port. */
  readonly port: number;
  /** The same for the panel's port. If absent, 0. */
  readonly panelPort?: number;
  /** `real`: schedules fire up to 60 s late, as in AWS; `none`: on the second. */
  readonly jitter: 'real' | 'none';
  /** Whether functions run with their share of a processor only (see `runtime/processor-share.ts`). If absent, they do not. */
  readonly sharesProcessor?: boolean;
  /** How often services may be called. Absent: without limit, until `POST /_local/rates` sets one. */
  readonly rates?: Rates;
  /** How DynamoDB behaves in time, until `POST /_local/database` changes it. Replaces {@link defaultTiming}. */
  readonly databaseTiming?: Partial<DatabaseTiming>;
  /** Replaces the template's values of functions' environment variables; keyed by variable name. */
  readonly environmentOverrides?: (addresses: Addresses) => Readonly<Record<string, string>>;
  /** Starts the services outside AWS that functions call. Absent: there are none. */
  readonly startPlatforms?: StartPlatforms;
  /** Starts the identity provider of the panel's people. Absent: nobody can sign in. */
  readonly startIssuer?: StartIssuer;
  /** Called with one-line messages for the developer, such as failures. */
  readonly log?: (line: string) => void;
  /** Called with each line that a function writes. The same lines are in `logs/<function>.log`. */
  readonly onFunctionLine?: (functionName: string, line: string) => void;
  /** Called for AWS calls, invocations and consumed capacity, for measurements. */
  readonly observer?: CloudObserver;
}

export type CloudObserver = Pick<EngineOptions, 'onAwsCall' | 'onConsumedCapacity'> &
  Pick<FunctionPoolOptions, 'onInvocation'>;

export interface LocalCloud extends Addresses {
  readonly model: CloudModel;
  readonly clock: MovableClock;
  /** Credentials with all rights at the AWS endpoint. */
  readonly administrator: Credentials;
  /** Invokes a function by its name, such as `posts-create`. */
  invoke(functionName: string, event: unknown): Promise<InvokeOutcome>;
  processes: FunctionPool['processes'];
  /** From now on, pages of the panel load themselves again after each `publishPanel`. */
  watchPanel(): void;
  /** Puts other files into the panel's bucket. */
  publishPanel(files: readonly Omit<UploadedFile, 'bucketName'>[]): Promise<void>;
  /** Stops everything that was started, within about three seconds. */
  stop(): Promise<void>;
}

/** The most environments per function, so that they fit on a developer's machine. */
const environmentsOfApiFunction = 4;
const environmentsOfWorker = 10;

/** The distributions that have an address of their own, by the names of their ports. */
const namedDistributions = { media: 'MediaDistribution', panel: 'PanelDistribution' } as const;

const portsFile = 'ports.json';
const clockFile = 'clock.json';

/**
 * Starts everything in the order of its dependencies.
 *
 * @throws Error if a port is in use, if no database engine is installed, or if the template cannot be run. What has
 * been started is stopped first.
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
    port: options.port || (ports['api'] ?? 0),
    now: clock.now,
    bucket: buckets.api,
  });
  closers.push(() => gateway.stop());
  const edges = await startEdges(
    distributionNames(options.assemblyDirectory),
    {
      ...ports,
      [namedDistributions.media]: ports['media'] ?? 0,
      [namedDistributions.panel]: options.panelPort || (ports['panel'] ?? 0),
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
      return model;
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

  const logs = openLogFiles(join(data.path, 'logs'), options.onFunctionLine);
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
    onLogLine: logs.write,
    sharesProcessor: options.sharesProcessor ?? false,
    startBucket: buckets.lambda,
    ...options.observer,
  });
  pool = functions;
  closers.push(() => functions.stop());

  gateway.serve({ api: model.api, accountId: model.accountId, invoke: functions.invoke });
  const { queues, streamReader } = engines;
  const surroundings = { clock, region: model.region, queues, invoke: functions.invoke, log };
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

/** The name of the bucket behind a distribution's default behavior. */
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
