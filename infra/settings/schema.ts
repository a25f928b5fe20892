/** The settings file of a deployment, as a zod schema. Free of CDK, so that programs which only read settings start fast. */
import * as z from 'zod';
import { Feature } from '../../lib/platforms/contract/features.ts';
import { Platform } from '../../lib/platforms/contract/names.ts';
import { RetentionDays } from '../../lib/table/retention.ts';
import type { StageSettings } from '../stages.ts';

/**
 * The periods that CloudWatch Logs accepts.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
 */
const logRetentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827] as const;

/** AWS allows 10,000 requests per second over all APIs of an account, unless it has raised that quota. */
const throttle = z.strictObject({ requestsPerSecond: z.int().min(1), burst: z.int().min(1) });

const accountId = z.string().regex(/^\d{12}$/, 'must have 12 digits');
const regionName = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be the name of a Region, such as eu-central-1');
const hostName = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'must be a host name in lower case without a scheme, such as api.example.com',
  );

/** `arn:aws:acm:<Region>:<account>:certificate/<id>` */
export const certificateArnPattern = /^arn:aws[a-z-]*:acm:([a-z0-9-]+):(\d{12}):certificate\/[\w-]+$/;

/** `arn:aws:dynamodb:<Region>:<account>:table/<name>/stream/<time>` */
export const streamArnPattern =
  /^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):(\d{12}):table\/([\w.-]+)\/stream\/.+$/;

/** `arn:aws:kms:<Region>:<account>:key/<id>` */
export const keyArnPattern = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[\w-]+$/;

/** `arn:aws:wafv2:us-east-1:<account>:global/webacl/<name>/<id>`: ACLs for CloudFront are global, and kept in this Region. */
export const webAclArnPattern = /^arn:aws[a-z-]*:wafv2:us-east-1:(\d{12}):global\/webacl\/[\w-]+\/[\w-]+$/;

const webAclArn = z
  .string()
  .regex(
    webAclArnPattern,
    'must be the ARN of a web ACL for CloudFront: arn:aws:wafv2:us-east-1:…:global/webacl/…',
  );

const domain = z.strictObject({
  name: hostName,
  certificateArn: z
    .string()
    .regex(certificateArnPattern, 'must be the ARN of a certificate of AWS Certificate Manager')
    .optional(),
  hostedZone: z
    .strictObject({
      id: z
        .string()
        .regex(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ'),
      name: hostName,
    })
    .optional(),
});

const mail = z.strictObject({
  fromAddress: z.email(),
  fromName: z.string().min(1).max(100).optional(),
  region: regionName.optional(),
});

const requestsPerMinute = z.int().min(1).max(60_000);

const reserve = z.int().min(1);

/** One schema per setting. A new setting does not compile without one. */
const fields = {
  account: accountId,
  region: regionName,
  logRetentionDays: z.literal(logRetentionDays),
  keepsData: z.boolean(),
  rateLimitPerMinute: requestsPerMinute,
  keyRateLimitPerMinute: requestsPerMinute,
  workspaceRateLimitPerMinute: requestsPerMinute,
  gateway: throttle,
  linkThrottle: throttle,
  accountConcurrency: z.int().min(10),
  reservedConcurrency: z.strictObject({ relay: reserve, sweep: reserve, redirect: reserve }).partial(),
  publishConcurrency: z.int().min(2).max(1_000),
  publishPollers: z.int().min(2).max(200),
  dailyLimits: z.partialRecord(Platform, z.int().min(0)),
  uploadOrigins: z
    .array(
      z
        .string()
        .regex(/^(\*|https?:\/\/[^/\s]+)$/, 'must be * or an origin, such as https://app.example.com'),
    )
    .min(1),
  webAcls: z.strictObject({ panel: webAclArn, media: webAclArn }).partial(),
  apiDomain: domain,
  mediaDomain: domain,
  linkDomain: domain,
  panelDomain: domain,
  features: z.partialRecord(Platform, z.array(Feature)),
  signIn: z.literal('own'),
  mail,
  releasesGradually: z.boolean(),
  retentionDays: RetentionDays,
  backupRegion: regionName,
  restoredTable: z.strictObject({
    tableName: z.string().min(3),
    streamArn: z.string().regex(streamArnPattern, 'must be the ARN of the table’s stream'),
  }),
  restoredTokenKeyArn: z.string().regex(keyArnPattern, 'must be the ARN of a KMS key'),
  sharesTokenKeys: z.boolean(),
  hasAlarms: z.boolean(),
  operatorEmail: z.email(),
  monthlyBudgetDollars: z.int().min(1),
  recordsThrottledKeys: z.boolean(),
} satisfies { readonly [Name in keyof Required<StageSettings>]: z.ZodType };

export const StageFile = z.strictObject(fields).partial();

/** The whole file. `$schema` is for editors. */
export const SettingsFile = z.strictObject({
  $schema: z.string().optional(),
  stages: z.strictObject({ dev: StageFile.optional(), production: StageFile.optional() }),
});
export type SettingsFile = z.infer<typeof SettingsFile>;
