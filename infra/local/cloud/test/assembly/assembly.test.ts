import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  aws_apigatewayv2 as api,
  aws_cloudfront as cloudfront,
  Duration,
  aws_dynamodb as dynamodb,
  aws_lambda_event_sources as eventSources,
  aws_events as events,
  aws_events_targets as eventTargets,
  aws_iam as iam,
  aws_apigatewayv2_integrations as integrations,
  aws_kms as kms,
  aws_lambda as lambda,
  aws_s3_notifications as notifications,
  aws_cloudfront_origins as origins,
  Stack,
  aws_s3 as s3,
  aws_scheduler as scheduler,
  aws_sqs as sqs,
  aws_ssm as ssm,
} from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAssembly } from '../../assembly/assembly.ts';
import type { CloudModel } from '../../model.ts';

const addresses = {
  endpointUrl: 'http://127.0.0.1:4000',
  apiUrl: 'http://127.0.0.1:3000',
  edgeUrl: () => 'http://127.0.0.1:5000',
};
const account = '000000000000';
const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
let model: CloudModel;

/** Synthesizes two stacks with references between them, like the service's stacks. */
function synthesize(outdir: string): void {
  const bundle = join(directory, 'bundle');
  mkdirSync(bundle, { recursive: true });
  writeFileSync(join(bundle, 'index.mjs'), 'export const handler = async () => 1;');
  const app = new App({
    outdir,
    builtinCloudFormationValidation: false,
    context: { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true },
  });

  const data = new Stack(app, 'Data');
  const table = new dynamodb.TableV2(data, 'table', {
    partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
    sortKey: { name: 'sk', type: dynamodb.AttributeType.STRING },
    timeToLiveAttribute: 'expiresAtSeconds',
    dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
    globalSecondaryIndexes: [
      {
        indexName: 'overdue',
        partitionKey: { name: 'dueShard', type: dynamodb.AttributeType.STRING },
        projectionType: dynamodb.ProjectionType.KEYS_ONLY,
      },
    ],
  }) as dynamodb.ITable;
  // Cast, because CDK's types do not comply with exactOptionalPropertyTypes.
  const media = new s3.Bucket(data, 'media', {
    cors: [
      {
        allowedMethods: [s3.HttpMethods.PUT],
        allowedOrigins: ['*'],
        allowedHeaders: ['content-type'],
        maxAge: 60,
      },
    ],
    enforceSSL: true,
  }) as s3.IBucket;
  new cloudfront.Distribution(data, 'cdn', {
    defaultBehavior: {
      origin: origins.S3BucketOrigin.withOriginAccessControl(media, { originPath: '/public' }),
    },
  });
  const key = new kms.Key(data, 'tokens', { alias: 'herald/tokens' });
  const parameter = new ssm.StringParameter(data, 'setting', {
    parameterName: '/herald/setting',
    stringValue: 'on',
  });

  const workers = new Stack(app, 'Workers');
  const deadLetters = new sqs.Queue(workers, 'publish-dead-letters', { retentionPeriod: Duration.days(14) });
  const queue = new sqs.Queue(workers, 'publish', {
    visibilityTimeout: Duration.seconds(60),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    enforceSSL: true,
  });
  const uploads = new sqs.Queue(data, 'uploads');
  media.addEventNotification(s3.EventType.OBJECT_CREATED, new notifications.SqsDestination(uploads), {
    prefix: 'in/',
  });
  new s3.CfnBucket(data, 'archive', {
    bucketName: 'archive',
    notificationConfiguration: {
      queueConfigurations: [
        {
          event: 's3:ObjectRemoved:*',
          queue: uploads.queueArn,
          filter: { s3Key: { rules: [{ name: 'suffix', value: '.zip' }] } },
        },
      ],
    },
  });
  const group = new scheduler.ScheduleGroup(workers, 'group', { scheduleGroupName: 'posts' });
  const consumer = new lambda.Function(workers, 'publish-target', {
    runtime: lambda.Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: lambda.Code.fromAsset(bundle),
    timeout: Duration.seconds(30),
    memorySize: 512,
    reservedConcurrentExecutions: 3,
    environment: {
      TABLE_NAME: table.tableName,
      QUEUE_URL: queue.queueUrl,
      KEY_ARN: key.keyArn,
      GROUP: group.scheduleGroupName,
      SETTING: parameter.parameterName,
      BASE_URL: 'https://platform.example',
    },
  });
  consumer.addToRolePolicy(
    new iam.PolicyStatement({ actions: ['dynamodb:GetItem'], resources: [table.tableArn] }),
  );
  consumer.addEventSource(
    new eventSources.SqsEventSource(queue, {
      batchSize: 1,
      maxConcurrency: 4,
      reportBatchItemFailures: true,
      filters: [lambda.FilterCriteria.filter({ body: { kind: lambda.FilterRule.isEqual('publish') } })],
    }),
  );
  consumer.addEventSource(
    new eventSources.DynamoEventSource(table, {
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      batchSize: 50,
      bisectBatchOnError: true,
      retryAttempts: 7,
      parallelizationFactor: 2,
      maxRecordAge: Duration.hours(1),
      onFailure: new eventSources.SqsDlq(deadLetters),
    }),
  );
  new events.Rule(workers, 'sweep', {
    schedule: events.Schedule.rate(Duration.minutes(5)),
    targets: [
      new eventTargets.LambdaFunction(consumer, {
        event: events.RuleTargetInput.fromObject({ task: 'sweep' }),
      }),
    ],
  });
  // No local service sends events, so this rule is left out.
  new events.Rule(workers, 'calls', { eventPattern: { source: ['aws.lambda'] } });
  const httpApi = new api.HttpApi(workers, 'api', {
    corsPreflight: { allowOrigins: ['*'], allowMethods: [api.CorsHttpMethod.ANY], maxAge: Duration.hours(1) },
  });
  httpApi.addRoutes({
    path: '/v1/posts/{id}',
    methods: [api.HttpMethod.GET],
    integration: new integrations.HttpLambdaIntegration('read', consumer),
  });
  app.synth();
}

beforeAll(() => {
  const outdir = join(directory, 'cdk.out');
  synthesize(outdir);
  model = readAssembly({
    directory: outdir,
    addresses,
    environmentOverrides: { BASE_URL: 'http://127.0.0.1:6000' },
    parameters: [{ name: '/herald/platforms/instagram', type: 'SecureString', value: '{}' }],
  });
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('the assembly as a model', () => {
  it('contains only our own functions, with construct names and with resolved and overridden variables', () => {
    const [table] = model.tables;
    const [key] = model.encryptionKeys;
    expect(model.functions).toHaveLength(1);
    expect(model.functions[0]).toMatchObject({
      name: 'publish-target',
      handler: 'index.handler',
      timeoutSeconds: 30,
      memoryMegabytes: 512,
      reservedConcurrency: 3,
      environment: {
        TABLE_NAME: table?.name,
        QUEUE_URL: expect.stringMatching(`^http://127.0.0.1:4000/${account}/Workers-publish[0-9A-F]{8}$`),
        KEY_ARN: key?.arn,
        GROUP: 'posts',
        SETTING: '/herald/setting',
        BASE_URL: 'http://127.0.0.1:6000',
      },
    });
    expect(model.functions[0]?.assetDirectory).toMatch(/cdk\.out\/asset\.[0-9a-f]+$/);
  });

  it('gives a role every policy that is attached to it', () => {
    const role = model.roles.find(({ arn }) => arn === model.functions[0]?.roleArn);
    const statements = role?.policies.flatMap(({ Statement }) => Statement);
    expect(statements).toContainEqual(
      expect.objectContaining({ Action: 'dynamodb:GetItem', Resource: model.tables[0]?.arn }),
    );
    expect(role?.trustPolicy.Statement[0]?.Principal).toEqual({ Service: 'lambda.amazonaws.com' });
  });

  it("describes the table as CreateTable's input", () => {
    expect(model.tables[0]).toMatchObject({
      streamViewType: 'NEW_AND_OLD_IMAGES',
      timeToLiveAttribute: 'expiresAtSeconds',
      definition: {
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: [{ IndexName: 'overdue', Projection: { ProjectionType: 'KEYS_ONLY' } }],
      },
    });
  });

  it('links a queue to its dead-letter queue and its policy', () => {
    const queue = model.queues.find(
      ({ name }) => name.startsWith('Workers-publish') && !name.includes('dead'),
    );
    const deadLetters = model.queues.find(({ name }) => name.includes('deadletters'));
    expect(queue?.redrive).toEqual({ deadLetterArn: deadLetters?.arn, maxReceiveCount: 5 });
    expect(queue?.visibilityTimeoutSeconds).toBe(60);
    expect(queue?.policy?.Statement[0]).toMatchObject({ Effect: 'Deny', Action: 'sqs:*' });
    expect(deadLetters?.retentionSeconds).toBe(14 * 86_400);
  });

  it('reads both kinds of event source', () => {
    const functionArn = model.functions[0]?.arn;
    const [fromQueue, fromStream] = model.eventSources;
    expect(fromQueue).toMatchObject({
      functionArn,
      batchSize: 1,
      maximumConcurrency: 4,
      reportsBatchItemFailures: true,
      filters: [{ body: { kind: ['publish'] } }],
    });
    expect(fromStream).toMatchObject({
      functionArn,
      sourceArn: model.tables[0]?.streamArn,
      batchSize: 50,
      filters: [],
      stream: {
        bisectsOnError: true,
        maximumRetryAttempts: 7,
        maximumRecordAgeSeconds: 3600,
        parallelizationFactor: 2,
        onFailureArn: model.queues.find(({ name }) => name.includes('deadletters'))?.arn,
      },
    });
  });

  it('reads routes, CORS, rules and schedule groups', () => {
    expect(model.api).toMatchObject({
      routes: [{ routeKey: 'GET /v1/posts/{id}', functionArn: model.functions[0]?.arn }],
      cors: { allowedOrigins: ['*'], allowedMethods: ['*'], maxAgeSeconds: 3600 },
    });
    expect(model.rules[0]).toMatchObject({
      everySeconds: 300,
      targets: [{ arn: model.functions[0]?.arn, input: '{"task":"sweep"}' }],
    });
    expect(model.scheduleGroups[0]).toMatchObject({
      name: 'posts',
      arn: `arn:aws:scheduler:us-east-1:${account}:schedule-group/posts`,
    });
  });

  it('reads the bucket with its notifications, and the distribution in front of it', () => {
    const [bucket] = model.buckets;
    expect(bucket?.notifications).toEqual([
      {
        events: ['s3:ObjectCreated:*'],
        prefix: 'in/',
        destinationArn: model.queues.find(({ name }) => name.startsWith('Data-uploads'))?.arn,
      },
    ]);
    expect(bucket?.cors[0]).toMatchObject({ allowedMethods: ['PUT'], maxAgeSeconds: 60 });
    expect(bucket?.policy?.Statement.length).toBeGreaterThan(0);
    expect(model.distributions[0]).toMatchObject({
      name: expect.stringMatching(/^cdn/),
      domainName: '127.0.0.1:5000',
      behaviors: [
        {
          pathPattern: '*',
          origin: { kind: 'bucket', bucketArn: bucket?.arn, path: '/public' },
          cache: { minSeconds: 1, defaultSeconds: 86_400 },
        },
      ],
    });
  });

  it('reads notifications in the bucket resource itself', () => {
    expect(model.buckets.find(({ name }) => name === 'archive')?.notifications).toEqual([
      {
        events: ['s3:ObjectRemoved:*'],
        suffix: '.zip',
        destinationArn: model.queues.find(({ name }) => name.startsWith('Data-uploads'))?.arn,
      },
    ]);
  });

  it('reads the aliases of keys, and parameters from the template and the options', () => {
    expect(model.encryptionKeys[0]?.aliases).toEqual(['alias/herald/tokens']);
    expect(model.parameters).toEqual([
      {
        name: '/herald/setting',
        arn: `arn:aws:ssm:us-east-1:${account}:parameter/herald/setting`,
        type: 'String',
        value: 'on',
      },
      expect.objectContaining({ name: '/herald/platforms/instagram', type: 'SecureString' }),
    ]);
  });

  it('gives the same names in every run', () => {
    expect(readAssembly({ directory: join(directory, 'cdk.out'), addresses }).tables).toEqual(model.tables);
  });
});

describe('a reading that fails', () => {
  it('names the stack, the resource and the attribute that cannot be resolved', () => {
    const outdir = join(directory, 'broken');
    mkdirSync(outdir);
    const artifact = {
      type: 'aws:cloudformation:stack',
      properties: { templateFile: 'Broken.template.json' },
    };
    writeFileSync(join(outdir, 'manifest.json'), JSON.stringify({ artifacts: { Broken: artifact } }));
    const Resources = {
      Strange: { Type: 'AWS::SQS::Queue' },
      Other: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::GetAtt': ['Strange', 'Colour'] } } },
    };
    writeFileSync(join(outdir, 'Broken.template.json'), JSON.stringify({ Resources }));
    expect(() => readAssembly({ directory: outdir, addresses })).toThrow(
      'Broken Other (AWS::SQS::Queue), property QueueName: the attribute Colour of Broken Strange (AWS::SQS::Queue) is not known locally',
    );
  });

  const live = { FunctionName: { Ref: 'Publish' }, Name: 'live' };
  const newest = { FunctionVersion: { 'Fn::GetAtt': ['Newest', 'Version'] } };
  it.each<[string, object | undefined, string | undefined]>([
    ['that has the published version, is read as its function', { ...live, ...newest }, undefined],
    [
      'of a version that is not published, is refused',
      { ...live, FunctionVersion: '7' },
      'is for version 7, which no stack publishes',
    ],
    [
      'that shares its calls between versions, is refused',
      { ...live, ...newest, RoutingConfig: { AdditionalVersionWeights: [] } },
      'the local cloud runs one version of a function',
    ],
    [
      'that no stack has, is refused',
      undefined,
      'function:Aliases-Publish:live is called, but no stack has this alias',
    ],
  ])('the alias %s', (_which, alias, problem) => {
    const outdir = mkdtempSync(join(directory, 'aliases-'));
    const Resources = {
      Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: { Statement: [] } } },
      Publish: {
        Type: 'AWS::Lambda::Function',
        Properties: { Handler: 'index.handler', Role: { 'Fn::GetAtt': ['Role', 'Arn'] } },
        Metadata: { 'aws:asset:path': 'bundle' },
      },
      Newest: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Publish' } } },
      ...(alias && { Live: { Type: 'AWS::Lambda::Alias', Properties: alias } }),
      Queue: { Type: 'AWS::SQS::Queue' },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          FunctionName: alias ? { Ref: 'Live' } : { 'Fn::Join': [':', [{ Ref: 'Publish' }, 'live']] },
          EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
        },
      },
    };
    const artifact = { type: 'aws:cloudformation:stack', properties: { templateFile: 'Aliases.json' } };
    writeFileSync(join(outdir, 'manifest.json'), JSON.stringify({ artifacts: { Aliases: artifact } }));
    writeFileSync(join(outdir, 'Aliases.json'), JSON.stringify({ Resources }));
    const reading = () => readAssembly({ directory: outdir, addresses });
    if (problem !== undefined) {
      expect(reading).toThrow(problem);
      return;
    }
    const [handler] = reading().functions;
    expect(reading().eventSources.map(({ functionArn }) => functionArn)).toEqual([handler?.arn]);
  });

  it('names a folder without an assembly', () => {
    expect(() => readAssembly({ directory: join(directory, 'absent'), addresses })).toThrow(
      'is not part of a synthesized assembly',
    );
  });
});
