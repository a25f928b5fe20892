import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, globalNames, isGlobal, nameless, nameOf, reserves } from '../../infra/support/resources.ts';
import { production, type Synthesized, synthesize } from '../../infra/support/synthesize.ts';

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
});

describe('a stage in an account with few concurrent executions', () => {
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

it('a stage that is torn down deletes nothing in production that something which is kept still uses, because AWS refuses that', () => {
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

describe('a first deployment that fails', () => {
  it('can be repeated: what it created is deleted, also where data will be kept', () => {
    const service = synthesize({ stage: { ...production, backupRegion: 'eu-west-1' } });
    service.remove();
    const kept = all(service).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect(kept.map(({ logicalId }) => logicalId)).toEqual([]);
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
