import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideFailure } from '../../../../lib/at-most-once/retry-policy.ts';
import { dayMs, hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import { facebookClient } from '../../../../lib/platforms/facebook/client.ts';
import { withinReelLimit } from '../../../../lib/platforms/facebook/reel-limit.ts';
import { openFixture } from '../../../contract/fixture.ts';
import { rowOf } from '../../../contract/rows.ts';
import { startMs } from '../../../support/builders.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

const rateLimited = new PlatformError('retry', 'Facebook: too fast (100/1390008)', {
  status: 400,
  platformCode: '100/1390008',
  retryAfterSeconds: 3_600,
});
const hoursAgo = (count: number, oldest: number) =>
  Array.from({ length: count }, (_, index) => startMs - (index === 0 ? oldest : 1) * hourMs);
const refusedWith = async (error: unknown, times: readonly number[] | Error) => {
  const client = {
    reelTimes: async () => {
      if (times instanceof Error) throw times;
      return [...times];
    },
  };
  return withinReelLimit(client, startMs, () => Promise.reject(error)).catch((thrown: unknown) => thrown);
};

describe('a reel that Facebook refuses because of a rate', () => {
  it('waits until the oldest of 30 reels is a day old', async () => {
    const error = await refusedWith(rateLimited, hoursAgo(30, 20));
    expect(error).toMatchObject({
      remedy: 'retry',
      concerns: 'feature',
      isDailyLimit: true,
      retryAfterSeconds: 4 * 3_600,
      platformCode: '100/1390008',
      message: expect.stringContaining('The Page has 30 reels of the last 24 hours'),
    });
    const decision = decideFailure(error, { failures: 0 }, startMs, 0, 'wait');
    expect(decision).toEqual({
      kind: 'retry',
      wakeMs: startMs + 4 * hourMs,
      limitEndsMs: startMs + 4 * hourMs,
    });
  });

  it('waits at least a quarter of an hour, because the time of an upload is not that of its post', async () => {
    expect(await refusedWith(rateLimited, hoursAgo(30, 24))).toMatchObject({
      retryAfterSeconds: (15 * minuteMs) / 1_000,
    });
  });

  it('waits as for any other rate limit if the Page has fewer reels, or does not show them', async () => {
    expect(await refusedWith(rateLimited, hoursAgo(29, 20))).toBe(rateLimited);
    expect(await refusedWith(rateLimited, new PlatformError('unknown', 'no answer'))).toBe(rateLimited);
  });

  it.each([
    ['a lost response', new PlatformError('unknown', 'no answer')],
    ['a refused file', new PlatformError('rejected', 'too short', { status: 400 })],
    ['a new upload that helps', new PlatformError('retry', 'upload', { status: 400, retryAfterSeconds: 30 })],
    ['a dead token', new PlatformError('reauthorise', 'token', { status: 400 })],
  ])('is about nothing else: %s', async (_name, error) => {
    expect(await refusedWith(error, new Error('not asked'))).toBe(error);
  });
});

describe('the list of reels', () => {
  let fixtures: FixtureServer;
  beforeAll(async () => {
    fixtures = await serveFixtures();
  });
  afterAll(() => fixtures.close());

  it('has the reels of the Page with their times', async () => {
    const fixture = await openFixture(rowOf('facebook'), fixtures);
    try {
      const before = fixture.clock.time;
      const publisher = await fixture.publisher({ media: ['video.mp4'], options: { type: 'reel' } });
      await publisher.publish();
      const { account, tools, clock } = fixture;
      const client = facebookClient(
        { account: { ...account, username: null }, accessToken: account.tokens.accessToken },
        tools,
      );
      const [time = 0, ...more] = await client.reelTimes(clock.time - dayMs, 30);
      expect(more).toEqual([]);
      expect(time).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000);
      expect(time).toBeLessThanOrEqual(clock.time);
    } finally {
      await fixture.close();
    }
  });
});
