import { describe, expect, it } from 'vitest';
import { type GatewayRequest, toGatewayEvent } from '../../gateway/event.ts';

const identity = {
  requestId: 'r1',
  traceHeader: 'Root=1',
  accountId: '000000000000',
  now: Date.UTC(2026, 10, 20, 16, 4, 5),
};
const match = { route: { routeKey: 'POST /v1/posts', functionArn: 'f' }, pathParameters: {} };

function event(request: Partial<GatewayRequest>): Record<string, unknown> {
  return toGatewayEvent(
    {
      method: 'POST',
      target: '/v1/posts',
      httpVersion: '1.1',
      rawHeaders: [],
      body: Buffer.alloc(0),
      peerAddress: '127.0.0.1',
      port: 3000,
      ...request,
    },
    match,
    identity,
  ) as Record<string, unknown>;
}

describe('an event', () => {
  it('describes the request', () => {
    expect(event({ rawHeaders: ['Host', 'localhost:3000', 'User-Agent', 'curl'] })).toEqual({
      version: '2.0',
      routeKey: 'POST /v1/posts',
      rawPath: '/v1/posts',
      rawQueryString: '',
      headers: {
        host: 'localhost:3000',
        'user-agent': 'curl',
        'x-amzn-trace-id': 'Root=1',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': '3000',
        'x-forwarded-proto': 'http',
      },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'localhost:3000',
        domainPrefix: 'localhost:3000',
        http: {
          method: 'POST',
          path: '/v1/posts',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'curl',
        },
        requestId: 'r1',
        routeKey: 'POST /v1/posts',
        stage: '$default',
        time: '20/Nov/2026:16:04:05 +0000',
        timeEpoch: identity.now,
      },
      isBase64Encoded: false,
    });
  });

  it('joins headers with the same name, splits cookies, and adds the peer to X-Forwarded-For', () => {
    const rawHeaders = [
      'A',
      '1',
      'a',
      '2',
      'Cookie',
      'x=1; y=2',
      'X-Forwarded-For',
      '9.9.9.9',
      '__proto__',
      'p',
    ];
    const { headers, cookies } = event({ rawHeaders });
    expect(headers).toMatchObject({ a: '1,2', 'x-forwarded-for': '9.9.9.9, 127.0.0.1' });
    expect(Object.keys(headers as object)).toContain('__proto__');
    expect(headers).not.toHaveProperty('cookie');
    expect(cookies).toEqual(['x=1', 'y=2']);
  });

  it.each([
    ['/p?a=1&b=2', '/p', 'a=1&b=2', { a: '1', b: '2' }],
    ['/p?a=1&a=2', '/p', 'a=1&a=2', { a: '1,2' }],
    ['/p?a=x+y%20z%26', '/p', 'a=x+y%20z%26', { a: 'x y z&' }],
    ['/p?flag&=v&', '/p', 'flag&=v&', { flag: '', '': 'v' }],
    ['/p?a=%zz', '/p', 'a=%zz', { a: '%zz' }],
    ['/p?', '/p', '', undefined],
    ['/p?a=?b', '/p', 'a=?b', { a: '?b' }],
    ['http://other.example/p?a=1', '/p', 'a=1', { a: '1' }],
    ['*', '/*', '', undefined],
    ['/a%20b#c', '/a%20b', '', undefined],
  ])('contains path and query of the target %s', (target, rawPath, rawQueryString, queryStringParameters) => {
    const read = event({ target });
    expect(read).toMatchObject({ rawPath, rawQueryString });
    expect(read['queryStringParameters']).toEqual(queryStringParameters);
  });

  it.each([
    ['application/json', '{"a":"é"}', false],
    ['application/json; charset=utf-8', '{}', false],
    ['application/problem+json', '{}', false],
    ['text/plain', 'x', false],
    ['application/x-www-form-urlencoded', 'a=1', true],
    ['application/octet-stream', 'x', true],
    ['image/png', 'x', true],
  ])('encodes a body of %s', (type, text, isBase64Encoded) => {
    const body = Buffer.from(text);
    expect(event({ rawHeaders: ['Content-Type', type], body })).toMatchObject({
      isBase64Encoded,
      body: isBase64Encoded ? body.toString('base64') : text,
    });
  });

  it('encodes text that is not UTF-8 as base64', () => {
    const body = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
    const read = event({ rawHeaders: ['Content-Type', 'application/json'], body });
    expect(read['isBase64Encoded']).toBe(true);
    expect(Buffer.from(String(read['body']), 'base64')).toEqual(body);
  });
});
