import { demoUsername } from '../../../bin/dev/platforms.ts';
import { consent, offeredAccounts, redirectOf, Visitor } from '../../../bin/dev/visitor.ts';
import type { BegunConnection } from '../../../lib/connections/schemas.ts';
import type { Fixture } from './fixture.ts';

/** Begins an attempt to connect a Threads account. */
export async function beginConnection(fixture: Fixture, body: object = {}): Promise<BegunConnection> {
  const answer = await fixture.asking('startConnection')(201, { path: { platform: 'threads' }, body });
  return answer.json() as unknown as BegunConnection;
}

/** Begins an attempt and goes to the platform and back with a browser, up to the request of the callback. */
export async function returnFromPlatform(fixture: Fixture, body: object = {}) {
  const { authUrl, state } = await beginConnection(fixture, body);
  const browser = new Visitor();
  const platformUrl = redirectOf(await browser.submit(await browser.visit(authUrl)));
  const callback = await consent(browser, platformUrl, demoUsername('demo'));
  const cookies = [...browser.cookies(fixture.cloud.apiUrl)];
  /** Makes the request of the callback. */
  const choice = async () => browser.visit(redirectOf(await browser.visit(callback)));
  return {
    state,
    cookie: cookies.map(([name, value]) => `${name}=${value}`).join('; '),
    /** The query of the callback. */
    callback: new URL(callback).search.slice(1),
    /** @returns the platform's ids of the accounts to choose from */
    arrive: async () => offeredAccounts(await choice()),
    /** Confirms. @returns where the browser is sent then */
    finish: async () => (await browser.submit(await choice())).location ?? '',
  };
}
