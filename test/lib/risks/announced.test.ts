import { describe, expect, it } from 'vitest';
import { hourMs } from '../../../lib/kernel/clock.ts';
import { rowOf } from '../../contract/rows.ts';
import { expectAnnounced } from './announced.ts';
import { happensTo, ownFaults, platformFaults } from './faults.ts';
import { openRiskWorld } from './world.ts';

// The deep run lets every fault happen on every platform, and looks at 10,000 posts.
it('nothing is found about posts that will succeed, and each platform is asked twice at most', async () => {
  const world = await openRiskWorld();
  const dueMs = world.now() + 26 * hourMs;
  const ids = await Promise.all(world.accounts.map((account) => world.schedule(account, dueMs)));
  await world.advance(dueMs - 2 * hourMs);
  for (const [index, id] of ids.entries())
    expect(await world.findings(id), world.accounts[index]?.row.platform).toEqual([]);
  expect(world.reports).toEqual([]);
  expect(world.questions.length).toBe(2 * world.accounts.length);
  await world.close();
});

describe('six hours before a post is due,', () => {
  it.each(
    platformFaults.flatMap((fault) =>
      (fault.on ?? ['facebook' as const]).map((on) => [fault.name, on, fault] as const),
    ),
  )('%s (%s): that is announced two hours before', (_name, platform, fault) =>
    expectAnnounced(rowOf(platform, fault.as), fault),
  );

  it.each(ownFaults.map((fault) => [fault.name, fault] as const))(
    '%s: that is announced two hours before',
    (_name, fault) => {
      const row = rowOf('threads');
      expect(happensTo(fault, { row })).toBe(true);
      return expectAnnounced(row, fault);
    },
  );
});
