/**
 * The value of `Ref` and of each attribute of a resource. Names are derived from the stack and the logical id, so they
 * are the same in every run.
 */
import { createHash } from 'node:crypto';
import { noValue } from './intrinsics.ts';

/** The parts of a resource that determine its identity. */
export interface Named {
  readonly type: string;
  readonly stackName: string;
  readonly logicalId: string;
  /** The construct's name, such as `posts-create`; absent if the template has no construct paths. */
  readonly constructName?: string;
  /** Returns a property with its intrinsic functions resolved; undefined if it is absent. */
  property(name: string): unknown;
}

/** The parts of ARNs and URLs. */
export interface Place {
  readonly accountId: string;
  readonly region: string;
  /** `http://127.0.0.1:<port>`: the endpoint of all AWS services. */
  readonly endpointUrl: string;
  readonly apiUrl: string;
  /** Returns the URL of the edge that stands for a distribution. @param name the distribution's logical id */
  readonly edgeUrl: (name: string) => string;
  /** Returns the value of a secret of Secrets Manager. */
  readonly secretValue: (secretArn: string) => string;
}

export interface Identity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The only version of a function, because it runs as it was deployed last. */
const publishedVersion = '1';

type Identify = (resource: Named, place: Place) => Identity;

/** The label in every stream's ARN. It is constant, because ARNs must be the same in every run. */
const streamLabel = '2026-01-01T00:00:00.000';

const identities: Readonly<Record<string, Identify>> = {
  'AWS::Lambda::Function': (resource, place) => {
    const name = text(resource.property('FunctionName')) ?? resource.constructName ?? physicalName(resource);
    return { ref: name, attributes: { Arn: arn(place, 'lambda', `function:${name}`) } };
  },
  'AWS::Lambda::Version': (resource, place) => ({
    ref: `${functionArn(String(resource.property('FunctionName')), place)}:${publishedVersion}`,
    attributes: { Version: publishedVersion },
  }),
  'AWS::Lambda::Alias': (resource, place) => ({
    ref: `${functionArn(String(resource.property('FunctionName')), place)}:${resource.property('Name')}`,
    attributes: {},
  }),
  'AWS::IAM::Role': (resource, place) => {
    const name = text(resource.property('RoleName')) ?? physicalName(resource);
    const path = text(resource.property('Path')) ?? '/';
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:iam::${place.accountId}:role${path}${name}`,
        RoleId: `AROA${digest(resource, 17)}`,
      },
    };
  },
  'AWS::IAM::ManagedPolicy': (resource, place) => {
    const name = text(resource.property('ManagedPolicyName')) ?? physicalName(resource);
    return { ref: `arn:aws:iam::${place.accountId}:policy/${name}`, attributes: {} };
  },
  'AWS::DynamoDB::GlobalTable': identifyTable,
  'AWS::DynamoDB::Table': identifyTable,
  'AWS::SQS::Queue': (resource, place) => {
    const name = text(resource.property('QueueName')) ?? physicalName(resource);
    const url = `${place.endpointUrl}/${place.accountId}/${name}`;
    return { ref: url, attributes: { Arn: arn(place, 'sqs', name), QueueName: name, QueueUrl: url } };
  },
  'AWS::S3::Bucket': (resource, place) => {
    const name = text(resource.property('BucketName')) ?? physicalName(resource).toLowerCase();
    const domain = bucketDomain(name, place.region);
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: domain,
      },
    };
  },
  'AWS::KMS::Key': (resource, place) => {
    const hex = digest(resource, 32).toLowerCase();
    const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return { ref: id, attributes: { Arn: arn(place, 'kms', `key/${id}`), KeyId: id } };
  },
  'AWS::KMS::Alias': (resource) => ({ ref: text(resource.property('AliasName')) ?? '', attributes: {} }),
  'AWS::SSM::Parameter': (resource) => ({
    ref: text(resource.property('Name')) ?? physicalName(resource),
    attributes: {
      Type: text(resource.property('Type')) ?? 'String',
      Value: text(resource.property('Value')) ?? '',
    },
  }),
  'AWS::Scheduler::ScheduleGroup': (resource, place) => {
    const name = text(resource.property('Name')) ?? physicalName(resource);
    return { ref: name, attributes: { Arn: arn(place, 'scheduler', `schedule-group/${name}`) } };
  },
  'AWS::Events::Rule': (resource, place) => {
    const name = text(resource.property('Name')) ?? physicalName(resource);
    return { ref: name, attributes: { Arn: arn(place, 'events', `rule/${name}`) } };
  },
  'AWS::CloudFront::Distribution': (resource, place) => {
    const id = `E${digest(resource, 13)}`;
    return { ref: id, attributes: { Id: id, DomainName: new URL(place.edgeUrl(resource.logicalId)).host } };
  },
  'AWS::CloudFront::Function': (resource, place) => {
    const functionArn = `arn:aws:cloudfront::${place.accountId}:function/${physicalName(resource)}`;
    return { ref: functionArn, attributes: { FunctionARN: functionArn } };
  },
  'AWS::SecretsManager::Secret': (resource, place) => {
    const name = text(resource.property('Name')) ?? physicalName(resource);
    const secretArn = arn(place, 'secretsmanager', `secret:${name}-${digest(resource, 6)}`);
    return { ref: secretArn, attributes: { Id: secretArn } };
  },
  'Custom::SecretDigest': (resource, place) => {
    const secret = place.secretValue(String(resource.property('SecretArn')));
    const Digest = createHash('sha256').update(secret, 'utf8').digest('hex');
    return { ref: physicalName(resource), attributes: { Digest } };
  },
  'AWS::Cognito::UserPool': (resource, place) => {
    const id = `${place.region}_${digest(resource, 9)}`;
    return { ref: id, attributes: { UserPoolId: id, Arn: arn(place, 'cognito-idp', `userpool/${id}`) } };
  },
  'AWS::CloudFront::OriginAccessControl': (resource) => {
    const id = `E${digest(resource, 13)}`;
    return { ref: id, attributes: { Id: id } };
  },
  'AWS::ApiGatewayV2::Api': (resource, place) => {
    const id = digest(resource, 10).toLowerCase();
    return { ref: id, attributes: { ApiId: id, ApiEndpoint: place.apiUrl } };
  },
  'AWS::Logs::LogGroup': (resource, place) => {
    const name = text(resource.property('LogGroupName')) ?? physicalName(resource);
    return { ref: name, attributes: { Arn: arn(place, 'logs', `log-group:${name}:*`) } };
  },
  'AWS::SNS::Topic': (resource, place) => {
    const name = text(resource.property('TopicName')) ?? physicalName(resource);
    const topicArn = arn(place, 'sns', name);
    return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name } };
  },
  'AWS::CloudWatch::Alarm': (resource, place) => {
    const name = text(resource.property('AlarmName')) ?? physicalName(resource);
    return { ref: name, attributes: { Arn: arn(place, 'cloudwatch', `alarm:${name}`) } };
  },
};

/** Returns the identity of any resource. For a type that the local cloud does not run, only `Ref` is known. */
export function identify(resource: Named, place: Place): Identity {
  return identities[resource.type]?.(resource, place) ?? { ref: physicalName(resource), attributes: {} };
}

/**
 * Returns a function's ARN.
 *
 * @param name a function's name or ARN; most properties take either
 */
export function functionArn(name: string, place: Place): string {
  return name.startsWith('arn:') ? name : arn(place, 'lambda', `function:${name}`);
}

/** Returns the domain name of a bucket in the origin of a CloudFront distribution. */
export function bucketDomain(bucketName: string, region: string): string {
  return `${bucketName}.s3.${region}.amazonaws.com`;
}

/** Returns the domain name of an HTTP API. */
export function apiDomain(apiId: string, region: string): string {
  return `${apiId}.execute-api.${region}.amazonaws.com`;
}

function identifyTable(resource: Named, place: Place): Identity {
  const name = text(resource.property('TableName')) ?? physicalName(resource);
  const tableArn = arn(place, 'dynamodb', `table/${name}`);
  return { ref: name, attributes: { Arn: tableArn, StreamArn: `${tableArn}/stream/${streamLabel}` } };
}

function arn(place: Place, service: string, resource: string): string {
  return `arn:aws:${service}:${place.region}:${place.accountId}:${resource}`;
}

/** Returns a name like those that CloudFormation generates: the stack's name and the logical id, at most 64 characters. */
function physicalName(resource: Named): string {
  const name = `${resource.stackName}-${resource.logicalId}`;
  return name.length <= 64 ? name : `${name.slice(0, 55)}-${digest(resource, 8)}`;
}

function digest(resource: Named, length: number): string {
  const hash = createHash('sha256').update(`${resource.stackName}/${resource.logicalId}`);
  return hash.digest('hex').slice(0, length).toUpperCase();
}

function text(value: unknown): string | undefined {
  return value === undefined || value === noValue ? undefined : String(value);
}
