import { describe, expect, it } from 'vitest';
import { createTokenBucket, createTokenBuckets, type Rate, ratesRoute } from '../../engines/token-bucket.ts';

function bucketAt(rate: Rate | undefined) {
  let nowMs = 5_000;
  const bucket = createTokenBucket(rate, () => nowMs);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { bucket, pass };
}

describe('a token bucket', () => {
  it('gives what it holds, then no more until time passes', () => {
    const { bucket, pass } = bucketAt({ perSecond: 2 });
    expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, false]);
    pass(499);
    expect(bucket.take()).toBe(false);
    pass(1);
    expect([bucket.take(), bucket.take()]).toEqual([true, false]);
  });

  it('never holds more than its burst', () => {
    const { bucket, pass } = bucketAt({ perSecond: 10, burst: 3 });
    pass(60_000);
    expect(bucket.takeUpTo(100)).toBe(3);
  });

  it('holds at least one token, however slow it is', () => {
    const { bucket, pass } = bucketAt({ perSecond: 0.5 });
    expect([bucket.take(), bucket.take()]).toEqual([true, false]);
    pass(2_000);
    expect(bucket.take()).toBe(true);
  });

  it('gives all of several tokens or none', () => {
    const { bucket } = bucketAt({ perSecond: 5 });
    expect([bucket.take(6), bucket.take(5)]).toEqual([false, true]);
  });

  it('gives everything without a rate', () => {
    const { bucket } = bucketAt(undefined);
    expect(bucket.take(1_000_000)).toBe(true);
    expect(bucket.takeUpTo(1_000_000)).toBe(1_000_000);
  });

  it('is full after its rate has been set', () => {
    const { bucket } = bucketAt({ perSecond: 1 });
    bucket.take();
    bucket.setRate({ perSecond: 4 });
    expect(bucket.takeUpTo(100)).toBe(4);
    bucket.setRate(undefined);
    expect(bucket.take(100)).toBe(true);
  });
});

describe('the route of the rates', () => {
  const request = (method: string, body?: unknown) => ({ method, body });

  it('shows and sets the rate of each service by its name', () => {
    const buckets = createTokenBuckets({ kms: { perSecond: 10 } });
    const route = ratesRoute(buckets);
    expect(route(request('GET')).body).toMatchObject({ kms: { perSecond: 10 }, ssm: null });
    route(request('POST', { ssm: { perSecond: 40, burst: 50 }, kms: null }));
    expect([buckets.ssm.rate, buckets.kms.rate]).toEqual([{ perSecond: 40, burst: 50 }, undefined]);
  });

  it.each([{ ec2: { perSecond: 1 } }, { ssm: { perSecond: -1 } }, { ssm: 40 }, { ssm: { perMinute: 1 } }])(
    'refuses %j',
    (body) => {
      expect(() => ratesRoute(createTokenBuckets())(request('POST', body))).toThrow();
    },
  );
});
