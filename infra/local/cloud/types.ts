/** The options that start a local cloud, and its interface once it runs. */
import type { Clock, MovableClock } from './clock.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Rates } from './engines/token-bucket.ts';
import type { DatabaseTiming, EngineOptions, StreamRecord } from './engines/types.ts';
import type { CloudModel, ParameterResource, UploadedFile } from './model.ts';
import type { Credentials } from './runtime/environment-variables.ts';
import type { InvokeOutcome } from './runtime/execution-environment.ts';
import type { FunctionPool, FunctionPoolOptions } from './runtime/function-pool.ts';

/** URLs without a trailing slash. */
export interface Addresses {
  readonly apiUrl: string;
  readonly awsEndpoint: string;
  /** The URL of uploaded media; empty if the assembly has no distribution for it. */
  readonly mediaUrl: string;
  /** The panel's host; empty if the assembly has none. */
  readonly panelUrl: string;
  /** The URL of each platform's simulator, and of the controls with which tests act as its users. */
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
  /** The API's port; 0: any free port. If absent, the port of the last run or, in the first run, any free port. */
  readonly port?: number;
  /** The panel's port, on the same terms. */
  readonly panelPort?: number;
  /** `real`: schedules fire up to 60 s late, as in AWS; `none`: on the second. */
  readonly jitter: 'real' | 'none';
  /** True if functions run with only their share of a processor (see `runtime/processor-share.ts`). If absent, they do not. */
  readonly sharesProcessor?: boolean;
  /** Replaces the memory of functions in the template, in megabytes; keyed by function name. */
  readonly memoryMegabytes?: Readonly<Record<string, number>>;
  /** The rates at which services may be called. Absent: without limit, until `POST /_local/rates` sets one. */
  readonly rates?: Rates;
  /** DynamoDB's timing, until `POST /_local/database` changes it. Replaces {@link defaultTiming}. */
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
  /** Called with each line of the API's access log. The same lines are in `logs/access.log`. */
  readonly onAccessLine?: (line: string) => void;
  /** Called with each change of a table from now on, in order, as its stream has it. At least once. */
  readonly onTableChange?: (change: StreamRecord) => void;
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
  /** Makes pages of the panel reload themselves after each `publishPanel` from now on. */
  watchPanel(): void;
  /** Puts other files into the panel's bucket. */
  publishPanel(files: readonly Omit<UploadedFile, 'bucketName'>[]): Promise<void>;
  /** Stops everything that was started, within about three seconds. */
  stop(): Promise<void>;
}
