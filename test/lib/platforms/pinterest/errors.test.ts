import { describe, expect, it } from 'vitest';
import type { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import {
  pinterestError,
  requireSuccess,
  requireUploaded,
} from '../../../../lib/platforms/pinterest/errors.ts';
import { parsePlatformJson } from '../../../../lib/platforms/shared/json.ts';

const now = Date.parse('2026-11-20T20:00:00Z');

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, text, json: parsePlatformJson(text), call: 'POST x' };
};

describe('an error of Pinterest', () => {
  it.each([
    [400, 1, "'Harbour' does not match '^\\d+$'", 'rejected'],
    [400, 1, 'Unable to reach the URL. Please check the URL is correct and try again.', 'retry'],
    [400, 235, 'Sorry, the image is too small', 'rejected'],
    [401, 2, 'Authentication failed.', 'reauthorise'],
    [401, 3, 'Your application is not authorized to use this feature', 'rejected'],
    [403, 29, 'Apps with Trial access may not create Pins in production', 'rejected'],
    [403, 29, 'You are not permitted to access that resource.', 'rejected'],
    [403, 29, "Your access token is missing the following required scopes: ['pins:write']", 'reauthorise'],
    [404, 40, 'Board not found.', 'rejected'],
    [404, 50, 'Pin not found.', 'rejected'],
    [404, 4134, 'Media not found.', 'retry'],
    [408, 1, 'Timed out', 'unknown'],
    [409, 58, 'There was a conflict', 'retry'],
    [418, 7, 'Something new', 'rejected'],
    [500, 12, 'Something went wrong on our end', 'unknown'],
    [503, 11, 'Unavailable', 'unknown'],
  ])('%i (%i) %s has the remedy %s', (status, code, message, remedy) => {
    const error = pinterestError(answer(status, { code, message }), now);
    expect(error).toMatchObject({ remedy, status, platformCode: `${status}/${code}` });
    expect(error.message).toContain(`Pinterest: ${message} (${status}/${code})`);
  });

  it('about the app has advice for the operator, and about the board for the user', () => {
    const told = (status: number, message: string) =>
      pinterestError(answer(status, { code: 29, message }), now).message;
    expect(told(403, 'Apps with Trial access may not create Pins')).toContain('Standard access');
    expect(told(403, 'You are not permitted to access that resource.')).toContain('board');
    expect(told(404, 'Board not found.')).toContain('accounts/{id}/boards');
  });

  it.each<[Record<string, string>, number]>([
    [{ 'x-ratelimit-reset': '17' }, 17],
    [{ 'x-ratelimit-reset': '17;w=60' }, 17],
    [{ 'x-ratelimit-reset': '0' }, 1],
    [{ 'x-ratelimit-reset': String(now / 1_000 + 90) }, 90],
    [{ 'retry-after': '5' }, 5],
    [{}, 60],
  ])('of a rate limit with %o is retried after %i seconds', (headers, seconds) => {
    const error = pinterestError(answer(429, { code: 8, message: 'Slow down' }, headers), now);
    expect(error).toMatchObject({ remedy: 'retry', retryAfterSeconds: seconds });
  });

  it('with a success status leaves the outcome unknown', () => {
    const disguised = answer(200, { code: 12, message: 'Something went wrong' });
    expect(() => requireSuccess(disguised, now)).toThrow('Something went wrong');
    expect(pinterestError(disguised, now).remedy).toBe('unknown');
  });

  it.each([
    [502, '<!DOCTYPE html><title>Bad gateway</title>', 'unknown'],
    [403, '', 'unknown'],
    [302, '', 'unknown'],
    [429, 'Too many requests', 'retry'],
  ])('%i that is an HTML page or empty: %s has the remedy %s', (status, text, remedy) => {
    expect(pinterestError(answer(status, text), now).remedy).toBe(remedy);
  });
});

describe('an upload', () => {
  const failure = (status: number, body: string) => {
    try {
      requireUploaded(answer(status, body));
    } catch (error) {
      return error as PlatformError;
    }
    return undefined;
  };
  const xml = (code: string) => `<Error><Code>${code}</Code><Message>Words of S3</Message></Error>`;

  it.each([
    [403, 'AccessDenied', 'retry'],
    [411, 'MissingContentLength', 'rejected'],
    [400, 'EntityTooLarge', 'rejected'],
    [400, 'InvalidArgument', 'rejected'],
    [400, 'RequestTimeout', 'retry'],
    [400, 'IncompleteBody', 'retry'],
    [503, 'SlowDown', 'retry'],
    [500, 'InternalError', 'retry'],
  ])('that S3 refuses with %i %s has the remedy %s', (status, code, remedy) => {
    expect(failure(status, xml(code))).toMatchObject({
      remedy,
      platformCode: code,
      message: expect.stringContaining('Words of S3'),
    });
  });

  it('succeeds with 204 only: a page with 200 does not come from S3', () => {
    expect(failure(204, '')).toBeUndefined();
    expect(failure(200, '<html>')).toMatchObject({ remedy: 'unknown' });
  });
});
