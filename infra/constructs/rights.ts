import { Aws } from 'aws-cdk-lib';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import type { ApiRights, WorkerRights } from '../functions/definition.ts';
import type { DataResources, PublishingResources } from './resources.ts';

/** What a role allows: single actions, each on the resource it is meant for. */
export interface Right {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Why the resource cannot be named without a wildcard. */
  readonly wildcardBecause?: string;
}

export function rightsOnData(rights: ApiRights | WorkerRights, data: DataResources): Right[] {
  const {
    table = [],
    tablePartitions = {},
    indexes = [],
    media = [],
    tokens = [],
    platformSecrets = false,
  } = rights;
  const sharedQueues = (rights.sends ?? []).flatMap((queue) => {
    if (queue === 'webhook') return [data.webhookQueueArn];
    return queue === 'inbound' ? [data.inboundQueueArn] : [];
  });
  return [
    { actions: of('dynamodb', table), resources: [data.tableArn] },
    ...Object.entries(tablePartitions).map(([action, beginning]) => ({
      actions: of('dynamodb', [action]),
      resources: [data.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': `${beginning}*` } },
    })),
    {
      actions: of('dynamodb', indexes.length > 0 ? ['Query'] : []),
      resources: indexes.map((name) => `${data.tableArn}/index/${name}`),
    },
    {
      actions: of(
        's3',
        media.filter((action) => action !== 'ListBucket'),
      ),
      resources: [`${data.mediaBucketArn}/media/*`],
      wildcardBecause: 'Each object has a key that is made when its upload is granted.',
    },
    {
      actions: of('s3', media.includes('ListBucket') ? ['ListBucket'] : []),
      resources: [data.mediaBucketArn],
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
      };
    }),
    {
      actions: of('ssm', platformSecrets ? ['GetParameter'] : []),
      resources: (typeof platformSecrets === 'string' ? [platformSecrets] : platformNames).map((platform) =>
        parameterArn(`${data.platformParameterPrefix}/${platform}`),
      ),
    },
    {
      actions: of('sqs', sharedQueues.length > 0 ? ['SendMessage'] : []),
      resources: sharedQueues,
    },
  ].filter(({ actions }) => actions.length > 0);
}

/** What a worker's rights add to those on data. */
export function rightsToPublish(rights: WorkerRights, publishing: PublishingResources): Right[] {
  const { sends = [], setsAside = false, schedules = [] } = rights;
  const queueArns = {
    publish: publishing.publishQueueArn,
    chain: publishing.chainQueueArn,
    automation: publishing.automationQueueArn,
  };
  const ownQueues = sends.filter((queue) => queue !== 'webhook' && queue !== 'inbound');
  return [
    {
      actions: of('sqs', ownQueues.length > 0 ? ['SendMessage'] : []),
      resources: ownQueues.map((queue) => queueArns[queue]),
    },
    {
      actions: of('sqs', setsAside ? ['SendMessage'] : []),
      resources: [publishing.publishDeadLetterArn],
    },
    {
      actions: of('scheduler', schedules),
      resources: [publishing.schedulesArn],
      wildcardBecause: 'Each target has a schedule of its own, made at run time in this group.',
    },
    {
      // Whoever makes a schedule hands it the role that it fires with.
      actions: of('iam', schedules.includes('CreateSchedule') ? ['PassRole'] : []),
      resources: [publishing.scheduleRoleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    },
  ].filter(({ actions }) => actions.length > 0);
}

/** @param name begins with a slash, as a parameter's name with levels does. */
function parameterArn(name: string): string {
  return `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${name}`;
}

function of(service: string, actions: readonly string[]): string[] {
  return actions.map((action) => `${service}:${action}`);
}
