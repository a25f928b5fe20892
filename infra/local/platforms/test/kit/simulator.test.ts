import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { requestsOfPrograms, requestsOfWebPages, sendRaw } from '@herald/loopback/testing.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { json, Refusal } from '../../kit/answers.ts';
import { operation } from '../../kit/router.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { Platform, PlatformDefinition, Simulator, Workbench } from '../../kit/types.ts';

const clock = { time: 1_800_000_000_000, now: () => clock.time };

/** A platform with one call that makes a post live, to test the kit by itself. */
const notes: PlatformDefinition = {
  name: 'notes',
  limits: { notes: 2 },
  settings: { greeting: 'hello' },
  open(workbench: Workbench): Platform {
    const { ledger } = workbench;
    return {
      operations: [
        operation('notes.insert', 'POST', 'api.notes.test/v1/:accountId/notes', ({ params, fields, at }) => {
          const accountId = String(params['accountId']);
          if (ledger.posts.count({ owner: accountId }) >= workbench.limit('notes')) {
            throw new Refusal(json({ error: 'too many' }, 429));
          }
          const id = String(ledger.nextNumber('note'));
          const permalink = `https://notes.test/${id}`;
          ledger.posts.put(id, {
            id,
            accountId,
            permalink,
            content: String(fields['text']),
            media: [],
            publishedAt: at,
          });
          return json({ id });
        }),
        operation('greeting', 'GET', 'api.notes.test/v1/greeting', () => json(workbench.setting('greeting'))),
      ],
      steps: ['processing'],
      error: (code) => json({ error: code }, 400),
      rateLimited: () => json({ error: 'slow down' }, 429),
      expireToken: () => ledger.records('expired').put('token', true),
      unknownPath: () => json({ error: 'not found' }, 404),
      headers: () => ({ 'x-usage': '1' }),
      accounts: () => [{ id: 'a' }],
    };
  },
};

let directory: string;
let simulator: Simulator;

const start = async () => {
  simulator = await startSimulator({ definition: notes, dataDirectory: directory, clock, port: 0 });
};
const post = (path: string, body: unknown, method = 'POST') =>
  fetch(`${simulator.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
  });
const insert = (text: string) => post('/api.notes.test/v1/a/notes?access_token=s3cret', { text });
const control = async (path: string) => (await fetch(`${simulator.control}/${path}`)).json();
/** Waits until the first request has arrived. */
const arrived = () => expect.poll(() => control('requests')).toHaveLength(1);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simulator-'));
  await start();
});

afterEach(async () => {
  await simulator.stop();
  await rm(directory, { recursive: true });
});

describe('the ledger', () => {
  it('lists live posts with the arrival time of the call', async () => {
    await insert('one');
    expect(await control('posts')).toEqual([
      {
        id: '1',
        accountId: 'a',
        permalink: 'https://notes.test/1',
        content: 'one',
        media: [],
        publishedAt: clock.time,
      },
    ]);
  });

  it('lists requests by operation name, without secrets', async () => {
    await insert('one');
    await fetch(`${simulator.url}/api.notes.test/v9/nothing`);
    const path = '/api.notes.test/v1/a/notes?access_token=***';
    expect(await control('requests')).toMatchObject([
      {
        at: clock.time,
        operation: 'notes.insert',
        method: 'POST',
        path,
        url: `https:/${path}`,
        body: { text: '{"text":"one"}' },
        status: 200,
      },
      {
        at: clock.time,
        operation: 'unknown',
        method: 'GET',
        path: '/api.notes.test/v9/nothing',
        status: 404,
      },
    ]);
  });

  it('keeps the list of requests across a restart, also one that another version left', async () => {
    await insert('one');
    const before = await control('requests');
    await simulator.stop();
    const database = new DatabaseSync(join(directory, 'notes.sqlite'));
    database.exec('CREATE TABLE request (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT');
    database.close();
    await start();
    expect(await control('requests')).toEqual(before);
    await insert('two');
    expect(await control('requests?after=1')).toMatchObject([{ number: 2 }]);
  });

  it('keeps posts, numbers, limits, settings and planned faults across a restart', async () => {
    await insert('one');
    await post('/_control/limits', { notes: 7 }, 'PUT');
    await post('/_control/settings', { greeting: 'hi' }, 'PUT');
    await post('/_control/faults', { match: 'notes.insert', fault: 'error:190', times: 2 });
    await simulator.stop();
    await start();
    expect(await control('limits')).toEqual({ notes: 7 });
    expect(await control('settings')).toMatchObject({ greeting: 'hi' });
    expect(await control('faults')).toEqual([{ match: 'notes.insert', fault: 'error:190', times: 2 }]);
    await fetch(`${simulator.control}/faults`, { method: 'DELETE' });
    expect(await (await insert('two')).json()).toEqual({ id: '2' });
    expect(await control('posts')).toHaveLength(2);
  });
});

describe('the control address', () => {
  it.each(requestsOfWebPages)('refuses %s', async (_what, method, headers) => {
    await insert('one');
    const path = method === 'GET' ? 'posts' : 'faults';
    const fault = JSON.stringify({ match: '*', fault: 'timeout' });
    const answer = await sendRaw(
      `${simulator.control}/${path}`,
      method,
      { 'content-type': 'text/plain', ...headers },
      method === 'GET' ? '' : fault,
    );
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('one');
    expect(await control('faults')).toEqual([]);
  });

  it.each(['/_control/posts', '/_control//posts', '/x/../_control/posts', '//_control/posts', '/_controls'])(
    'refuses web pages at %s too, or is not there',
    async (path) => {
      const answer = await sendRaw(`${simulator.url}${path}`, 'GET', { origin: 'https://evil.example' });
      expect([403, 404]).toContain(answer.status);
    },
  );

  it.each(requestsOfPrograms)('answers %s', async (_what, method, headers) => {
    expect((await sendRaw(`${simulator.control}/posts`, method, headers)).status).toBe(200);
  });

  it('survives a target that is no URL', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await sendRaw(`${simulator.url}//`, 'GET', {})).status).toBe(500);
    log.mockRestore();
    expect(await control('posts')).toEqual([]);
  });

  it('leaves the platform itself to browsers', async () => {
    const url = `${simulator.url}/api.notes.test/v1/greeting`;
    expect((await sendRaw(url, 'GET', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });
});

describe('limits', () => {
  it('apply until a test raises them', async () => {
    await insert('one');
    await insert('two');
    expect((await insert('three')).status).toBe(429);
    await post('/_control/limits', { notes: 3 }, 'PUT');
    expect((await insert('three')).status).toBe(200);
  });

  it.each([{ cars: 3 }, { notes: 'many' }, { notes: -1 }])('refuses %j', async (limits) => {
    expect((await post('/_control/limits', limits, 'PUT')).status).toBe(400);
  });
});

describe('faults', () => {
  const plan = (fault: string, times?: number) =>
    post('/_control/faults', { match: 'notes.insert', fault, times });

  it.each([
    { fault: 'error:9004/2207052', status: 400, body: '{"error":"9004/2207052"}', live: 0 },
    { fault: 'rate-limit', status: 429, body: '{"error":"slow down"}', live: 0 },
    { fault: 'expire-token', status: 200, body: '{"id":"1"}', live: 1 },
    { fault: 'empty', status: 200, body: '', live: 0 },
    { fault: 'half-json', status: 200, body: '{"id"', live: 1 },
    { fault: 'ok-with-error:4', status: 200, body: '{"error":"4"}', live: 0 },
  ])('$fault answers $status and makes $live posts live', async ({ fault, status, body, live }) => {
    await plan(fault);
    const answer = await insert('one');
    expect([answer.status, await answer.text()]).toEqual([status, body]);
    expect(await control('posts')).toHaveLength(live);
    expect((await insert('two')).status).toBe(200);
  });

  it('drop-reply executes the call and closes the connection', async () => {
    await plan('drop-reply');
    await expect(insert('one')).rejects.toThrow();
    expect(await control('posts')).toHaveLength(1);
    expect(await control('requests')).toMatchObject([
      { operation: 'notes.insert', status: 0, fault: 'drop-reply' },
    ]);
  });

  it('drop-request closes the connection and does not execute the call', async () => {
    await plan('drop-request');
    await expect(insert('one')).rejects.toThrow();
    expect(await control('posts')).toEqual([]);
  });

  it('hold closes the connection and executes the call that many seconds later', async () => {
    const sentMs = clock.time;
    await plan('hold:20');
    await expect(insert('one')).rejects.toThrow();
    clock.time += 19_999;
    expect(await control('posts')).toEqual([]);
    clock.time += 60_000;
    expect(await control('posts')).toMatchObject([{ content: 'one', publishedAt: sentMs + 20_000 }]);
  });

  it('slow executes the call that many seconds later, and then answers', async () => {
    const sentMs = clock.time;
    await plan('slow:20');
    const answered = insert('one');
    await arrived();
    clock.time += 19_999;
    expect(await control('posts')).toEqual([]);
    clock.time += 1;
    expect((await answered).status).toBe(200);
    expect(await control('posts')).toMatchObject([{ content: 'one', publishedAt: sentMs + 20_000 }]);
  });

  it('slow executes the call although its caller has gone', async () => {
    await plan('slow:20');
    const caller = new AbortController();
    const url = `${simulator.url}/api.notes.test/v1/a/notes`;
    const body = new URLSearchParams({ text: 'one' });
    const answered = fetch(url, { method: 'POST', body, signal: caller.signal });
    await arrived();
    caller.abort(new Error('gone'));
    await expect(answered).rejects.toThrow('gone');
    clock.time += 20_000;
    expect(await control('posts')).toMatchObject([{ content: 'one' }]);
  });

  it.each(['hold', 'hold:soon', 'slow'])('%s is refused, because it needs seconds', async (fault) => {
    expect((await plan(fault)).status).toBe(400);
  });

  it('timeout does not execute the call and never answers', async () => {
    await plan('timeout');
    const caller = new AbortController();
    const url = `${simulator.url}/api.notes.test/v1/a/notes`;
    const answered = fetch(url, { method: 'POST', signal: caller.signal });
    await arrived();
    setTimeout(() => caller.abort(new Error('gone')), 50);
    await expect(answered).rejects.toThrow('gone');
    expect(await control('posts')).toHaveLength(0);
  });

  it('html and redirect answer without JSON, and the redirect points to this simulator', async () => {
    await plan('html');
    expect((await insert('one')).headers.get('content-type')).toContain('text/html');
    await plan('redirect');
    const answer = await insert('one');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/_elsewhere']);
  });

  it('huge-body and slow-body last until the caller hangs up', async () => {
    await plan('huge-body');
    const huge = (await insert('one')).body?.getReader();
    let bytes = 0;
    while (huge !== undefined && bytes < 8 * 1024 * 1024) bytes += (await huge.read()).value?.length ?? 0;
    await huge?.cancel();
    await plan('slow-body');
    const slow = (await insert('two')).body?.getReader();
    expect((await slow?.read())?.value?.length).toBe(1);
    await slow?.cancel();
    expect(await control('posts')).toHaveLength(0);
  });

  it('apply as often as planned, oldest plan first', async () => {
    await plan('error:a', 2);
    await plan('error:b');
    const answers = [];
    for (let call = 0; call < 4; call += 1) answers.push(await (await insert('x')).json());
    expect(answers).toEqual([{ error: 'a' }, { error: 'a' }, { error: 'b' }, { id: '1' }]);
  });

  it.each([
    { match: 'notes.delete', fault: 'timeout' },
    { match: 'notes.insert', fault: 'explode' },
    { match: 'notes.insert', fault: 'error' },
    { match: 'notes.insert', fault: 'timeout', times: 0 },
  ])('refuses the plan %j', async (fault) => {
    expect((await post('/_control/faults', fault)).status).toBe(400);
  });

  it('apply to a step that is not a request', async () => {
    expect((await post('/_control/faults', { match: 'processing', fault: 'error:1' })).status).toBe(201);
  });
});

it('adds the platform’s headers to every answer, including faults', async () => {
  expect((await insert('one')).headers.get('x-usage')).toBe('1');
  await post('/_control/faults', { match: '*', fault: 'error:1' });
  expect((await insert('two')).headers.get('x-usage')).toBe('1');
});
