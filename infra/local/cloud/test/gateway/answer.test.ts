import { describe, expect, it } from 'vitest';
import { type AnsweredRequest, accessLine } from '../../gateway/answer.ts';

const request: AnsweredRequest = {
  requestId: 'id',
  arrivedMs: Date.UTC(2026, 10, 20, 16, 24, 5),
  routeKey: 'GET /v1/posts/{id}',
  method: 'GET',
  path: '/v1/posts/1',
  status: 200,
  responseBytes: 17,
  responseLatencyMs: 12,
  integrationLatencyMs: 10,
};

describe('a line of the access log', () => {
  it.each([
    ['$context.requestId', 'id'],
    ['$context.requestTime', '20/Nov/2026:16:24:05 +0000'],
    ['$context.requestTimeEpoch', '1795191845000'],
    ['$context.httpMethod $context.path', 'GET /v1/posts/1'],
    ['$context.routeKey', 'GET /v1/posts/{id}'],
    ['$context.status,$context.responseLength', '200,17'],
    ['$context.responseLatency $context.integrationLatency', '12 10'],
  ])('has for %s: %s', (format, expected) => {
    expect(accessLine(format, request)).toBe(expected);
  });

  it.each([
    '$context.error.message',
    '$context.integrationErrorMessage',
    '$context.identity.sourceIp',
    '$context.toString',
  ])('has a dash for %s, which is absent', (format) => expect(accessLine(format, request)).toBe('-'));

  it('stays JSON, whatever a path contains', () => {
    const path = '/"},{"status":"500\\';
    const line = accessLine('{"path":"$context.path","error":"$context.error.message"}', {
      ...request,
      path,
      error: 'Not Found',
    });
    expect(JSON.parse(line)).toEqual({ path, error: 'Not Found' });
  });
});
