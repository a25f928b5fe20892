import { expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { startMs } from '../scenario/history.ts';
import { runScenario } from '../simulate.ts';
import { directedScenario, postToAll } from './scenario.ts';

const dueMs = startMs + 20 * minuteMs;
const endMs = dueMs + 10 * minuteMs;

it.each([
  ['its files are prepared', 2 * minuteMs],
  ['it is due', 19 * minuteMs],
])(
  'a post whose workspace is paused before %s is held, and published after the pause',
  async (_when, afterMs) => {
    const { violation, ledger, targets } = await runScenario(
      directedScenario({
        posts: [postToAll('post', dueMs)],
        workspace: { pauses: [{ atMs: startMs + afterMs, endMs }] },
      }),
    );
    expect(violation).toBeUndefined();
    expect(targets.map(({ status }) => status)).toEqual(['published', 'published', 'published']);
    for (const { liveMs, platform } of ledger) {
      expect(liveMs, platform).toBeGreaterThan(endMs);
      expect(liveMs, platform).toBeLessThan(endMs + 3 * minuteMs);
    }
  },
);
