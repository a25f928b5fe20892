import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnResource } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPinned } from '../../infra/constructs/pin-logical-id.ts';
import { apiFunctions } from '../../infra/functions/api.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import {
  devWithAlarms,
  production as productionStage,
  type Synthesized,
  synthesize,
  synthesizeOnce,
  type TemplateResource,
  type Templates,
} from './support/synthesize.ts';

/**
 * The resources that hold data, by logical id, with the properties whose change makes CloudFormation replace them ("Update
 * requires: Replacement" in each type's reference). If an id or a value here changes, a deployment loses a table or a key.
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
  TokenKey: {
    Type: 'AWS::KMS::Key',
    replacing: { KeySpec: undefined, KeyUsage: undefined, MultiRegion: true },
  },
  UserPool: { Type: 'AWS::Cognito::UserPool', replacing: { UsernameAttributes: ['email'] } },
} as const;

type StatefulId = keyof typeof stateful;
const ids = Object.keys(stateful) as StatefulId[];

let dev: Templates;
let production: Synthesized;

beforeAll(() => {
  dev = synthesizeOnce();
  production = synthesize({ stage: productionStage });
});
afterAll(() => {
  production.remove();
});

describe('resources that hold data', () => {
  it.each(ids)('%s keeps its logical id and the properties whose change would replace it', (id) => {
    for (const service of [dev, production]) {
      const resource = find(service, id);
      expect(resource.Type).toBe(stateful[id].Type);
      for (const [property, value] of Object.entries(stateful[id].replacing)) {
        expect(resource.Properties[property]).toEqual(value);
      }
    }
  });

  it('are the only table, key and user pool, and the only bucket and distribution besides those of the panel’s site', () => {
    for (const id of ids) {
      const found = Object.entries(dev.stacks).flatMap(([stack, resources]) =>
        resources.flatMap(({ Type }) => (Type === stateful[id].Type ? stack : [])),
      );
      expect(found.filter((stack) => stack !== 'panel')).toEqual(['data']);
    }
  });

  it('do not change if a setting changes or a function is added or changed', () => {
    const [first] = apiFunctions;
    const changed = synthesize({
      stage: { ...devWithAlarms, rateLimitPerMinute: 7 },
      api: [
        ...apiFunctions,
        {
          name: 'posts-archive',
          routes: ['POST /v1/posts/{id}/archive'],
          entry: first?.entry ?? '',
          rights: {
            writes: { UpdateItem: ['POST#'] },
            media: ['GetObject media'],
            tokens: ['GenerateDataKey tokens'],
          },
        },
      ],
      workers: workerFunctions.map((worker) => ({ ...worker, memoryMegabytes: 1024 })),
    });
    changed.remove();
    for (const id of ids) expect(find(changed, id)).toEqual(find(dev, id));
  });

  it('are still exported if no function uses them any more', () => {
    const readers = workerFunctions.map((worker) => ({ ...worker, rights: {}, settings: [] }));
    const idle = synthesize({ api: [], workers: readers });
    idle.remove();
    expect(idle.exports('data')).toEqual(expect.arrayContaining([...dev.exports('data')]));
  });

  it('are still exported if alarms and dashboard are turned off: stacks that import them are deployed later', () => {
    const silent = synthesize({ stage: { ...devWithAlarms, hasAlarms: false } });
    silent.remove();
    for (const stack of ['data', 'api'])
      expect(silent.exports(stack)).toEqual(expect.arrayContaining([...dev.exports(stack)]));
  });

  it('are kept if their stack is deleted in production, where table and stack are protected from deletion', () => {
    for (const id of ['Table', 'MediaBucket', 'TokenKey', 'UserPool'] as const) {
      const resource = find(production, id);
      expect([resource.DeletionPolicy, resource.UpdateReplacePolicy]).toEqual([
        'RetainExceptOnCreate',
        'Retain',
      ]);
    }
    expect(find(production, 'Table').Properties.Replicas[0].DeletionProtectionEnabled).toBe(true);
    expect(find(production, 'UserPool').Properties.DeletionProtection).toBe('ACTIVE');
    const { artifacts } = JSON.parse(readFileSync(join(production.directory, 'manifest.json'), 'utf8'));
    expect(artifacts['herald-production-data'].properties.terminationProtection).toBe(true);
  });

  it('are deleted with their stack in dev, so they cost nothing afterwards', () => {
    for (const id of ['Table', 'MediaBucket', 'TokenKey', 'UserPool'] as const) {
      expect(find(dev, id).DeletionPolicy).toBe('Delete');
    }
  });

  it('include a key that can be recovered for thirty days by default', () => {
    const days = find(production, 'TokenKey').Properties.PendingWindowInDays ?? 30;
    expect(days).toBe(30);
  });
});

/**
 * Every resource of a type that keeps something between deployments, by stack and logical id, with what production does with it if
 * it leaves its template: `kept`, or `made again` if a deployment can make another one without loss of data or work.
 *
 * If this table must change because an id changed, stop: a deployment would create a new resource and delete the old one. A new
 * resource gets a line and a call of `pinLogicalId`.
 */
const remembering: Readonly<Record<string, Readonly<Record<string, 'kept' | 'made again'>>>> = {
  data: {
    Table: 'kept',
    MediaBucket: 'kept',
    // Its host is in what platforms fetch, and in a record of somebody's DNS.
    MediaDistribution: 'kept',
    TokenKey: 'kept',
    UserPool: 'kept',
    // Passkeys are for its host, whose name would be taken if it stayed without its stack.
    UserPoolDomainD0EA232A: 'made again',
    MediaArrivedQueueC2B3B704: 'kept',
    MediaArrivedDeadLetters2445CDD2: 'kept',
    WebhookQueueCB2A9A4E: 'kept',
    WebhookDeadLetters94E822C9: 'kept',
    InboundQueue72656294: 'kept',
    InboundDeadLetters401DDD01: 'kept',
    // The distribution and the functions get the value of a new one in the same deployment.
    PanelOriginSecret00F2963B: 'made again',
    OperatorTopic1876606E: 'made again',
    TableNameParameter8411BB4B: 'made again',
    RetentionParameter: 'made again',
  },
  // Its host is in every tracked link that was published.
  api: { ApiF70053CD: 'kept' },
  workers: {
    // The schedules of all posts.
    SchedulerGroupC7019706: 'kept',
    SchedulerDeadLettersFC8F0FFC: 'kept',
    PublishQueueC2B81A20: 'kept',
    PublishDeadLettersEEA12E7E: 'kept',
    ChainQueueEED701B6: 'kept',
    ChainDeadLetters2525F2D7: 'kept',
    AutomationQueue31F93572: 'kept',
    AutomationDeadLetters3DB059C4: 'kept',
    ImportQueueE1D89FBF: 'kept',
    ImportDeadLetters7EA6D402: 'kept',
    UploadQueue: 'kept',
    UploadDeadLetters: 'kept',
    SlowWebhookQueue: 'kept',
    SlowWebhookDeadLetters: 'kept',
    relaydeadletters4E126BAA: 'kept',
    announcedeadlettersDC7A0946: 'kept',
  },
  panel: {
    SiteBucket978D4AEB: 'made again',
    PanelDistribution: 'made again',
    UserPoolClient43258C81: 'made again',
    SignIn1BF1EF28: 'made again',
  },
};

/** The types whose resources keep data, work that waits, an address that others know, or a name that no other may have. */
const rememberingTypes = new Set([
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

describe('resources that outlive a deployment', () => {
  const idsIn = ({ stacks }: Templates) =>
    Object.entries(stacks).flatMap(([stack, resources]) =>
      resources.flatMap(({ Type, logicalId }) =>
        rememberingTypes.has(Type) ? [`${stack} ${logicalId}`] : [],
      ),
    );
  const listed = Object.entries(remembering).flatMap(([stack, ofStack]) =>
    Object.entries(ofStack).map(([logicalId, fate]) => ({ stack, logicalId, fate })),
  );

  it('are all listed, and have the logical ids that deployed stacks have', () => {
    const expected = listed.map(({ stack, logicalId }) => `${stack} ${logicalId}`).sort();
    expect(idsIn(dev).sort()).toEqual(expected);
    expect(idsIn(production).sort()).toEqual(expected);
  });

  it('keep their ids if their constructs move in the tree', () => {
    const found: string[] = [];
    synthesize({
      change: ({ data }) => {
        for (const construct of data.node.root.node.findAll()) {
          if (!CfnResource.isCfnResource(construct) || !rememberingTypes.has(construct.cfnResourceType))
            continue;
          if (!isPinned(construct)) found.push(construct.node.path);
        }
      },
    }).remove();
    expect(found).toEqual([]);
  });

  it.each(listed)('$stack $logicalId is $fate in production if it leaves the template', (each) => {
    const resource = production.stacks[each.stack]?.find(({ logicalId }) => logicalId === each.logicalId);
    const policies = [resource?.DeletionPolicy ?? 'Delete', resource?.UpdateReplacePolicy ?? 'Delete'];
    const keeping = ['Retain', 'RetainExceptOnCreate'];
    expect(keeping.includes(policies[0] ?? '')).toBe(each.fate === 'kept');
    expect(policies[1]).toBe(each.fate === 'kept' ? 'Retain' : 'Delete');
  });

  it('all go with their stacks in dev', () => {
    for (const { stack, logicalId } of listed) {
      const resource = dev.stacks[stack]?.find((other) => other.logicalId === logicalId);
      expect(resource?.DeletionPolicy ?? 'Delete', logicalId).toBe('Delete');
    }
  });
});

describe('the table', () => {
  it('has point-in-time recovery, expiry and a stream of changes', () => {
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
  it('is private and requires TLS', () => {
    const { Properties } = find(dev, 'MediaBucket');
    expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    const [policy] = dev.ofType('AWS::S3::BucketPolicy');
    expect(policy?.Properties.PolicyDocument.Statement[0]).toMatchObject({
      Effect: 'Deny',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  it('shows CloudFront only public files, and nobody can overwrite one', () => {
    const [policy] = dev.ofType('AWS::S3::BucketPolicy');
    const statements = policy?.Properties.PolicyDocument.Statement as Record<string, unknown>[];
    const emptier = { 'Fn::GetAtt': [expect.stringMatching(/^CustomS3AutoDelete.*Role/), 'Arn'] };
    const publicFiles = { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['MediaBucket', 'Arn'] }, '/media/*']] };
    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toEqual([
      // Only in stages whose bucket is deleted with its stack.
      expect.objectContaining({ Principal: { AWS: emptier } }),
      expect.objectContaining({ Action: 's3:GetObject', Resource: publicFiles }),
    ]);
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:PutObject',
        Resource: publicFiles,
        Condition: { Null: { 's3:if-none-match': 'true' } },
      }),
    );
  });

  it('expires uploads that nobody completed, after their messages and before their records', () => {
    const { Rules } = find(dev, 'MediaBucket').Properties.LifecycleConfiguration;
    expect(Rules).toContainEqual(
      expect.objectContaining({ Prefix: 'incoming/', ExpirationInDays: 5, Status: 'Enabled' }),
    );
  });

  it('accepts uploads from browsers, which may send the content type and read the ETag', () => {
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

  it('is created after the policy that lets it send to the queue', () => {
    const [notification] = find(dev, 'MediaBucket').Properties.NotificationConfiguration.QueueConfigurations;
    const queue = notification.Queue['Fn::GetAtt'][0];
    const policy = dev
      .ofType('AWS::SQS::QueuePolicy')
      .find(({ Properties }) => Properties.Queues[0].Ref === queue);
    expect(find(dev, 'MediaBucket').DependsOn).toContain(policy?.logicalId);
  });
});

describe('the media host', () => {
  it('caches for an hour at most, sends headers of its own, and does not compress', () => {
    const [cache] = dev.ofType('AWS::CloudFront::CachePolicy');
    expect(cache?.Properties.CachePolicyConfig).toMatchObject({ DefaultTTL: 3_600, MaxTTL: 3_600 });
    const [headers] = dev.ofType('AWS::CloudFront::ResponseHeadersPolicy');
    expect(headers?.Properties.ResponseHeadersPolicyConfig).toMatchObject({
      CustomHeadersConfig: {
        // No `Cache-Control`: it would be sent with errors too.
        Items: [{ Header: 'Content-Disposition', Value: 'inline', Override: true }],
      },
      SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
    });
    const { DefaultCacheBehavior } = find(dev, 'MediaDistribution').Properties.DistributionConfig;
    expect(DefaultCacheBehavior).toMatchObject({
      CachePolicyId: { Ref: cache?.logicalId },
      ResponseHeadersPolicyId: { Ref: headers?.logicalId },
      Compress: false,
    });
  });
});

describe('the token key', () => {
  it('rotates', () => {
    expect(find(dev, 'TokenKey').Properties.EnableKeyRotation).toBe(true);
  });
});

function find(service: Templates, id: string): TemplateResource {
  const resource = service.stacks['data']?.find(({ logicalId }) => logicalId === id);
  if (resource === undefined) throw new Error(`the data stack has no ${id}`);
  return resource;
}

describe('a stage with a second Region', () => {
  const stage = { ...productionStage, backupRegion: 'eu-central-1' };
  let service: Synthesized;
  beforeAll(() => {
    service = synthesize({ stage });
  });
  afterAll(() => {
    service.remove();
  });

  it('has no findings', () => {
    const checked = synthesize({ stage, checked: true });
    checked.remove();
    expect(checked.findings).toEqual([]);
  }, 390_000);

  it('keeps the logical ids of what holds data', () => {
    for (const id of ids) expect(find(service, id).Type).toBe(find(production, id).Type);
  });

  it('has no name there that the whole stage would have, should it be deployed in that Region too', () => {
    const there = synthesize({ stage: { ...stage, region: 'eu-central-1', backupRegion: 'us-east-1' } });
    there.remove();
    const namesOf = (resources: readonly TemplateResource[] = []) =>
      resources.flatMap(({ Properties: { BackupVaultName, AliasName, BucketName } }) =>
        [BackupVaultName, AliasName, BucketName].flatMap((name) => (name ? JSON.stringify(name) : [])),
      );
    const { backup = [], ...ofStage } = there.stacks;
    const names = namesOf([...Object.values(ofStage).flat(), ...(service.stacks['backup'] ?? [])]);
    expect(names.length).toBeGreaterThan(4);
    expect(new Set(names).size).toBe(names.length);
    // Names of buckets are global.
    const buckets = namesOf([...backup, ...(service.stacks['backup'] ?? [])]).filter((name) =>
      name.includes('media-copies'),
    );
    expect(new Set(buckets).size).toBe(2);
  });

  it('backs the table up daily and copies each backup to the vault there', () => {
    const [plan] = service.ofType('AWS::Backup::BackupPlan');
    const [rule] = plan?.Properties.BackupPlan.BackupPlanRule ?? [];
    expect(rule.Lifecycle).toEqual({ DeleteAfterDays: 35 });
    expect(rule.CopyActions[0].Lifecycle).toEqual({ DeleteAfterDays: 35 });
    const destination = JSON.stringify(rule.CopyActions[0].DestinationBackupVaultArn);
    expect(destination).toContain(':backup:eu-central-1:');
    expect(destination).toContain(':backup-vault:herald-production-copies');
    const vaults = service.ofType('AWS::Backup::BackupVault').map((each) => each.Properties.BackupVaultName);
    expect(vaults).toHaveLength(2);
    expect(vaults).toContain('herald-production-copies');
  });

  it('copies public files to a bucket there, and ends the versions of deleted ones after a day', () => {
    const { Properties } = find(service, 'MediaBucket');
    expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    const [rule] = Properties.ReplicationConfiguration.Rules;
    expect(rule).toMatchObject({
      Status: 'Enabled',
      Filter: { Prefix: 'media/' },
      DeleteMarkerReplication: { Status: 'Enabled' },
    });
    const copies = service.stacks['backup']?.find(({ logicalId }) => logicalId === 'MediaCopies');
    for (const bucket of [find(service, 'MediaBucket'), copies])
      expect(bucket?.Properties.LifecycleConfiguration.Rules).toContainEqual(
        expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 1 }, Status: 'Enabled' }),
      );
    // If the first deployment fails, it goes: its name is fixed, so a second one could not create it.
    expect(copies?.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('makes a replica of the token key there once its ARN is known', () => {
    const [replica] = service.ofType('AWS::KMS::ReplicaKey');
    expect(replica?.Properties.PrimaryKeyArn).toEqual({ Ref: 'TokenKeyArn' });
    expect((replica as unknown as { Condition: string }).Condition).toBe('TokenKeyIsKnown');
  });

  it('deploys what receives copies before what sends them', () => {
    const { artifacts } = JSON.parse(readFileSync(join(service.directory, 'manifest.json'), 'utf8'));
    expect(artifacts['herald-production-data'].dependencies).toContain('herald-production-backup');
  });
});

it('a stage without one has no versions, vaults or copies, and its key can get a replica later', () => {
  expect(find(production, 'MediaBucket').Properties).not.toHaveProperty('VersioningConfiguration');
  for (const type of ['AWS::Backup::BackupVault', 'AWS::KMS::ReplicaKey'])
    expect(production.ofType(type)).toEqual([]);
  expect(find(production, 'TokenKey').Properties.MultiRegion).toBe(true);
});

it('a stage that names a restored table uses it everywhere, and still keeps and exports its own', () => {
  const restoredTable = {
    tableName: 'restored',
    streamArn: 'arn:aws:dynamodb:eu-west-1:111122223333:table/restored/stream/2027-01-01T00:00:00.000',
  };
  const service = synthesize({ stage: { ...productionStage, restoredTable } });
  service.remove();
  expect(find(service, 'Table')).toEqual(find(production, 'Table'));
  expect(service.exports('data')).toEqual(expect.arrayContaining([...production.exports('data')]));
  const names = service
    .ofType('AWS::Lambda::Function')
    .flatMap(({ Properties }) => Properties.Environment?.Variables.TABLE_NAME ?? []);
  expect(new Set(names)).toEqual(new Set(['restored']));
  const streams = service
    .ofType('AWS::Lambda::EventSourceMapping')
    .flatMap(({ Properties }) =>
      String(Properties.EventSourceArn).includes('/stream/') ? Properties.EventSourceArn : [],
    );
  expect(streams).toEqual([restoredTable.streamArn, restoredTable.streamArn]);
});
