import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageFeatures } from '../lib/platforms/contract/features.ts';
import type { Platform } from '../lib/platforms/contract/names.ts';
import type { RetentionDays as RetentionDaysByKind } from '../lib/table/retention.ts';

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
  /** How long records are kept. See `lib/table/retention.ts` for the defaults. */
  readonly retentionDays?: RetentionDaysByKind;
  /**
   * A second Region, such as `eu-central-1`, that receives copies of the table's daily backups, of public files, and a replica of
   * the token key. Its stack is deployed first (`docs/restore.md`). If absent, everything is in one Region.
   */
  readonly backupRegion?: string;
  /**
   * The table that the functions use in place of the stack's own: one that was restored from a backup. Its stream must be on.
   * `docs/restore.md` has the steps.
   */
  readonly restoredTable?: { readonly tableName: string; readonly streamArn: string };
  /** The key that the functions use in place of the stack's own: the replica of the token key after the loss of a Region. */
  readonly restoredTokenKeyArn?: string;
  /** Receives the alarms by e-mail. If absent, nobody is subscribed to the topic. */
  readonly operatorEmail?: string;
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
