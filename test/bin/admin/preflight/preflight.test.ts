import { describe, expect, it } from 'vitest';
import type { Check } from '../../../../bin/admin/doctor/check.ts';
import { itemsOf, lookAtItems, planOf } from '../../../../bin/admin/preflight/preflight.ts';
import { checkOperator } from '../../../../bin/admin/preflight/settings.ts';
import { findStage, type Stage } from '../../../../infra/stages.ts';
import type { Account, Quota } from '../../../../lib/aws/account.ts';
import { platformNames } from '../../../../lib/platforms/contract/names.ts';

const region = 'eu-central-1';
const certificateArn = 'arn:aws:acm:us-east-1:111111111111:certificate/1';
const stage: Stage = {
  ...findStage('production'),
  account: '111111111111',
  region,
  mediaDomain: { name: 'media.example.com', certificateArn },
  mail: { fromAddress: 'no-reply@example.com' },
  operatorEmail: 'operators@example.com',
};

const quota = (name: string, value: number): Quota => ({ name, value, code: `L-${name.length}` });
/** An account in which everything is well. */
const quotas: Readonly<Record<string, readonly Quota[]>> = {
  lambda: [quota('Concurrent executions', 1_000), quota('Function storage', 75)],
  scheduler: [
    quota('Number of schedules', 10_000_000),
    quota('CreateSchedule request rate', 1_000),
    quota('Invocations throttle limit in transactions per second', 1_000),
  ],
  apigateway: [quota('Throttle rate', 10_000), quota('Throttle burst rate', 5_000)],
  kms: [quota('Cryptographic operations (symmetric) request rate', 10_000)],
  cloudfront: [quota('Web distributions per AWS account', 200)],
};
const ready: Account = {
  accountId: async () => '111111111111',
  quotas: async (service) => quotas[service] ?? [],
  bootstrapVersion: async () => 21,
  hasParameterThroughput: async () => true,
  parameterNames: async (path) => platformNames.map((name) => `${path}/${name}`),
  certificate: async () => ({ status: 'ISSUED', names: ['*.example.com'] }),
  mail: async () => ({ isOutOfSandbox: true, isEnabled: true, isVerified: true }),
  hasDistribution: async () => true,
};

const look = (changes: Partial<Account> = {}, of: Stage = stage) =>
  lookAtItems(itemsOf(of, region, { ...ready, ...changes }), (error) => (error as Error).message);
const notOk = (checks: readonly Check[]) => checks.filter(({ state }) => state !== 'ok');
const withQuota = (service: string, name: string, value: number): Partial<Account> => ({
  quotas: async (of) => [
    ...(quotas[of] ?? []).filter((each) => each.name !== name),
    ...(of === service ? [quota(name, value)] : []),
  ],
});

describe('preflight', () => {
  it('finds nothing in an account that is ready', async () => {
    expect(notOk(await look())).toEqual([]);
  });

  it('says what to request, with the command', async () => {
    const [found, ...others] = notOk(await look(withQuota('lambda', 'Concurrent executions', 10)));
    expect(others).toEqual([]);
    expect(found).toEqual({
      check: 'Lambda: concurrent executions',
      state: 'warning',
      found: expect.stringMatching(/^10, needs 1,000: functions are throttled under load/),
      remedy:
        'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-21 --desired-value 1000 --region eu-central-1',
    });
  });

  it('says that a deployment with reserves fails in a new account', async () => {
    const reserving = { ...stage, reservedConcurrency: { relay: 5 } };
    const checks = notOk(await look(withQuota('lambda', 'Concurrent executions', 50), reserving));
    expect(checks).toContainEqual(
      expect.objectContaining({ check: 'Lambda: reserved concurrency', state: 'wrong' }),
    );
    expect(notOk(await look({}, reserving))).toEqual([]);
  });

  it.each<[what: string, changes: Partial<Account>, check: string, state: string, found: RegExp]>([
    [
      'another account',
      { accountId: async () => '222222222222' },
      'account',
      'wrong',
      /settings say 111111111111/,
    ],
    [
      'no bootstrap',
      { bootstrapVersion: async () => undefined },
      'CDK bootstrap in eu-central-1',
      'wrong',
      /there is none/,
    ],
    [
      'an old bootstrap',
      { bootstrapVersion: async () => 5 },
      'CDK bootstrap in eu-central-1',
      'wrong',
      /version 5, needs 6/,
    ],
    [
      'a new account',
      { hasDistribution: async () => false },
      'CloudFront: verification',
      'warning',
      /no distribution yet/,
    ],
    [
      'few reads of parameters',
      { hasParameterThroughput: async () => false },
      'Parameter Store: throughput',
      'warning',
      /40 reads/,
    ],
    [
      'no app at a platform',
      { parameterNames: async (path) => [`${path}/threads`] },
      'platform credentials',
      'warning',
      /^none for .*youtube/,
    ],
    [
      'a pending certificate',
      { certificate: async () => ({ status: 'PENDING_VALIDATION', names: ['media.example.com'] }) },
      'mediaDomain: certificate',
      'wrong',
      /PENDING_VALIDATION/,
    ],
    [
      'a certificate for another host',
      { certificate: async () => ({ status: 'ISSUED', names: ['example.com', '*.b.example.com'] }) },
      'mediaDomain: certificate',
      'wrong',
      /is for example\.com/,
    ],
    [
      'a sandbox of SES',
      { mail: async () => ({ isOutOfSandbox: false, isEnabled: true, isVerified: true }) },
      'SES',
      'warning',
      /sandbox/,
    ],
    [
      'an address of nobody',
      { mail: async () => ({ isOutOfSandbox: true, isEnabled: true, isVerified: false }) },
      'SES',
      'wrong',
      /has not verified example\.com/,
    ],
    [
      'a quota that AWS has renamed',
      { quotas: async (service) => (service === 'kms' ? [] : (quotas[service] ?? [])) },
      'KMS: symmetric operations per second',
      'warning',
      /lists no such quota/,
    ],
  ])('finds %s', async (_what, changes, check, state, found) => {
    const checks = notOk(await look(changes));
    expect(checks).toEqual([
      expect.objectContaining({
        check,
        state,
        found: expect.stringMatching(found),
        remedy: expect.any(String),
      }),
    ]);
  });

  it('finds that nobody would receive the alarms', () => {
    const { operatorEmail: _none, ...silent } = stage;
    expect(checkOperator(silent)).toMatchObject({
      check: 'operatorEmail',
      state: 'warning',
      found: expect.stringMatching(/^is missing/),
    });
    for (const fine of [stage, { ...silent, hasAlarms: false }]) expect(checkOperator(fine).state).toBe('ok');
  });

  it('looks into the second Region too, where a stack of its own is deployed', async () => {
    const copying = { ...stage, backupRegion: 'us-east-1' };
    const bootstrapVersion = async (at: string) => (at === region ? 21 : undefined);
    expect(notOk(await look({ bootstrapVersion }, copying))).toEqual([
      expect.objectContaining({
        check: 'CDK bootstrap in us-east-1',
        state: 'wrong',
        remedy: 'npx cdk bootstrap aws://111111111111/us-east-1',
      }),
    ]);
  });

  it('goes on after what may not be read, and says which right it needs and how to look by hand', async () => {
    const checks = notOk(
      await look({
        quotas: async () => {
          throw new Error('not allowed');
        },
      }),
    );
    expect(checks).toHaveLength(5);
    for (const { state, found, remedy } of checks) {
      expect([state, found]).toEqual(['unknown', 'not allowed']);
      expect(remedy).toMatch(/servicequotas:ListServiceQuotas.*by hand: .* at least \d/);
    }
  });

  it('has a plan for people without any right', () => {
    const plan = planOf(itemsOf(stage, region, ready));
    expect(plan.map(({ check }) => check)).toEqual([
      'account',
      'CDK bootstrap in eu-central-1',
      'quotas of lambda',
      'quotas of scheduler',
      'quotas of apigateway',
      'quotas of kms',
      'quotas of cloudfront',
      'CloudFront: verification',
      'Parameter Store: throughput',
      'platform credentials',
      'mediaDomain: certificate',
      'SES',
    ]);
    for (const { state, found } of plan) expect([state, found.length > 10]).toEqual(['unknown', true]);
  });

  it('asks for rights to read alone', () => {
    const rights = itemsOf(stage, region, ready).flatMap(({ rights }) => rights.match(/\w+:\w+/g) ?? []);
    expect(rights.length).toBeGreaterThan(8);
    for (const right of rights) expect(right).toMatch(/^\w+:(Get|List|Describe)/);
  });
});
