import { describe, expect, it } from 'vitest';
import { duplicateOf, linkedinError, requireSuccess } from '../../../../lib/platforms/linkedin/errors.ts';
import { parsePlatformJson } from '../../../../lib/platforms/shared/json.ts';

const eightInTheEvening = Date.parse('2026-11-20T20:00:00Z');

const answer = (status: number, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: {}, text, json: parsePlatformJson(text), call: 'POST x' };
};
const errorFor = (status: number, body: unknown) => linkedinError(answer(status, body), eightInTheEvening);

describe('an error of LinkedIn', () => {
  it.each([
    [401, 'EXPIRED_ACCESS_TOKEN', 'reauthorise'],
    [401, 'REVOKED_ACCESS_TOKEN', 'reauthorise'],
    [401, 'ANYTHING_NEW', 'reauthorise'],
    [403, 'ACCESS_DENIED', 'restricted'],
    [400, 'VERSION_MISSING', 'retry'],
    [426, 'NONEXISTENT_VERSION', 'retry'],
    [400, 'MISSING_FIELD', 'rejected'],
    [400, 'ANYTHING_NEW', 'rejected'],
    [400, 'MEDIA_ASSET_WAITING_UPLOAD', 'retry'],
    [400, 'MEDIA_ASSET_PROCESSING_FAILED', 'rejected'],
    [409, 'CONFLICT', 'retry'],
    [413, 'TOO_LARGE', 'rejected'],
    [429, 'TOO_MANY_REQUESTS', 'retry'],
    [500, 'INTERNAL_SERVER_ERROR', 'unknown'],
    [504, 'GATEWAY_TIMEOUT', 'unknown'],
  ])('%i %s has the remedy %s', (status, code, remedy) => {
    expect(errorFor(status, { status, code, message: 'Words of LinkedIn' })).toMatchObject({
      remedy,
      platformCode: code,
      message: expect.stringMatching(/^LinkedIn: Words of LinkedIn \(/),
    });
  });

  it('may have its code in errorDetails', () => {
    const body = {
      errorDetailType: 'com.linkedin.common.error.BadRequest',
      message: 'Words',
      errorDetails: { inputErrors: [{ code: 'FIELD_LENGTH_TOO_LONG', description: 'Words', input: {} }] },
      status: 400,
    };
    expect(errorFor(400, body)).toMatchObject({ remedy: 'rejected', platformCode: 'FIELD_LENGTH_TOO_LONG' });
  });

  it('of a forbidden post is retried if LinkedIn names no permission', () => {
    const body = { status: 403, serviceErrorCode: 100, message: 'The requested resource is forbidden' };
    expect(errorFor(403, body)).toMatchObject({ remedy: 'retry', retryAfterSeconds: 60 });
  });

  it('of a daily quota is retried at midnight UTC, and of a spike after minutes', () => {
    const limited = (message: string) => errorFor(429, { status: 429, message }).retryAfterSeconds;
    expect(limited('Resource level throttle MEMBER DAY limit for calls to this resource is reached.')).toBe(
      4 * 3_600,
    );
    expect(limited('Too many requests')).toBe(180);
  });

  it('names the existing post if it is a duplicate', () => {
    const body = { status: 422, message: 'Content is a duplicate of urn:li:share:7290000000000000001' };
    const error = errorFor(422, body);
    expect(error).toMatchObject({ remedy: 'rejected', platformCode: 'DUPLICATE_POST' });
    expect(duplicateOf(error)).toBe('urn:li:share:7290000000000000001');
    expect(duplicateOf(errorFor(422, { status: 422, message: 'ERROR :: /commentary' }))).toBeUndefined();
  });

  it('is recognized with a success status, too', () => {
    const disguised = answer(200, { status: 500, message: 'Internal Server Error' });
    expect(() => requireSuccess(disguised, eightInTheEvening)).toThrow('Internal Server Error');
  });

  it('that is an HTML page or empty leaves the outcome unknown', () => {
    expect(errorFor(502, '<!DOCTYPE html><title>Bad gateway</title>')).toMatchObject({ remedy: 'unknown' });
    expect(errorFor(403, '')).toMatchObject({ remedy: 'unknown' });
  });
});
