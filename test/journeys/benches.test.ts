import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openLogger } from '../../functions/wire/logger.ts';
import type { BenchContext, BenchTable, CloudOptions } from '../bench/bench.ts';
import { formatTable } from '../bench/format.ts';
import { benches } from '../bench/registry.ts';
import { startTestCloud, type TestCloud } from '../support/local-cloud.ts';

/** Told by the one cloud what the bench that is running wants to hear. */
let observer: NonNullable<CloudOptions['observer']> = {};
let cloud: TestCloud;
beforeAll(async () => {
  // Handlers run in this process, too, and what goes well need not be told.
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

/** All benches share a cloud that is started once. Its schedules fire on the second, whatever a bench asks for. */
const around: BenchContext = {
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

  it.for(here)('makes tables of figures: $name', async ({ run, isSkipped }, { skip }) => {
    if (isSkipped) skip();
    const tables = await run(around, 'smallest');
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) expectFigures(table);
  });
});

/** Whether they keep to their bounds is not for tests: timing depends on the machine. */
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
