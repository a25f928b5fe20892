import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, secondMs } from '../../lib/kernel/clock.ts';
import type { Table } from '../../lib/table/table.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { createTestTable } from '../support/table.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { login, rows } from './rows.ts';
import { connected } from './sweep-fixture.ts';

let fixtures: FixtureServer;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());

const titled = rows.map((row) => [row.as ? `${row.platform} as ${row.as}` : row.platform, row] as const);

describe.each(titled)('the tokens of %s', (_title, row) => {
  let fixture: Fixture;
  let table: Table;
  beforeEach(async () => {
    [fixture, table] = await Promise.all([openFixture(row, fixtures), createTestTable()]);
  });
  afterEach(() => fixture.close());

  it('are renewed by every sweep that finds them due, and the platform accepts the new ones', async (test) => {
    test.skip(row.withoutRefreshCall !== undefined, row.withoutRefreshCall);
    const { sweep, current, token } = await connected(row, fixture, table);
    for (let period = 0; period < 3; period += 1) {
      fixture.clock.time += fixture.authorization.renewal.sweepAgeSeconds * secondMs;
      expect(await sweep()).toMatchObject({ renewed: 1 });
      expect(await sweep()).toMatchObject({ renewed: 0 });
    }
    expect(await token()).toEqual(expect.any(String));
    expect(await current()).toMatchObject({ status: 'ok' });
  });

  it('expire once, with a reason, if the person has revoked access', async () => {
    const { sweep, current } = await connected(row, fixture, table);
    await fixture.control('revoke', 'POST', { username: login });
    let expired = 0;
    for (let days = 0; days < 120; days += 5) {
      fixture.clock.time += 5 * dayMs;
      expired += (await sweep()).expire;
    }
    expect(expired).toBe(1);
    expect(await current()).toMatchObject({
      status: 'expired',
      statusMessage: expect.stringMatching(/\w+ \w+/),
    });
  });
});
