import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import { requireGraphSuccess } from '../../../../lib/platforms/shared/meta/graph.ts';
import { threads } from '../../../../lib/platforms/threads/errors.ts';

function thrownFor(error: object): PlatformError {
  const json = { error: { message: 'Words of Threads', ...error } };
  try {
    requireGraphSuccess(threads, { status: 400, headers: {}, text: '{}', json, call: 'POST x' });
  } catch (thrown) {
    if (thrown instanceof PlatformError) return thrown;
  }
  throw new Error('nothing was thrown');
}

describe('an error of Threads', () => {
  it.each([
    [190, 463, 'reauthorise'],
    [102, undefined, 'reauthorise'],
    [10, undefined, 'restricted'],
    [230, undefined, 'restricted'],
    [25, 4279013, 'restricted'],
    [368, undefined, 'restricted'],
    [4, undefined, 'retry'],
    [80004, undefined, 'retry'],
    [9, 2207042, 'retry'],
    [9007, 2207027, 'retry'],
    [24, 4279004, 'retry'],
    [9004, 2207052, 'retry'],
    [24, undefined, 'retry'],
    [24, 4279009, 'retry'],
    [4, 2207051, 'unknown'],
    [1, undefined, 'unknown'],
    [100, undefined, 'rejected'],
    [36003, undefined, 'rejected'],
  ])('%i/%s has the remedy %s', (code, error_subcode, remedy) => {
    const error = thrownFor({ code, ...(error_subcode !== undefined && { error_subcode }) });
    expect(error.remedy).toBe(remedy);
    expect(error.message).toContain('Words of Threads');
  });
});
