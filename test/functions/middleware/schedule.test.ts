import type { Context, ScheduledEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scheduleHandler } from '../../../functions/middleware/schedule.ts';
import { openLogger } from '../../../functions/wire/logger.ts';

let levels: string[];
beforeEach(() => {
  openLogger().setLogLevel('INFO');
  levels = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => levels.push(JSON.parse(String(text)).level) > 0);
  }
});
afterEach(() => void vi.restoreAllMocks());

/** Runs a function that warns of repairs, but not of looks. */
async function run(counts: Readonly<Record<string, number>>): Promise<void> {
  const options = {
    message: 'something was lost',
    level: 'warn',
    routine: { message: 'all is well', counts: ['looks'] },
  } as const;
  const handler = scheduleHandler({}, options, async () => counts)({});
  await handler({} as ScheduledEvent, { getRemainingTimeInMillis: () => 60_000 } as Context);
}

describe('a function that runs at a fixed rate', () => {
  it.each([
    ['says nothing if it found nothing', { repairs: 0, looks: 0 }, []],
    ['does not warn of ordinary work', { repairs: 0, looks: 2 }, ['INFO']],
    ['warns of what was lost', { repairs: 1, looks: 0 }, ['WARN']],
    ['warns of what was lost among ordinary work', { repairs: 1, looks: 2 }, ['WARN']],
  ])('%s', async (_what, counts, logged) => {
    await run(counts);
    expect(levels).toEqual(logged);
  });

  it('fails if an item failed, so that an alarm tells operators', async () => {
    await expect(run({ failures: 1 })).rejects.toThrow('1 items failed');
  });
});
