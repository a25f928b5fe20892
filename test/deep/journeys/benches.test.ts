import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openLogger } from '../../../functions/wire/logger.ts';
import type { BenchContext, BenchTable, CloudOptions } from '../../bench/bench.ts';
import { formatTable } from '../../bench/format.ts';
import { benches } from '../../bench/registry.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

/** The running bench's observer of the shared cloud. */
let observer: NonNullable<CloudOptions['observer']> = {};
let cloud: TestCloud;
beforeAll(async () => {
  // Some benches run handlers in this process.
  openLogger().setLogLevel('WARN');
  cloud = await startTestCloud({
    observer: {
      onAwsCall: (call) => observer.onAwsCall?.(call),
      onConsumedCapacity: (consumed) => observer.onConsumedCapacity?.(consumed),
      onInvocation: (invocation) => observer.onInvocation?.(invocation),
    },
  });
});
afterAll(() => cloud?.stop());

/** All benches share one cloud. Its schedules fire on the second, even if a bench asks for jitter. */
const context: BenchContext = {
  progress: () => {},
  assembly: async () => inject('assemblyDirectory'),
  withCloud: async (options, measure) => {
    observer = options.observer ?? {};
    return measure(cloud);
  },
};

describe('a bench at its smallest size', () => {
  const here = benches.map((bench) => ({
    ...bench,
    isSkipped: bench.system !== undefined && bench.system !== process.platform,
  }));

  it.for(here)('prints figures: $name', async ({ run, isSkipped }, { skip }) => {
    if (isSkipped) skip();
    const tables = await run(context, 'smallest');
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expectFigures(table);
  });
});

/** Tests do not check the bounds, because timing depends on the machine. */
function expectFigures(table: BenchTable): void {
  const { columns, rows } = table;
  const text = formatTable(table);
  expect(rows.length, text).toBeGreaterThan(0);
  for (const row of rows) expect(row.length, `${row.join(' | ')}\n\n${text}`).toBe(columns.length);
  expect(
    rows.flat().some((cell) => /^-?\d/.test(cell)),
    text,
  ).toBe(true);
  expect(text).not.toMatch(/NaN|Infinity|undefined/);
}
