import { describe, expect, it } from 'vitest';
import { parsePlatformJson } from '../../../../lib/platforms/shared/json.ts';
import { youtubeError } from '../../../../lib/platforms/youtube/errors.ts';

const noonInCalifornia = Date.parse('2026-11-20T20:00:00Z');

const errorFor = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return youtubeError(
    { status, headers, text, json: parsePlatformJson(text), call: 'POST x' },
    noonInCalifornia,
  );
};
const reason = (name: string) => ({
  error: { code: 400, message: 'Words of Google', errors: [{ domain: 'd', reason: name, message: 'Words' }] },
});

describe('an error of YouTube', () => {
  it.each([
    [401, 'authError', 'reauthorise'],
    [401, 'anythingNew', 'reauthorise'],
    [401, 'youtubeSignupRequired', 'restricted'],
    [403, 'insufficientPermissions', 'reauthorise'],
    [403, 'forbidden', 'rejected'],
    [403, 'rateLimitExceeded', 'retry'],
    [403, 'accessNotConfigured', 'rejected'],
    [403, 'channelSuspended', 'restricted'],
    [429, 'anythingNew', 'retry'],
    [400, 'invalidTitle', 'rejected'],
    [400, 'failedPrecondition', 'rejected'],
    [400, 'imageFormatUnsupported', 'rejected'],
    [400, 'imageTooTall', 'rejected'],
    [400, 'imageTooWide', 'rejected'],
    [503, 'backendError', 'unknown'],
    [400, 'anythingNew', 'unknown'],
  ])('%i %s has the remedy %s', (status, name, remedy) => {
    expect(errorFor(status, reason(name))).toMatchObject({
      remedy,
      platformCode: name,
      message: expect.stringMatching(/^YouTube: Words of Google /),
    });
  });

  it('of a used-up quota is retried at midnight Pacific time', () => {
    expect(errorFor(403, reason('quotaExceeded'))).toMatchObject({
      remedy: 'retry',
      retryAfterSeconds: 12 * 3_600,
    });
  });

  it.each([
    ['Video Uploads', 'Video Uploads per day'],
    ['Queries', 'Queries per day'],
  ])('of the metric %s with the limit %s is retried at midnight Pacific time', (metric, limit) => {
    const message = `Quota exceeded for quota metric '${metric}' and limit '${limit}' of service 'youtube.googleapis.com' for consumer 'project_number:1'.`;
    const body = {
      error: { code: 429, message, errors: [{ domain: 'global', reason: 'rateLimitExceeded', message }] },
    };
    expect(errorFor(429, body)).toMatchObject({
      remedy: 'retry',
      retryAfterSeconds: 12 * 3_600,
      message: expect.stringContaining('midnight Pacific time'),
    });
  });

  it('of a limit per minute is retried soon', () => {
    const message =
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'x'.";
    const body = { error: { code: 429, message, errors: [{ reason: 'rateLimitExceeded', message }] } };
    expect(errorFor(429, body)).toMatchObject({ remedy: 'retry', retryAfterSeconds: 30 });
  });

  it('of the channel’s own limit is retried after a day', () => {
    expect(errorFor(400, reason('uploadLimitExceeded'))).toMatchObject({
      remedy: 'retry',
      retryAfterSeconds: 86_400,
    });
  });

  it('of the token endpoint has another shape', () => {
    const body = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' };
    expect(errorFor(400, body)).toMatchObject({ remedy: 'reauthorise', platformCode: 'invalid_grant' });
  });

  it('has the status as its code if there is no reason', () => {
    const body = {
      error: { code: 401, message: 'Request had invalid credentials', status: 'UNAUTHENTICATED' },
    };
    expect(errorFor(401, body)).toMatchObject({ remedy: 'reauthorise', platformCode: 'UNAUTHENTICATED' });
  });

  it('with an unknown reason is rejected once YouTube proves that nothing went live', () => {
    expect(errorFor(400, reason('anythingNew')).ifAbsent).toBe('rejected');
    expect(errorFor(502, reason('anythingNew')).ifAbsent).toBe('retry');
  });

  it.each([
    [502, '<html>Bad gateway</html>', 'unknown', 'an HTML page'],
    [429, '', 'retry', 'an empty body'],
    [302, '', 'unknown', 'a redirect'],
    [400, '{"error', 'unknown', 'not JSON'],
  ])('may be %i with %j, which has the remedy %s', (status, body, remedy, words) => {
    const error = errorFor(status, body, { 'retry-after': '17' });
    expect(error).toMatchObject({ remedy, status, retryAfterSeconds: 17 });
    expect(error.message).toContain(words);
  });
});
