import { describe, expect, it } from 'vitest';
import { decideFailure } from '../../../lib/at-most-once/retry-policy.ts';
import { dayMs, hourMs } from '../../../lib/kernel/clock.ts';
import type { PlatformResponse } from '../../../lib/platforms/contract/http.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { facebook } from '../../../lib/platforms/facebook/errors.ts';
import { instagram, instagramMessaging } from '../../../lib/platforms/instagram/errors.ts';
import { linkedinError } from '../../../lib/platforms/linkedin/errors.ts';
import { pinterestError } from '../../../lib/platforms/pinterest/errors.ts';
import { parsePlatformJson } from '../../../lib/platforms/shared/json.ts';
import { type GraphPlatform, requireGraphSuccess } from '../../../lib/platforms/shared/meta/graph.ts';
import { threads } from '../../../lib/platforms/threads/errors.ts';
import { failureOf, tiktokError } from '../../../lib/platforms/tiktok/errors.ts';
import { youtubeError } from '../../../lib/platforms/youtube/errors.ts';
import { startMs } from '../../support/builders.ts';

function response(status: number, body: object, headers: Record<string, string> = {}): PlatformResponse {
  const text = JSON.stringify(body);
  return { status, headers, text, json: parsePlatformJson(text), call: 'POST x' };
}

function graph(platform: GraphPlatform, code: number, subcode?: number): unknown {
  const error = { message: 'Words', code, ...(subcode !== undefined && { error_subcode: subcode }) };
  try {
    return requireGraphSuccess(platform, response(400, { error }));
  } catch (thrown) {
    return thrown;
  }
}
const linkedin = (status: number, code: string) =>
  linkedinError(response(status, { status, code, message: 'Words' }), startMs);
const pinterest = (status: number, code: number, message: string) =>
  pinterestError(response(status, { code, message }), startMs);
const tiktok = (status: number, code: string) =>
  tiktokError(response(status, { error: { code, message: 'Words' } }));
const youtube = (status: number, reason: string) =>
  youtubeError(response(status, { error: { message: 'Words', errors: [{ reason }] } }), startMs);

function markAfter(error: unknown): string | undefined {
  const decision = decideFailure(error, { failures: 0 }, startMs, 0, 'wait');
  return decision.kind === 'fail' ? decision.account : undefined;
}

describe('an error about one feature, one post or the operator’s app does not mark the account', () => {
  it.each<[Platform, string, unknown]>([
    ['facebook', 'reading comments without pages_read_user_content', graph(facebook, 10)],
    ['facebook', 'a comment without pages_manage_engagement', graph(facebook, 200)],
    ['facebook', 'a comment while commenting is blocked', graph(facebook, 368)],
    ['facebook', 'a missing task on the Page', graph(facebook, 283)],
    ['facebook', 'a video without the role for it', graph(facebook, 100, 1_363_042)],
    ['facebook', 'a lookup of an object that is not there', graph(facebook, 100, 33)],
    ['facebook', 'the rate limit of the app', graph(facebook, 4)],
    ['instagram', 'a comment without its permission', graph(instagram, 10)],
    ['instagram', 'a post while posting is blocked', graph(instagram, 368)],
    ['instagram', 'a list of posts without its permission', graph(instagram, 200)],
    ['instagram', 'the limit of 100 posts a day', graph(instagram, 9, 2_207_042)],
    ['instagram', 'a message without its permission', graph(instagramMessaging, 10)],
    ['instagram', 'a message while messaging is blocked', graph(instagramMessaging, 368)],
    ['instagram', 'a message outside the window', graph(instagramMessaging, 10, 2_534_022)],
    ['instagram', 'a follow state without consent', graph(instagramMessaging, 230)],
    ['instagram', 'a person for whom the app has no access', graph(instagramMessaging, 200, 2_018_028)],
    ['linkedin', 'an organization that the member no longer manages', linkedin(403, 'ACCESS_DENIED')],
    ['linkedin', 'a version that LinkedIn no longer serves', linkedin(426, 'NONEXISTENT_VERSION')],
    [
      'pinterest',
      'secret boards without their scope',
      pinterest(403, 29, 'missing scope: boards:read_secret'),
    ],
    [
      'pinterest',
      'an app with trial access',
      pinterest(403, 29, 'Apps with Trial access may not create Pins'),
    ],
    ['pinterest', 'a feature that the app lacks', pinterest(401, 3, 'restricted feature')],
    ['threads', 'a reply without its permission', graph(threads, 10)],
    ['threads', 'a post while posting is blocked', graph(threads, 368)],
    ['tiktok', 'the list of videos without video.list', tiktok(401, 'scope_not_authorized')],
    ['tiktok', 'a draft without video.upload', tiktok(400, 'scope_permission_missed')],
    ['tiktok', 'the number of posts a day', tiktok(403, 'spam_risk_too_many_posts')],
    ['tiktok', 'a video that TikTok takes for spam', failureOf('spam_risk')],
    ['youtube', 'a thumbnail that the channel may not set', youtube(403, 'forbidden')],
    ['youtube', 'a playlist without its scope', youtube(403, 'insufficientPermissions')],
    ['youtube', 'an API that the operator has not enabled', youtube(403, 'accessNotConfigured')],
    ['youtube', 'the number of uploads a day', youtube(400, 'uploadLimitExceeded')],
  ])('%s: %s', (_platform, _what, error) => {
    expect(error).toBeInstanceOf(Error);
    expect(markAfter(error)).toBeUndefined();
  });
});

describe('an error about the token or the account as a whole marks the account', () => {
  it.each<[Platform, string, unknown, string]>([
    ['facebook', 'a token that was revoked', graph(facebook, 190, 458), 'expired'],
    ['facebook', 'a Page that must be authorized for publishing', graph(facebook, 1, 1_404_078), 'error'],
    ['instagram', 'a token that was revoked', graph(instagramMessaging, 200, 2_534_041), 'expired'],
    ['instagram', 'an account that is restricted', graph(instagram, 25, 2_207_050), 'error'],
    ['linkedin', 'a token that was revoked', linkedin(401, 'REVOKED_ACCESS_TOKEN'), 'expired'],
    ['pinterest', 'a token that was revoked', pinterest(401, 2, 'Authentication failed.'), 'expired'],
    ['threads', 'a token that was revoked', graph(threads, 190), 'expired'],
    ['threads', 'an account that is restricted', graph(threads, 25, 4_279_013), 'error'],
    ['tiktok', 'a token that was revoked', tiktok(401, 'access_token_invalid'), 'expired'],
    ['tiktok', 'a permission that was revoked during processing', failureOf('auth_removed'), 'expired'],
    ['tiktok', 'a banned account', tiktok(200, 'spam_risk_user_banned_from_posting'), 'error'],
    ['youtube', 'a token that was revoked', youtube(401, 'authError'), 'expired'],
    ['youtube', 'a suspended channel', youtube(403, 'channelSuspended'), 'error'],
  ])('%s: %s', (_platform, _what, error, status) => {
    expect(markAfter(error)).toBe(status);
  });
});

describe('a daily limit is waited for', () => {
  const wakeAfterMs = (error: unknown) => {
    const decision = decideFailure(error, { failures: 0 }, startMs, 0, 'wait');
    return decision.kind === 'retry' && decision.limitEndsMs !== undefined
      ? decision.limitEndsMs - startMs
      : decision;
  };
  const pinterestLimit = (seconds: string) =>
    pinterestError(response(429, { code: 8, message: 'Words' }, { 'x-ratelimit-reset': seconds }), startMs);
  const throttle = (message: string) =>
    linkedinError(response(429, { status: 429, code: 'TOO_MANY_REQUESTS', message }), startMs);

  // The tests' clock starts at noon UTC, which is four in the morning Pacific time.
  it.each<[Platform, string, unknown, number]>([
    ['instagram', '100 posts in 24 hours', graph(instagram, 9, 2_207_042), hourMs],
    ['threads', '250 posts in 24 hours', graph(threads, 9, 2_207_042), hourMs],
    ['linkedin', 'requests per day', throttle('Resource level throttle APPLICATION DAY limit'), 12 * hourMs],
    ['pinterest', 'requests of trial access per day', pinterestLimit('7200'), 2 * hourMs],
    ['tiktok', 'posts in 24 hours', tiktok(403, 'spam_risk_too_many_posts'), hourMs],
    ['tiktok', 'pending shares', tiktok(403, 'spam_risk_too_many_pending_share'), dayMs],
    ['tiktok', 'users of the app per day', tiktok(403, 'reached_active_user_cap'), dayMs],
    ['youtube', 'quota of the project per day', youtube(403, 'quotaExceeded'), 20 * hourMs],
    ['youtube', 'uploads of the channel per day', youtube(400, 'uploadLimitExceeded'), dayMs],
  ])('%s: %s', (_platform, _what, error, expectedMs) => {
    expect(wakeAfterMs(error)).toBe(expectedMs);
    expect(decideFailure(error, { failures: 0 }, startMs, 0, 'fail')).toMatchObject({ kind: 'fail' });
  });

  it.each<[Platform, string, unknown]>([
    ['facebook', 'a rate limit', graph(facebook, 4)],
    ['instagram', 'a rate limit', graph(instagram, 80_002)],
    ['linkedin', 'a spike', throttle('Too many requests')],
    ['pinterest', 'a limit per minute', pinterestLimit('60')],
    ['tiktok', 'a limit per minute', tiktok(429, 'rate_limit_exceeded')],
    ['youtube', 'a burst', youtube(403, 'userRateLimitExceeded')],
  ])('but not a short one, which is retried (%s: %s)', (_platform, _what, error) => {
    const decision = decideFailure(error, { failures: 0 }, startMs, 0, 'fail');
    expect(decision).toMatchObject({ kind: 'retry' });
    expect(decision).not.toHaveProperty('limitEndsMs');
  });
});
