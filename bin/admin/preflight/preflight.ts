import { certificateArnPattern } from '../../../infra/settings/schema.ts';
import { defaultAccountConcurrency, type Stage } from '../../../infra/stages.ts';
import type { Account, Quota } from '../../../lib/aws/account.ts';
import { type Check, unknown } from '../doctor/check.ts';
import { checkQuota, checkReserves, quotaNeeds } from './quotas.ts';
import {
  checkAccount,
  checkBootstrap,
  checkCertificate,
  checkCloudFront,
  checkMail,
  checkParameterThroughput,
  checkPlatformParameters,
} from './settings.ts';

/** One thing to check before a deployment. */
export interface Item {
  readonly check: string;
  /** The rights that checking it needs. They only read. */
  readonly rights: string;
  /** The manual check, without these rights. */
  readonly byHand: string;
  readonly look: () => Promise<readonly Check[]>;
}

const domainFields = ['apiDomain', 'linkDomain', 'mediaDomain', 'panelDomain'] as const;

/**
 * Returns everything that decides whether a stage can be deployed to an account, and how far it can grow there.
 *
 * @param region the stage's Region
 */
export function itemsOf(stage: Stage, region: string, account: Account): readonly Item[] {
  const needs = quotaNeeds(stage);
  const accountId = stage.account ?? '<account>';
  return [
    {
      check: 'account',
      rights: 'sts:GetCallerIdentity, which is always allowed',
      byHand: `aws sts get-caller-identity names the account${stage.account ? ` ${stage.account}` : ''}`,
      look: async () => [checkAccount(stage, await account.accountId())],
    },
    ...[region, ...(stage.backupRegion ? [stage.backupRegion] : [])].map((each) => ({
      check: `CDK bootstrap in ${each}`,
      rights: 'ssm:GetParameter',
      byHand: `run npx cdk bootstrap aws://${accountId}/${each}; it changes nothing if it is up to date`,
      look: async () => [checkBootstrap(await account.bootstrapVersion(each), each, `${accountId}/${each}`)],
    })),
    ...[...Map.groupBy(needs, ({ service }) => service)].map(([service, ofService]) => ({
      check: `quotas of ${service}`,
      rights: 'servicequotas:ListServiceQuotas, servicequotas:ListAWSDefaultServiceQuotas',
      byHand: ofService.map(({ title, needed }) => `${title} at least ${needed}`).join('; '),
      look: async () => {
        const quotas = await account.quotas(service, ofService[0]?.region);
        return [
          ...ofService.map((need) => checkQuota(need, quotas, region)),
          ...(service === 'lambda' ? [checkReserves(stage, concurrencyIn(quotas, stage))] : []),
        ];
      },
    })),
    {
      check: 'CloudFront: verification',
      rights: 'cloudfront:ListDistributions',
      byHand: 'AWS may have to verify a new account before it has distributions; a failed deployment says so',
      look: async () => [checkCloudFront(await account.hasDistribution())],
    },
    {
      check: 'Parameter Store: throughput',
      rights: 'ssm:GetServiceSetting',
      byHand: 'turn on the higher throughput of Parameter Store for production (Settings)',
      look: async () => [checkParameterThroughput(await account.hasParameterThroughput(), stage)],
    },
    {
      check: 'platform credentials',
      rights: 'ssm:GetParametersByPath',
      byHand: `below /herald/${stage.name}/platforms is a SecureString for each platform that the stage offers`,
      look: async () => [
        checkPlatformParameters(stage.name, await account.parameterNames(`/herald/${stage.name}/platforms`)),
      ],
    },
    ...domainFields.flatMap((field) => {
      const domain = stage[field];
      const [, ofRegion] = certificateArnPattern.exec(domain?.certificateArn ?? '') ?? [];
      if (domain?.certificateArn === undefined || ofRegion === undefined) return [];
      const { certificateArn } = domain;
      return {
        check: `${field}: certificate`,
        rights: 'acm:DescribeCertificate',
        byHand: `the certificate in ${ofRegion} is issued for ${domain.name}`,
        look: async () => [
          checkCertificate(field, domain, await account.certificate(certificateArn, ofRegion)),
        ],
      };
    }),
    ...mailItems(stage, region, account),
  ];
}

function mailItems({ mail }: Stage, stageRegion: string, account: Account): readonly Item[] {
  if (mail === undefined) return [];
  const domain = mail.fromAddress.slice(mail.fromAddress.indexOf('@') + 1);
  const region = mail.region ?? stageRegion;
  return [
    {
      check: 'SES',
      rights: 'ses:GetAccount, ses:GetEmailIdentity',
      byHand: `SES has verified ${domain} in ${region}, and is out of its sandbox`,
      look: async () => [checkMail(domain, await account.mail(domain, region))],
    },
  ];
}

const concurrencyIn = (quotas: readonly Quota[], { accountConcurrency }: Stage): number =>
  quotas.find(({ name }) => /^concurrent executions$/i.test(name))?.value ??
  accountConcurrency ??
  defaultAccountConcurrency;

/**
 * Checks every item. An item that cannot be read is left for a manual check.
 *
 * @param inWords converts an error to words for people
 */
export async function lookAtItems(
  items: readonly Item[],
  inWords: (error: unknown) => string,
): Promise<readonly Check[]> {
  const found = await Promise.all(
    items.map(async ({ check, rights, byHand, look }) => {
      try {
        return await look();
      } catch (error) {
        return [unknown(check, inWords(error), `with ${rights}, or by hand: ${byHand}`)];
      }
    }),
  );
  return found.flat();
}

/** Returns the manual checks, for the case that nothing can be read. Pure. */
export const planOf = (items: readonly Item[]): readonly Check[] =>
  items.map(({ check, rights, byHand }) =>
    unknown(check, byHand, `to check it automatically, use credentials with ${rights}`),
  );
