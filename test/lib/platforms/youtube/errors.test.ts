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
