import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import type { Rows } from './rows.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Rows of the operations without a key. */
export const publicRows: Rows = {
  redirect: async (ask, fixture) => {
    await ask(302, { path: { code: fixture.things.code } });
    await ask(404, { path: { code: 'unknown' } });
  },
  'redirect-head': async (ask, fixture) => {
    await ask(302, { path: { code: fixture.things.code } });
    await ask(404, { path: { code: 'unknown' } });
  },
  'oauth-callback': async (ask, fixture) => {
    const begin = async (body: object) =>
      (
        await fixture.asking('accounts-connect')(201, { path: { platform: 'threads' }, body })
      ).json() as unknown as {
        authUrl: string;
        state: string;
      };
    const path = { platform: 'threads' };
    await ask(400, { path });
    const { state } = await begin({ redirectUrl: 'https://app.example.com/done' });
    await ask(303, { path, query: `state=${state}&error=access_denied` });
    const consent = new URL((await begin({})).authUrl);
    consent.searchParams.set('login', demoUsername('demo'));
    consent.searchParams.set('approve', '1');
    const callback = (await fetch(consent, { redirect: 'manual' })).headers.get('location') ?? '';
    await ask(200, { path, query: new URL(callback).search.slice(1) });
  },
  'oauth-choose': (ask) => ask(400, { path: { platform: 'facebook' }, query: 'choice=unknown' }),
  'oauth-choose-accounts': (ask) =>
    ask(400, { path: { platform: 'facebook' }, rawBody: 'choice=unknown&account=1', headers: form }),
  'platform-webhook-verify': async (ask) => {
    const query = 'hub.mode=subscribe&hub.challenge=1158201444';
    await ask(200, { query: `${query}&hub.verify_token=local-verify-token` });
    await ask(403, { query: `${query}&hub.verify_token=another` });
  },
  'platform-webhook': async (ask) => {
    const rawBody = '{"object":"instagram","entry":[]}';
    const signature = createHmac('sha256', 'local-secret-of-the-meta-app').update(rawBody).digest('hex');
    await ask(200, { rawBody, headers: { 'x-hub-signature-256': `sha256=${signature}` } });
    await ask(401, { rawBody });
  },
  openapi: (ask) => ask(200),
  docs: (ask) => ask(200),
  'docs-asset': async (ask, fixture) => {
    const page = await fixture.asking('docs')(200);
    const files = [...page.text.matchAll(/docs\/assets\/([\w.-]+)/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(2);
    for (const file of files) await ask(200, { path: { file } });
    await ask(404, { path: { file: 'swagger-ui.css' } });
  },
  health: (ask) => ask(200),
};
