import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  constructName,
  production,
  type Synthesized,
  synthesize,
  synthesizeOnce,
  type TemplateResource,
} from './support/synthesize.ts';

/**
 * Types of resources whose names are those of the account, not of the Region, and where a template has the name. Without one,
 * CloudFormation generates a unique name.
 */
const globalNames: Readonly<Record<string, readonly string[]>> = {
  'AWS::Budgets::Budget': ['Budget', 'BudgetName'],
  'AWS::CloudFront::CachePolicy': ['CachePolicyConfig', 'Name'],
  'AWS::CloudFront::Function': ['Name'],
  'AWS::CloudFront::OriginAccessControl': ['OriginAccessControlConfig', 'Name'],
  'AWS::CloudFront::OriginRequestPolicy': ['OriginRequestPolicyConfig', 'Name'],
  'AWS::CloudFront::ResponseHeadersPolicy': ['ResponseHeadersPolicyConfig', 'Name'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::S3::Bucket': ['BucketName'],
};
/** Of the same services, what has no name of its own. */
const nameless = ['AWS::CloudFront::Distribution', 'AWS::IAM::Policy', 'AWS::S3::BucketPolicy'];
const isGlobal = (type: string) => /^AWS::(Budgets|CloudFront|IAM|S3)::/.test(type) || type in globalNames;

/** Types that AWS refuses to delete while another resource uses them. */
const inUse =
  /^AWS::(CloudFront::(CachePolicy|Function|OriginAccessControl|OriginRequestPolicy|ResponseHeadersPolicy)|CertificateManager::Certificate)$/;

const regions = ['eu-central-1', 'us-east-1'] as const;
let here: Synthesized;
let there: Synthesized;

beforeAll(() => {
  [here, there] = regions.map((region) => synthesize({ stage: { ...production, region } })) as [
    Synthesized,
    Synthesized,
  ];
});
afterAll(() => {
  here.remove();
  there.remove();
});

const all = ({ stacks }: Pick<Synthesized, 'stacks'>): readonly TemplateResource[] =>
  Object.values(stacks).flat();
const nameOf = ({ Type, Properties }: TemplateResource): unknown =>
  globalNames[Type]?.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], Properties);

describe('a stage in two Regions of an account', () => {
  it('has no name of the account twice', () => {
    const names = [here, there].map((service) =>
      all(service).flatMap((resource) => {
        const name = nameOf(resource);
        return name === undefined ? [] : [`${resource.Type} ${JSON.stringify(name)}`];
      }),
    );
    expect(names[0]?.length).toBeGreaterThan(5);
    expect(names[0]?.filter((name) => names[1]?.includes(name))).toEqual([]);
    for (const name of names[0] ?? []) expect(names[0]?.filter((other) => other === name)).toHaveLength(1);
  });

  it('has only resources whose names are known to be global or not', () => {
    const types = new Set([...all(here), ...all(there)].map(({ Type }) => Type).filter(isGlobal));
    expect([...types].filter((type) => !(type in globalNames) && !nameless.includes(type))).toEqual([]);
  });

  it('has them apart without settings too, where CloudFormation fills the Region in', () => {
    const names = all(synthesizeOnce()).flatMap((resource) => nameOf(resource) ?? []);
    for (const name of names) expect(JSON.stringify(name)).toContain('{"Ref":"AWS::Region"}');
  });
});

describe('a stage in an account with few concurrent executions', () => {
  const reserves = (service: Synthesized) =>
    service
      .ofType('AWS::Lambda::Function')
      .flatMap((each) => [[constructName(each), each.Properties.ReservedConcurrentExecutions]])
      .filter(([, reserved]) => reserved !== undefined);

  it('reserves none, because AWS refuses it there', () => {
    expect(reserves(here)).toEqual([]);
  });

  it('reserves what the settings say for what everything depends on', () => {
    const reservedConcurrency = { relay: 10, sweep: 2, redirect: 50 };
    const service = synthesize({ stage: { ...production, reservedConcurrency } });
    service.remove();
    expect(Object.fromEntries(reserves(service))).toEqual(reservedConcurrency);
  });
});

describe('a stage that is torn down', () => {
  /** What CloudFormation does not delete unless a template says so, or cannot while something is in it. */
  const bucketsOf = (service: Pick<Synthesized, 'stacks'>) =>
    all(service).filter(({ Type }) => Type === 'AWS::S3::Bucket');
  const emptied = (service: Pick<Synthesized, 'stacks'>) =>
    all(service)
      .filter(({ Type }) => Type === 'Custom::S3AutoDeleteObjects')
      .map(({ Properties }) => Properties.BucketName.Ref);

  it('leaves nothing behind in dev: what is kept elsewhere is deleted, and buckets are emptied first', () => {
    const dev = synthesizeOnce();
    const kept = all(dev).filter(
      ({ Type, DeletionPolicy, UpdateReplacePolicy }) =>
        // Versions are deleted with their function.
        Type !== 'AWS::Lambda::Version' &&
        (/Retain|Snapshot/.test(`${DeletionPolicy}`) || /Retain|Snapshot/.test(`${UpdateReplacePolicy}`)),
    );
    expect(kept.map(({ logicalId }) => logicalId)).toEqual([]);
    expect(emptied(dev).sort()).toEqual(
      bucketsOf(dev)
        .map(({ logicalId }) => logicalId)
        .sort(),
    );
    expect(emptied(dev)).toHaveLength(2);
  });

  it('empties only the bucket of the panel’s site in production', () => {
    expect(emptied(here)).toEqual([expect.stringMatching(/^SiteBucket/)]);
  });

  it('leaves no log behind: every function writes to a log group of its stack, and may create none', () => {
    for (const service of [here, synthesizeOnce()])
      for (const resource of all(service)) {
        const { Type, Properties } = resource;
        if (Type === 'AWS::Lambda::Function')
          expect(Properties.LoggingConfig?.LogGroup).toHaveProperty('Ref');
        if (Type !== 'AWS::IAM::Role') continue;
        expect(JSON.stringify(Properties), constructName(resource)).not.toMatch(
          /logs:CreateLogGroup|AWSLambdaBasicExecutionRole/,
        );
      }
  });

  it('deletes nothing in production that something which is kept still uses, because AWS refuses that', () => {
    const domains = {
      mediaDomain: { name: 'media.example.com', hostedZone: { id: 'Z1', name: 'example.com' } },
    };
    const service = synthesize({ stage: { ...production, region: 'us-east-1', ...domains } });
    service.remove();
    for (const resources of Object.values(service.stacks)) {
      const deleted = resources.filter(
        ({ Type, DeletionPolicy }) => inUse.test(Type) && !/^Retain/.test(`${DeletionPolicy}`),
      );
      for (const { logicalId, Properties } of resources.filter(({ DeletionPolicy }) =>
        /^Retain/.test(`${DeletionPolicy}`),
      )) {
        const used = [...JSON.stringify(Properties).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)];
        const ids = used.map(([, id]) => id);
        expect(
          deleted.map((each) => each.logicalId).filter((id) => ids.includes(id)),
          logicalId,
        ).toEqual([]);
      }
    }
    const policy = service.stacks['data']?.find(({ Type }) => Type === 'AWS::S3::BucketPolicy');
    // Without it, the distribution that is kept could not read the files that are kept.
    expect(policy?.DeletionPolicy).toMatch(/^Retain/);
  });

  it('leaves table, files, key and user pool in production', () => {
    const kept = all(here).filter(({ DeletionPolicy }) => /^Retain/.test(`${DeletionPolicy}`));
    expect(kept.map(({ logicalId }) => logicalId)).toEqual(
      expect.arrayContaining(['Table', 'MediaBucket', 'TokenKey', 'UserPool']),
    );
  });
});

describe('a first deployment that fails', () => {
  it('can be repeated: what it created is deleted, also where data will be kept', () => {
    const service = synthesize({ stage: { ...production, backupRegion: 'eu-west-1' } });
    service.remove();
    const kept = all(service).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect(kept.map(({ logicalId }) => logicalId)).toEqual([]);
  });

  it('creates what is protected from deletion last, because its rollback could not delete it', () => {
    for (const id of ['Table', 'UserPool']) {
      const resource = here.stacks['data']?.find(({ logicalId }) => logicalId === id);
      expect(resource?.DependsOn).toEqual(expect.arrayContaining(['MediaBucket', 'MediaDistribution']));
    }
  });

  it('meets nothing that an earlier one has kept: names of the account that are kept contain a part of the stack’s id', () => {
    const names = all(here).flatMap((resource) =>
      /^Retain/.test(`${resource.DeletionPolicy}`) ? (nameOf(resource) ?? []) : [],
    );
    expect(names).toHaveLength(3);
    for (const name of names) expect(JSON.stringify(name)).toContain('{"Ref":"AWS::StackId"}');
  });

  it('meets nothing that an earlier one has kept: what is kept has no fixed name', () => {
    const service = synthesize({ stage: { ...production, backupRegion: 'eu-west-1' } });
    service.remove();
    // What is in the second Region must have names that the first one knows.
    const { backup: _elsewhere, ...stacks } = service.stacks;
    for (const { logicalId, DeletionPolicy, Properties } of all({ stacks })) {
      if (!/^Retain/.test(`${DeletionPolicy}`)) continue;
      const fixed = Object.entries(Properties).filter(
        ([name, value]) => /^(\w+Name|KeyId)$/.test(name) && typeof value === 'string',
      );
      // The domain is a part of the certificate’s content, and a version names its function.
      expect(
        fixed.filter(([name]) => !['DomainName', 'FunctionName'].includes(name)),
        logicalId,
      ).toEqual([]);
    }
  });
});
