/** The resources that outlive a deployment. */
import type { TemplateResource, Templates } from './synthesize.ts';

/**
 * The resources that hold data, by logical id, with the properties whose change makes CloudFormation replace them ("Update
 * requires: Replacement" in each type's reference). If an id or a value here changes, a deployment loses a table or a key.
 */
export const stateful = {
  Table: {
    Type: 'AWS::DynamoDB::GlobalTable',
    replacing: {
      TableName: undefined,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    },
  },
  MediaBucket: { Type: 'AWS::S3::Bucket', replacing: { BucketName: undefined } },
  MediaDistribution: { Type: 'AWS::CloudFront::Distribution', replacing: {} },
  TokenKey: {
    Type: 'AWS::KMS::Key',
    replacing: { KeySpec: undefined, KeyUsage: undefined, MultiRegion: true },
  },
  UserPool: { Type: 'AWS::Cognito::UserPool', replacing: { UsernameAttributes: ['email'] } },
} as const;

type StatefulId = keyof typeof stateful;
export const ids = Object.keys(stateful) as StatefulId[];

/** The types whose resources keep data, work that waits, an address that others know, or a name that no other may have. */
export const rememberingTypes = new Set([
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolDomain',
  'AWS::Cognito::UserPoolClient',
  'AWS::ApiGatewayV2::Api',
  'AWS::CloudFront::Distribution',
  'AWS::SecretsManager::Secret',
  'AWS::SNS::Topic',
  'AWS::SSM::Parameter',
]);

/** A resource of the data stack. */
export function find(service: Templates, id: string): TemplateResource {
  const resource = service.stacks['data']?.find(({ logicalId }) => logicalId === id);
  if (resource === undefined) throw new Error(`the data stack has no ${id}`);
  return resource;
}
