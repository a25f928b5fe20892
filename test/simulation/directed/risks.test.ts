import { expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { startMs } from '../scenario/history.ts';
import { runScenario } from '../simulate.ts';
import type { StoryEntry } from '../story.ts';
import { noFaults } from '../world/faults.ts';
import { directedScenario, postToAll } from './scenario.ts';

const dueMs = startMs + 27 * hourMs;
const posts = [0, 10, 20].map((minutes) => postToAll(`post ${minutes}`, dueMs + minutes * minuteMs));
const questions = /content_publishing_limit|organizationAcls|\/youtube\/v3\/channels/;

/** Runs the service with checks ahead, and returns the questions to platforms with what it has committed about risks. */
async function run(
  seed: number,
  faults: Partial<typeof noFaults>,
  disconnects: readonly { account: number; atMs: number }[],
) {
  const story: StoryEntry[] = [];
  const result = await runScenario(
    directedScenario({
      posts,
      world: { seed, faults: { ...noFaults, ...faults }, faultsEndMs: dueMs - hourMs },
      deployment: { checksAhead: true },
      workspace: { disconnects, hasWebhook: true },
    }),
    { trace: (entry) => story.push(entry) },
  );
  return {
    ...result,
    asked: story.filter(({ text }) => questions.test(text)),
  };
}

it('posts are checked a day and two hours ahead, with one question for each account and half hour', async () => {
  const { violation, targets, asked } = await run(1, {}, []);
  expect(violation).toBeUndefined();
  expect(targets.map(({ status }) => status)).toEqual(targets.map(() => 'published'));
  expect(targets.some(({ risk }) => risk !== undefined)).toBe(false);
  expect(
    asked.map(({ atMs, text, actor }) => `${new Date(atMs).toISOString()} ${actor} ${text}`),
  ).toHaveLength(2 * 3);
});

it.each([1, 2, 3, 4, 5])(
  'processes that crash and responses that are lost ask no platform twice within half an hour: %s',
  async (seed) => {
    const { violation, asked } = await run(
      seed,
      { crash: 0.02, connectionLost: 0.1, tableReplyLost: 0.05, slowCall: 0.1, platformFails: 0.1 },
      [],
    );
    expect(violation).toBeUndefined();
    const lastMs = new Map<string, number>();
    for (const { text, atMs } of asked) {
      const [platform = ''] = text.split(':');
      expect(atMs - (lastMs.get(platform) ?? Number.NEGATIVE_INFINITY), text).toBeGreaterThanOrEqual(
        29 * minuteMs,
      );
      lastMs.set(platform, atMs);
    }
  },
);
