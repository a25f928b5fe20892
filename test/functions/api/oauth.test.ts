import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build as createBegin } from '../../../functions/api/oauth/begin.ts';
import { build as createCallback } from '../../../functions/api/oauth/callback.ts';
import { build as createChoose } from '../../../functions/api/oauth/choose.ts';
import type { Reply } from '../../../functions/middleware/reply.ts';
import { beginConnection } from '../../../lib/connections/begin.ts';
import { systemClock } from '../../../lib/kernel/clock.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { openDependencies, publicBaseUrl } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Reply>;

let begin: Handler;
let callback: Handler;
let choose: Handler;
let beginAttempt: () => Promise<string>;

beforeAll(async () => {
  const { dependencies } = await openDependencies();
  begin = createBegin(dependencies) as unknown as Handler;
  callback = createCallback(dependencies) as unknown as Handler;
  choose = createChoose(dependencies) as unknown as Handler;
  const { context } = await openWorkspace(dependencies.table, { name: 'Harbour Coffee' });
  beginAttempt = async () => {
    const ports = { ...dependencies, ...context, authorizationFor, now: systemClock() };
    return (await beginConnection(ports, 'youtube', {})).state;
  };
});

function request(method: string, changes: Partial<APIGatewayProxyEventV2> = {}): APIGatewayProxyEventV2 {
  return {
    version: '2.0',
    routeKey: `${method} /oauth/{platform}/choose`,
    rawPath: '/oauth/youtube/choose',
    rawQueryString: '',
    headers: {},
    pathParameters: { platform: 'youtube' },
    requestContext: { requestId: 'request-1', http: { method, path: '/oauth/youtube/choose' } },
    isBase64Encoded: false,
    ...changes,
  } as APIGatewayProxyEventV2;
}

const context = { getRemainingTimeInMillis: () => 10_000 } as Context;
const call = (handler: Handler, event: APIGatewayProxyEventV2) => handler(event, context);

const page = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  'x-request-id': 'request-1',
};

describe('the routes for browsers', () => {
  it.each([
    ['an unknown state', () => call(callback, request('GET', { rawQueryString: 'state=made-up&code=1' }))],
    ['no query at all', () => call(callback, request('GET'))],
    [
      'a platform that does not exist',
      () => call(callback, request('GET', { pathParameters: { platform: 'myspace' } })),
    ],
    ['a link with a forged state', () => call(begin, request('GET', { rawQueryString: 'state=made-up' }))],
    ['a form to continue with a forged state', () => call(begin, request('POST', { body: 'state=made-up' }))],
    ['a forged choice', () => call(choose, request('GET', { rawQueryString: 'state=made-up' }))],
    [
      'a forged form, in base64 as API Gateway passes it',
      () =>
        call(
          choose,
          request('POST', {
            body: Buffer.from('state=made-up&account=a').toString('base64'),
            isBase64Encoded: true,
          }),
        ),
    ],
    ['a form without a body', () => call(choose, request('POST'))],
  ])('respond to %s with a page that cannot be cached, framed or indexed', async (_what, visit) => {
    const reply = await visit();
    expect(reply).toMatchObject({
      statusCode: 400,
      headers: page,
      body: expect.stringContaining('not valid'),
    });
    expect(reply.cookies).toBeUndefined();
  });

  it('respond to an internal error with a page too, which does not reveal it', async () => {
    const broken = Object.defineProperty(request('GET'), 'pathParameters', {
      get() {
        throw new Error('the name of the table');
      },
    });
    const reply = await call(callback, broken);
    expect(reply).toMatchObject({ statusCode: 500, body: expect.stringContaining('request-1') });
    expect(reply.body).not.toContain('the name of the table');
  });
});

describe('continuing to the platform', () => {
  let state: string;
  beforeEach(async () => {
    state = await beginAttempt();
  });
  const open = () => call(begin, request('GET', { rawQueryString: `state=${state}` }));
  const leave = (changes: Partial<APIGatewayProxyEventV2> = {}) =>
    call(begin, request('POST', { body: `state=${state}`, ...changes }));
  const cookieOf = ({ cookies = [] }: Reply) => cookies[0]?.split(';')[0] ?? '';

  it('begins with a page that names the workspace and sets no cookie', async () => {
    const reply = await open();
    expect(reply).toMatchObject({
      statusCode: 200,
      headers: page,
      body: expect.stringContaining('Harbour Coffee'),
    });
    expect(reply.cookies).toBeUndefined();
  });

  it('sets a cookie that no script, no other host and no form of another site can use', async () => {
    const reply = await leave();
    expect(reply.statusCode).toBe(303);
    expect(new URL(reply.headers['location'] ?? '').host).toBe('accounts.google.com');
    expect(reply.cookies).toEqual([
      expect.stringMatching(
        /^__Host-connect=[0-9A-Za-z]{43}; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=600$/,
      ),
    ]);
  });

  it('keeps the secret of a browser that has one, and replaces one that we cannot have made', async () => {
    const first = cookieOf(await leave());
    expect(cookieOf(await leave({ cookies: ['a=b', first] }))).toBe(first);
    for (const cookie of ['__Host-connect=', '__Host-connect=x', `${first}x`, `connect=${first}`]) {
      expect(cookieOf(await leave({ cookies: [cookie] }))).toMatch(/^__Host-connect=[0-9A-Za-z]{43}$/);
      expect(cookieOf(await leave({ cookies: [cookie] }))).not.toBe(first);
    }
  });

  it.each([
    [{ origin: publicBaseUrl, 'sec-fetch-site': 'same-origin' }, 303],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{ origin: publicBaseUrl }, 303],
    [{ origin: 'https://evil.example' }, 400],
    [{ origin: 'null' }, 400],
    [{ origin: `${publicBaseUrl}.evil.example` }, 400],
    [{ origin: publicBaseUrl.replace('https', 'http') }, 400],
    [{ origin: publicBaseUrl, 'sec-fetch-site': 'cross-site' }, 400],
    [{ 'sec-fetch-site': 'same-site' }, 400],
    [{ 'sec-fetch-site': 'none' }, 400],
  ])('answers a form with the headers %o with %i', async (headers, status) => {
    const reply = await leave({ headers });
    expect(reply.statusCode).toBe(status);
    expect(reply.cookies === undefined).toBe(status === 400);
  });
});
