import { certificateArnPattern } from '../../../infra/settings/schema.ts';
import { defaultAccountConcurrency, leastUnreserved, type Stage } from '../../../infra/stages.ts';
import type { Account, Quota } from '../../../lib/aws/account.ts';
import { type Check, ok, unknown, warning, wrong } from '../doctor/check.ts';
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

/** A quota that a stage needs. Names are compared, because AWS publishes codes only in its answers. */
interface QuotaNeed {
  /** The code of the service in Service Quotas. */
  readonly service: string;
  /** The quota's Region. Absent: the Region of the stage. */
  readonly region?: string;
  readonly name: RegExp;
  /** The name, for people. */
  readonly title: string;
  readonly needed: number;
  /** The consequence if the quota is lower. */
  readonly otherwise: string;
}

/**
 * Returns the quotas that a stage needs to reach its own limits. Quotas apply to a Region of an account, so stages share them.
 * Pure.
 *
 * Names and defaults: https://docs.aws.amazon.com/general/latest/gr/aws-service-information.html
 */
function quotaNeeds(stage: Stage): readonly QuotaNeed[] {
  const { gateway, linkThrottle, accountConcurrency = defaultAccountConcurrency } = stage;
  return [
    {
      service: 'lambda',
      name: /^concurrent executions$/i,
      title: 'Lambda: concurrent executions',
      needed: accountConcurrency,
      otherwise: 'functions are throttled under load; or set accountConcurrency to the present quota',
    },
    {
      service: 'scheduler',
      name: /^number of schedules$|^schedules( per region)?$/i,
      title: 'Scheduler: schedules',
      needed: 1_000_000,
      otherwise: 'no more posts can be planned far ahead with a schedule; the sweep starts the rest',
    },
    {
      service: 'scheduler',
      name: /^CreateSchedule\b/i,
      title: 'Scheduler: CreateSchedule per second',
      needed: 250,
      otherwise: 'posts that are planned in bulk get their schedules later',
    },
    {
      service: 'scheduler',
      name: /^invocations?\b.*(throttle|rate|per second)/i,
      title: 'Scheduler: invocations per second',
      needed: 500,
      otherwise: 'many posts of one second start later',
    },
    {
      service: 'apigateway',
      name: /^throttle rate$/i,
      title: 'API Gateway: requests per second',
      needed: gateway.requestsPerSecond + linkThrottle.requestsPerSecond,
      otherwise: 'requests to the API and to links are refused below the limits of the stage',
    },
    {
      service: 'kms',
      name: /^cryptographic operations \(symmetric\) request rate$/i,
      title: 'KMS: symmetric operations per second',
      needed: 1_000,
      otherwise: 'many accounts that are used in one second wait for their tokens',
    },
    {
      service: 'cloudfront',
      region: 'us-east-1',
      name: /^web distributions per aws account$/i,
      title: 'CloudFront: distributions',
      needed: 2,
      otherwise: 'files and panel cannot be served',
    },
  ];
}

/**
 * Compares a need with the quotas of its service. Pure.
 *
 * @param region the stage's Region, for the command that requests more
 */
function checkQuota(
  { service, region: own, name, title, needed, otherwise }: QuotaNeed,
  quotas: readonly Quota[],
  region: string,
): Check {
  const found = quotas.find((quota) => name.test(quota.name));
  if (found === undefined)
    return warning(
      title,
      'Service Quotas lists no such quota',
      `look for ${shown(needed)} or more in its console`,
    );
  if (found.value >= needed) return ok(title, `${shown(found.value)}, needs ${shown(needed)}`);
  return warning(
    title,
    `${shown(found.value)}, needs ${shown(needed)}: ${otherwise}`,
    requestOf({ service, code: found.code, value: needed, region: own ?? region }),
  );
}

/** Checks that Lambda accepts a stage's reserved concurrency. Pure. */
function checkReserves({ reservedConcurrency = {} }: Stage, concurrency: number): Check {
  const title = 'Lambda: reserved concurrency';
  const reserved = Object.values(reservedConcurrency).reduce((sum, each) => sum + each, 0);
  if (reserved === 0) return ok(title, 'none, which every account allows');
  if (concurrency - reserved >= leastUnreserved)
    return ok(title, `${reserved} of ${shown(concurrency)}, the rest is for all other functions`);
  return wrong(
    title,
    `${reserved} of ${shown(concurrency)}: Lambda keeps ${leastUnreserved} for other functions, and the deployment fails`,
    'remove reservedConcurrency from the settings until the quota is raised',
  );
}

const requestOf = (request: { service: string; code: string; value: number; region: string }): string =>
  [
    'aws service-quotas request-service-quota-increase',
    `--service-code ${request.service} --quota-code ${request.code}`,
    `--desired-value ${request.value} --region ${request.region}`,
  ].join(' ');

/** Formats a number with separators of thousands, the same on every machine. */
const shown = (value: number): string => value.toLocaleString('en-US');
