import { expect, it } from 'vitest';
import type { PlatformRequest } from '../../../../lib/platforms/contract/http.ts';
import type { PlatformTools } from '../../../../lib/platforms/contract/tools.ts';
import { threadsAuthorization } from '../../../../lib/platforms/threads/authorization.ts';
import { threadsClient } from '../../../../lib/platforms/threads/client.ts';

/** Tools that note the host of each request, and answer all alike. */
function openTools(hosts: PlatformTools['hosts']) {
  const called: string[] = [];
  const tools: PlatformTools = {
    http: {
      addressOf: (url) => url,
      connectAhead: async () => {},
      send: async ({ url }: PlatformRequest) => {
        called.push(new URL(url).host);
        const json = { id: '1', access_token: 'token', expires_in: 5_000_000, data: { scopes: [] } };
        return { status: 200, headers: {}, json, text: JSON.stringify(json) } as never;
      },
    },
    now: () => 0,
    app: { clientId: 'id', clientSecret: 'secret' },
    ...(hosts && { hosts }),
  };
  return { tools, called };
}

it.each([
  [undefined, 'threads.net', 'graph.threads.net'],
  [{ api: 'graph.threads.com', login: 'threads.com' }, 'threads.com', 'graph.threads.com'],
])('calls the hosts of the setting %j', async (hosts, login, api) => {
  const { tools, called } = openTools(hosts);
  const request = { state: 's', redirectUri: 'https://a.example/', scopes: ['threads_basic'] };
  expect(new URL(threadsAuthorization.authorizationUrl(request, tools)).host).toBe(login);
  const account = { platformAccountId: '1', username: null, meta: {} };
  await threadsClient({ accessToken: 'token', account }, tools).permalink('1');
  await threadsAuthorization.refresh({ accessToken: 'token', scopes: [] } as never, tools);
  await threadsAuthorization.exchange({ code: 'c', redirectUri: '', scopes: [] }, tools).catch(() => {});
  expect(called.length).toBeGreaterThan(3);
  expect(new Set(called)).toEqual(new Set([api]));
});
