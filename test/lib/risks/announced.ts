import { expect } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import type { PlatformRow } from '../../contract/rows.ts';
import type { Fault } from './faults.ts';
import { openRiskWorld } from './world.ts';

/** Lets a fault happen six hours before a post is due, and expects that it is announced two hours before. */
export async function expectAnnounced(row: PlatformRow, { code, seed }: Fault): Promise<void> {
  const world = await openRiskWorld((each) => each === row);
  try {
    const [connected] = world.accounts;
    if (!connected) throw new Error('no account');
    const dueMs = world.now() + 26 * hourMs;
    const id = await world.schedule(connected, dueMs);
    await world.advance(dueMs - 6 * hourMs, 30 * minuteMs);
    expect(await world.findings(id)).toEqual([]);
    await seed(world, connected, dueMs);
    await world.advance(dueMs - 2 * hourMs);
    expect((await world.findings(id)).map((finding) => finding.code)).toContain(code);
    expect(world.reports).toEqual([]);
  } finally {
    await world.close();
  }
}
