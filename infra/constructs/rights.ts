import { Aws } from 'aws-cdk-lib';
import {
  type ApiRights,
  type DataRights,
  sharesTokenKey,
  type WriteAction,
  withSealingKeys,
} from '../../lib/api-contract/rights.ts';
import { Platform, platformNames } from '../../lib/platforms/contract/names.ts';
import type { Partition } from '../../lib/table/partitions.ts';
import type { WorkerRights } from '../functions/definition.ts';
import type { DataResources, PublishingResources, QueueAddress } from './resources.ts';

/** A statement of a role's policy. */
export interface Right {
  /** Default `Allow`. */
  readonly effect?: 'Deny';
  /** The allowed actions, without wildcards. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** The reason that the resource has a wildcard. */
  readonly wildcardBecause?: string;
  /**
   * Environment variables that name the resource. They come with the right, so a function only sees names of resources that it
   * may use.
   */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Converts a function's rights on data into statements. */
export function rightsOnData(asked: DataRights, data: DataResources): Right[] {
  const rights = withSealingKeys(asked);
  const { indexes = [], media = [], tokens = [] } = rights;
  const tokenKeys = data.sharesTokenKeys && sharesTokenKey(rights) ? 'shared' : 'own';
  const tableVariables = { TABLE_NAME: data.tableName };
  const mediaVariables = { MEDIA_BUCKET: data.mediaBucketName };
  return withActions([
    ...rightsOnPartitions(rights, data).map((right) => ({
      ...right,
      variables: writesExpiring(rights)
        ? { ...tableVariables, RETENTION_DAYS: data.retentionDays }
        : tableVariables,
    })),
    {
      actions: prefixed('dynamodb', indexes.length > 0 ? ['Query'] : []),
      resources: indexes.map((name) => `${data.tableArn}/index/${name}`),
      variables: tableVariables,
    },
    ...(['incoming', 'media'] as const).map((prefix) => ({
      actions: prefixed(
        's3',
        media.flatMap((right) => (right.endsWith(` ${prefix}`) ? [right.slice(0, -prefix.length - 1)] : [])),
      ),
      resources: [`${data.mediaBucketArn}/${prefix}/*`],
      wildcardBecause: 'The key of each object is generated when its upload is granted.',
      variables: mediaVariables,
    })),
    {
      actions: prefixed('s3', media.includes('ListBucket') ? ['ListBucket'] : []),
      resources: [data.mediaBucketArn],
      variables: mediaVariables,
    },
    {
      actions: prefixed('cloudfront', rights.invalidatesMedia ? ['CreateInvalidation'] : []),
      resources: [data.mediaDistributionArn],
      variables: { MEDIA_DISTRIBUTION_ID: data.mediaDistributionId },
    },
    ...tokens.map((right) => {
      const [action = '', purpose = ''] = right.split(' ');
      return {
        // A sealed value can be opened only for the owner and the purpose that it was sealed for.
        actions: prefixed('kms', [action]),
        resources: [data.tokenKeyArn],
        conditions: {
          StringEquals: { 'kms:EncryptionContext:purpose': purpose },
          StringLike: { [`kms:EncryptionContext:${purpose === 'session' ? 'person' : 'workspace'}`]: '?*' },
        },
        variables: { TOKEN_KEY_ID: data.tokenKeyId, TOKEN_KEYS: tokenKeys },
      };
    }),
    {
      actions: prefixed('ssm', rights.platformSecrets ? ['GetParameter'] : []),
      resources: platformsOf(rights).map((platform) =>
        parameterArn(`${data.platformParameterPrefix}/${platform}`),
      ),
      variables: {
        PLATFORM_PARAMETER_PREFIX: data.platformParameterPrefix,
        // Maps a platform to a base URL that replaces the platform's own. Only the local run has entries.
        PLATFORM_BASE_URLS: '{}',
      },
    },
    {
      actions: prefixed('ssm', rights.signIn ? ['GetParameter'] : []),
      resources: [parameterArn(data.signInParameter)],
      variables: { SIGN_IN_PARAMETER: data.signInParameter },
    },
    {
      actions: prefixed('ssm', rights.panelUrl ? ['GetParameter'] : []),
      resources: [parameterArn(data.panelUrlParameter)],
      variables: { PANEL_URL_PARAMETER: data.panelUrlParameter },
    },
  ]);
}

/** Partitions with records that expire after a time set by the stage. */
const expiring: readonly Partition[] = ['AUDIT#', 'EVENT#', 'INBOUND#', 'MEDIA#', 'POST#'];

/** Returns true if a function writes, or may list, records with an expiry that depends on the stage. */
function writesExpiring({ reads = {}, writes = {} }: DataRights): boolean {
  const partitions = [...Object.values(reads), ...Object.values(writes)].flat();
  return partitions.some((partition) => expiring.includes(partition));
}

/** Returns the rights to send to the named queues. */
export function rightsToSend<Queue extends string>(
  names: readonly Queue[] = [],
  queues: Readonly<Record<Queue, QueueAddress>>,
): Right[] {
  return names.map((name) => ({
    actions: ['sqs:SendMessage'],
    resources: [queues[name].queueArn],
    variables: { [`${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}_QUEUE_URL`]: queues[name].queueUrl },
  }));
}

/**
 * Returns the right to create users in the stage's user pool; none if it has no pool. The pool's environment variable is a
 * setting.
 */
export function rightsToAdmit({ admitsUsers }: ApiRights, { userPool }: DataResources): Right[] {
  return admitsUsers && userPool
    ? [{ actions: ['cognito-idp:AdminCreateUser'], resources: [userPool.arn] }]
    : [];
}

/** Converts the rights that only workers have, apart from those on queues, into statements. */
export function rightsToPublish(rights: WorkerRights, publishing: PublishingResources): Right[] {
  const { sendsToDeadLettersOf, schedules = [] } = rights;
  return withActions([
    ...(sendsToDeadLettersOf ? [rightToGiveUp(sendsToDeadLettersOf, publishing)] : []),
    {
      actions: prefixed('scheduler', schedules),
      resources: [publishing.schedulesArn],
      wildcardBecause: 'Each target gets its own schedule, which is created at run time in this group.',
      variables: {
        SCHEDULE_GROUP: publishing.scheduleGroupName,
        SCHEDULE_ROLE_ARN: publishing.scheduleRoleArn,
        SCHEDULE_DEAD_LETTER_ARN: publishing.scheduleDeadLetterArn,
      },
    },
    {
      // Creating a schedule passes it the role that it sends with.
      actions: prefixed('iam', schedules.includes('CreateSchedule') ? ['PassRole'] : []),
      resources: [publishing.scheduleRoleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    },
  ]);
}

function rightToGiveUp(name: 'publish' | 'upload', { deadLetters }: PublishingResources): Right {
  return {
    actions: ['sqs:SendMessage'],
    resources: [deadLetters[name].queueArn],
    variables: { [`${name.toUpperCase()}_DEAD_LETTER_URL`]: deadLetters[name].queueUrl },
  };
}

const tableWrites: readonly WriteAction[] = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];
/** The partitions that authenticate requests: API keys and sessions by their digests, and people's permissions. */
const callerPartitions: readonly Partition[] = ['KEY#', 'SESSION#', 'PERSON#'];

/**
 * Returns the rights on the table. Each action is allowed only if all partition keys of the request begin with its prefixes.
 * `ForAllValues` also holds for a request without any, so `Null` excludes these.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
function rightsOnPartitions({ reads = {}, writes = {} }: DataRights, { tableArn }: DataResources): Right[] {
  const actionsByPartitions = Map.groupBy(Object.entries({ ...reads, ...writes }), ([, partitions]) =>
    patternsOf(partitions).join(' '),
  );
  const allowed = [...actionsByPartitions].map(([patterns, entries]) => ({
    actions: prefixed(
      'dynamodb',
      entries.map(([action]) => action),
    ),
    resources: [tableArn],
    conditions: {
      'ForAllValues:StringLike': { [leadingKeys]: patterns.split(' ') },
      Null: { [leadingKeys]: 'false' },
    },
  }));
  const written = Object.values(writes).flat();
  const denied = callerPartitions.filter((partition) => !written.includes(partition));
  if (written.length === 0 || denied.length === 0) return allowed;
  return [...allowed, denialOf(denied, tableArn)];
}

const leadingKeys = 'dynamodb:LeadingKeys';

/**
 * Returns a denial that keeps a function from creating API keys, sessions or memberships, even if somebody adds another policy to
 * its role.
 */
function denialOf(partitions: readonly Partition[], tableArn: string): Right {
  return {
    effect: 'Deny',
    actions: prefixed('dynamodb', tableWrites),
    resources: [tableArn],
    conditions: { 'ForAnyValue:StringLike': { [leadingKeys]: patternsOf(partitions) } },
  };
}

const patternsOf = (partitions: readonly Partition[]): string[] =>
  [...partitions].sort().map((prefix) => `${prefix}*`);

function platformsOf({ platformSecrets }: DataRights): readonly Platform[] {
  if (typeof platformSecrets === 'string') return [Platform.parse(platformSecrets)];
  return typeof platformSecrets === 'object'
    ? platformSecrets.map((name) => Platform.parse(name))
    : platformNames;
}

/**
 * Returns the ARN of a parameter.
 *
 * @param name begins with a slash, as every hierarchical parameter name does
 */
function parameterArn(name: string): string {
  return `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${name}`;
}

function prefixed(service: string, actions: readonly string[]): string[] {
  return actions.map((action) => `${service}:${action}`);
}

function withActions(rights: readonly Right[]): Right[] {
  return rights.filter(({ actions }) => actions.length > 0);
}
