import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timingRoute } from '../../engines/dynamodb/timing-route.ts';
import { createTokenBuckets, type LimitedService } from '../../engines/token-bucket.ts';
import { keyArn, startTestCloud, type TestCloud } from '../../testing/cloud.ts';

const buckets = createTokenBuckets();
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ buckets });
});
afterAll(() => cloud.stop());

describe('a service with a rate', () => {
  it.each<[LimitedService, number, () => Promise<unknown>]>([
    ['kms', 400, () => new KMSClient(cloud.client()).send(new DescribeKeyCommand({ KeyId: keyArn }))],
    ['scheduler', 429, () => new SchedulerClient(cloud.client()).send(new ListSchedulesCommand({}))],
  ])('refuses what exceeds it: %s with ThrottlingException and status %i', async (service, status, call) => {
    buckets[service].setRate({ perSecond: 0, burst: 2 });
    await call();
    await call();
    await expect(call()).rejects.toMatchObject({
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: status },
    });
    buckets[service].setRate(undefined);
    await expect(call()).resolves.toBeDefined();
  });

  it('answers with the error of a call that would fail anyway only if it has a token', async () => {
    const missing = () =>
      new SchedulerClient(cloud.client()).send(new GetScheduleCommand({ GroupName: 'posts', Name: 'x' }));
    await expect(missing()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    buckets.scheduler.setRate({ perSecond: 0 });
    buckets.scheduler.take();
    await expect(missing()).rejects.toMatchObject({ name: 'ThrottlingException' });
    buckets.scheduler.setRate(undefined);
  });
});

describe('the route of the timing of the database', () => {
  it('shows it, and changes what is named', () => {
    const timing = { transactionHoldMs: 10, indexLagMs: 50 };
    const route = timingRoute(timing);
    expect(route({ method: 'GET', body: undefined }).body).toEqual({ transactionHoldMs: 10, indexLagMs: 50 });
    route({ method: 'POST', body: { indexLagMs: 3_000 } });
    expect(timing).toEqual({ transactionHoldMs: 10, indexLagMs: 3_000 });
  });

  it.each([{ indexLagMs: -1 }, { indexLag: 1 }, { transactionHoldMs: '10' }])('refuses %j', (body) => {
    const route = timingRoute({ transactionHoldMs: 10, indexLagMs: 50 });
    expect(() => route({ method: 'POST', body })).toThrow();
  });
});
