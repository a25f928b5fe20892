/** The client of the journeys, at a small panel: it must do what a browser does with the issuer's pages. */
import { createServer, type Server } from 'node:http';
import { type Issuer, startIssuer } from '@herald/oidc-issuer/issuer.ts';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPeople } from '../../bin/dev/demo-people.ts';
import { beginAndFinish, PanelBrowser, signIn } from '../journeys/support/panel-client.ts';

const verifier = oidc.randomPKCECodeVerifier();
let issuer: Issuer;
let site: Server;
let panelUrl: string;
let configuration: oidc.Configuration;
/** Requests to `/api/panel/sign-in*`, as the panel saw them. */
const navigations: string[] = [];

beforeAll(async () => {
  site = createServer(async ({ url = '', headers, method }, response) => {
    const { pathname, searchParams } = new URL(url, panelUrl);
    const redirect_uri = `${panelUrl}/api/panel/sign-in/callback`;
    if (pathname.startsWith('/api/panel/sign-in'))
      navigations.push(`${pathname} ${headers['sec-fetch-site']} ${headers['sec-fetch-mode']}`);
    if (pathname === '/api/panel/sign-in') {
      const location = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: 'openid email',
        state: 'state',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(searchParams.has('again') && { prompt: 'login' }),
      });
      response.setHeader('set-cookie', '__Host-sign-in=1; Path=/; Secure; HttpOnly; SameSite=Lax');
      response.writeHead(303, { location: location.href }).end();
    } else if (pathname === '/api/panel/sign-in/callback') {
      const tokens = await oidc
        .authorizationCodeGrant(configuration, new URL(url, panelUrl), {
          pkceCodeVerifier: verifier,
          expectedState: 'state',
        })
        .catch(() => undefined);
      const email = tokens?.claims()?.['email'];
      const ended = '__Host-sign-in=; Path=/; Max-Age=0';
      response.setHeader('set-cookie', email ? [`__Host-session=${email}`, ended] : [ended]);
      response.writeHead(303, { location: email ? '/' : '/signed-out?error=failed' }).end();
    } else {
      response.end(JSON.stringify({ method, url, headers }));
    }
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  panelUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const client = {
    id: 'panel',
    redirectUris: [`${panelUrl}/api/panel/sign-in/callback`],
    postLogoutRedirectUris: [],
  };
  issuer = await startIssuer({ port: 0, clock: Date, people: demoPeople, clients: () => [client] });
  configuration = await oidc.discovery(new URL(issuer.url), 'panel', undefined, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
});
afterAll(async () => {
  site.close();
  site.closeAllConnections();
  await issuer.stop();
});

describe('the client of the panel', () => {
  it('signs in with a button, by navigations as a browser says them', async () => {
    navigations.length = 0;
    const { browser } = await signIn({ panelUrl }, 'Owner');
    expect(browser.cookies.get('__Host-session')).toBe('owner@herald.example');
    expect(browser.cookies.has('__Host-sign-in')).toBe(false);
    expect(navigations).toEqual([
      '/api/panel/sign-in same-origin navigate',
      '/api/panel/sign-in/callback same-site navigate',
    ]);
  });

  it('signs in with any address', async () => {
    const { browser } = await signIn({ panelUrl }, { email: 'ada+"<x>@example.com' });
    expect(browser.cookies.get('__Host-session')).toBe('ada+"<x>@example.com');
  });

  it('is known at the identity provider, unless it signs in again as somebody else', async () => {
    const { browser } = await signIn({ panelUrl }, 'Owner');
    await signIn({ panelUrl }, 'Member', { browser });
    expect(browser.cookies.get('__Host-session')).toBe('owner@herald.example');
    await signIn({ panelUrl }, 'Member', { browser, again: true });
    expect(browser.cookies.get('__Host-session')).toBe('member@herald.example');
  });

  it('says where a sign-in ended that failed', async () => {
    const settings = (idToken: string) =>
      fetch(`${issuer.control}/settings`, { method: 'PUT', body: JSON.stringify({ idToken }) });
    await settings('expired');
    const ended = `${panelUrl}/signed-out?error=failed`;
    await expect(signIn({ panelUrl }, 'Owner')).rejects.toThrow(`the sign-in ended at ${ended}`);
    expect((await beginAndFinish({ panelUrl }, 'Owner', new PanelBrowser())).url.href).toBe(ended);
    await settings('valid');
  });

  it('sends what a page of the panel sends', async () => {
    const client = await signIn({ panelUrl }, 'Owner', { workspaceId: 'one' });
    const posted = await client.expectStatus(200, 'POST', '/panel/keys', { name: 'a' });
    expect(posted.json()).toMatchObject({
      method: 'POST',
      url: '/api/panel/keys',
      headers: {
        cookie: expect.stringContaining('__Host-session=owner@herald.example'),
        origin: panelUrl,
        'sec-fetch-site': 'same-origin',
        'x-workspace': 'one',
        'content-type': 'application/json',
      },
    });
    const read = (
      await client.in('two').request('GET', '/v1/posts', undefined, { cookie: undefined })
    ).json();
    expect(read).toMatchObject({ headers: { 'x-workspace': 'two' } });
    expect(Object.keys((read as { headers: object }).headers)).not.toEqual(
      expect.arrayContaining(['cookie']),
    );
    await expect(client.expectStatus(201, 'GET', '/panel/me')).rejects.toThrow(
      'GET /panel/me returned 200, not 201',
    );
  });
});
