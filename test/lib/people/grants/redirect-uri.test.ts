import { describe, expect, it } from 'vitest';
import { isRedirectUri, isRegistered } from '../../../../lib/people/grants/redirect-uri.ts';

const registered = [
  'https://agent.example.com/callback',
  'http://localhost/callback',
  'http://127.0.0.1:3000/back',
];

describe('a redirect URI is that of the client', () => {
  it.each([
    'https://agent.example.com/callback',
    'http://localhost/callback',
    'http://localhost:49152/callback',
    'http://127.0.0.1/back',
    'http://127.0.0.1:8080/back',
  ])('%s', (uri) => expect(isRegistered(uri, registered)).toBe(true));

  it.each([
    ['a longer path', 'https://agent.example.com/callback/more'],
    ['a prefix', 'https://agent.example.com/call'],
    ['a slash at the end', 'https://agent.example.com/callback/'],
    ['another case', 'https://agent.example.com/Callback'],
    ['another case of the host', 'https://Agent.example.com/callback'],
    ['a port', 'https://agent.example.com:443/callback'],
    ['another port', 'https://agent.example.com:8443/callback'],
    ['a query', 'https://agent.example.com/callback?next=https://evil.example'],
    ['a fragment', 'https://agent.example.com/callback#top'],
    ['an empty fragment', 'https://agent.example.com/callback#'],
    ['a user name', 'https://agent.example.com@evil.example/callback'],
    ['an empty user name', 'https://@agent.example.com/callback'],
    ['a backslash', 'https://evil.example\\@agent.example.com/callback'],
    ['a detour', 'https://agent.example.com/x/../callback'],
    ['an encoded letter', 'https://agent.example.com/%63allback'],
    ['a subdomain', 'https://evil.agent.example.com/callback'],
    ['a suffix', 'https://agent.example.com.evil.example/callback'],
    ['plain http', 'http://agent.example.com/callback'],
    ['a line break', 'https://agent.example.com/callback\n'],
    ['a tab', 'https://agent.example.com/call\tback'],
    ['another path of this computer', 'http://localhost:49152/other'],
    ['a name that begins like this computer', 'http://localhost.evil.example/callback'],
    ['a user name before a port', 'http://localhost:1@evil.example/callback'],
    ['another name of this computer', 'http://127.0.0.2:8080/back'],
    ['an odd spelling of this computer', 'http://0x7f.1/back'],
    ['https to this computer', 'https://localhost/callback'],
    ['nothing', ''],
  ])('unless it has %s', (_what, uri) => expect(isRegistered(uri, registered)).toBe(false));
});

describe('nobody is sent', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript://agent.example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://agent.example.com/1',
    'cursor://callback',
    'http://agent.example.com/callback',
    'http://192.168.0.1/callback',
    'https:///evil.example/callback',
    '//evil.example/callback',
    '/callback',
    'https://agent.example.com/\u202Ecallback',
    `https://agent.example.com/${'x'.repeat(2_000)}`,
  ])('to %s, even if the client registers it', (uri) => {
    expect(isRedirectUri(uri)).toBe(false);
    expect(isRegistered(uri, [uri])).toBe(false);
  });
});
