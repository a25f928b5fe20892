import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { functionsOf } from '../../../infra/functions/api.ts';
import { findStage } from '../../../infra/stages.ts';
import type { Operation } from '../../../lib/api-contract/operation.ts';
import { deployedOperations } from '../../../lib/operations.ts';
import { synthesize } from '../../infra/support/synthesize.ts';
import { featuresIn, limitsIn, nearlyFull } from '../../infra/support/variables.ts';

describe('the stacks', () => {
  const keyed = deployedOperations.filter(({ access }) => access === 'key');
  const more = (handlerOf: (operation: Operation) => string) =>
    Array.from({ length: 36 }, (_, index) => {
      const like = keyed[index % keyed.length] as Operation;
      const id = `more-${index}`;
      return { ...like, id, handler: `${handlerOf(like)}-${index}`, path: `${like.path}/${id}` };
    });
  it.each<[string, (operation: Operation) => string]>([
    ['spread like today’s', ({ handler }) => handler],
    ['of a new noun', () => 'insights/read'],
    ['of posts', () => 'posts/read'],
  ])(
    'stay below it with 36 more operations %s',
    (_which, handlerOf) => {
      const larger = synthesize({ api: functionsOf([...deployedOperations, ...more(handlerOf)]) });
      larger.remove();
      expect(larger.ofType('AWS::Lambda::Function').length).toBeGreaterThan(90);
      expect(nearlyFull(larger)).toEqual([]);
    },
    120_000,
  );

  it('have no cdk-nag finding that is not acknowledged with a reason', () => {
    const { findings, remove } = synthesize({ checked: true });
    remove();
    expect(findings).toEqual([]);
  }, 300_000);

  it('fail the cdk-nag check if a role has a managed policy', () => {
    const { findings, remove } = synthesize({
      checked: true,
      change: ({ api }) => {
        new Role(api, 'Careless', {
          assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
          managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('AmazonS3FullAccess')],
        });
      },
    });
    remove();
    expect(findings).toEqual([expect.stringContaining('AwsSolutions-IAM4')]);
  });
});

it('the rate limits of a stage reach the functions that count', () => {
  const limits = {
    rateLimitPerMinute: 9_000,
    keyRateLimitPerMinute: 120,
    workspaceRateLimitPerMinute: 3_000,
  };
  const limited = synthesize({ stage: { ...findStage('dev'), ...limits } });
  limited.remove();
  expect(limitsIn(limited)).toEqual(new Set(['9000 120 3000']));
});

it('the features of a stage reach the functions that need them', () => {
  const features = { instagram: ['publish', 'comments'] } as const;
  const chosen = synthesize({ stage: { ...findStage('dev'), features } });
  chosen.remove();
  expect(new Set(featuresIn(chosen))).toEqual(new Set([JSON.stringify(features)]));
});

it('a stage with pollers that are always ready has them at the publish queue, within what may publish', () => {
  const ready = synthesize({ stage: { ...findStage('dev'), accountConcurrency: 1_000, publishPollers: 20 } });
  ready.remove();
  const mappings = ready.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
  const withPollers = mappings.filter(({ ProvisionedPollerConfig }) => ProvisionedPollerConfig);
  expect(withPollers).toEqual([
    expect.objectContaining({ ProvisionedPollerConfig: { MinimumPollers: 20, MaximumPollers: 28 } }),
  ]);
  // Lambda takes only one of the two.
  expect(withPollers[0]).not.toHaveProperty('ScalingConfig');
});

it('web ACLs of the settings are in front of the panel and of public files', () => {
  const aclOf = (name: string) => `arn:aws:wafv2:us-east-1:111111111111:global/webacl/${name}/1`;
  const webAcls = { panel: aclOf('panel'), media: aclOf('media') };
  const guarded = synthesize({ stage: { ...findStage('dev'), webAcls } });
  guarded.remove();
  const acls = guarded
    .ofType('AWS::CloudFront::Distribution')
    .map(({ Properties }) => [Properties.DistributionConfig.Comment, Properties.DistributionConfig.WebACLId]);
  expect(Object.fromEntries(acls)).toEqual({
    'Herald panel': webAcls.panel,
    'Herald media': webAcls.media,
  });
});
