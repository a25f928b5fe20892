import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preflightReply, toHttpReply, withCors } from '../../gateway/reply.ts';

const json = ['content-type', 'application/json'];

describe("a function's result", () => {
  it('becomes status, headers and body', () => {
    const reply = toHttpReply({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', 'X-Count': 3, Connection: 'close', 'Content-Length': 9 },
      cookies: ['a=1', 'b=2'],
      body: '{}',
    });
    expect(reply.status).toBe(201);
    expect(reply.headers).toEqual([json, ['x-count', '3'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']]);
    expect(reply.body.toString()).toBe('{}');
  });

  it('is text if it has no content type, and is decoded if it is base64', () => {
    const reply = toHttpReply({ statusCode: '200', body: 'aGk=', isBase64Encoded: true });
    expect(reply).toMatchObject({ status: 200, headers: [['content-type', 'text/plain;charset=UTF-8']] });
    expect(reply.body.toString()).toBe('hi');
  });

  it.each([
    [{ ok: true }, '{"ok":true}'],
    ['hello', 'hello'],
    [null, 'null'],
  ])('without a status code becomes the body of a 200: %j', (result, body) => {
    const reply = toHttpReply(result);
    expect(reply).toMatchObject({ status: 200, headers: [json] });
    expect(reply.body.toString()).toBe(body);
  });

  it.each([
    { statusCode: 200, body: { a: 1 } },
    { statusCode: 'many' },
    { statusCode: 100 },
    { statusCode: 700 },
    { statusCode: 200, headers: { 'bad name': 'x' } },
    { statusCode: 200, headers: { a: 'b\r\nc: d' } },
    { statusCode: 200, headers: { a: ['b'] } },
    { statusCode: 200, cookies: ['a\nb'] },
  ])('that is invalid becomes a 500: %j', (result) => {
    const reply = toHttpReply(result);
    expect(reply.status).toBe(500);
    expect(reply.body.toString()).toBe('{"message":"Internal Server Error"}');
  });

  it('never causes an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (headers, body) => {
        expect(toHttpReply({ statusCode: 200, headers, body }).status).toBeOneOf([200, 500]);
      }),
    );
  });
});

describe('CORS', () => {
  const cors = {
    allowedOrigins: ['https://app.example'],
    allowedMethods: ['GET', 'POST'],
    allowedHeaders: ['authorization'],
    exposedHeaders: ['x-request-id'],
    maxAgeSeconds: 60,
  };

  it('answers a preflight from an allowed origin', () => {
    expect(Object.fromEntries(preflightReply(cors, 'https://app.example').headers)).toEqual({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization',
      'access-control-expose-headers': 'x-request-id',
      'access-control-max-age': '60',
      vary: 'Origin',
    });
  });

  it('allows nothing for another origin', () => {
    expect(preflightReply(cors, 'https://evil.example')).toMatchObject({ status: 204, headers: [] });
  });

  it("replaces the function's own headers", () => {
    const reply = toHttpReply({
      statusCode: 200,
      headers: { 'Access-Control-Allow-Origin': 'https://evil.example' },
    });
    const { headers } = withCors(
      reply,
      { ...cors, allowedOrigins: ['*'], exposedHeaders: [] },
      'https://evil.example',
    );
    expect(headers.filter(([name]) => name.startsWith('access-'))).toEqual([
      ['access-control-allow-origin', '*'],
    ]);
  });
});
