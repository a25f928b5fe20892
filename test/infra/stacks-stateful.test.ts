import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFunctions } from '../../infra/functions/api.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { findStage } from '../../infra/stages.ts';
import { type Synthesized, synthesize, type TemplateResource } from './support/synthesize.ts';

/**
 * What holds data, by logical id, with the properties whose change makes CloudFormation replace it ("Update requires:
 * Replacement" in each type's reference). An id or a value that changes here loses a table or a key on deployment.
 */
const stateful = {
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
  TokenKey: { Type: 'AWS::KMS::Key', replacing: { KeySpec: undefined, KeyUsage: undefined } },
} as const;

type StatefulId = keyof typeof stateful;
const ids = Object.keys(stateful) as StatefulId[];

let dev: Synthesized;
let production: Synthesized;

beforeAll(() => {
  dev = synthesize();
  production = synthesize({ stage: findStage('production') });
}, 60_000);
afterAll(() => {
  dev.remove();
  production.remove();
});

describe('what holds data', () => {
  it.each(ids)('%s keeps its logical id and what would replace it', (id) => {
    for (const service of [dev, production]) {
      const resource = find(service, id);
      expect(resource.Type).toBe(stateful[id].Type);
      for (const [property, value] of Object.entries(stateful[id].replacing)) {
        expect(resource.Properties[property]).toEqual(value);
      }
    }
  });

  it('is everything of its kind: there is no second table, bucket, distribution or key', () => {
    for (const id of ids) expect(dev.ofType(stateful[id].Type)).toHaveLength(1);
  });

  it('is not touched by another setting, a new function or a changed one', () => {
    const [first] = apiFunctions;
    const changed = synthesize({
      stage: { ...findStage('dev'), rateLimitPerMinute: 7, publicBaseUrl: 'https://herald.example' },
      api: [
        ...apiFunctions,
        {
          name: 'posts-archive',
          routes: ['POST /v1/posts/{id}/archive'],
          entry: first?.entry ?? '',
          rights: { table: ['UpdateItem'], media: ['GetObject'], tokens: ['GenerateDataKey tokens'] },
        },
      ],
      workers: workerFunctions.map((worker) => ({ ...worker, memoryMegabytes: 1024 })),
    });
    changed.remove();
    for (const id of ids) expect(find(changed, id)).toEqual(find(dev, id));
  });

  it('is still exported when no function uses it any more', () => {
    const readers = workerFunctions.map((worker) => ({ ...worker, rights: {}, settings: [] }));
    const idle = synthesize({ api: [], workers: readers });
    idle.remove();
    expect(idle.exports('data')).toEqual(expect.arrayContaining([...dev.exports('data')]));
  });

  it('outlives its stack in production, and the table refuses to be deleted', () => {
    for (const id of ['Table', 'MediaBucket', 'TokenKey'] as const) {
      const resource = find(production, id);
      expect([resource.DeletionPolicy, resource.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
    expect(find(production, 'Table').Properties.Replicas[0].DeletionProtectionEnabled).toBe(true);
    const { artifacts } = JSON.parse(readFileSync(join(production.directory, 'manifest.json'), 'utf8'));
    expect(artifacts['herald-production-data'].properties.terminationProtection).toBe(true);
  });

  it('goes with its stack in dev, and nothing is left to pay for', () => {
    for (const id of ['Table', 'MediaBucket', 'TokenKey'] as const) {
      expect(find(dev, id).DeletionPolicy).toBe('Delete');
    }
  });

  it('can be brought back: the key waits thirty days before it is deleted, unless somebody says otherwise', () => {
    const days = find(production, 'TokenKey').Properties.PendingWindowInDays ?? 30;
    expect(days).toBe(30);
  });
});

describe('the table', () => {
  it('can be restored to any second, forgets what expired, and tells of each change', () => {
    const { Properties } = find(dev, 'Table');
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expiresAtSeconds', Enabled: true },
    });
    expect(Properties.Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
  });
});

describe('the bucket', () => {
  it('is private, and speaks TLS only', () => {
    const { Properties } = find(dev, 'MediaBucket');
    expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const [policy] = dev.ofType('AWS::S3::BucketPolicy');
    expect(policy?.Properties.PolicyDocument.Statement[0]).toMatchObject({
      Effect: 'Deny',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  it('takes uploads from browsers, which must be able to name the type and read the tag', () => {
    expect(find(dev, 'MediaBucket').Properties.CorsConfiguration.CorsRules).toEqual([
      {
        AllowedMethods: ['PUT'],
        AllowedOrigins: ['*'],
        AllowedHeaders: ['content-type'],
        ExposedHeaders: ['ETag'],
        MaxAge: 3600,
      },
    ]);
  });

  it('is made after the queue lets it send', () => {
    const [notification] = find(dev, 'MediaBucket').Properties.NotificationConfiguration.QueueConfigurations;
    const queue = notification.Queue['Fn::GetAtt'][0];
    const policy = dev
      .ofType('AWS::SQS::QueuePolicy')
      .find(({ Properties }) => Properties.Queues[0].Ref === queue);
    expect(find(dev, 'MediaBucket').DependsOn).toContain(policy?.logicalId);
  });
});

describe('the key of tokens', () => {
  it('rotates', () => {
    expect(find(dev, 'TokenKey').Properties.EnableKeyRotation).toBe(true);
  });
});

function find(service: Synthesized, id: string): TemplateResource {
  const resource = service.stacks['data']?.find(({ logicalId }) => logicalId === id);
  if (resource === undefined) throw new Error(`the data stack has no ${id}`);
  return resource;
}
