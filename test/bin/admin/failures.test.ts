import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../bin/admin/failures.ts';
import { invalidField, notFound } from '../../../lib/kernel/errors.ts';

const named = (name: string, message = 'x') => Object.assign(new Error(message), { name });
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:4566'), { code: 'ECONNREFUSED' });

describe('an error of a command', () => {
  it.each([
    ['a wrong value', invalidField('size', 'must be a size'), 2, 'size: must be a size'],
    ['something unknown', notFound('workspace'), 1, 'workspace not found'],
    ['no Region', new Error('Region is missing'), 1, 'no AWS Region: set AWS_REGION'],
    ['no credentials', named('CredentialsProviderError', 'Could not load'), 1, 'no valid AWS credentials'],
    ['old credentials', named('ExpiredTokenException'), 1, 'no valid AWS credentials'],
    ['a missing right', named('AccessDeniedException', 'not authorized'), 1, 'credentials may not do this'],
    ['no network', refused, 1, 'AWS does not answer (ECONNREFUSED)'],
    ['no network, for fetch', new TypeError('fetch failed', { cause: refused }), 1, 'AWS does not answer'],
    ['anything else', new Error('it broke'), 1, 'it broke'],
    ['no error', 'it broke', 1, 'it broke'],
  ])('says what to do: %s', (_, error, exitCode, message) => {
    const failure = failureOf(error, 'production');
    expect(failure).toEqual({ exitCode, message: expect.stringContaining(message) });
  });

  it('of a local cloud that was killed names the command that starts it', () => {
    expect(failureOf(new AggregateError([refused]), undefined).message).toContain('npm run dev');
  });
});
