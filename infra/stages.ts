import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** What differs between two deployments of the service. Nothing else may know the name of a stage. */
export interface StageSettings {
  readonly logRetention: RetentionDays;
  /** Whether table, bucket and key outlive their stack and refuse to be deleted. */
  readonly keepsData: boolean;
  /** Requests a minute from one address under `/v1`. */
  readonly rateLimitPerMinute: number;
  /**
   * The gateway's own throttle, over all clients together. Far above what one address may do, so that a client meets
   * our 429 with its `Retry-After`, and the gateway's, which has another shape, only in a flood.
   */
  readonly gateway: { readonly requestsPerSecond: number; readonly burst: number };
  /** The same for what the whole world follows links to. An account takes 10,000 a second over all of its APIs. */
  readonly crowd: { readonly requestsPerSecond: number; readonly burst: number };
  /** The most environments that publish at once; absent: as many as the account allows. At least 2. */
  readonly publishConcurrency?: number;
  /** Where browsers may upload media from. The presigned URL is the guard; an upload carries no cookie. */
  readonly uploadOrigins: readonly string[];
  /** The address that platforms send the browser back to; absent: the API's own. No slash at the end. */
  readonly publicBaseUrl?: string;
  /** Who hears of alarms; absent: nobody is subscribed to the topic. */
  readonly operatorEmail?: string;
}

export const stages = {
  dev: {
    logRetention: RetentionDays.ONE_WEEK,
    keepsData: false,
    rateLimitPerMinute: 600,
    gateway: { requestsPerSecond: 200, burst: 400 },
    crowd: { requestsPerSecond: 1_000, burst: 1_000 },
    uploadOrigins: ['*'],
  },
  production: {
    logRetention: RetentionDays.THREE_MONTHS,
    keepsData: true,
    rateLimitPerMinute: 600,
    gateway: { requestsPerSecond: 2_000, burst: 4_000 },
    crowd: { requestsPerSecond: 6_000, burst: 5_000 },
    publishConcurrency: 200,
    uploadOrigins: ['*'],
  },
} as const satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;

export interface Stage extends StageSettings {
  readonly name: string;
}

/**
 * The stage of that name.
 *
 * @throws Error naming the stages there are.
 */
export function findStage(name: string): Stage {
  if (!Object.hasOwn(stages, name)) {
    throw new Error(`no stage is called ${name}: choose ${Object.keys(stages).join(' or ')}`);
  }
  return { name, ...stages[name as StageName] };
}
