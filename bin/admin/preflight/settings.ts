import type { DomainSettings, Stage } from '../../../infra/stages.ts';
import type { FoundCertificate, FoundMail } from '../../../lib/aws/account.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { type Check, ok, warning, wrong } from '../doctor/check.ts';

/**
 * The minimum version of CDK's bootstrap stack that its templates accept.
 * https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
 */
const leastBootstrapVersion = 6;

/** Checks that the credentials belong to the account that the settings name. Pure. */
export function checkAccount({ account }: Stage, found: string): Check {
  if (account === undefined)
    return warning(
      'account',
      `${found}, which the settings do not name`,
      `set account to ${found}, to prevent the use of another account by mistake`,
    );
  return account === found
    ? ok('account', found)
    : wrong(
        'account',
        `${found}, and the settings say ${account}`,
        'use credentials of that account, or correct account',
      );
}

/** Checks that somebody receives a stage's alarms. Otherwise the stage is not synthesized. Pure. */
export const checkOperator = ({ hasAlarms, operatorEmail }: Stage): Check =>
  hasAlarms && operatorEmail === undefined
    ? warning(
        'operatorEmail',
        'is missing: the stage has alarms, and nobody would receive them',
        'set operatorEmail in the settings file, or pass -c operatorEmail=<address> to each synthesis and deployment',
      )
    : ok('operatorEmail', operatorEmail ?? 'none, and the stage has no alarms');

/**
 * Checks the bootstrap stack. Pure.
 *
 * @param version `undefined` if the account has no bootstrap stack
 * @param place `<account>/<Region>`
 */
export function checkBootstrap(version: number | undefined, region: string, place: string): Check {
  const check = `CDK bootstrap in ${region}`;
  const remedy = `npx cdk bootstrap aws://${place}`;
  if (version === undefined) return wrong(check, 'there is none', remedy);
  return version >= leastBootstrapVersion
    ? ok(check, `version ${version}`)
    : wrong(check, `version ${version}, needs ${leastBootstrapVersion}`, remedy);
}

/**
 * Checks that a certificate is issued for a host. Pure.
 *
 * @param field the setting
 */
export function checkCertificate(field: string, { name }: DomainSettings, found: FoundCertificate): Check {
  const check = `${field}: certificate`;
  if (found.status !== 'ISSUED')
    return wrong(
      check,
      `is ${found.status}`,
      'set the DNS record that AWS Certificate Manager shows, and wait until it is issued',
    );
  const [, parent] = /^[^.]+\.(.+)$/.exec(name) ?? [];
  const isCovered = found.names.some((covered) => covered === name || covered === `*.${parent}`);
  return isCovered
    ? ok(check, `issued for ${name}`)
    : wrong(check, `is for ${found.names.join(', ')}`, `request one for ${name}`);
}

/** Checks that mail can be sent from the domain. Pure. */
export function checkMail(domain: string, { isEnabled, isOutOfSandbox, isVerified }: FoundMail): Check {
  const check = 'SES';
  if (!isVerified)
    return wrong(
      check,
      `has not verified ${domain}`,
      `create the identity ${domain} in SES and set its DNS records`,
    );
  if (!isEnabled) return wrong(check, 'may not send: sending is paused', 'see the account dashboard of SES');
  return isOutOfSandbox
    ? ok(check, `may send from ${domain}`)
    : warning(
        check,
        'is in its sandbox: it sends only to verified addresses, so nobody else can sign in',
        'request production access in SES: aws sesv2 put-account-details',
      );
}

/**
 * Checks the throughput of Parameter Store. Pure.
 *
 * @param isHigh true if the account has the higher throughput
 */
export function checkParameterThroughput(isHigh: boolean, { keepsData }: Stage): Check {
  const check = 'Parameter Store: throughput';
  if (isHigh) return ok(check, 'high');
  return keepsData
    ? warning(
        check,
        '40 reads per second: many functions that start at once wait for secrets',
        'aws ssm update-service-setting --setting-id /ssm/parameter-store/high-throughput-enabled --setting-value true (it costs $0.05 per 10,000 reads)',
      )
    : ok(check, '40 reads per second, enough for a stage without load');
}

/**
 * Lists the platforms that have app credentials. Pure.
 *
 * @param names of the parameters below `/herald/<stage>/platforms`
 */
export function checkPlatformParameters(stage: string, names: readonly string[]): Check {
  const check = 'platform credentials';
  const path = `/herald/${stage}/platforms`;
  const stored = platformNames.filter((platform) => names.includes(`${path}/${platform}`));
  const missing = platformNames.filter((platform) => !stored.includes(platform));
  return missing.length === 0
    ? ok(check, 'stored for all platforms')
    : warning(
        check,
        `none for ${missing.join(', ')}`,
        `for those that the stage offers: aws ssm put-parameter --type SecureString --name ${path}/<platform> --value <JSON> (docs/deploy.md)`,
      );
}

/** Advises on CloudFront. Nothing tells in advance that it refuses a new account. Pure. */
export const checkCloudFront = (hasDistribution: boolean): Check =>
  hasDistribution
    ? ok('CloudFront: verification', 'the account has a distribution')
    : warning(
        'CloudFront: verification',
        'the account has no distribution yet, and AWS may want to verify it first',
        'if the deployment fails with "Your account must be verified", open a case with AWS Support (account and billing), then deploy again',
      );
