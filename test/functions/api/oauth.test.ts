import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { build as createCallback } from '../../../functions/api/oauth/callback.ts';
import { build as createChoose } from '../../../functions/api/oauth/choose.ts';
import type { Reply } from '../../../functions/middleware/reply.ts';
import { openDependencies } from '../../support/api.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Reply>;

let callback: Handler;
let choose: Handler;

beforeAll(async () => {
  const { dependencies } = await openDependencies();
  callback = createCallback(dependencies) as unknown as Handler;
  choose = createChoose(dependencies) as unknown as Handler;
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

const call = (handler: Handler, event: APIGatewayProxyEventV2) => handler(event, {} as Context);

describe('the routes for browsers', () => {
  it.each([
    ['an unknown state', () => call(callback, request('GET', { rawQueryString: 'state=made-up&code=1' }))],
    ['no query at all', () => call(callback, request('GET'))],
    [
      'a platform that does not exist',
      () => call(callback, request('GET', { pathParameters: { platform: 'myspace' } })),
    ],
    ['a forged choice', () => call(choose, request('GET', { rawQueryString: 'choice=made-up' }))],
    [
      'a forged form, in base64 as API Gateway passes it',
      () =>
        call(
          choose,
          request('POST', {
            body: Buffer.from('choice=made-up&account=a').toString('base64'),
            isBase64Encoded: true,
          }),
        ),
    ],
    ['a form without a body', () => call(choose, request('POST'))],
  ])('respond to %s with a page that cannot be cached, framed or indexed', async (_what, visit) => {
    const reply = await visit();
    expect(reply).toMatchObject({
      statusCode: 400,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-request-id': 'request-1',
      },
      body: expect.stringContaining('not valid'),
    });
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
