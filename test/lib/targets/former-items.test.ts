import { describe, expect, it } from 'vitest';
import { unsettledCall } from '../../../lib/at-most-once/call-records.ts';
import { targetFromItem } from '../../../lib/targets/item.ts';
import { readStoredItems } from '../../support/stored-items.ts';

const [, former] = readStoredItems()['target']?.examples ?? [];
const intentAt = '2026-03-01T12:00:01.000Z';

/** A target whose last call an earlier release recorded in single fields. */
const read = (changes: Readonly<Record<string, unknown>>) =>
  targetFromItem({ ...former, refusal: undefined, publishedAt: undefined, intentAt, ...changes });

describe('a target that an earlier release stored', () => {
  it.each([
    ['in the middle of its last call has an open call', { status: 'publishing' }, 'open'],
    ['with an unknown outcome has a call that is reported as unknown', { status: 'failed' }, 'unknown'],
    [
      'as live has a call that went live',
      { status: 'published', publishedAt: '2026-03-01T12:00:02.000Z' },
      'live',
    ],
  ])('%s', (_what, changes, outcome) => {
    expect(read(changes).calls).toEqual([
      {
        intentAt,
        token: { containerId: '1790' },
        endedAt: '2026-03-01T12:01:16.000Z',
        outcome,
        lookups: 0,
        misses: 0,
      },
    ]);
  });

  it('keeps the platform’s refusal', () => {
    expect(read({ status: 'publishing', refusal: 'spam' }).calls).toMatchObject([{ refusal: 'spam' }]);
  });

  it('keeps the records of this release if the earlier one made the next call, during a deployment', () => {
    const refused = {
      intentAt: '2026-03-01T11:59:00.000Z',
      token: { containerId: '1789' },
      endedAt: '2026-03-01T11:59:01.000Z',
      outcome: 'refused',
      lookups: 0,
      misses: 0,
    };
    const { calls } = read({ status: 'publishing', calls: [refused] });
    expect(calls).toMatchObject([refused, { intentAt, outcome: 'open' }]);
    expect(unsettledCall(calls)).toMatchObject({ intentAt });
  });

  it('without a last call has no record', () => {
    expect(read({ status: 'scheduled', intentAt: undefined }).calls).toBeUndefined();
  });
});
