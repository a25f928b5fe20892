/** Reads tables, queues, encryption keys, parameters and schedule groups. */
import * as z from 'zod';
import type {
  EncryptionKeyResource,
  ParameterResource,
  PolicyDocument,
  QueueResource,
  ScheduleGroupResource,
  TableResource,
} from '../model.ts';
import { count, policyDocument, readProperties } from './read-properties.ts';
import type { Place } from './references.ts';
import type { Resources } from './stacks.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const secondaryIndexes = z
  .array(
    z.object({ IndexName: z.string(), KeySchema: keySchema, Projection: z.record(z.string(), z.unknown()) }),
  )
  .optional();
const tableProperties = z.object({
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.string() })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: secondaryIndexes,
  LocalSecondaryIndexes: secondaryIndexes,
  StreamSpecification: z.object({ StreamViewType: z.string() }).optional(),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
});

export function readTables(resources: Resources): readonly TableResource[] {
  return resources.ofType('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table').map((resource) => {
    const { StreamSpecification, TimeToLiveSpecification, ...definition } = readProperties(
      resource,
      tableProperties,
    );
    return {
      name: resource.ref,
      arn: resource.attribute('Arn'),
      streamArn: resource.attribute('StreamArn'),
      // Provisioned capacity has no effect on one machine, so every table is created on demand.
      definition: {
        TableName: resource.ref,
        BillingMode: 'PAY_PER_REQUEST',
        ...definition,
      },
      ...(StreamSpecification !== undefined && { streamViewType: StreamSpecification.StreamViewType }),
      ...(TimeToLiveSpecification?.Enabled && { timeToLiveAttribute: TimeToLiveSpecification.AttributeName }),
    };
  });
}

const queueProperties = z.object({
  FifoQueue: z.boolean().default(false),
  VisibilityTimeout: count.default(30),
  MessageRetentionPeriod: count.default(345_600),
  DelaySeconds: count.default(0),
  RedrivePolicy: z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: count }).optional(),
});
const queuePolicy = z.object({ Queues: z.array(z.string()), PolicyDocument: policyDocument });

/** Reads every queue with its policy. @throws Error for a FIFO queue. */
export function readQueues(resources: Resources): readonly QueueResource[] {
  const policies = resources
    .ofType('AWS::SQS::QueuePolicy')
    .map((resource) => readProperties(resource, queuePolicy));
  return resources.ofType('AWS::SQS::Queue').map((resource) => {
    const { FifoQueue, RedrivePolicy, ...properties } = readProperties(resource, queueProperties);
    if (FifoQueue) throw new Error(`${resource.logicalId} is a FIFO queue: only standard queues run locally`);
    const policy = policies.find(({ Queues }) => Queues.includes(resource.ref))?.PolicyDocument;
    return {
      name: resource.attribute('QueueName'),
      arn: resource.attribute('Arn'),
      url: resource.ref,
      visibilityTimeoutSeconds: properties.VisibilityTimeout,
      retentionSeconds: properties.MessageRetentionPeriod,
      delaySeconds: properties.DelaySeconds,
      ...(RedrivePolicy && {
        redrive: {
          deadLetterArn: RedrivePolicy.deadLetterTargetArn,
          maxReceiveCount: RedrivePolicy.maxReceiveCount,
        },
      }),
      ...(policy !== undefined && { policy: policy as PolicyDocument }),
    };
  });
}

const aliasProperties = z.object({ AliasName: z.string(), TargetKeyId: z.string() });

export function readEncryptionKeys(resources: Resources): readonly EncryptionKeyResource[] {
  const aliases = resources
    .ofType('AWS::KMS::Alias')
    .map((resource) => readProperties(resource, aliasProperties));
  return resources.ofType('AWS::KMS::Key').map((resource) => {
    const arn = resource.attribute('Arn');
    const own = aliases.filter(({ TargetKeyId }) => TargetKeyId === arn || TargetKeyId === resource.ref);
    return { id: resource.ref, arn, aliases: own.map(({ AliasName }) => AliasName) };
  });
}

const parameterProperties = z.object({ Value: z.string() });

/** Reads every SSM parameter of the templates, as type `String`. */
export function readParameters(resources: Resources, place: Place): readonly ParameterResource[] {
  return resources.ofType('AWS::SSM::Parameter').map((resource) => ({
    name: resource.ref,
    arn: parameterArn(resource.ref, place),
    type: 'String',
    value: readProperties(resource, parameterProperties).Value,
  }));
}

/** Returns a parameter's ARN. A leading slash of the name is not repeated after `parameter/`. */
export function parameterArn(name: string, place: Place): string {
  return `arn:aws:ssm:${place.region}:${place.accountId}:parameter/${name.replace(/^\//, '')}`;
}

export function readScheduleGroups(resources: Resources): readonly ScheduleGroupResource[] {
  return resources
    .ofType('AWS::Scheduler::ScheduleGroup')
    .map((resource) => ({ name: resource.ref, arn: resource.attribute('Arn') }));
}
