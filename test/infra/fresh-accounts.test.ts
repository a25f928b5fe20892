import { beforeAll, describe, expect, it } from 'vitest';
import { all, nameOf, reserves } from './support/resources.ts';
import { constructName, synthesizeOnce, type Templates } from './support/synthesize.ts';

let production: Templates;
beforeAll(() => {
  production = synthesizeOnce('production');
});

it('a stage in two Regions of an account has the names of the account apart without settings too, where CloudFormation fills the Region in', () => {
  const names = all(synthesizeOnce()).flatMap((resource) => nameOf(resource) ?? []);
  for (const name of names) expect(JSON.stringify(name)).toContain('{"Ref":"AWS::Region"}');
});

it('a stage in an account with few concurrent executions reserves none, because AWS refuses it there', () => {
  expect(reserves(production)).toEqual([]);
});

describe('a stage that is torn down', () => {
  /** Resources that CloudFormation does not delete unless a template says so, or cannot while something is in them. */
  const bucketsOf = (service: Pick<Templates, 'stacks'>) =>
    all(service).filter(({ Type }) => Type === 'AWS::S3::Bucket');
  const emptied = (service: Pick<Templates, 'stacks'>) =>
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
    expect(emptied(production)).toEqual([expect.stringMatching(/^SiteBucket/)]);
  });

  it('leaves no log behind: every function writes to a log group of its stack, and may create none', () => {
    for (const service of [production, synthesizeOnce()])
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

  it('leaves table, files, key and user pool in production', () => {
    const kept = all(production).filter(({ DeletionPolicy }) => /^Retain/.test(`${DeletionPolicy}`));
    expect(kept.map(({ logicalId }) => logicalId)).toEqual(
      expect.arrayContaining(['Table', 'MediaBucket', 'TokenKey', 'UserPool']),
    );
  });
});

describe('a first deployment that fails', () => {
  it('creates what is protected from deletion last, because its rollback could not delete it', () => {
    for (const id of ['Table', 'UserPool']) {
      const resource = production.stacks['data']?.find(({ logicalId }) => logicalId === id);
      expect(resource?.DependsOn).toEqual(expect.arrayContaining(['MediaBucket', 'MediaDistribution']));
    }
  });

  it('meets nothing that an earlier one has kept: names of the account that are kept contain a part of the stack’s id', () => {
    const names = all(production).flatMap((resource) =>
      /^Retain/.test(`${resource.DeletionPolicy}`) ? (nameOf(resource) ?? []) : [],
    );
    expect(names).toHaveLength(3);
    for (const name of names) expect(JSON.stringify(name)).toContain('{"Ref":"AWS::StackId"}');
  });
});
