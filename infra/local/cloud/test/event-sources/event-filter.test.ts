import { describe, expect, it } from 'vitest';
import { matchesPattern, passesFilters, queueRecordForFilter } from '../../event-sources/event-filter.ts';

const record = {
  eventName: 'MODIFY',
  count: 3,
  nothing: null,
  tags: ['red', 'green'],
  dynamodb: { NewImage: { type: { S: 'Target' }, wakeAt: { S: '2026' } }, Keys: { pk: { S: 'POST#1' } } },
  list: [{ id: 'a' }, { id: 'b' }],
};

describe('a pattern', () => {
  it.each([
    ['matches an equal value', { eventName: ['INSERT', 'MODIFY'] }, true],
    ['does not match another value', { eventName: ['INSERT'] }, false],
    ['compares numbers as numbers', { count: [3] }, true],
    ['does not take a number for text', { count: ['3'] }, false],
    ['needs every field', { eventName: ['MODIFY'], count: [4] }, false],
    ['that is empty matches everything', {}, true],
    ['matches fields of nested objects', { dynamodb: { NewImage: { type: { S: ['Target'] } } } }, true],
    ['does not match an absent path', { dynamodb: { OldImage: { type: { S: ['Target'] } } } }, false],
    ['null matches null', { nothing: [null] }, true],
    ['null does not match an absent field', { absent: [null] }, false],
    ['any element of a list may match', { tags: ['green'] }, true],
    ['no element of a list matches', { tags: ['blue'] }, false],
    ['matches objects in a list', { list: { id: ['b'] } }, true],
    ['prefix', { dynamodb: { Keys: { pk: { S: [{ prefix: 'POST#' }] } } } }, true],
    ['another prefix', { dynamodb: { Keys: { pk: { S: [{ prefix: 'KEY#' }] } } } }, false],
    ['prefix of a number', { count: [{ prefix: '3' }] }, false],
    ['suffix', { eventName: [{ suffix: 'FY' }] }, true],
    ['equals-ignore-case', { eventName: [{ 'equals-ignore-case': 'modify' }] }, true],
    ['anything-but a value', { eventName: [{ 'anything-but': 'REMOVE' }] }, true],
    ['anything-but that value', { eventName: [{ 'anything-but': ['REMOVE', 'MODIFY'] }] }, false],
    ['anything-but a prefix', { eventName: [{ 'anything-but': { prefix: 'MOD' } }] }, false],
    ['anything-but of an absent field', { absent: [{ 'anything-but': 'x' }] }, false],
    ['exists', { eventName: [{ exists: true }] }, true],
    ['exists, absent', { absent: [{ exists: true }] }, false],
    ['exists: false, absent', { absent: [{ exists: false }] }, true],
    ['exists: false, present', { eventName: [{ exists: false }] }, false],
    [
      'exists: false under an absent object',
      { dynamodb: { OldImage: { wakeAt: { S: [{ exists: false }] } } } },
      true,
    ],
    ['exists applies to values, not to objects', { dynamodb: [{ exists: true }] }, false],
    ['a value or an operator', { eventName: ['INSERT', { prefix: 'MOD' }] }, true],
    ['$or', { $or: [{ eventName: ['INSERT'] }, { count: [3] }] }, true],
    ['$or of none', { $or: [{ eventName: ['INSERT'] }, { count: [4] }] }, false],
    ['inherited names are not fields', { constructor: [{ exists: true }] }, false],
  ])('%s', (_, pattern, matches) => {
    expect(matchesPattern(pattern, record)).toBe(matches);
  });

  it.each([
    { eventName: 'MODIFY' },
    { count: [{ numeric: ['>', 1] }] },
    { eventName: [{ prefix: 'a', suffix: 'b' }] },
    { eventName: [{}] },
  ])('%j is refused', (pattern) => {
    expect(() => matchesPattern(pattern, record)).toThrow();
  });
});

describe('a mapping', () => {
  it('without filters passes every record', () => {
    expect(passesFilters([], record)).toBe(true);
  });

  it('passes a record that any of its filters matches', () => {
    expect(passesFilters([{ count: [1] }, { count: [3] }], record)).toBe(true);
    expect(passesFilters([{ count: [1] }, { count: [2] }], record)).toBe(false);
  });
});

describe("the body of a queue's record", () => {
  it.each([
    ['JSON against fields', '{"kind":"publish"}', { body: { kind: ['publish'] } }, true],
    ['text against fields', 'publish', { body: { kind: ['publish'] } }, false],
    ['text against text', 'publish', { body: ['publish'] }, true],
    ['JSON against text', '{"kind":"publish"}', { body: ['publish'] }, false],
    ['broken JSON against fields', '{"kind":', { body: { kind: ['publish'] } }, false],
    ['an attribute instead of the body', 'anything', { attributes: { SenderId: ['me'] } }, true],
  ])('%s', (_, body, pattern, matches) => {
    const seen = queueRecordForFilter({ body, attributes: { SenderId: 'me' } });
    expect(matchesPattern(pattern, seen)).toBe(matches);
  });
});
