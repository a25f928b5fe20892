import { expect, it } from 'vitest';
import { dailyLimits } from '../../../../functions/wire/daily-limits.ts';
import { environmentOf } from '../../../../functions/wire/start.ts';
import { stages } from '../../../../infra/stages.ts';
import { dayIn } from '../../../../lib/kernel/time-zone.ts';

const read = (sizes: unknown) => dailyLimits(environmentOf({ DAILY_LIMITS: JSON.stringify(sizes) }));
const youtube = { posts: 100, timeZone: 'America/Los_Angeles', counts: 'uploads' };

it.each([
  ['without sizes, only documented limits count', {}, { youtube }],
  ['a stage may have a larger limit', { youtube: 10_000 }, { youtube: { ...youtube, posts: 10_000 } }],
  ['0 means the documented limit', { youtube: 0, tiktok: 0 }, { youtube }],
  [
    'a stage may have one that is not documented',
    { tiktok: 50 },
    { youtube, tiktok: { posts: 50, timeZone: 'UTC', counts: 'posts' } },
  ],
])('%s', (_rule, sizes, limits) => {
  expect(read(sizes)).toEqual(limits);
});

it.each([[{ friendster: 1 }], [{ youtube: -1 }], [{ youtube: 1.5 }], [{ youtube: 'many' }]])(
  'a deployment with %j fails before its first request',
  (sizes) => {
    expect(() => read(sizes)).toThrow();
  },
);

it.each(Object.entries(stages))('the functions of stage %s can read its limits', (_stage, settings) => {
  for (const limit of Object.values(read(settings.dailyLimits)))
    expect(dayIn(limit.timeZone, Date.UTC(2026, 0, 2))).toMatch(/^2026-01-0[12]$/);
});
