import { defaultAccountConcurrency, leastUnreserved, type Stage } from '../../../infra/stages.ts';
import type { Quota } from '../../../lib/aws/account.ts';
import { type Check, ok, warning, wrong } from '../doctor/check.ts';

/** A quota that a stage needs. Names are compared, because AWS publishes codes only in its answers. */
export interface QuotaNeed {
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
export function quotaNeeds(stage: Stage): readonly QuotaNeed[] {
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
export function checkQuota(
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
export function checkReserves({ reservedConcurrency = {} }: Stage, concurrency: number): Check {
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
