import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import { facebook } from '../../../../lib/platforms/facebook/errors.ts';
import { requireGraphSuccess } from '../../../../lib/platforms/shared/meta/graph.ts';

function thrownFor(error: object, headers: Record<string, string> = {}): PlatformError {
  const json = { error: { message: 'Words of Facebook', ...error } };
  try {
    requireGraphSuccess(facebook, { status: 400, headers, text: '{}', json, call: 'POST x' });
  } catch (thrown) {
    if (thrown instanceof PlatformError) return thrown;
  }
  throw new Error('nothing was thrown');
}

describe('an error of Facebook', () => {
  it.each([
    [190, 460, 'reauthorise'],
    [102, undefined, 'reauthorise'],
    [1, 1404006, 'reauthorise'],
    [10, undefined, 'restricted'],
    [200, undefined, 'restricted'],
    [283, undefined, 'restricted'],
    [368, undefined, 'restricted'],
    [1404078, undefined, 'restricted'],
    [4, undefined, 'retry'],
    [32, undefined, 'retry'],
    [80001, undefined, 'retry'],
    [80014, undefined, 'retry'],
    [1390008, undefined, 'retry'],
    [6000, 1363019, 'retry'],
    [1363047, undefined, 'retry'],
    [2, undefined, 'unknown'],
    [506, undefined, 'unknown'],
    [100, 1366051, 'unknown'],
    [197, undefined, 'rejected'],
    [324, undefined, 'rejected'],
    [100, 1363128, 'rejected'],
    [1609008, undefined, 'rejected'],
    [100, 33, 'rejected'],
    [987_654, undefined, 'unknown'],
  ])('%i/%s has the remedy %s', (code, error_subcode, remedy) => {
    const error = thrownFor({ code, ...(error_subcode !== undefined && { error_subcode }) });
    expect(error.remedy).toBe(remedy);
    expect(error.message).toContain('Words of Facebook');
  });

  it('is retried after the minutes that the Page’s usage header says', () => {
    const usage = JSON.stringify({ '1054': [{ type: 'pages', estimated_time_to_regain_access: 7 }] });
    const error = thrownFor({ code: 80001 }, { 'x-business-use-case-usage': usage });
    expect(error.retryAfterSeconds).toBe(420);
  });
});
