import type { Exchange } from '@herald/platform-simulators/kit/recording/exchange.ts';
import type { LoggedRequest } from '@herald/platform-simulators/kit/recording/request-log.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { openOverHttp } from '../support/simulated-platform.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { app, rows } from './rows.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterEach(() => fixture.close());
afterAll(() => fixtures.close());

const titled = rows.map((row) => [row.as ? `${row.platform} as ${row.as}` : row.platform, row] as const);

/** Returns the secrets that authorize an upload. Each is only ever sent under its own name. */
const uploadSecrets = (exchanges: readonly Exchange[]): string[] =>
  exchanges.flatMap(({ answer }) =>
    [
      ...(answer?.body ?? '').matchAll(/(?:upload_token=|"x-amz-(?:signature|security-token)":")([^"&]+)/g),
    ].map(([, value = '']) => value),
  );

/** Every token and code that a simulator has given out. */
function issuedIn(exchanges: readonly Exchange[]): string[] {
  const found = new Set<string>();
  for (const { answer } of exchanges) {
    const named = /"(?:access_token|refresh_token|id_token)":"((?:[^"\\]|\\.)+)"/g;
    for (const [, value] of (answer?.body ?? '').matchAll(named)) found.add(JSON.parse(`"${value}"`));
    const code = URL.parse(answer?.headers?.['location'] ?? '')?.searchParams.get('code');
    if (code) found.add(code);
  }
  return [...found];
}

const listed = async () => (await fixture.control('requests')) as unknown as readonly LoggedRequest[];

describe.each(titled)('the list of requests to %s', (_title, row) => {
  const publish = async () => {
    fixture = await openFixture(row, fixtures, openOverHttp);
    const publisher = await fixture.publisher();
    await publisher.prepare();
    await publisher.finish(await publisher.goLive());
    const { authorization, clock, account, tools } = fixture;
    clock.time += authorization.renewal.minimumAgeSeconds * 1000;
    if (row.withoutRenewal === undefined) await authorization.refresh(account.tokens, tools);
  };

  it('shows each request with its address, headers, body and status', async () => {
    await publish();
    const requests = await listed();
    expect(requests).toHaveLength(fixture.exchanges.length);
    for (const [index, { operation, method, host, path, body, answer }] of fixture.exchanges.entries()) {
      const request = requests[index];
      expect(request).toMatchObject({ number: index + 1, operation, method, status: answer?.status });
      expect(request?.url.startsWith(`https://${host}${path}`)).toBe(true);
      expect(request?.headers).toMatchObject({ host: new URL(fixture.url ?? '').host });
      expect(Object.keys(request?.body ?? {})).toEqual(Object.keys(body ?? {}));
      expect(request?.body?.isComplete).toBeUndefined();
    }
    const live = requests.find((one) => one.operation === row.operations.live);
    expect(live).toBeDefined();
  });

  it('shows no token and no secret of the app, wherever they are sent', async () => {
    await publish();
    const issued = issuedIn(fixture.exchanges);
    const { accessToken } = fixture.account.tokens;
    expect(issued).toContain(accessToken);
    const host = fixture.exchanges.at(-1)?.host;
    for (const [number, token] of issued.entries()) {
      const encoded = encodeURIComponent(token);
      await fetch(`${fixture.url}/${host}/${encoded}?note=${encoded}&n=${number}`, {
        method: 'POST',
        headers: { 'x-note': `see ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: `see ${token}`, [token]: [{ token }] }),
      });
    }
    const forUploads = uploadSecrets(fixture.exchanges);
    expect(forUploads.length > 0).toBe(['pinterest', 'tiktok'].includes(row.platform));
    const shown = JSON.stringify(await listed());
    for (const secret of [...issued, ...forUploads, app.clientSecret, app.organization.clientSecret]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(encodeURIComponent(secret));
    }
    // These requests are no described operations, on purpose.
    fixture.takeProblems();
  });
});
