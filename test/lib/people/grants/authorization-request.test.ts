import { describe, expect, it } from 'vitest';
import {
  answerUrl,
  type Parameters,
  readAuthorizationRequest,
} from '../../../../lib/people/grants/authorization-request.ts';
import { publicBaseUrl } from '../../../support/api.ts';
import {
  askedFor,
  clientDocument,
  clientId,
  documentOf,
  redirectUri,
  resource,
} from '../../../support/grants.ts';

const ports = { fetchClientDocument: documentOf(), baseUrl: publicBaseUrl };
const read = (changes: Parameters = {}, document = clientDocument()) =>
  readAuthorizationRequest({ ...ports, fetchClientDocument: documentOf(document) }, askedFor(changes));

describe('an authorization request', () => {
  it('is read with its client', async () => {
    expect(await read()).toMatchObject({
      client: { id: clientId, name: 'Agent' },
      redirectUri,
      resource,
      state: 'the state',
      permissions: ['read', 'draft'],
    });
  });

  it.each([
    ['read', ['read']],
    ['webhooks publish publish offline_access', ['publish', 'webhooks']],
    ['everything', ['read', 'draft']],
    ['', ['read', 'draft']],
  ])('asks with the scope %j for %j', async (scope, permissions) => {
    expect(await read({ scope })).toMatchObject({ permissions });
  });

  it('may name the resource by its other address', async () => {
    const other = `${publicBaseUrl}/api/mcp`;
    expect(await read({ resource: other })).toMatchObject({ resource: other });
  });

  it.each<[string, Parameters, string]>([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['an empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['a challenge of another form', { code_challenge: 'x'.repeat(44) }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method of its challenge', { code_challenge_method: undefined }, 'invalid_request'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['the API as resource', { resource: `${publicBaseUrl}/v1` }, 'invalid_target'],
    ['a slash after the resource', { resource: `${resource}/` }, 'invalid_target'],
    ['the resource of another stage', { resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['a mixed flow', { response_type: 'code token' }, 'unsupported_response_type'],
    ['a fragment as answer', { response_mode: 'fragment' }, 'invalid_request'],
    ['a request object', { request: 'x' }, 'request_not_supported'],
    ['a request object elsewhere', { request_uri: 'https://x.example/y' }, 'request_uri_not_supported'],
    ['a huge state', { state: 'x'.repeat(2_001) }, 'invalid_request'],
  ])('is refused to its client with %s', async (_what, changes, error) => {
    expect(await read(changes)).toMatchObject({ redirectUri, error });
  });

  it.each<[string, Parameters, string]>([
    ['another redirect URI', { redirect_uri: `${redirectUri}&next=https://evil.example` }, 'redirect_uri'],
    ['no redirect URI', { redirect_uri: undefined }, 'redirect_uri'],
    ['a script as redirect URI', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
    ['an unknown client', { client_id: 'https://other.example.com/client.json' }, 'client_id'],
    ['a name as client', { client_id: 'claude' }, 'client_id'],
    ['no client', { client_id: undefined }, 'client_id'],
  ])('leads nobody anywhere with %s', async (_what, changes, param) => {
    await expect(read(changes)).rejects.toMatchObject({ code: 'invalid', param });
  });

  it('is refused if the document belongs to another client', async () => {
    const stolen = clientDocument({ client_id: 'https://claude.ai/client.json' });
    await expect(read({}, stolen)).rejects.toMatchObject({ param: 'client_id' });
  });
});

describe('the answer to the client', () => {
  it('names the issuer and keeps the client’s own query', () => {
    const url = answerUrl({ redirectUri: 'https://a.example/b?c=%20d', state: 'x&y' }, publicBaseUrl, {
      code: '1',
    });
    expect(url).toBe(
      `https://a.example/b?c=%20d&code=1&state=x%26y&iss=${encodeURIComponent(publicBaseUrl)}`,
    );
  });

  it('has no state if the client sent none', () => {
    const url = answerUrl({ redirectUri, state: undefined }, publicBaseUrl, { error: 'access_denied' });
    expect(new URL(url).searchParams.has('state')).toBe(false);
  });
});
