import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoUsername } from '../../../bin/dev/platforms.ts';
import { offeredAccounts, redirectOf, signIn, Visitor } from '../../../bin/dev/visitor.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { writeDevFile } from './admin.ts';
import { until } from './client.ts';
import {
  freePort,
  type Language,
  type Program,
  type Programs,
  type StubAnswer,
  signedEvent,
  startStub,
  untilListening,
  waitsIn,
  writePrograms,
} from './guides.ts';
import { projectRoot, runInShell } from './shell.ts';

/** Programs of a test that use those of a guide, in one language. */
export interface Drivers {
  /** Creates a post, and prints its id, or the status and code of the error. */
  readonly create: string;
  /** Lists things, and prints their names in one line. */
  readonly list: string;
  /** Acts on each post of its argument, a list in JSON, after it has printed `post <id>`. */
  readonly act: string;
}

/** The address and the key that the commands of a guide set. */
export async function settingOf(setting: string, dataDirectory: string): Promise<Record<string, string>> {
  const commands = `${setting}\nprintf '%s %s' "$HERALD_URL" "$HERALD_API_KEY"`;
  const { stdout } = await runInShell(commands, { dataDirectory });
  const [HERALD_URL = '', HERALD_API_KEY = ''] = stdout.split(' ');
  return { HERALD_URL, HERALD_API_KEY };
}

/** Confirms in a browser, from a page that leads there. @returns the address at which the browser ends */
export async function confirm(visitor: Visitor, authUrl: string): Promise<string> {
  const choice = await signIn(visitor, authUrl, demoUsername('demo'));
  const [account = ''] = offeredAccounts(choice);
  return redirectOf(await visitor.submit(choice, { account }));
}

/** A reader's way through a guide, from connecting to the feed, against a running service. */
export function describeJourney(language: Language, visit: () => CloudVisit): void {
  const { ending } = language;
  let programs: Programs;
  let env: Record<string, string>;
  let receiver: Program;
  let feed: Program;

  beforeAll(async () => {
    programs = writePrograms(language);
    writeDevFile(visit().dataDirectory, visit());
    const CLOCK_AHEAD_MS = String(visit().clock.now() - Date.now());
    env = { ...(await settingOf(programs.setting, visit().dataDirectory)), CLOCK_AHEAD_MS };
  });
  afterAll(() => programs.remove());

  it('registers and starts the receiver, and the reader of the feed', async () => {
    const port = await freePort();
    const url = `http://localhost:${port}/herald`;
    const { stdout } = await programs.run(`register${ending}`, { args: [url], env }).ended;
    const secret = stdout.trim();
    expect(secret).toMatch(/^whsec_\w{40}$/);
    const own = { ...env, PORT: String(port), HERALD_WEBHOOK_SECRET: secret };
    receiver = programs.run(`receiver${ending}`, { env: own });
    await untilListening(receiver, port);
    feed = programs.run(`feed${ending}`, { env });
    await until(
      () => waitsIn(feed.stderr()).length,
      (waits) => waits > 0,
    );
  });

  it('connects a customer’s accounts, and refuses a browser that did not begin', async () => {
    const port = await freePort();
    const connecting = programs.run(`connect${ending}`, { env: { ...env, PORT: String(port) } });
    await untilListening(connecting, port);
    const app = `http://localhost:${port}`;
    for (const platform of ['instagram', 'threads']) {
      const customer = new Visitor();
      const authUrl = redirectOf(await customer.visit(`${app}/connect/${platform}`));
      const end = await confirm(customer, authUrl);
      expect(end).toContain(`${app}/connected?`);
      expect(await new Visitor().visit(end)).toMatchObject({ status: 403 });
      const told = `Connected: ${demoUsername('demo')} on ${platform}`;
      expect(await customer.visit(end)).toMatchObject({ status: 200, html: told });
    }
    expect(await new Visitor().visit(`${app}/connected?error=access_denied`)).toMatchObject({
      status: 200,
      html: 'Not connected: access_denied',
    });
    expect(await new Visitor().visit(`${app}/nothing`)).toMatchObject({ status: 404 });
    expect(await new Visitor().visit(`${app}/connect/nothing`)).toMatchObject({ status: 500 });
    expect(await new Visitor().visit(`${app}/connected?session=x&code=1&state=2`)).toMatchObject({
      status: 403,
    });
    connecting.child.kill();
  });

  it('uploads a picture and posts it on two networks, and waits until it is live', async () => {
    const picture = join(projectRoot, 'test/fixtures/image.jpg');
    const { stdout } = await programs.run(`post${ending}`, { args: [picture], env }).ended;
    expect(stdout.split('\n').map((line) => line.replace(/https?:\S+|\(the link follows\)/, 'LINK'))).toEqual(
      ['instagram: live LINK', 'threads: live LINK', ''],
    );
  });

  it('receives the event once, and reads it in the feed', async () => {
    const told = /^post\.published [0-9a-f-]{36}$/m;
    for (const program of [receiver, feed]) await until(program.stdout, (stdout) => told.test(stdout));
    const cursor = await until(
      () => readFileSync(join(programs.folder, 'cursor.txt'), 'utf8'),
      (stored) => stored !== '',
    );
    expect(cursor.length).toBeGreaterThan(10);
  });
}

/** The loops of a guide against a service that fails as told. */
export function describeLoops(language: Language, drivers: Drivers): void {
  const { ending } = language;
  let programs: Programs;
  beforeAll(() => {
    programs = writePrograms(language);
    for (const [name, content] of Object.entries(drivers)) programs.add(`${name}${ending}`, content);
  });
  afterAll(() => programs.remove());

  async function drive(name: keyof Drivers, answers: readonly StubAnswer[], args: readonly string[] = []) {
    const stub = await startStub(answers);
    const env = { HERALD_URL: stub.url, HERALD_API_KEY: 'yay_test' };
    try {
      const { stdout, stderr } = await programs.run(`${name}${ending}`, { args, env }).ended;
      return { stdout: stdout.trim(), waits: waitsIn(stderr), received: stub.received };
    } finally {
      stub.close();
    }
  }

  it('repeat the same request after 429, 503 and a lost connection, and wait as the service says', async () => {
    const { stdout, waits, received } = await drive('create', [
      { status: 429, headers: { 'Retry-After': '30' } },
      { status: 503 },
      'breaks off',
      { status: 201, body: { post: { id: 'p1' } } },
    ]);
    expect(stdout).toBe('p1');
    expect(new Set(received.map(({ body }) => body))).toEqual(new Set([received[0]?.body]));
    expect(received.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer yay_test'));
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ idempotencyKey: 'key-1' });
    expect(waits.map(Math.floor)).toEqual([
      expect.toSatisfy((first: number) => first >= 30 && first <= 37),
      expect.toSatisfy((second: number) => second >= 4 && second <= 5),
      expect.toSatisfy((third: number) => third >= 8 && third <= 10),
    ]);
  });

  it('give up after six requests', async () => {
    const { stdout, waits, received } = await drive('create', [
      { status: 503, body: { code: 'unavailable' } },
    ]);
    expect([stdout, received.length, waits.length]).toEqual(['503 unavailable', 6, 5]);
  });

  it('do not repeat what the service has refused', async () => {
    const { stdout, received } = await drive('create', [{ status: 400, body: { code: 'content_too_long' } }]);
    expect([stdout, received.length]).toEqual(['400 content_too_long', 1]);
  });

  it('read all pages, also behind an empty one', async () => {
    const page = (things: readonly string[], nextCursor: string | null) =>
      ({ status: 200, body: { things: things.map((name) => ({ name })), nextCursor } }) as const;
    const { stdout, received } = await drive('list', [
      page(['a', 'b'], '1/='),
      page([], '2'),
      page(['c'], null),
    ]);
    expect(stdout).toBe('a b c');
    expect(received.map(({ path }) => path)).toEqual([
      '/v1/things?status=draft',
      '/v1/things?status=draft&cursor=1%2F%3D',
      '/v1/things?status=draft&cursor=2',
    ]);
  });

  const failed = (platform: string, category: string) => ({
    accountId: `${platform}-1`,
    platform,
    status: 'failed',
    permalink: null,
    error: 'no',
    errorDetail: { category },
  });
  const live = { ...failed('threads', ''), status: 'published', permalink: 'https://t/1', errorDetail: null };

  it('act on each failure as its category asks, and retry only what cannot be live', async () => {
    const rows = [
      { categories: ['reconnect'], retries: 0, told: 'open /connect/instagram again' },
      { categories: ['content'], retries: 0, told: 'PATCH /v1/posts/ID' },
      { categories: ['platform'], retries: 0, told: 'somebody has to look' },
      { categories: ['a later one'], retries: 0, told: 'somebody has to look' },
      { categories: ['unknown'], retries: 0, told: 'POST /v1/posts/ID/targets/instagram-1/resolve' },
      { categories: ['retryable'], retries: 1, told: 'threads: live https://t/1' },
      { categories: ['retryable', 'content'], retries: 1, told: 'PATCH /v1/posts/ID' },
      { categories: ['retryable', 'unknown'], retries: 0, told: '/resolve' },
    ].map((row, index) => ({ ...row, id: `p${index}` }));
    const updatedAt = '2026-02-06T07:00:02.307Z';
    const posts = rows.map(({ categories, id }) => ({
      id,
      updatedAt,
      platforms: [live, ...categories.map((category) => failed('instagram', category))],
    }));
    const { stdout, received } = await drive('act', [{ status: 200 }], [JSON.stringify(posts)]);
    const [, ...said] = stdout.split(/^post p\d+$/m);
    expect(said).toHaveLength(rows.length);
    for (const [index, { id, told }] of rows.entries()) expect(said[index]).toContain(told.replace('ID', id));
    expect(received.map(({ method, path, headers }) => [method, path, headers['idempotency-key']])).toEqual(
      rows
        .filter(({ retries }) => retries === 1)
        .map(({ id }) => ['POST', `/v1/posts/${id}/retry`, `${id}-${updatedAt}`]),
    );
  });
}

const secret = 'whsec_guide';

interface Hostile {
  readonly name: string;
  readonly request: RequestInit;
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const genuine = (id: string) => signedEvent(id, secret, nowSeconds());

const wrong: readonly Hostile[] = [
  { name: 'without a signature', request: { method: 'POST', body: '{}' } },
  { name: 'without a body', request: { method: 'POST' } },
  { name: 'of another method', request: { method: 'GET' } },
  {
    name: 'that claims JSON and has none',
    request: { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } },
  },
  { name: 'of an unknown type', request: { method: 'POST', body: 'x', headers: { 'Content-Type': '???' } } },
  { name: 'of a form', request: { method: 'POST', body: new URLSearchParams({ a: '1' }) } },
  { name: 'of two megabytes', request: { method: 'POST', body: 'x'.repeat(2_000_000) } },
  {
    name: 'with a broken compression',
    request: { method: 'POST', body: 'x', headers: { 'Content-Encoding': 'gzip' } },
  },
  {
    name: 'that grows when it is unpacked',
    request: {
      method: 'POST',
      body: gzipSync(Buffer.alloc(20_000_000)),
      headers: { 'Content-Encoding': 'gzip' },
    },
  },
  {
    name: 'with a signature of rubbish',
    request: {
      method: 'POST',
      body: '{}',
      headers: { 'X-Service-Signature': `t=${'9'.repeat(5_000)},v1=,=` },
    },
  },
];

/** Requests that only a program without an HTTP library sends. */
const raw: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'no HTTP', text: '\0\u00ff\r\n\r\n' },
  {
    name: 'a body that never comes',
    text: 'POST /herald HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{',
  },
  { name: 'a negative length', text: 'POST /herald HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}' },
  {
    name: 'a length of many digits',
    text: `POST /herald HTTP/1.1\r\nHost: x\r\nContent-Length: ${'9'.repeat(5_000)}\r\n\r\n{}`,
  },
  {
    name: 'wrong chunks',
    text: 'POST /herald HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  },
  { name: 'an odd address', text: 'POST // HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n' },
];

/** Sends text and breaks the connection off once it is sent. */
function sendRaw(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(text, () => setImmediate(() => socket.destroy())),
    );
    socket.on('error', () => undefined).on('close', () => resolve());
  });
}

/** A receiver of a guide, and whatever may be sent to it. */
export function describeReceiver(language: Language, name: string): void {
  let programs: Programs;
  let receiver: Program;
  let url: string;
  let port: number;
  beforeAll(async () => {
    programs = writePrograms(language);
    port = await freePort();
    receiver = programs.run(`${name}${language.ending}`, {
      env: { PORT: String(port), HERALD_WEBHOOK_SECRET: secret, CLOCK_AHEAD_MS: '0' },
    });
    await untilListening(receiver, port);
    url = `http://localhost:${port}/herald`;
  });
  afterAll(() => programs.remove());

  const send = async (request: RequestInit) => {
    const response = await fetch(url, request).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    return response?.status ?? 0;
  };

  const sendGenuine = async (id: string) =>
    expect([200, 204]).toContain(await send({ method: 'POST', ...genuine(id) }));
  /** Returns the events taken, once the last of them is among them: its output may come after the response. */
  const takenUntil = (last: string) =>
    until(
      () => [...receiver.stdout().matchAll(/^post\.published post of (.*)\n/gm)].map(([, id]) => id),
      (ids) => ids.includes(last),
    );

  it('takes each genuine event once', async () => {
    for (const id of ['e1', 'e2', 'e1', 'e3']) await sendGenuine(id);
    expect(await takenUntil('e3')).toEqual(['e1', 'e2', 'e3']);
  });

  it.each(wrong)('refuses a request $name, and goes on', async ({ request }) => {
    const status = await send(request);
    // 0: it has closed the connection.
    expect(status === 0 || (status >= 400 && status < 600), `answered ${status}`).toBe(true);
  });

  it('goes on after requests that are broken off or no HTTP', async () => {
    for (const { text } of raw) await sendRaw(port, text);
    await sendGenuine('e4');
    expect(receiver.child.exitCode).toBe(null);
    expect(await takenUntil('e4')).toEqual(['e1', 'e2', 'e3', 'e4']);
  });
}

/** Whatever language: the same names of programs. */
export function describePrograms(language: Language, names: readonly string[]): void {
  it(`${language.page} has these programs`, async () => {
    const programs = writePrograms(language);
    await programs.remove();
    expect(programs.names).toEqual(names.map((name) => `${name}${language.ending}`));
  });
}
