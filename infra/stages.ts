import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageFeatures } from '../lib/platforms/contract/features.ts';
import type { Platform } from '../lib/platforms/contract/names.ts';

/** Everything that differs between stages. No other code depends on a stage's name. */
export interface StageSettings {
  readonly logRetention: RetentionDays;
  /** Whether table, bucket and key are kept if their stack is deleted, and table and stack are protected from deletion. */
  readonly keepsData: boolean;
  /** Requests per minute that one client address may send to `/v1`. */
  readonly rateLimitPerMinute: number;
  /**
   * Requests per minute that one API key may send, up to 60,000, unless it has a limit of its own. If absent, keys without
   * one are not counted. It costs a write per request.
   */
  readonly keyRateLimitPerMinute?: number;
  /** The same for all API keys of one workspace together. */
  readonly workspaceRateLimitPerMinute?: number;
  /**
   * The gateway's throttle for all clients together. It is far above the limit per address, so a single client gets our
   * 429 with `Retry-After`. The gateway's own 429 has another shape and appears only under heavy load.
   */
  readonly gateway: { readonly requestsPerSecond: number; readonly burst: number };
  /** The gateway's throttle for tracked links. AWS allows an account 10,000 requests per second over all of its APIs. */
  readonly linkThrottle: { readonly requestsPerSecond: number; readonly burst: number };
  /** How many execution environments may publish concurrently, at least 2. If absent, only the account's limit applies. */
  readonly publishConcurrency?: number;
  /**
   * How many posts a platform takes from this stage's app in a day, if it is not what the platform documents, such as
   * `{ youtube: 10_000 }` for a Google Cloud project with a larger quota. 0 means the documented number. For a platform
   * that documents none, the day is that of UTC.
   */
  readonly dailyLimits: Readonly<Partial<Record<Platform, number>>>;
  /**
   * Origins from which browsers may upload media. `*` is safe: the presigned URL authorizes the upload, not a cookie. If it is not
   * there, the panel's own must be.
   */
  readonly uploadOrigins: readonly string[];
  /** The public base URL for login callbacks and links, without a trailing slash. If absent, the API's own URL. */
  readonly publicBaseUrl?: string;
  /**
   * The features to offer, by platform, such as `{ instagram: ['publish', 'comments'] }`. Only their scopes are requested from
   * users. A platform that is absent has all of its features; `publish` is always on.
   */
  readonly features?: StageFeatures;
  /**
   * `own`: people sign in to the panel at the team's own OpenID Connect issuer, whose client the operator stores (see
   * `docs/deploy.md`). If absent, at a Cognito user pool that the stacks create.
   */
  readonly signIn?: 'own';
  /** Whether there are alarms, a budget and a dashboard. They are most of what an idle stage costs. */
  readonly hasAlarms: boolean;
  /** Receives the alarms and the warnings of the budget by e-mail. A stage with alarms must have one. */
  readonly operatorEmail?: string;
  /** What the account may cost in a month, in US dollars, before operators are warned. If absent, there is no budget. */
  readonly monthlyBudgetDollars?: number;
  /** How many functions may run at the same time in the account and Region: Lambda's quota. New accounts have 10. */
  readonly accountConcurrency: number;
  /** Whether CloudWatch keeps the keys of throttled requests to the table ($1 a month). */
  readonly recordsThrottledKeys: boolean;
}

export const stages = {
  dev: {
    logRetention: RetentionDays.ONE_WEEK,
    keepsData: false,
    rateLimitPerMinute: 600,
    gateway: { requestsPerSecond: 200, burst: 400 },
    linkThrottle: { requestsPerSecond: 1_000, burst: 1_000 },
    dailyLimits: {},
    uploadOrigins: ['*'],
    hasAlarms: false,
    accountConcurrency: 1_000,
    recordsThrottledKeys: false,
  },
  production: {
    logRetention: RetentionDays.THREE_MONTHS,
    keepsData: true,
    rateLimitPerMinute: 600,
    gateway: { requestsPerSecond: 2_000, burst: 4_000 },
    linkThrottle: { requestsPerSecond: 6_000, burst: 5_000 },
    publishConcurrency: 200,
    dailyLimits: {},
    uploadOrigins: ['*'],
    hasAlarms: true,
    monthlyBudgetDollars: 100,
    accountConcurrency: 1_000,
    recordsThrottledKeys: true,
  },
} as const satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;

export interface Stage extends StageSettings {
  readonly name: string;
}

/** @throws Error listing the known stages if no stage has this name. */
export function findStage(name: string): Stage {
  if (!Object.hasOwn(stages, name)) {
    throw new Error(`unknown stage ${name}: use ${Object.keys(stages).join(' or ')}`);
  }
  return { name, ...stages[name as StageName] };
}
