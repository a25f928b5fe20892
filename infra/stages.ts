import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageFeatures } from '../lib/platforms/contract/features.ts';
import type { Platform } from '../lib/platforms/contract/names.ts';
import type { RetentionDays as RetentionDaysByKind } from '../lib/table/retention.ts';

/**
 * Everything that differs between stages. No other code depends on a stage's name. A deployment replaces the values below with
 * those of its settings file: `infra/settings/schema.ts` says which values a file may have.
 */
export interface StageSettings {
  /** The AWS account to deploy to, 12 digits. If absent, the shell's account. */
  readonly account?: string;
  /** The Region to deploy to. If absent, the shell's Region. */
  readonly region?: string;
  readonly logRetentionDays: RetentionDays;
  /** True if the table, bucket and key are kept when their stack is deleted, and table and stack are protected from deletion. */
  readonly keepsData: boolean;
  /** Requests per minute that one client address may send to `/v1`. */
  readonly rateLimitPerMinute: number;
  /**
   * Requests per minute that one API key may send, up to 60,000, unless it has a limit of its own. If absent, keys without
   * one are not counted. It costs a write per request.
   */
  readonly keyRateLimitPerMinute?: number;
  /** Requests per minute that all API keys of one workspace together may send, on the same terms. */
  readonly workspaceRateLimitPerMinute?: number;
  /**
   * The gateway's throttle for all clients together. It is far above the limit per address, so a single client gets our
   * 429 with `Retry-After`. The gateway's own 429 has another shape and appears only under heavy load.
   */
  readonly gateway: { readonly requestsPerSecond: number; readonly burst: number };
  /** The gateway's throttle for tracked links. AWS allows an account 10,000 requests per second over all of its APIs. */
  readonly linkThrottle: { readonly requestsPerSecond: number; readonly burst: number };
  /**
   * The number of functions that may run concurrently in the account and Region (Lambda's quota), or this stage's part of it.
   * `infra/functions/concurrency.ts` divides them. With fewer than 68, nothing can be kept free for the API.
   */
  readonly accountConcurrency: number;
  /**
   * The number of environments reserved for a function: other functions cannot use them, and the function cannot use more. If
   * absent, none are reserved: AWS refuses reserves in a new account, because at least 100 environments must remain for all other
   * functions.
   */
  readonly reservedConcurrency?: Readonly<Partial<Record<ReservableFunction, number>>>;
  /** The number of execution environments that may publish concurrently, at least 2. If absent, 30 % of `accountConcurrency`. */
  readonly publishConcurrency?: number;
  /**
   * The number of pollers of the publish queue that are always ready for a burst, at least 2. Each runs ten environments, and costs
   * $0.00925 an hour, used or not. If absent, Lambda begins with five environments, and adds 300 a minute.
   * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
   */
  readonly publishPollers?: number;
  /**
   * The number of posts that a platform accepts from this stage's app in a day, if it differs from the documented number, such as
   * `{ youtube: 10_000 }` for a Google Cloud project with a larger quota. 0 means the documented number. If a platform documents
   * none, a day is a day in UTC.
   */
  readonly dailyLimits: Readonly<Partial<Record<Platform, number>>>;
  /**
   * Origins from which browsers may upload media. `*` is safe: the presigned URL authorizes the upload, not a cookie. Without
   * `*`, the list must contain the panel's own origin, unless the panel has a domain.
   */
  readonly uploadOrigins: readonly string[];
  /**
   * The ARNs of web ACLs (AWS WAF, scope CloudFront) in front of the panel with its share of the API, and of public files. A team makes its own
   * rules; an ACL costs $5 a month, a rule $1, a million requests $0.60.
   */
  readonly webAcls?: { readonly panel?: string; readonly media?: string };
  /** The host of the API, of the pages that connect accounts, and so of the redirect URIs at the platforms. */
  readonly apiDomain?: DomainSettings;
  /** The host of public files. */
  readonly mediaDomain?: DomainSettings;
  /** The host of tracked links. If absent, that of the API. */
  readonly linkDomain?: DomainSettings;
  readonly panelDomain?: DomainSettings;
  /**
   * The features to offer, by platform, such as `{ instagram: ['publish', 'comments'] }`. Only their scopes are requested from
   * users. A platform that is absent has all of its features except `insights`, but is asked only for those that most apps have;
   * `publish` is always on.
   */
  readonly features?: StageFeatures;
  /**
   * `own`: people sign in to the panel at the team's own OpenID Connect issuer, whose client the operator stores (see
   * `docs/deploy.md`). If absent, at a Cognito user pool that the stacks create.
   */
  readonly signIn?: 'own';
  /** Sender of the sign-in codes at the user pool. If absent, Cognito sends them, at most 50 a day. */
  readonly mail?: MailSettings;
  /**
   * True if a new version of the functions that create posts, publish them, or redirect links first gets 10 % of the calls for
   * five minutes, and is rolled back if it fails. If absent, it gets all calls at once. Turn it off to release a correction while
   * the alarms ring.
   */
  readonly releasesGradually?: boolean;
  /** The retention of records. See `lib/table/retention.ts` for the defaults. */
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
  /**
   * True if one data key seals all tokens of a month, which saves most calls of KMS. If absent, each token has its own. Turn it on once no
   * function runs a release that cannot open such tokens (`docs/releases.md`); turned off, they still open.
   */
  readonly sharesTokenKeys?: boolean;
  /** True if there are alarms, a budget and a dashboard. They are most of the cost of an idle stage. */
  readonly hasAlarms: boolean;
  /** The e-mail address that receives the alarms and the budget's warnings. A stage with alarms must have one. */
  readonly operatorEmail?: string;
  /** The monthly cost of the account, in US dollars, above which operators are warned. If absent, there is no budget. */
  readonly monthlyBudgetDollars?: number;
  /** True if CloudWatch records the keys of throttled requests to the table ($1 a month). */
  readonly recordsThrottledKeys: boolean;
}

/** The quota of an account that Lambda has not limited. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const defaultAccountConcurrency = 1_000;
/**
 * Lambda always leaves this much concurrency unreserved.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export const leastUnreserved = 100;

/**
 * Functions that everything else depends on: those that act on commits, those that repair them, and those that the public visits.
 */
export type ReservableFunction = 'relay' | 'sweep' | 'redirect';

/**
 * One of the team's own host names. Without these settings, a host has the name that AWS gives it, which continues to work with
 * them.
 */
export interface DomainSettings {
  /** The host name, such as `api.example.com`. */
  readonly name: string;
  /** An existing certificate for the name. If absent, one is created, which requires `hostedZone`. */
  readonly certificateArn?: string;
  /** The Route 53 zone that gets the records. If absent, outputs of the stacks say which record to set by hand. */
  readonly hostedZone?: { readonly id: string; readonly name: string };
}

/**
 * The identity of Amazon SES that sends mail. SES must have verified the address's domain, and the account must be out of SES's
 * sandbox.
 */
export interface MailSettings {
  /** The sender's address, such as `no-reply@example.com`. */
  readonly fromAddress: string;
  /** Shown next to the address. */
  readonly fromName?: string;
  /** The Region of the identity. If absent, that of the stage. */
  readonly region?: string;
}

/** The settings with which a deployment replaces those below, by stage. */
export type OwnSettings = Readonly<Partial<Record<StageName, Partial<StageSettings>>>>;

export const stages = {
  dev: {
    logRetentionDays: 7,
    keepsData: false,
    rateLimitPerMinute: 600,
    gateway: { requestsPerSecond: 200, burst: 400 },
    linkThrottle: { requestsPerSecond: 1_000, burst: 1_000 },
    // This leaves production its own concurrency in the same account.
    accountConcurrency: 200,
    dailyLimits: {},
    uploadOrigins: ['*'],
    hasAlarms: false,
    recordsThrottledKeys: false,
  },
  production: {
    logRetentionDays: 90,
    keepsData: true,
    rateLimitPerMinute: 600,
    gateway: { requestsPerSecond: 2_000, burst: 4_000 },
    linkThrottle: { requestsPerSecond: 6_000, burst: 5_000 },
    releasesGradually: true,
    dailyLimits: {},
    uploadOrigins: ['*'],
    hasAlarms: true,
    monthlyBudgetDollars: 100,
    accountConcurrency: 1_000,
    // The runbook turns it on while keys are throttled.
    recordsThrottledKeys: false,
  },
} as const satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;

export interface Stage extends StageSettings {
  readonly name: string;
}

/**
 * Finds a stage.
 *
 * @param own replaces the built-in settings, field by field
 * @throws Error listing the known stages if no stage has this name
 */
export function findStage(name: string, own: OwnSettings = {}): Stage {
  if (!Object.hasOwn(stages, name)) {
    throw new Error(`unknown stage ${name}: use ${Object.keys(stages).join(' or ')}`);
  }
  return { ...stages[name as StageName], ...own[name as StageName], name };
}

/** Returns the account and Region of a stage's stacks. If they are absent, the stacks are deployed to those of the shell. */
export function environmentOf({ account, region }: Stage): { account?: string; region?: string } {
  return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
}
