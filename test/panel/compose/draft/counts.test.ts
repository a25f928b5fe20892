import { describe, expect, it } from 'vitest';
import { countsOf } from '../../../../lib/panel/pages/compose/draft/counts.ts';
import type { Draft } from '../../../../lib/panel/pages/compose/draft/draft.ts';
import { image, video } from '../support/drafts.ts';

describe('a platform counts a text', () => {
  it.each([
    ['instagram', 'Kaffee ☕️ #a #b', [], [11 + 4, 2]],
    ['threads', '👍', [], [4]],
    ['youtube', 'ü', [], [2]],
    ['linkedin', '(a)', [], [5]],
    ['tiktok', '👍', [], [2]],
  ] as const)('%s: %s', (platform, content, media, used) => {
    const counts = countsOf(platform, { content, media, options: {} });
    expect(counts.slice(0, used.length).map((each) => each.used)).toEqual(used);
  });

  it('differently with a video, and not at all in a story', () => {
    const most = (media: Draft['media']) => countsOf('tiktok', { content: '', media, options: {} })[0]?.most;
    expect([most([image]), most([video])]).toEqual([4_000, 2_200]);
    expect(countsOf('instagram', { content: 'x', media: [], options: { contentType: 'story' } })).toEqual([]);
  });
});
