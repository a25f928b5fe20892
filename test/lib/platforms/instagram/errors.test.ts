import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import type { PlatformResponse } from '../../../../lib/platforms/contract/http.ts';
import { containerError, instagram } from '../../../../lib/platforms/instagram/errors.ts';
import { parsePlatformJson } from '../../../../lib/platforms/shared/json.ts';
import { requireGraphSuccess } from '../../../../lib/platforms/shared/meta/graph.ts';

function thrownFor(body: unknown, status = 400, headers: Record<string, string> = {}): PlatformError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer: PlatformResponse = { status, headers, text, json: parsePlatformJson(text), call: 'POST x' };
  try {
    requireGraphSuccess(instagram, answer);
  } catch (error) {
    if (error instanceof PlatformError) return error;
  }
  throw new Error('nothing was thrown');
}
const graphError = (code: number, subcode?: number, more = {}) => ({
  error: { message: 'Words of Instagram', code, ...(subcode && { error_subcode: subcode }), ...more },
});

describe('an error of Instagram', () => {
  it.each([
    [190, undefined, 'reauthorise'],
    [190, 463, 'reauthorise'],
    [102, undefined, 'reauthorise'],
    [200, 2534041, 'reauthorise'],
    [200, undefined, 'restricted'],
    [10, undefined, 'restricted'],
    [25, 2207050, 'restricted'],
    [1, undefined, 'unknown'],
    [2, undefined, 'unknown'],
    [4, undefined, 'retry'],
    [4, 2207051, 'unknown'],
    [1, 2207057, 'rejected'],
    [9, 2207042, 'retry'],
    [9007, 2207027, 'retry'],
    [24, 2207008, 'retry'],
    [24, 2207006, 'retry'],
    [9004, 2207052, 'retry'],
    [80002, undefined, 'retry'],
    [36003, 2207009, 'rejected'],
    [100, 33, 'rejected'],
    [100, undefined, 'rejected'],
    [77777, undefined, 'unknown'],
  ])('%i/%s has the remedy %s', (code, subcode, remedy) => {
    expect(thrownFor(graphError(code, subcode))).toMatchObject({
      remedy,
      platformCode: subcode ? `${code}/${subcode}` : String(code),
      message: expect.stringContaining('Words of Instagram'),
    });
  });

  it('is recognized with status 200, too', () => {
    expect(thrownFor(graphError(190), 200).remedy).toBe('reauthorise');
  });

  it('is unknown if Instagram says it is transient or sends 5xx, unless its subcode is in the table', () => {
    expect(thrownFor(graphError(77777, undefined, { is_transient: true }))).toMatchObject({
      ifAbsent: 'retry',
    });
    expect(thrownFor(graphError(100), 503).remedy).toBe('unknown');
    expect(thrownFor(graphError(1, 2207057, { is_transient: true })).remedy).toBe('rejected');
  });

  it('with an unknown code is rejected once Instagram proves that nothing went live, and shows its trace', () => {
    const error = thrownFor(graphError(77777, undefined, { fbtrace_id: 'Axyz' }));
    expect(error).toMatchObject({ remedy: 'unknown', ifAbsent: 'rejected' });
    expect(error.message).toContain('Axyz');
  });

  it('says when a rate limit ends', () => {
    const usage = { 1784: [{ type: 'instagram', estimated_time_to_regain_access: 7 }] };
    const headers = { 'x-business-use-case-usage': JSON.stringify(usage) };
    expect(thrownFor(graphError(4), 400, headers).retryAfterSeconds).toBe(420);
    expect(thrownFor(graphError(4), 400, { 'x-business-use-case-usage': '{"half' }).retryAfterSeconds).toBe(
      3_600,
    );
  });

  it('prefers the message for users, and shortens it', () => {
    const error = thrownFor(
      graphError(36003, 2207009, { error_user_msg: `Too  wide\n\u0007${'x'.repeat(5_000)}` }),
    );
    expect(error.message).toMatch(/^Instagram: Too wide x+… \(36003\/2207009\)$/);
    expect(error.message.length).toBeLessThan(600);
  });

  it.each([
    ['<!DOCTYPE html><title>Sorry</title>', 200],
    ['', 200],
    ['{"error":"text"}', 500],
    ['{"error":null}', 404],
    ['{"err', 302],
  ])('leaves the outcome unknown if it is %j with %i', (body, status) => {
    if (status === 200) expect(() => thrownFor(body, status)).toThrow('nothing was thrown');
    else expect(thrownFor(body, status)).toMatchObject({ remedy: 'unknown', status });
  });
});

it('a refused format is explained by what Instagram advises against', () => {
  const message = 'Error: Media upload has failed with error code 2207026';
  expect(containerError({ state: 'ERROR', message }).message).toContain(
    'edit list, or its index (moov) after its media, encode it again',
  );
});

it.each([
  ['Error: Media upload has failed with error code 2207026', '2207026', 'rejected'],
  ['Error: Media upload has failed with error code 2207082', '2207082', 'retry'],
  ['Error', 'ERROR', 'rejected'],
])('the status text %j of a container is the error %s: %s', (status, platformCode, remedy) => {
  expect(containerError({ state: 'ERROR', message: status })).toMatchObject({ platformCode, remedy });
});
