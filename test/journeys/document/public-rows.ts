import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { signedForm } from '../../support/signed-request.ts';
import { beginConnection, returnFromPlatform } from './connecting.ts';
import type { Rows } from './rows.ts';

const threads = { platform: 'threads' };

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** The payload of a callback about a person whom nobody knows. */
const removal = { algorithm: 'HMAC-SHA256', user_id: '9', issued_at: 1_772_366_400 };

/** The responses to Meta's callbacks. */
const askCallback: Rows[string] = async (ask) => {
  const asked = (rawBody: string, path = threads) => ({ path, rawBody, headers: form });
  const secret = 'local-secret-of-threads';
  await ask(200, asked(signedForm(removal, secret)));
  await ask(400, asked(signedForm({ algorithm: removal.algorithm }, secret)));
  await ask(401, asked(signedForm(removal, 'stranger')));
  await ask(404, asked(signedForm(removal, secret), { platform: 'youtube' }));
};

/** Rows of the operations without a key. */
export const publicRows: Rows = {
  followTrackedLink: async (ask, fixture) => {
    await ask(302, { path: { code: fixture.things.code } });
    await ask(404, { path: { code: 'unknown' } });
  },
  checkTrackedLink: async (ask, fixture) => {
    await ask(302, { path: { code: fixture.things.code } });
    await ask(404, { path: { code: 'unknown' } });
  },
  introduceConnection: async (ask, fixture) => {
    const { authUrl } = await beginConnection(fixture);
    await ask(200, { path: threads, query: new URL(authUrl).search.slice(1) });
    await ask(400, { path: threads });
  },
  leaveForPlatform: async (ask, fixture) => {
    const { state } = await beginConnection(fixture);
    await ask(303, { path: threads, rawBody: `state=${state}`, headers: form });
    await ask(400, { path: threads, rawBody: 'state=unknown', headers: form });
  },
  receiveAuthorization: async (ask, fixture) => {
    await ask(400, { path: threads });
    for (const isAllowed of [true, false]) {
      const body = { redirectUrl: 'https://app.example.com/done' };
      const { state, cookie, callback } = await returnFromPlatform(fixture, body);
      const query = isAllowed ? callback : `state=${state}&error=access_denied`;
      await ask(303, { path: threads, query, headers: { cookie } });
    }
    const { cookie, callback, finish } = await returnFromPlatform(fixture);
    await finish();
    await ask(200, { path: threads, query: callback, headers: { cookie } });
  },
  showAccountChoice: async (ask, fixture) => {
    const { state, cookie, arrive } = await returnFromPlatform(fixture);
    await arrive();
    await ask(200, { path: threads, query: `state=${state}`, headers: { cookie } });
    await ask(400, { path: threads, query: 'state=unknown' });
  },
  confirmAccountChoice: async (ask, fixture) => {
    for (const redirectUrl of [undefined, 'https://app.example.com/done']) {
      const { state, cookie, arrive } = await returnFromPlatform(fixture, { redirectUrl });
      const account = (await arrive())[0] ?? '';
      const headers = { ...form, cookie };
      await ask(400, { path: threads, rawBody: `state=${state}`, headers });
      const rawBody = `${new URLSearchParams({ state, account })}`;
      await ask(redirectUrl === undefined ? 200 : 303, { path: threads, rawBody, headers });
    }
    await ask(400, { path: threads, rawBody: 'state=unknown&account=1', headers: form });
  },
  verifyPlatformWebhook: async (ask) => {
    const query = 'hub.mode=subscribe&hub.challenge=1158201444';
    await ask(200, { query: `${query}&hub.verify_token=local-verify-token` });
    await ask(403, { query: `${query}&hub.verify_token=another` });
  },
  receivePlatformWebhook: async (ask) => {
    const rawBody = '{"object":"instagram","entry":[]}';
    const signature = createHmac('sha256', 'local-secret-of-the-meta-app').update(rawBody).digest('hex');
    await ask(200, { rawBody, headers: { 'x-hub-signature-256': `sha256=${signature}` } });
    await ask(401, { rawBody });
  },
  deauthorizeApp: askCallback,
  requestDataDeletion: askCallback,
  getDeletionStatus: async (ask, fixture) => {
    const rawBody = signedForm(removal, 'local-secret-of-threads');
    const answer = await fixture.asking('requestDataDeletion')(200, {
      path: threads,
      rawBody,
      headers: form,
    });
    const { confirmation_code: code } = JSON.parse(answer.text) as { confirmation_code: string };
    await ask(200, { path: { code } });
    await ask(404, { path: { code: 'unknown' } });
  },
  getResourceMetadata: (ask) => ask(200),
  getResourceMetadataAt: (ask) => ask(200),
  getPrefixedResourceMetadata: (ask) => ask(200),
  getAuthorizationServerMetadata: (ask) => ask(200),
  beginAuthorization: (ask) => ask(303, { query: 'client_id=x' }),
  issueTokens: async (ask) => {
    const rawBody = 'client_id=x&grant_type=refresh_token&refresh_token=x';
    await ask(400, { rawBody, headers: form });
    await ask(400, { rawBody: '{}' });
  },
  revokeToken: async (ask) => {
    await ask(200, { rawBody: 'token=x', headers: form });
    await ask(400, { rawBody: '{}' });
  },
  getOpenApiDocument: (ask) => ask(200),
  showDocs: (ask) => ask(200),
  showErrorCodes: (ask) => ask(200),
  getLlmsTxt: (ask) => ask(200),
  showErrorCode: async (ask) => {
    await ask(200, { path: { code: 'media_required' } });
    await ask(404, { path: { code: 'no_such_code' } });
  },
  getDocsAsset: async (ask, fixture) => {
    const page = await fixture.asking('showDocs')(200);
    const files = [...page.text.matchAll(/docs\/assets\/([\w.-]+)/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(2);
    for (const file of files) await ask(200, { path: { file } });
    await ask(404, { path: { file: 'swagger-ui.css' } });
  },
  checkHealth: (ask) => ask(200),
};
