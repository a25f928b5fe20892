/** The quotas and settings of an operator's account, before a stage is deployed to it. Reads only. */
import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import {
  paginateListAWSDefaultServiceQuotas,
  paginateListServiceQuotas,
  type ServiceQuota,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import {
  GetParameterCommand,
  GetServiceSettingCommand,
  ParameterNotFound,
  paginateGetParametersByPath,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { awsClientOptions } from './client-options.ts';

/** A quota of a service, as it applies to the account. */
export interface Quota {
  readonly name: string;
  /** The code for a request to raise it, such as `L-B99A9384`. */
  readonly code: string;
  readonly value: number;
}

export interface FoundCertificate {
  /** The status, such as `ISSUED`. */
  readonly status: string;
  /** The host names on it, perhaps with a wildcard. */
  readonly names: readonly string[];
}

export interface FoundMail {
  readonly isOutOfSandbox: boolean;
  readonly isEnabled: boolean;
  /** True if SES has verified the domain, so that mail may be sent from it. */
  readonly isVerified: boolean;
}

/** The reads of an account. Each function throws what the SDK throws, such as `AccessDeniedException`. */
export interface Account {
  /** Returns the account of the credentials, 12 digits. */
  readonly accountId: () => Promise<string>;
  /** @param service the service's code, such as `lambda` @param region the Region; CloudFront has its quotas in us-east-1 */
  readonly quotas: (service: string, region?: string) => Promise<readonly Quota[]>;
  /** Returns the version of CDK's bootstrap stack in a Region; `undefined` if there is none. */
  readonly bootstrapVersion: (region: string) => Promise<number | undefined>;
  /** Returns true if Parameter Store allows the higher throughput, which costs money. */
  readonly hasParameterThroughput: () => Promise<boolean>;
  /** Returns the names of the parameters below a path, without their values. */
  readonly parameterNames: (path: string) => Promise<readonly string[]>;
  readonly certificate: (arn: string, region: string) => Promise<FoundCertificate>;
  /** @param domain the domain of the sender's address */
  readonly mail: (domain: string, region: string) => Promise<FoundMail>;
  /** Returns true if the account has a distribution, so that CloudFront has verified the account. */
  readonly hasDistribution: () => Promise<boolean>;
}

const parameterOfBootstrap = '/cdk-bootstrap/hnb659fds/version';
const parameterThroughput = '/ssm/parameter-store/high-throughput-enabled';

/** @param region the Region of the stage; if absent, that of the shell */
export function openAccount(region?: string): Account {
  const access = awsClientOptions(region === undefined ? {} : { region }, 10_000);
  const at = (other: string) => ({ ...access, region: other });
  const ssm = new SSMClient(access);
  return {
    accountId: async () => (await new STSClient(access).send(new GetCallerIdentityCommand())).Account ?? '',
    quotas: async (service, ofRegion) => {
      const client = new ServiceQuotasClient(ofRegion === undefined ? access : at(ofRegion));
      const defaults = await quotasOf(
        paginateListAWSDefaultServiceQuotas({ client }, { ServiceCode: service }),
      );
      const applied = await quotasOf(paginateListServiceQuotas({ client }, { ServiceCode: service }));
      return [...new Map([...defaults, ...applied].map((quota) => [quota.code, quota])).values()];
    },
    bootstrapVersion: async (ofRegion) => {
      try {
        const { Parameter } = await new SSMClient(at(ofRegion)).send(
          new GetParameterCommand({ Name: parameterOfBootstrap }),
        );
        return Number(Parameter?.Value);
      } catch (error) {
        if (error instanceof ParameterNotFound) return undefined;
        throw error;
      }
    },
    hasParameterThroughput: async () => {
      const { ServiceSetting } = await ssm.send(
        new GetServiceSettingCommand({ SettingId: parameterThroughput }),
      );
      return ServiceSetting?.SettingValue === 'true';
    },
    parameterNames: async (path) => {
      const names: string[] = [];
      for await (const { Parameters = [] } of paginateGetParametersByPath({ client: ssm }, { Path: path }))
        names.push(...Parameters.flatMap(({ Name }) => Name ?? []));
      return names;
    },
    certificate: async (arn, ofRegion) => {
      const command = new DescribeCertificateCommand({ CertificateArn: arn });
      const { Certificate } = await new ACMClient(at(ofRegion)).send(command);
      return {
        status: Certificate?.Status ?? 'unknown',
        names: Certificate?.SubjectAlternativeNames ?? [Certificate?.DomainName ?? ''],
      };
    },
    mail: async (domain, ofRegion) => {
      const client = new SESv2Client(at(ofRegion));
      const { ProductionAccessEnabled, SendingEnabled } = await client.send(new GetAccountCommand());
      return {
        isOutOfSandbox: ProductionAccessEnabled === true,
        isEnabled: SendingEnabled === true,
        isVerified: await isVerified(client, domain),
      };
    },
    hasDistribution: async () => {
      const { DistributionList } = await new CloudFrontClient(at('us-east-1')).send(
        new ListDistributionsCommand({ MaxItems: 1 }),
      );
      return (DistributionList?.Quantity ?? 0) > 0;
    },
  };
}

async function quotasOf(
  pages: AsyncIterable<{ readonly Quotas?: ServiceQuota[] | undefined }>,
): Promise<Quota[]> {
  const quotas: Quota[] = [];
  for await (const { Quotas = [] } of pages)
    for (const { QuotaName, QuotaCode, Value } of Quotas)
      if (QuotaName !== undefined && QuotaCode !== undefined && Value !== undefined)
        quotas.push({ name: QuotaName, code: QuotaCode, value: Value });
  return quotas;
}

async function isVerified(client: SESv2Client, domain: string): Promise<boolean> {
  try {
    const identity = await client.send(new GetEmailIdentityCommand({ EmailIdentity: domain }));
    return identity.VerifiedForSendingStatus === true;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFoundException') return false;
    throw error;
  }
}
