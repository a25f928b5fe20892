import { describe, expect, it } from 'vitest';
import { failedRecords } from '../../../../../infra/local/cloud/event-sources/batch-outcome.ts';

const identifiers = ['a', 'b', 'c'];
const answer = (result: unknown) => failedRecords({ ok: true, result }, true, identifiers);

describe('the answer to a batch', () => {
  it.each([
    ['nothing', null],
    ['an empty object', {}],
    ['no list', { batchItemFailures: null }],
    ['an empty list', { batchItemFailures: [] }],
  ])('of %s fails no record', (_, result) => {
    expect(answer(result)).toEqual(new Set());
  });

  it('names the records that failed', () => {
    const batchItemFailures = [{ itemIdentifier: 'c' }, { itemIdentifier: 'a' }];
    expect(answer({ batchItemFailures })).toEqual(new Set(['a', 'c']));
  });

  it.each([
    ['another key', { batchItemFailure: [{ itemIdentifier: 'a' }] }],
    ['another key inside', { batchItemFailures: [{ itemIdentifer: 'a' }] }],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null identifier', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['an unknown identifier', { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'z' }] }],
    ['identifiers alone', { batchItemFailures: ['a'] }],
    ['text', 'done'],
    ['a list', []],
  ])('of the wrong form (%s) fails them all', (_, result) => {
    expect(answer(result)).toBe('all');
  });

  it('that is an error fails them all', () => {
    const outcome = { ok: false, error: { errorType: 'Error', errorMessage: 'no' } } as const;
    expect(failedRecords(outcome, true, identifiers)).toBe('all');
    expect(failedRecords(outcome, false, identifiers)).toBe('all');
  });

  it('is not read where the mapping does not ask for it', () => {
    const result = { batchItemFailures: [{ itemIdentifier: 'a' }] };
    expect(failedRecords({ ok: true, result }, false, identifiers)).toEqual(new Set());
  });
});
