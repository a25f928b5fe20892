import { describe, expect, it } from 'vitest';
import {
  compareOn,
  compareOnRandomRequests,
  compareOnSeed,
  createTables,
  openDatabases,
} from '../../../support/database/compare.ts';

const databases = openDatabases();

describe('the database in memory answers like the real engine', () => {
  it.each([1, 2, 3, 4, 5])('many random requests, from seed %i', { timeout: 900_000 }, (seed) =>
    compareOnRandomRequests(databases, { seed, numRuns: 500 }),
  );

  it.each([3, 5, 8, 13, 17])('all requests of seed %i', { timeout: 180_000 }, (seed) =>
    compareOnSeed(databases, seed),
  );

  it('a batch of reads hands back what does not fit into 16 MB', async () => {
    const table = await createTables(databases);
    const keys = Array.from({ length: 45 }, (_, index) => ({ pk: 'p', sk: String(index).padStart(2, '0') }));
    for (const each of keys)
      await compareOn(databases, 'PutItem', {
        TableName: table,
        Item: { ...each, x: 'x'.repeat(400_000) },
      });
    const { output } = await compareOn(databases, 'BatchGetItem', {
      RequestItems: { [table]: { Keys: keys } },
    });
    expect(output?.['UnprocessedKeys']).toEqual({ [table]: { Keys: keys.slice(41) } });
  });
});
