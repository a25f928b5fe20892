import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { find, ids, rememberingTypes, stateful } from './support/stateful.ts';
import { synthesizeOnce, type Templates } from './support/synthesize.ts';

let dev: Templates;
let production: Templates;

beforeAll(() => {
  dev = synthesizeOnce();
  production = synthesizeOnce('production');
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
    DistantWakeQueue: 'kept',
    DistantWakeDeadLetters: 'kept',
    RenderMediaQueue: 'kept',
    RenderMediaDeadLetters: 'kept',
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
    PanelUrlParameter428F65CC: 'made again',
  },
};

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

it('a stage without one has no versions, vaults or copies, and its key can get a replica later', () => {
  expect(find(production, 'MediaBucket').Properties).not.toHaveProperty('VersioningConfiguration');
  for (const type of ['AWS::Backup::BackupVault', 'AWS::KMS::ReplicaKey'])
    expect(production.ofType(type)).toEqual([]);
  expect(find(production, 'TokenKey').Properties.MultiRegion).toBe(true);
});
