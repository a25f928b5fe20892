import { expect, it } from 'vitest';
import { findStage } from '../../../infra/stages.ts';
import { synthesize } from '../../infra/support/synthesize.ts';

it('signing in is left to the team if the stage has its own identity provider', () => {
  const own = synthesize({ stage: { ...findStage('dev'), signIn: 'own' } });
  own.remove();
  for (const type of ['UserPool', 'UserPoolDomain', 'UserPoolClient', 'ManagedLoginBranding'])
    expect(own.ofType(`AWS::Cognito::${type}`)).toEqual([]);
  expect(own.stacks['panel']?.filter(({ Type }) => Type === 'AWS::SSM::Parameter')).toEqual([]);
  expect(own.ofType('AWS::CloudFront::Distribution')).toHaveLength(2);
});
