import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { rows } from '../../../contract/rows.ts';
import { expectAnnounced } from '../../../lib/risks/announced.ts';
import { happensTo, ownFaults, platformFaults } from '../../../lib/risks/faults.ts';
import { openRiskWorld } from '../../../lib/risks/world.ts';

describe.each(rows.map((row) => [row.as ? `${row.platform} (${row.as})` : row.platform, row] as const))(
  'a post to %s is announced two hours before it is due',
  (_name, row) => {
    const faults = [...platformFaults, ...ownFaults].filter((fault) => happensTo(fault, { row }));
    it.each(faults.map((fault) => [fault.name, fault] as const))('if %s', (_fault, fault) =>
      expectAnnounced(row, fault),
    );
  },
);

const posts = 10_000;

const title = 'nothing is found about 10,000 posts that will succeed, for at most two questions per post';

it(title, { timeout: 15 * minuteMs }, async () => {
  const world = await openRiskWorld();
  const beginMs = world.now() + 25 * hourMs;
  const ids: string[] = [];
  // A quarter of them is due at the same second.
  for (let number = 0; number < posts; number += 1) {
    const account = world.accounts[number % world.accounts.length];
    if (!account) throw new Error('no account');
    const dueMs = number % 4 === 0 ? beginMs + 24 * hourMs : beginMs + Math.floor(number / 4) * minuteMs;
    ids.push(await world.schedule(account, dueMs));
  }
  await world.advance(beginMs + 44 * hourMs);
  const found = await Promise.all(ids.map((id) => world.findings(id)));
  expect(found.filter((each) => each.length > 0)).toEqual([]);
  expect(world.reports).toEqual([]);
  expect(world.questions.length).toBeLessThanOrEqual(2 * posts);
  expectHalfHours(world.questions);
  await world.close();
});

function expectHalfHours(questions: readonly { readonly accountId: string; readonly atMs: number }[]): void {
  const lastMs = new Map<string, number>();
  for (const { accountId, atMs } of questions) {
    const before = lastMs.get(accountId) ?? Number.NEGATIVE_INFINITY;
    expect(atMs - before).toBeGreaterThanOrEqual(30 * minuteMs);
    lastMs.set(accountId, atMs);
  }
}
