/** A small model with every type of resource, and engines that run it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMovableClock, type MovableClock } from '../clock.ts';
import { startEdges, stopEdges } from '../edge/edge.ts';
import { startEngines } from '../engines/start.ts';
import {
  administratorPolicies,
  type EndpointUrl,
  type EngineOptions,
  type Engines,
  type Identity,
} from '../engines/types.ts';
import type { CloudModel, PolicyStatement } from '../model.ts';

export const region = 'eu-west-1';
export const accountId = '123456789012';
export const bucketArn = 'arn:aws:s3:::media';
export const queueArn = (name: string) => `arn:aws:sqs:${region}:${accountId}:${name}`;
export const roleArn = `arn:aws:iam::${accountId}:role/scheduler`;
export const tableArn = `arn:aws:dynamodb:${region}:${accountId}:table/posts`;
export const streamArn = `${tableArn}/stream/local`;
export const keyArn = `arn:aws:kms:${region}:${accountId}:key/tokens`;

const allow = (Action: string | string[], Resource: string | string[]): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

export function smallModel({ endpointUrl }: EndpointUrl): CloudModel {
  const queue = (name: string) => ({
    name,
    arn: queueArn(name),
    url: `${endpointUrl}/${accountId}/${name}`,
    visibilityTimeoutSeconds: 30,
    retentionSeconds: 345_600,
    delaySeconds: 0,
  });
  const serviceMay = (
    Service: string,
    Action: string,
    Resource: string,
    sourceArn: string,
  ): PolicyStatement => ({
    Effect: 'Allow',
    Principal: { Service },
    Action,
    Resource,
    Condition: { ArnLike: { 'aws:SourceArn': sourceArn } },
  });
  return {
    region,
    accountId,
    functions: [],
    api: { routes: [] },
    eventSources: [],
    rules: [],
    roles: [
      {
        arn: roleArn,
        trustPolicy: {
          Statement: [
            {
              Effect: 'Allow',
              Principal: { Service: 'scheduler.amazonaws.com' },
              Action: 'sts:AssumeRole',
              Condition: {
                StringEquals: {
                  'aws:SourceAccount': accountId,
                  'aws:SourceArn': `arn:aws:scheduler:${region}:${accountId}:schedule-group/posts`,
                },
              },
            },
          ],
        },
        policies: [{ Statement: [allow('sqs:SendMessage', [queueArn('work'), queueArn('dead')])] }],
      },
    ],
    queues: [
      { ...queue('work'), redrive: { deadLetterArn: queueArn('dead'), maxReceiveCount: 2 } },
      { ...queue('dead'), retentionSeconds: 1_209_600 },
      queue('closed'),
      {
        ...queue('arrivals'),
        policy: {
          Statement: [serviceMay('s3.amazonaws.com', 'sqs:SendMessage', queueArn('arrivals'), bucketArn)],
        },
      },
    ],
    scheduleGroups: [
      { name: 'posts', arn: `arn:aws:scheduler:${region}:${accountId}:schedule-group/posts` },
      { name: 'others', arn: `arn:aws:scheduler:${region}:${accountId}:schedule-group/others` },
    ],
    tables: [
      {
        name: 'posts',
        arn: tableArn,
        streamArn,
        streamViewType: 'NEW_AND_OLD_IMAGES',
        timeToLiveAttribute: 'expiresAtSeconds',
        definition: {
          TableName: 'posts',
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          AttributeDefinitions: ['pk', 'sk', 'listKey'].map((AttributeName) => ({
            AttributeName,
            AttributeType: 'S',
          })),
          GlobalSecondaryIndexes: [
            {
              IndexName: 'by-list',
              KeySchema: [{ AttributeName: 'listKey', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
            },
          ],
        },
      },
    ],
    buckets: [
      {
        name: 'media',
        arn: bucketArn,
        cors: [
          {
            allowedOrigins: ['https://app.example.com'],
            allowedMethods: ['PUT'],
            allowedHeaders: ['content-type'],
            exposedHeaders: ['ETag'],
            maxAgeSeconds: 3000,
          },
        ],
        policy: {
          Statement: [
            {
              Effect: 'Deny',
              Principal: '*',
              Action: 's3:*',
              Resource: [bucketArn, `${bucketArn}/*`],
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
            serviceMay(
              'cloudfront.amazonaws.com',
              's3:GetObject',
              `${bucketArn}/public/*`,
              `arn:aws:cloudfront::${accountId}:distribution/E1`,
            ),
          ],
        },
        notifications: [
          { events: ['s3:ObjectCreated:*'], prefix: 'public/', destinationArn: queueArn('arrivals') },
          {
            events: ['s3:ObjectRemoved:*'],
            destinationArn: 'arn:aws:lambda:eu-west-1:123456789012:function:removed',
          },
        ],
      },
    ],
    distributions: [
      {
        name: 'MediaDistribution',
        id: 'E1',
        arn: `arn:aws:cloudfront::${accountId}:distribution/E1`,
        domainName: 'media.example.com',
        defaultRootObject: '',
        behaviors: [
          {
            pathPattern: '*',
            allowedMethods: ['GET', 'HEAD'],
            origin: { kind: 'bucket', bucketArn, path: '/public' },
            compresses: false,
            cache: { minSeconds: 0, defaultSeconds: 3_600, maxSeconds: 3_600, encodings: [] },
            passesRequestOn: false,
            responseHeaders: [
              { name: 'x-content-type-options', value: 'nosniff', overrides: true },
              { name: 'cache-control', value: 'public, max-age=3600', overrides: true },
              { name: 'content-language', value: 'en', overrides: false },
              { name: 'access-control-allow-origin', value: '*', overrides: true },
            ],
          },
        ],
        errorResponses: { 403: { cacheSeconds: 0 } },
      },
    ],
    uploads: [],
    encryptionKeys: [{ id: 'tokens', arn: keyArn, aliases: ['alias/herald-tokens'] }],
    parameters: [
      {
        name: '/herald/platforms/one',
        arn: `arn:aws:ssm:${region}:${accountId}:parameter/herald/platforms/one`,
        type: 'SecureString',
        value: 'a secret',
      },
      {
        name: '/herald/greeting',
        arn: `arn:aws:ssm:${region}:${accountId}:parameter/herald/greeting`,
        type: 'String',
        value: 'hello',
      },
    ],
  };
}

export interface TestCloud {
  readonly engines: Engines;
  /** The edge of the model's distribution. */
  readonly mediaUrl: string;
  readonly clock: MovableClock;
  /** Returns the options of an SDK client for an identity. */
  client(accessKeyId?: string): {
    region: string;
    endpoint: string;
    credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
    maxAttempts: number;
  };
  /** Adds an identity with only these rights. Its access key id is its name. */
  grant(name: string, ...statements: PolicyStatement[]): void;
  /** Stops, and starts again with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestCloud(overrides: Partial<EngineOptions> = {}): Promise<TestCloud> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'herald-engines-'));
  const clock = overrides.clock ?? createMovableClock();
  const identities = new Map<string, Identity>();
  const addIdentity = (name: string, policies: Identity['policies']) =>
    identities.set(name, {
      accessKeyId: name,
      secretAccessKey: `secret of ${name}`,
      principalArn: `arn:aws:sts::${accountId}:assumed-role/${name}/session`,
      policies,
    });
  addIdentity('administrator', administratorPolicies);
  const options: EngineOptions = {
    model: smallModel,
    dataDirectory,
    jitter: 'none',
    identities: { find: (accessKeyId) => identities.get(accessKeyId) },
    ...overrides,
    clock,
  };
  const edges = await startEdges(['MediaDistribution'], {}, () => {});
  const start = () => startEngines({ edges, ...options });
  let engines = await start();
  return {
    clock,
    mediaUrl: edges['MediaDistribution']?.url ?? '',
    get engines() {
      return engines;
    },
    client: (accessKeyId = 'administrator') => ({
      region,
      endpoint: engines.endpointUrl,
      credentials: { accessKeyId, secretAccessKey: `secret of ${accessKeyId}` },
      maxAttempts: 1,
    }),
    grant: (name, ...Statement) => void addIdentity(name, [{ Statement }]),
    async restart() {
      await engines.stop();
      engines = await start();
    },
    async stop() {
      await engines.stop();
      await stopEdges(edges);
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
