import { describe, expect, it } from 'vitest';
import { rangeOf } from '../../../lib/panel/pages/links/range.ts';

const today = '2026-03-10';

describe('the period of links', () => {
  const nothing = { last: '', from: '', to: '' };
  it.each([
    [{}, { from: '2026-02-09', to: today, preset: 30 }],
    [{ last: '7d' }, { from: '2026-03-04', to: today, preset: 7 }],
    [{ last: '8d' }, { from: '2026-02-09', to: today, preset: 30 }],
    [
      { last: '7d', from: '2026-01-01', to: '2026-01-31' },
      { from: '2026-01-01', to: '2026-01-31' },
    ],
    [{ from: '2026-01-01' }, { from: '2026-01-01', to: '2026-01-30' }],
    [{ to: '2026-01-30' }, { from: '2026-01-01', to: '2026-01-30' }],
    [{ from: '2026-01-02', to: '2026-01-01' }, { problem: 'backwards' }],
    [{ from: '2025-01-01', to: '2026-01-02' }, { problem: 'too-long' }],
    [{ from: 'x', to: '2026-02-30' }, { preset: 30 }],
  ])('of %j is %j', (given, range) => {
    const found = rangeOf({ ...nothing, ...given }, today);
    expect(found).toMatchObject(range);
    expect(found.problem).toBe('problem' in range ? range.problem : undefined);
  });
});
