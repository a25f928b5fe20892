import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  expectRemovedAfterStop,
  removableRows,
  runChecks,
  runQuoting,
  shown,
} from '../../../bin/verify/support.ts';
import { rows } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

let fixtures: FixtureServer;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());

it.each(removableRows)(
  'a run on $platform ($as) removes what it made and makes nothing new if a person stops it, whenever that is',
  async (row) => {
    const whole = await runChecks(row, fixtures);
    await whole.fixture.close();
    for (let at = 0; at < whole.lines.length; at += Math.ceil(whole.lines.length / 5))
      await expectRemovedAfterStop(row, fixtures, at);
  },
);

it.each(rows)(
  'what a run on $platform ($as) shows has no token, even if the platform quotes it in any error',
  async (row) => {
    for (const refusedRequest of [0, 1, 2, 3, 5, 8, 12]) {
      const ran = await runQuoting(row, fixtures, refusedRequest);
      for (const secret of ran.secrets) expect(shown(ran)).not.toContain(secret);
      await ran.fixture.close();
    }
  },
);
