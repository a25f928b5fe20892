import { expect, it } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { startMs } from '../scenario/history.ts';
import type { PlannedPost } from '../scenario/plan.ts';
import { runScenario } from '../simulate.ts';
import { directedScenario, postToAll } from './scenario.ts';

/** The sweep looks 15 s ahead once a minute, and its messages arrive 5 s after their wakes. The rest is the work itself. */
const latestMs = 48 * secondMs;

/** A post with a video, which is prepared ten minutes before its time. */
function videoPost(due: number): PlannedPost {
  const post = postToAll(String(due), due);
  return { ...post, targets: post.targets.map((target) => ({ ...target, file: 'video.mp4' })) };
}

it('publishes what was prepared before Scheduler went away at most 45 s late, at whatever second of the minute', async () => {
  const fromMs = startMs + 5 * minuteMs;
  const dueMs = [5, 20, 35, 48].map((second) => startMs + 9 * minuteMs + second * secondMs);
  const { violation, ledger } = await runScenario(
    directedScenario({
      posts: dueMs.map(videoPost),
      world: { outages: [{ of: 'scheduler', fromMs, untilMs: fromMs + hourMs }] },
    }),
  );
  expect(violation).toBeUndefined();
  expect(ledger).toHaveLength(12);
  for (const { platform, post, liveMs } of ledger)
    expect(liveMs - Number(post.content), `${post.content} on ${platform}`).toBeLessThan(latestMs);
});
