import { describe, expect, it } from 'vitest';
import { problemOfClientId, readClientDocument } from '../../../../lib/people/grants/client-document.ts';
import { clientDocument, clientId, redirectUri } from '../../../support/grants.ts';

const read = (document: unknown) =>
  readClientDocument(clientId, typeof document === 'string' ? document : JSON.stringify(document));

describe('the metadata document of a client', () => {
  it('names the client and the places to which people return', () => {
    expect(read(clientDocument())).toEqual({
      client: { id: clientId, name: 'Agent', redirectUris: [redirectUri, 'http://localhost/callback'] },
    });
  });

  it('may ask for a signature of each request, which is not needed', () => {
    const document = clientDocument({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://agent.example.com/jwks.json',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    expect(read(document)).toHaveProperty('client');
  });

  it.each([
    ['no JSON', '<html>', 'is not a client metadata document'],
    ['no object', '[]', 'is not a client metadata document'],
    ['deep nesting', '['.repeat(10_000), 'is not a client metadata document'],
    ['no redirect URIs', clientDocument({ redirect_uris: [] }), 'is not a client metadata document'],
    [
      'no texts as redirect URIs',
      clientDocument({ redirect_uris: [{}] }),
      'is not a client metadata document',
    ],
    ['a secret', clientDocument({ client_secret: 'x' }), 'is not a client metadata document'],
    [
      'a method with a secret',
      clientDocument({ token_endpoint_auth_method: 'client_secret_post' }),
      'shared secret',
    ],
    [
      'another client_id',
      clientDocument({ client_id: 'https://other.example.com/client.json' }),
      'another client_id',
    ],
    ['another spelling of its client_id', clientDocument({ client_id: `${clientId}/` }), 'another client_id'],
    ['no client_id', clientDocument({ client_id: undefined }), 'is not a client metadata document'],
    [
      'only a script as redirect URI',
      clientDocument({ redirect_uris: ['javascript:alert(1)'] }),
      'no redirect URI',
    ],
    ['other grants only', clientDocument({ grant_types: ['client_credentials'] }), 'grant_types'],
    ['other responses only', clientDocument({ response_types: ['token'] }), 'response_types'],
  ])('is refused with %s', (_what, document, problem) => {
    expect(read(document)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it.each([
    ['Evil\u202Egro.tnega', 'Evil gro.tnega'],
    ['Herald\u200B', 'Herald'],
    ['two\nlines\u0007', 'two lines'],
    ['\u3164\u2800', 'agent.example.com'],
    ['', 'agent.example.com'],
    ['x'.repeat(500), `${'x'.repeat(79)}…`],
  ])('has its name %j shown as %j', (client_name, name) => {
    expect(read(clientDocument({ client_name }))).toMatchObject({ client: { name } });
  });
});

describe('the id of a client', () => {
  it.each(['https://agent.example.com/client.json', 'https://agent.example.com:8443/a/b?c=d'])(
    'may be %s',
    (id) => expect(problemOfClientId(id)).toBeUndefined(),
  );

  it.each([
    'agent',
    '',
    'ftp://agent.example.com/client.json',
    'javascript:alert(1)',
    'https://agent.example.com',
    'https://agent.example.com/',
    'https://agent.example.com/client.json#x',
    'https://user@agent.example.com/client.json',
    'https://AGENT.example.com/client.json',
    'https://agent.example.com:443/client.json',
    'https://agent.example.com/x/../client.json',
    'https://agent.example.com/a b',
    'https://аgent.example.com/client.json',
    `https://agent.example.com/${'x'.repeat(500)}`,
  ])('may not be %j', (id) => expect(problemOfClientId(id)).toBeDefined());
});
