import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { HttpApi } from '../../infra/constructs/http-api.ts';
import { createUserPool } from '../../infra/constructs/user-pool.ts';
import { findStage, type StageSettings } from '../../infra/stages.ts';
import { synthesizeOnce } from './support/synthesize.ts';
import { variables } from './support/variables.ts';

const certificateArn = 'arn:aws:acm:us-east-1:111111111111:certificate/11111111-2222-3333-4444-555555555555';
const without = () => synthesizeOnce();
const text = (value: unknown): string => JSON.stringify(value);

it('links are at the domain of the API if they have none of their own', () => {
  const stage = { ...findStage('dev'), apiDomain: { name: 'api.example.com', certificateArn } };
  expect(new HttpApi(new Stack(), 'Api', stage).linkUrl).toBe('https://api.example.com');
});

describe('without domains', () => {
  it('the service has the names that AWS gives', () => {
    for (const [name, host] of [
      ['PUBLIC_BASE_URL', '.execute-api.'],
      ['LINK_BASE_URL', '.execute-api.'],
      ['MEDIA_BASE_URL', 'MediaDistribution'],
    ] as const) {
      const values = variables(without(), name);
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(value).toContain(host);
    }
    for (const type of ['ApiGatewayV2::DomainName', 'CertificateManager::Certificate', 'Route53::RecordSet'])
      expect(without().ofType(`AWS::${type}`)).toEqual([]);
  });
});

describe('the codes of the user pool', () => {
  const emailOf = (stage: Partial<StageSettings>) => {
    // CDK's validation of the templates takes ten seconds, and only warns.
    const stack = new Stack(new App({ analyticsReporting: false, builtinCloudFormationValidation: false }));
    createUserPool(stack, { ...findStage('dev'), ...stage });
    const [pool] = Object.values(Template.fromStack(stack).findResources('AWS::Cognito::UserPool'));
    return pool?.['Properties'].EmailConfiguration;
  };

  it('are sent by Cognito itself unless the stage has an address', () => {
    expect(emailOf({})).toBeUndefined();
  });

  it.each([
    ['of the Region of the stage', { region: 'eu-central-1' }, {}, 'eu-central-1'],
    ['of a Region of its own', { region: 'eu-north-1' }, { region: 'eu-west-1' }, 'eu-west-1'],
  ])('are sent by SES with an identity %s', (_what, stage, mail, region) => {
    const email = emailOf({
      ...stage,
      mail: { fromAddress: 'no-reply@example.com', fromName: 'Herald', ...mail },
    });
    expect(email).toMatchObject({
      EmailSendingAccount: 'DEVELOPER',
      From: 'Herald <no-reply@example.com>',
    });
    expect(text(email.SourceArn)).toContain(`:ses:${region}:`);
    expect(text(email.SourceArn)).toContain(':identity/example.com');
  });
});
