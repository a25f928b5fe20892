import { Aws } from 'aws-cdk-lib';
import type { DataRights } from '../../lib/api-contract/rights.ts';
import { Platform, platformNames } from '../../lib/platforms/contract/names.ts';
import type { WorkerRights } from '../functions/definition.ts';
import type { DataResources, PublishingResources, QueueAddress } from './resources.ts';

/** What a role allows: single actions, each on the resource it is meant for. */
export interface Right {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Why the resource cannot be named without a wildcard. */
  readonly wildcardBecause?: string;
  /** Environment variables that name the resource: a function knows of nothing that it may not use. */
  readonly variables?: Readonly<Record<string, string>>;
}

export function rightsOnData(rights: DataRights, data: DataResources): Right[] {
  const { table = [], tablePartitions = {}, indexes = [], media = [], tokens = [] } = rights;
  const tableVariables = { TABLE_NAME: data.tableName };
  const mediaVariables = { MEDIA_BUCKET: data.mediaBucketName };
  return withActions([
    { actions: of('dynamodb', table), resources: [data.tableArn], variables: tableVariables },
    ...Object.entries(tablePartitions).map(([action, beginning]) => ({
      actions: of('dynamodb', [action]),
      resources: [data.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': `${beginning}*` } },
      variables: tableVariables,
    })),
    {
      actions: of('dynamodb', indexes.length > 0 ? ['Query'] : []),
      resources: indexes.map((name) => `${data.tableArn}/index/${name}`),
      variables: tableVariables,
    },
    {
      actions: of(
        's3',
        media.filter((action) => action !== 'ListBucket'),
      ),
      resources: [`${data.mediaBucketArn}/media/*`],
      wildcardBecause: 'Each object has a key that is made when its upload is granted.',
      variables: mediaVariables,
    },
    {
      actions: of('s3', media.includes('ListBucket') ? ['ListBucket'] : []),
      resources: [data.mediaBucketArn],
      variables: mediaVariables,
    },
    ...tokens.map((right) => {
      const [action = '', purpose = ''] = right.split(' ');
      return {
        // What is sealed opens only in the name of the workspace and for the purpose that it was sealed for.
        actions: of('kms', [action]),
        resources: [data.tokenKeyArn],
        conditions: {
          StringEquals: { 'kms:EncryptionContext:purpose': purpose },
          StringLike: { 'kms:EncryptionContext:workspace': '?*' },
        },
        variables: { TOKEN_KEY_ID: data.tokenKeyId },
      };
    }),
    {
      actions: of('ssm', rights.platformSecrets ? ['GetParameter'] : []),
      resources: platformsOf(rights).map((platform) =>
        parameterArn(`${data.platformParameterPrefix}/${platform}`),
      ),
      variables: {
        PLATFORM_PARAMETER_PREFIX: data.platformParameterPrefix,
        // Platform to base address, if it is another than the platform's own.
        PLATFORM_BASE_URLS: '{}',
      },
    },
  ]);
}

/** To send to the named queues. */
export function rightsToSend<Queue extends string>(
  names: readonly Queue[] = [],
  queues: Readonly<Record<Queue, QueueAddress>>,
): Right[] {
  return names.map((name) => ({
    actions: ['sqs:SendMessage'],
    resources: [queues[name].queueArn],
    variables: { [`${name.toUpperCase()}_QUEUE_URL`]: queues[name].queueUrl },
  }));
}

/** What a worker's rights add to those on data and queues. */
export function rightsToPublish(rights: WorkerRights, publishing: PublishingResources): Right[] {
  const { setsAside = false, schedules = [] } = rights;
  return withActions([
    {
      actions: of('sqs', setsAside ? ['SendMessage'] : []),
      resources: [publishing.publishDeadLetters.queueArn],
      variables: { PUBLISH_DEAD_LETTER_URL: publishing.publishDeadLetters.queueUrl },
    },
    {
      actions: of('scheduler', schedules),
      resources: [publishing.schedulesArn],
      wildcardBecause: 'Each target has a schedule of its own, made at run time in this group.',
      variables: {
        SCHEDULE_GROUP: publishing.scheduleGroupName,
        SCHEDULE_ROLE_ARN: publishing.scheduleRoleArn,
        PUBLISH_QUEUE_ARN: publishing.queues.publish.queueArn,
        SCHEDULE_DEAD_LETTER_ARN: publishing.scheduleDeadLetterArn,
      },
    },
    {
      // Whoever makes a schedule hands it the role that it fires with.
      actions: of('iam', schedules.includes('CreateSchedule') ? ['PassRole'] : []),
      resources: [publishing.scheduleRoleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    },
  ]);
}

function platformsOf({ platformSecrets }: DataRights): readonly Platform[] {
  return typeof platformSecrets === 'string' ? [Platform.parse(platformSecrets)] : platformNames;
}

/** @param name begins with a slash, as a parameter's name with levels does. */
function parameterArn(name: string): string {
  return `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${name}`;
}

function of(service: string, actions: readonly string[]): string[] {
  return actions.map((action) => `${service}:${action}`);
}

function withActions(rights: readonly Right[]): Right[] {
  return rights.filter(({ actions }) => actions.length > 0);
}
