import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import {
  ListAWSDefaultServiceQuotasCommand,
  ListServiceQuotasCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import {
  GetParameterCommand,
  GetParametersByPathCommand,
  GetServiceSettingCommand,
  ParameterNotFound,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../../../lib/aws/account.ts';

const quotas = mockClient(ServiceQuotasClient);
const ssm = mockClient(SSMClient);
const acm = mockClient(ACMClient);
const ses = mockClient(SESv2Client);
const cloudFront = mockClient(CloudFrontClient);
const sts = mockClient(STSClient);
beforeEach(() => {
  for (const mock of [quotas, ssm, acm, ses, cloudFront, sts]) mock.reset();
});
const account = openAccount('eu-central-1');

describe('an account', () => {
  it('has the quotas that apply to it, and the defaults of those that it never changed, of all pages', async () => {
    const quota = (QuotaCode: string, Value: number) => ({
      QuotaCode,
      QuotaName: `name of ${QuotaCode}`,
      Value,
    });
    quotas
      .on(ListAWSDefaultServiceQuotasCommand)
      .resolvesOnce({ Quotas: [quota('L-1', 1_000)], NextToken: 'more' })
      .resolves({ Quotas: [quota('L-2', 5)] })
      .on(ListServiceQuotasCommand)
      .resolves({ Quotas: [quota('L-1', 10), { QuotaName: 'without a code' }] });
    expect(await account.quotas('lambda')).toEqual([
      { name: 'name of L-1', code: 'L-1', value: 10 },
      { name: 'name of L-2', code: 'L-2', value: 5 },
    ]);
    expect(quotas.calls()).toHaveLength(3);
  });

  it('asks CloudFront and its quotas in us-east-1', async () => {
    quotas.on(ListAWSDefaultServiceQuotasCommand).resolves({}).on(ListServiceQuotasCommand).resolves({});
    cloudFront.on(ListDistributionsCommand).resolves({});
    await account.quotas('cloudfront', 'us-east-1');
    expect(await account.hasDistribution()).toBe(false);
    for (const { thisValue } of [...quotas.calls(), ...cloudFront.calls()])
      expect(await (thisValue as ServiceQuotasClient).config.region()).toBe('us-east-1');
  });

  it('has a bootstrap version, or none', async () => {
    ssm.on(GetParameterCommand).resolvesOnce({ Parameter: { Value: '21' } });
    expect(await account.bootstrapVersion('eu-central-1')).toBe(21);
    ssm.on(GetParameterCommand).rejects(new ParameterNotFound({ message: 'none', $metadata: {} }));
    expect(await account.bootstrapVersion('eu-central-1')).toBeUndefined();
  });

  it('names parameters without reading what is secret', async () => {
    ssm.on(GetParametersByPathCommand).resolves({ Parameters: [{ Name: '/a/b', Value: 'sealed' }] });
    expect(await account.parameterNames('/a')).toEqual(['/a/b']);
    expect(ssm.commandCalls(GetParametersByPathCommand)[0]?.args[0].input.WithDecryption).not.toBe(true);
  });

  it.each([
    ['true', true],
    ['false', false],
    [undefined, false],
  ])('has the higher throughput of parameters if the setting is %s: %s', async (SettingValue, isHigh) => {
    ssm.on(GetServiceSettingCommand).resolves({ ServiceSetting: { SettingValue } });
    expect(await account.hasParameterThroughput()).toBe(isHigh);
  });

  it('has certificates, in the Region of each', async () => {
    acm
      .on(DescribeCertificateCommand)
      .resolves({ Certificate: { Status: 'ISSUED', SubjectAlternativeNames: ['*.example.com'] } });
    expect(await account.certificate('arn', 'us-east-1')).toEqual({
      status: 'ISSUED',
      names: ['*.example.com'],
    });
    for (const { thisValue } of acm.calls())
      expect(await (thisValue as ACMClient).config.region()).toBe('us-east-1');
  });

  it('sends mail from domains that it has verified', async () => {
    ses.on(GetAccountCommand).resolves({ ProductionAccessEnabled: true, SendingEnabled: true });
    ses.on(GetEmailIdentityCommand).resolvesOnce({ VerifiedForSendingStatus: true });
    const found = { isOutOfSandbox: true, isEnabled: true };
    expect(await account.mail('example.com', 'eu-west-1')).toEqual({ ...found, isVerified: true });
    ses.on(GetEmailIdentityCommand).rejects(Object.assign(new Error('none'), { name: 'NotFoundException' }));
    expect(await account.mail('example.com', 'eu-west-1')).toEqual({ ...found, isVerified: false });
  });

  it('has the number of the credentials', async () => {
    sts.on(GetCallerIdentityCommand).resolves({ Account: '111111111111' });
    expect(await account.accountId()).toBe('111111111111');
  });
});
