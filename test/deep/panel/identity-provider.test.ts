import { createServer, type Server } from 'node:http';
import { type Issuer, startIssuer } from '@herald/oidc-issuer/issuer.ts';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { demoPeople } from '../../../bin/dev/demo-people.ts';
import { runAxe } from '../../support/axe.ts';
import { browserTest } from '../../support/browser.ts';

let issuer: Issuer;
let site: Server;
let signInUrl: string;
let redirectUri: string;
beforeAll(async () => {
  site = createServer((_, response) => response.end('back'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  redirectUri = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback`;
  const client = { id: 'panel', redirectUris: [redirectUri], postLogoutRedirectUris: [redirectUri] };
  issuer = await startIssuer({ port: 0, clock: Date, people: demoPeople, clients: () => [client] });
  signInUrl = `${issuer.url}/auth?${new URLSearchParams({
    response_type: 'code',
    client_id: 'panel',
    redirect_uri: redirectUri,
    scope: 'openid',
    prompt: 'login',
    // RFC 7636, appendix B.
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`;
});
afterAll(async () => {
  site.close();
  site.closeAllConnections();
  await issuer.stop();
});

describe('the sign-in page in a browser', () => {
  browserTest('leads back with one click, or with another address', async ({ page }) => {
    await page.goto(signInUrl);
    await page.getByRole('button', { name: 'Continue as Member' }).click();
    await page.waitForURL(/\/callback\?code=/);

    await page.goto(signInUrl);
    const form = page.getByRole('form', { name: 'Continue with another address' });
    await form.getByLabel('Email').fill('ada@example.com');
    await form.getByLabel('Name').fill('Ada');
    await form.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(/\/callback\?code=/);

    await page.goto(signInUrl);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/callback\?error=access_denied/);
  });

  browserTest('signs out, after a question', async ({ page }) => {
    await page.goto(signInUrl);
    await page.getByRole('button', { name: 'Continue as Member' }).click();
    await page.waitForURL(/\/callback\?code=/);
    const target = { client_id: 'panel', post_logout_redirect_uri: redirectUri };
    await page.goto(`${issuer.url}/session/end?${new URLSearchParams(target)}`);
    expect(await runAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(redirectUri);
  });

  browserTest('suits everybody, in both colour schemes and on a narrow screen', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(signInUrl);
      expect(await runAxe(page)).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });
});
