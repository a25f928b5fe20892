import { describe, expect, it } from 'vitest';
import { failedRecords } from '../../event-sources/batch-outcome.ts';

const identifiers = ['a', 'b', 'c'];
const answer = (result: unknown) => failedRecords({ ok: true, result }, true, identifiers);

describe('the response to a batch', () => {
  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a null list', { batchItemFailures: null }],
    ['an empty list', { batchItemFailures: [] }],
  ])('with %s fails no record', (_, result) => {
    expect(answer(result)).toEqual(new Set());
  });

  it('names the records that failed', () => {
    const batchItemFailures = [{ itemIdentifier: 'c' }, { itemIdentifier: 'a' }];
    expect(answer({ batchItemFailures })).toEqual(new Set(['a', 'c']));
  });

  it.each([
    ['a wrong key', { batchItemFailure: [{ itemIdentifier: 'a' }] }],
    ['a wrong inner key', { batchItemFailures: [{ itemIdentifer: 'a' }] }],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null identifier', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['an unknown identifier', { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'z' }] }],
    ['bare identifiers', { batchItemFailures: ['a'] }],
    ['text', 'done'],
    ['a list', []],
  ])('in an invalid format (%s) fails all records', (_, result) => {
    expect(answer(result)).toBe('all');
  });

  it('that is an error fails all records', () => {
    const outcome = { ok: false, error: { errorType: 'Error', errorMessage: 'no' } } as const;
    expect(failedRecords(outcome, true, identifiers)).toBe('all');
    expect(failedRecords(outcome, false, identifiers)).toBe('all');
  });

  it('is ignored if the mapping does not enable partial batch responses', () => {
    const result = { batchItemFailures: [{ itemIdentifier: 'a' }] };
    expect(failedRecords({ ok: true, result }, false, identifiers)).toEqual(new Set());
  });
});
