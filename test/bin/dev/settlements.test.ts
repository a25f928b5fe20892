import { describe, expect, it } from 'vitest';
import { settlementOf, summaryOf } from '../../../bin/dev/settlements.ts';
import type { ItemChange } from '../../../lib/table/stream.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { aTarget } from '../../support/builders.ts';

const scheduled = aTarget({
  platform: 'threads',
  scheduledFor: '2026-03-01T12:00:00.000Z',
  status: 'publishing',
});
const live = {
  status: 'published',
  publishedAt: '2026-03-01T12:00:00.420Z',
  timeline: [{ at: '2026-03-01T12:00:00.500Z', event: 'published', attempt: 2, calls: [] }],
} as const satisfies Partial<Target>;
const failed = {
  status: 'failed',
  timeline: [{ at: '2026-03-01T12:00:01.000Z', event: 'failed', attempt: 2, calls: [] }],
} as const satisfies Partial<Target>;

function change(before: Partial<Target>, after: Partial<Target>): ItemChange {
  const item = (changes: Partial<Target>) => targetItem({ ...scheduled, ...changes });
  return { before: item(before), after: item(after), atMs: 0, sequenceNumber: '1' };
}

describe('the line for a destination', () => {
  it.each<[string, Partial<Target>, string]>([
    ['is live', live, 'live 0.4 s late'],
    ['is live, and was to go live at once', { ...live, isImmediate: true }, 'live'],
    ['was published with a part missing', { ...live, status: 'partial' }, 'live 0.4 s late'],
    [
      'is live, but not finished',
      { ...live, error: 'published, but not finished: no comment', errorDetail: { code: 'extra_failed' } },
      'live 0.4 s late, but: published, but not finished: no comment [extra_failed]',
    ],
    ['waited for a limit', { ...live, limitedUntil: '2026-03-01T12:00:00.300Z' }, 'live 0.1 s late'],
  ])('that %s says so', (_, after, result) => {
    expect(settlementOf(change({}, after))).toEqual({
      isLive: true,
      line: `2026-03-01T12:00:00.500Z  threads    ${scheduled.postId}  ${result}`,
    });
  });

  it('that has failed says why, without what could steer the terminal', () => {
    const after = {
      ...failed,
      error: 'refused:\u001b[2J too long',
      errorDetail: { code: 'platform_rejected' },
    } as const;
    expect(settlementOf(change({}, after))).toEqual({
      isLive: false,
      line: `2026-03-01T12:00:01.000Z  threads    ${scheduled.postId}  failed: refused:�[2J too long [platform_rejected]`,
    });
  });

  it.each<[string, ItemChange]>([
    ['is not settled yet', change({ status: 'scheduled' }, { status: 'publishing' })],
    ['settled before', change(live, { ...live, permalink: 'https://threads.example/1' })],
    ['is deleted', { ...change(live, live), after: undefined }],
    ['is new', { ...change({}, live), before: undefined }],
    ['is another item', { before: { kind: 'post' }, after: { kind: 'post' }, atMs: 0, sequenceNumber: '1' }],
  ])('is not printed if it %s', (_, unchanged) => {
    expect(settlementOf(unchanged)).toBeUndefined();
  });
});

describe('the summary', () => {
  it.each([
    [
      { live: 0, failed: 0, requests: 1 },
      59_400,
      'Ran for 59 s: 0 destinations live, 0 failed, 1 request to the API.',
    ],
    [
      { live: 1, failed: 2, requests: 30 },
      61_000,
      'Ran for 1 min 1 s: 1 destination live, 2 failed, 30 requests to the API.',
    ],
  ])('of %j after %d ms', (tally, ranMs, line) => {
    expect(summaryOf(tally, ranMs)).toBe(line);
  });
});
