import { expect, it } from 'vitest';
import type { DataResources } from '../../infra/constructs/resources.ts';
import { rightsToAdmit } from '../../infra/constructs/rights.ts';
import { apiFunctions } from '../../infra/functions/api.ts';

const userPool = {
  userPoolId: 'eu-central-1_Pool',
  userPoolArn: 'arn:aws:cognito-idp:eu-central-1:1:userpool/Pool',
};
const withPool = { userPool } as DataResources;
const without = {} as DataResources;

it('only the function that invites may create users, in the pool of the stage and no other', () => {
  const granted = apiFunctions.flatMap(({ name, rights }) =>
    rightsToAdmit(rights, withPool).map((right) => ({ name, ...right })),
  );
  expect(granted).toEqual([
    {
      name: 'panel-invite-member',
      actions: ['cognito-idp:AdminCreateUser'],
      resources: [userPool.userPoolArn],
    },
  ]);
});

it('no function may create users if the team has an identity provider of its own', () => {
  expect(apiFunctions.flatMap(({ rights }) => rightsToAdmit(rights, without))).toEqual([]);
});
