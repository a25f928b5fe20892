/** The local cloud as a whole: the engines, the functions of a synthesized assembly, and what invokes them. */
import { join } from 'node:path';
import * as z from 'zod';
import { readAssembly } from './assembly/assembly.ts';
import { type Clock, createMovableClock, type MovableClock } from './clock.ts';
import type { DataDirectory } from './data-directory.ts';
import { startEngines } from './engines/start.ts';
import type { EngineOptions, ObjectEvent } from './engines/types.ts';
import { startEventSources } from './event-sources/event-sources.ts';
import { openGateway } from './gateway/gateway.ts';
import { openAccessKeys } from './identity/access-keys.ts';
import type { CloudModel, FunctionResource, ParameterResource } from './model.ts';
import type { Credentials } from './runtime/environment-variables.ts';
import type { InvokeOutcome } from './runtime/execution-environment.ts';
import { createFunctionPool, type FunctionPool, type FunctionPoolOptions } from './runtime/function-pool.ts';
import { openLogFiles } from './runtime/log-files.ts';

/** All without a slash at the end. */
export interface Addresses {
  readonly apiUrl: string;
  readonly awsEndpoint: string;
  /** Where uploaded media are read. */
  readonly mediaUrl: string;
  /** By platform: what stands in for its hosts, and where tests play its users. */
  readonly platforms: Readonly<Record<string, { readonly url: string; readonly control: string }>>;
}

export interface RunningPlatforms {
  readonly addresses: Addresses['platforms'];
  /** Stored beside the template's own parameters. */
  readonly parameters: readonly Pick<ParameterResource, 'name' | 'type' | 'value'>[];
  stop(): Promise<void>;
}

/** Starts what stands beside the cloud; `ports` are those of the last run, by name. */
export type StartPlatforms = (surroundings: {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly apiUrl: string;
  readonly ports: Readonly<Record<string, number>>;
}) => Promise<RunningPlatforms>;

export interface LocalCloudOptions {
  /** A synthesized `cdk.out`. */
  readonly assemblyDirectory: string;
  /** Everything that is kept: data, keys, ports, logs. */
  readonly data: DataDirectory;
  /** The API's port; 0: that of the last run, or any free one. */
  readonly port: number;
  /** `real`: schedules fire up to 60 s late, as in AWS; `none`: on the second. */
  readonly jitter: 'real' | 'none';
  /** Values that take the place of the template's, by the name of a function's environment variable. */
  readonly environmentOverrides?: (addresses: Addresses) => Readonly<Record<string, string>>;
  /** What the service calls that is not AWS; none when absent. */
  readonly startPlatforms?: StartPlatforms;
  /** One line about something a person should know. */
  readonly log?: (line: string) => void;
  /** Told every line that a function writes; all are in `logs/<function>.log` as well. */
  readonly onFunctionLine?: (functionName: string, line: string) => void;
  /** Told what is done, and what it costs, for measurements. */
  readonly observer?: CloudObserver;
}

export type CloudObserver = Pick<EngineOptions, 'onAwsCall' | 'onConsumedCapacity'> &
  Pick<FunctionPoolOptions, 'onInvocation'>;

export interface LocalCloud extends Addresses {
  readonly model: CloudModel;
  readonly clock: MovableClock;
  /** Keys that may do everything at the AWS endpoint. */
  readonly administrator: Credentials;
  /** Hands an event to a function by its name, such as `posts-create`. */
  invoke(functionName: string, event: unknown): Promise<InvokeOutcome>;
  /** The execution environments alive now. */
  processes: FunctionPool['processes'];
  /** Ends all that was started, within about three seconds. */
  stop(): Promise<void>;
}

/** A person's machine is no data centre: how many environments a function may have. */
const environmentsOfApiFunction = 4;
const environmentsOfWorker = 10;

const portsFile = 'ports.json';
const clockFile = 'clock.json';

/**
 * Starts everything, in an order in which each part finds what it needs.
 *
 * @throws Error with one line for a port in use, a missing engine, or a template that cannot be run; nothing is left
 * running then.
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

  const gateway = await openGateway({ port: options.port || (ports['api'] ?? 0), now: clock.now });
  closers.push(() => gateway.stop());
  const platforms = await options.startPlatforms?.({
    dataDirectory: data.path,
    clock,
    apiUrl: gateway.url,
    ports,
  });
  if (platforms !== undefined) closers.push(() => platforms.stop());

  let pool: FunctionPool | undefined;
  const engines = await startEngines({
    dataDirectory: data.path,
    clock,
    jitter,
    identities: keys,
    log,
    ports: { endpoint: ports['awsEndpoint'] ?? 0, media: ports['media'] ?? 0 },
    model({ endpointUrl, mediaUrl }) {
      const addresses = toAddresses(gateway.url, endpointUrl, mediaUrl, platforms);
      const model = readAssembly({
        directory: options.assemblyDirectory,
        addresses: { endpointUrl, mediaUrl, apiUrl: gateway.url },
        environmentOverrides: options.environmentOverrides?.(addresses) ?? {},
        parameters: platforms?.parameters ?? [],
      });
      keys.admit(model);
      return model;
    },
    onObjectEvent: (event) => deliverObjectEvent(pool, event),
    ...options.observer,
  });
  closers.push(() => engines.stop());
  const { model, endpointUrl, mediaUrl } = engines;
  const addresses = toAddresses(gateway.url, endpointUrl, mediaUrl, platforms);
  data.write(portsFile, { ...ports, ...portsOf(addresses) });

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
    // Begun before the functions are stopped, so that nothing new reaches them; done when they are.
    const drained = sources.stop();
    await functions.stop();
    await drained;
  });
  engines.control.mount('/_local/processes', () => ({ body: functions.processes() }));

  return {
    ...addresses,
    model,
    clock,
    administrator: keys.administrator,
    processes: functions.processes,
    invoke(functionName, event) {
      const arn = model.functions.find(({ name }) => name === functionName)?.arn;
      return functions.invoke(arn ?? functionName, event);
    },
  };
}

/** The clock is as far ahead as it was left: what was done in its future must not come to lie ahead again. */
function openClock(data: DataDirectory): MovableClock {
  const stored = z.object({ offsetMs: z.number() }).optional().parse(data.read(clockFile));
  return createMovableClock({
    offsetMs: stored?.offsetMs ?? 0,
    onMove: (offsetMs) => data.write(clockFile, { offsetMs }),
  });
}

function toAddresses(
  apiUrl: string,
  awsEndpoint: string,
  mediaUrl: string,
  platforms: RunningPlatforms | undefined,
): Addresses {
  return { apiUrl, awsEndpoint, mediaUrl, platforms: platforms?.addresses ?? {} };
}

function portsOf({ apiUrl, awsEndpoint, mediaUrl, platforms }: Addresses): Readonly<Record<string, number>> {
  const urls = { api: apiUrl, awsEndpoint, media: mediaUrl };
  const all = [
    ...Object.entries(urls),
    ...Object.entries(platforms).map(([name, { url }]) => [name, url] as const),
  ];
  return Object.fromEntries(all.map(([name, url]) => [name, Number(new URL(url).port)]));
}

function environmentLimits({ api }: CloudModel): (resource: FunctionResource) => number {
  const routed = new Set(api.routes.map(({ functionArn }) => functionArn));
  return ({ arn, reservedConcurrency = Infinity }) =>
    Math.min(reservedConcurrency, routed.has(arn) ? environmentsOfApiFunction : environmentsOfWorker);
}

/** @throws Error where the function has not handled it: the engine then comes again. */
async function deliverObjectEvent(pool: FunctionPool | undefined, event: ObjectEvent): Promise<void> {
  const outcome = await pool?.invoke(event.destinationArn, event.notification);
  if (outcome?.ok !== true)
    throw new Error(outcome?.error.errorMessage ?? 'the functions are not started yet');
}
