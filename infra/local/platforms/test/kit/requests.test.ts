import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json, Refusal } from '../../kit/answers.ts';
import { openAuthorizationCodes } from '../../kit/login/authorization-codes.ts';
import { issueToken, openUserTokens } from '../../kit/login/user-tokens.ts';
import { createMasking, isSecretName, maskJson } from '../../kit/recording/masking.ts';
import { recordBody } from '../../kit/recording/recorded-body.ts';
import { type LoggedRequest, maxBytes, maxRequests } from '../../kit/recording/request-log.ts';
import { operation, streamingOperation } from '../../kit/router.ts';
import type { PlatformDefinition } from '../../kit/types.ts';
import { type Opened, openInMemory, testClock } from './open-platform-support.ts';

/** A platform that issues tokens, reads fields, reads streams, and refuses streams before it reads them. */
const notes: PlatformDefinition = {
  name: 'notes',
  limits: {},
  open({ ledger, random }) {
    const { accessTokens } = openUserTokens(ledger);
    const codes = openAuthorizationCodes({ ledger, random });
    const grant: { username: string; scopes: readonly string[] } = { username: 'ada', scopes: [] };
    return {
      operations: [
        operation('token', 'POST', 'notes.test/token', ({ at }) => {
          const token = { value: random.secret('no/te!'), seconds: 60, at };
          const { value } = issueToken(accessTokens, grant, token);
          return json({ access_token: value, code: codes.issue(grant, '', at + 1) });
        }),
        operation('notes.insert', 'POST', 'notes.test/notes', () => json({})),
        operation('notes.list', 'GET', 'notes.test/notes', () => json([])),
        streamingOperation('upload', 'PUT', 'notes.test/upload', async ({ body }) => {
          for await (const _ of body);
          return json({}, 201);
        }),
        streamingOperation('refusal', 'POST', 'notes.test/refusal', () => {
          throw new Refusal(json({}, 403));
        }),
      ],
      error: (code) => json({ error: code }, 400),
      rateLimited: () => json({}, 429),
      expireToken: () => undefined,
      unknownPath: () => json({}, 404),
      accounts: () => [],
    };
  },
};

let platform: Opened;
const clock = testClock();
beforeEach(() => {
  platform = openInMemory(notes, { clock });
});
afterEach(() => platform.stop());

const latest = (): LoggedRequest => {
  const found = platform.requests().at(-1);
  if (found === undefined) throw new Error('no request');
  return found;
};
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Sends a body in pieces, as a server receives it. */
async function sendPieces(method: string, target: string, type: string, body: Uint8Array, pieceBytes = 1000) {
  async function* pieces() {
    for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
  }
  const headers = { 'content-type': type, 'content-length': String(body.length) };
  await platform.serve({ method, target, headers, body: pieces() });
}

describe('a listed request', () => {
  it('shows method, full address, headers, body and status', async () => {
    await platform.call('POST', '/notes.test/notes?part=a&part=b%20c', {
      json: { text: 'Ünïcode', number: 1 },
      headers: { 'x-version': '202609' },
    });
    expect(latest()).toEqual({
      number: 1,
      at: clock.time,
      operation: 'notes.insert',
      method: 'POST',
      path: '/notes.test/notes?part=a&part=b%20c',
      url: 'https://notes.test/notes?part=a&part=b%20c',
      headers: { 'content-type': 'application/json', 'content-length': '31', 'x-version': '202609' },
      body: { text: '{"text":"Ünïcode","number":1}' },
      status: 200,
    });
  });

  it('has no body if there was none', async () => {
    await platform.call('GET', '/notes.test/notes');
    expect(latest()).not.toHaveProperty('body');
  });

  it('shows the size and the digest of a file', async () => {
    const file = randomBytes(70_000);
    await sendPieces('PUT', '/notes.test/upload', 'video/mp4', file);
    expect(latest()).toMatchObject({ status: 201, body: { bytes: 70_000, sha256: digest(file) } });
  });

  it('shows text that is not UTF-8, or longer than a platform reads, as bytes', async () => {
    for (const body of [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.alloc(1024 * 1024 + 1, 'x')]) {
      await sendPieces('PUT', '/notes.test/upload', 'text/plain', body, 100_000);
      expect(latest().body).toEqual({ bytes: body.length, sha256: digest(body) });
    }
  });

  it('says that a body did not arrive to its end', async () => {
    await sendPieces('POST', '/notes.test/refusal', 'video/mp4', Buffer.from('file'));
    expect(latest()).toMatchObject({ status: 403, body: { bytes: 0, isComplete: false } });
    await platform.control('POST', 'faults', { match: 'upload', fault: 'drop-request' });
    await sendPieces('PUT', '/notes.test/upload', 'video/mp4', Buffer.from('file'));
    expect(latest()).toMatchObject({ status: 0, fault: 'drop-request', body: { isComplete: false } });
  });

  it('shows what arrived of a body that broke off', async () => {
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('connection reset');
    }
    const headers = { 'content-type': 'text/plain', 'content-length': '8' };
    const served = platform.serve({ method: 'PUT', target: '/notes.test/upload', headers, body: broken() });
    await expect(served).rejects.toThrow('connection reset');
    expect(latest()).toMatchObject({ status: 0, body: { text: 'half', isComplete: false } });
  });

  it('has the status 0 as long as it is slow, and then its own', async () => {
    await platform.control('POST', 'faults', { match: 'notes.insert', fault: 'slow:20' });
    const answer = platform.call('POST', '/notes.test/notes', { json: { text: 'one' } });
    await expect.poll(() => platform.requests().length).toBe(1);
    expect(latest()).toMatchObject({ status: 0 });
    clock.time += 20_000;
    await platform.settle();
    await answer;
    expect(latest()).toMatchObject({ status: 200, body: { text: '{"text":"one"}' } });
  });

  it.each([1, 7, 100_000])(
    'shows the fields of a form in full, files by digest, in pieces of %i bytes',
    async (pieceBytes) => {
      const form = new FormData();
      const file = randomBytes(5000);
      form.append('title', 'Line one\r\n--not a boundary');
      form.append('access_token', 'given');
      form.append('file', new Blob([file], { type: 'video/mp4' }), 'video.mp4');
      form.append('empty', '');
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const body = new Uint8Array(await encoded.arrayBuffer());
      await sendPieces('PUT', '/notes.test/upload', type, body, pieceBytes);
      expect(latest().body).toEqual({
        parts: [
          { name: 'title', text: 'Line one\r\n--not a boundary' },
          { name: 'access_token', text: '***' },
          { name: 'file', filename: 'video.mp4', type: 'video/mp4', bytes: 5000, sha256: digest(file) },
          { name: 'empty', text: '' },
        ],
      });
    },
  );

  it('shows the JSON part of a multipart/related body in full', async () => {
    const json = '{"snippet":{"title":"Harbour"}}';
    const body = `--b\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${json}\r\n--b\r\nContent-Type: video/mp4\r\n\r\nfile\r\n--b--`;
    await sendPieces('PUT', '/notes.test/upload', 'multipart/related; boundary=b', Buffer.from(body), 5);
    expect(latest().body).toEqual({
      parts: [
        { type: 'application/json; charset=UTF-8', text: json },
        { type: 'video/mp4', bytes: 4, sha256: digest(Buffer.from('file')) },
      ],
    });
  });

  it('is one of the newest only', async () => {
    for (let sent = 0; sent < maxRequests + 3; sent += 1) await platform.call('GET', '/notes.test/notes');
    const listed = platform.requests();
    expect([listed.length, listed[0]?.number]).toEqual([maxRequests, 4]);
    const { body } = await platform.call('GET', `/_control/requests?after=${maxRequests + 2}`);
    expect(body).toMatchObject([{ number: maxRequests + 3 }]);
    expect((await platform.call('GET', '/_control/requests?after=x')).status).toBe(400);
  });

  it('goes when bodies need too much space', async () => {
    const text = 'x'.repeat(1024 * 1024 - 20);
    const count = maxBytes / 2 ** 20 + 40;
    for (let sent = 0; sent < count; sent += 1) {
      await platform.call('POST', '/notes.test/notes', { json: { text } });
    }
    const listed = platform.requests();
    expect(JSON.stringify(listed).length).toBeLessThanOrEqual(maxBytes * 1.01);
    expect(listed.at(-1)).toMatchObject({ number: count });
  });
});

describe('a secret', () => {
  it.each([
    ['access_token', true],
    ['upload_token', true],
    ['hub.verify_token', true],
    ['client_secret', true],
    ['code', true],
    ['code_verifier', true],
    ['appsecret_proof', true],
    ['X-Amz-Security-Token', true],
    ['accessToken', true],
    ['pageToken', false],
    ['nextPageToken', false],
    ['country_code', false],
    ['token_type', false],
    ['coverKeyFrame', false],
  ])('is recognized by its name: %s, %s', (name, isSecret) => expect(isSecretName(name)).toBe(isSecret));

  const masking = createMasking([]);
  it.each([
    ['Bearer abc.def', 'Bearer ***'],
    ['Basic YTpi', 'Basic ***'],
    ['OAuth EAAG 1', 'OAuth ***'],
    ['abc def', '***'],
  ])('is masked in Authorization: %s', (authorization, shown) => {
    expect(masking.headers({ authorization })).toEqual({ authorization: shown });
  });
  it('is masked in cookies and in headers with such a name', () => {
    const headers = { cookie: 'signed-in-as=ada', 'x-amz-security-token': 'a', accept: '*/*' };
    expect(masking.headers(headers)).toEqual({
      cookie: '***',
      'x-amz-security-token': '***',
      accept: '*/*',
    });
  });
  it('is masked in addresses and forms, and everything else stays as it was written', () => {
    expect(masking.target('/h/p%20q?a=b+c%21&access_token=x&&code=1&flag&x=%zz')).toBe(
      '/h/p%20q?a=b+c%21&access_token=***&&code=***&flag&x=%zz',
    );
    const form = { text: 'client%5Fsecret=x&text=a+b%0A' };
    expect(masking.body(form, 'application/x-www-form-urlencoded')).toEqual({
      text: 'client%5Fsecret=***&text=a+b%0A',
    });
  });
  it.each([
    [
      '{"access_token": "x", "id": 12345678901234567890}',
      '{"access_token": "***", "id": 12345678901234567890}',
    ],
    ['{"a":[{"refresh_token":"x\\"y"}],"b" : "z"}', '{"a":[{"refresh_token":"***"}],"b" : "z"}'],
    ['{"tokens":["x",{"y":1}],"z":2}', '{"tokens":["***",{"y":"***"}],"z":2}'],
    ['{"code":5,"token":null}', '{"code":"***","token":null}'],
    ['{"text":"\\"token\\":\\"x\\""}', '{"text":"\\"token\\":\\"x\\""}'],
    ['{"access_token":"half', '{"access_token":"***"'],
    ['token', 'token'],
  ])('is masked in JSON, even if it is malformed: %s', (json, shown) => {
    expect(maskJson(json, (text) => text)).toBe(shown);
  });

  it('leaves JSON without secrets as it was written', () => {
    const property = fc.property(fc.json({ maxDepth: 4 }), fc.nat(3), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      expect(maskJson(text, (one) => one)).toBe(text);
    });
    fc.assert(property);
  });

  it('that the platform issued is nowhere in the list, wherever a caller put it', async () => {
    const { body } = await platform.call('POST', '/notes.test/token', { json: {} });
    const issued = [String(body.access_token), String(body['code'])];
    const name = fc.constantFrom('access_token', 'text', 'x', '');
    // In the middle of other text, too.
    const value = fc
      .tuple(fc.constantFrom(...issued), fc.constantFrom('', 'a ', '&"\\ü'), fc.boolean())
      .map(([secret, around, isInAddress]) =>
        isInAddress ? `${around}https://x.test/?t=${encodeURIComponent(secret)}` : around + secret + around,
      );
    const target = fc.oneof(
      value.map((one) => `/notes.test/${encodeURIComponent(one)}`),
      value.map((one) => `/notes.test/${one.replaceAll(/[^\w/!.-]/g, '')}`),
      fc.tuple(name, value).map((pair) => `/notes.test/notes?${new URLSearchParams([pair])}`),
      fc.tuple(value, value).map((pair) => `/notes.test/notes?${new URLSearchParams([pair])}`),
    );
    const any = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        value,
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(name, value), tie('json'), { maxKeys: 3 }),
      ),
    })).json;
    const sent = fc.oneof(
      any.map((json) => ['application/json', JSON.stringify(json)]),
      any.map((json) => ['application/json', JSON.stringify(json).replaceAll('/', '\\/').slice(0, -3)]),
      fc
        .tuple(name, value)
        .map((pair) => ['application/x-www-form-urlencoded', String(new URLSearchParams([pair]))]),
      value.map((one) => ['text/plain', one]),
      fc
        .tuple(name, value)
        .map(([field, one]) => [
          'multipart/form-data; boundary=b',
          `--b\r\nContent-Disposition: form-data; name="${field}${one.replaceAll(/["\\]/g, '')}"\r\n\r\n${one}\r\n--b--`,
        ]),
    );
    const property = fc.asyncProperty(target, sent, value, async (path, [type = '', text = ''], header) => {
      const headers = { 'content-type': type, 'x-note': header, authorization: header };
      await platform.send('POST', path, { bytes: Buffer.from(text), headers });
      const shown = JSON.stringify(latest());
      const readings = [shown, shown.replaceAll('\\', ''), unescaped(shown)];
      for (const secret of issued) for (const one of readings) expect(one).not.toContain(secret);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

const unescaped = (text: string) =>
  text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

it('records multipart bodies of any shape without failing, and files as they are', () => {
  const content = fc.uint8Array({ maxLength: 200 });
  const property = fc.property(fc.array(content, { maxLength: 3 }), fc.nat(50), (files, cut) => {
    const parts = files.map((file) => [
      Buffer.from('--b\r\nContent-Type: image/png\r\n\r\n'),
      file,
      Buffer.from('\r\n'),
    ]);
    fc.pre(files.every((file) => !Buffer.from(file).includes('\r\n--b')));
    const whole = Buffer.concat([...parts.flat(), Buffer.from('--b--\r\n')]);
    const recorder = recordBody({ 'content-type': 'multipart/mixed; boundary=b' }, whole);
    expect(recorder.recorded()).toEqual({
      parts: files.map((file) => ({ type: 'image/png', bytes: file.length, sha256: digest(file) })),
    });
    const half = recordBody({ 'content-type': 'multipart/mixed; boundary=b' }, whole.subarray(cut));
    expect(() => half.recorded()).not.toThrow();
  });
  fc.assert(property);
});
