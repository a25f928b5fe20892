import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { startMs } from '../scenario/history.ts';
import type { PlannedPost, Scenario } from '../scenario/plan.ts';
import { runScenario } from '../simulate.ts';
import type { Faults } from '../world/faults.ts';
import { accounts, directedScenario, postToAll } from './scenario.ts';

const dueMs = startMs + 10 * minuteMs;

/** Two workspaces that have connected the same accounts, each with a post of the same text at the same second. */
function sharedScenario(seed: number, faults: Faults): Scenario {
  const post = (name: string): PlannedPost => ({ ...postToAll(name, dueMs), text: 'Open until nine' });
  const scenario = directedScenario({
    posts: [post('ours')],
    world: { seed, faults, faultsEndMs: dueMs + 30 * minuteMs },
  });
  const theirs = { accounts, hasWebhook: false, posts: [post('theirs')], disconnects: [], comments: [] };
  return { ...scenario, workspaces: [...scenario.workspaces, { ...theirs, sharesAccounts: true }] };
}

/** Tests that a post which is live once is reported by one of two workspaces only. @param seeds the number of runs per case */
export function testSharedAccounts(seeds: number): void {
  describe('two workspaces that post the same text to the same accounts at the same second', () => {
    it.each<[string, Faults]>([
      ['if nothing goes wrong', {}],
      ['if requests or responses are lost', { connectionLost: 0.3 }],
      ['if platforms fail before or after a call', { platformFails: 0.3 }],
      ['if workers crash', { crash: 0.02 }],
      ['if platforms show posts late', { connectionLost: 0.3, readsLate: 0.6 }],
    ])('never both have a post that went live once: %s', { timeout: 600_000 }, async (_what, faults) => {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const { violation, targets } = await runScenario(sharedScenario(seed, faults));
        expect([seed, violation]).toEqual([seed, undefined]);
        const ids = targets.flatMap(({ platformPostId }) => platformPostId ?? []);
        expect(new Set(ids).size).toBe(ids.length);
      }
    });
  });
}
