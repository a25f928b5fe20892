import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json } from '../../kit/answers.ts';
import { operation } from '../../kit/router.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { PlatformDefinition, Simulator } from '../../kit/types.ts';

interface Note {
  readonly id: string;
  readonly owner: string;
  readonly at: number;
  readonly text: string;
}

const startMs = 1_800_000_000_000;
const clock = { time: startMs, now: () => clock.time };

/** A platform with a call that writes a note, one that deletes it, and two that read. */
const notes: PlatformDefinition = {
  name: 'notes',
  limits: {},
  open({ ledger, reads }) {
    const stored = ledger.replicated<Note>('note', ({ owner, at }) => ({ owner, at }));
    const shown = (note: Note) => ({ ...note, text: reads.text(note.text) });
    const other = (number: number, at: number): Note => ({
      id: `other-${number}`,
      owner: 'a',
      at,
      text: 'other',
    });
    return {
      operations: [
        operation('put', 'PUT', 'notes.test/:id', ({ params, fields, at }) => {
          const { id = '' } = params;
          stored.put(id, { id, owner: 'a', at: stored.get(id)?.at ?? at, text: String(fields['text']) });
          return json(stored.get(id));
        }),
        operation('delete', 'DELETE', 'notes.test/:id', ({ params }) => {
          stored.delete(params['id'] ?? '');
          return json({});
        }),
        operation('get', 'GET', 'notes.test/:id', (call) =>
          reads.ofState(call, ({ params, at }) => json({ note: stored.get(params['id'] ?? '') ?? null, at })),
        ),
        operation('list', 'GET', 'notes.test', (call) =>
          reads.ofList(call, () => {
            const own = stored.list({ owner: 'a', newestFirst: true });
            return json({
              notes: [...reads.others(other), ...own].map(shown),
              count: stored.count({ owner: 'a' }),
            });
          }),
        ),
      ],
      error: (code) => json({ error: code }, 400),
      rateLimited: () => json({}, 429),
      expireToken: () => {},
      unknownPath: () => json({}, 404),
      accounts: () => [],
    };
  },
};

interface Body {
  readonly note?: Note | null;
  readonly notes?: readonly Note[];
  readonly count?: number;
}

let directory: string;
let simulator: Simulator;
const start = async () => {
  simulator = await startSimulator({ definition: notes, dataDirectory: directory, clock, port: 0 });
};
const call = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${simulator.url}/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
};
const put = (id: string, text: string) => call('PUT', `notes.test/${id}`, { text });
const set = (settings: unknown) => call('PUT', '_control/settings', settings);
const textOf = async (id: string) => (await call('GET', `notes.test/${id}`)).body.note?.text;
const listed = async () => {
  const { notes: list = [], count } = (await call('GET', 'notes.test')).body;
  return { texts: list.map(({ text }) => text), count };
};
const advance = (seconds: number) => {
  clock.time += seconds * 1_000;
};

beforeEach(async () => {
  clock.time = startMs;
  directory = await mkdtemp(join(tmpdir(), 'reads-'));
  await start();
});
afterEach(async () => {
  await simulator.stop();
  await rm(directory, { recursive: true });
});

describe('readLagSeconds', () => {
  it('shows objects and lists as they were that long ago, but not before the setting', async () => {
    await put('1', 'one');
    await set({ readLagSeconds: 30 });
    await put('1', 'changed');
    advance(10);
    await put('2', 'two');
    expect([await textOf('1'), await textOf('2'), await listed()]).toEqual([
      'one',
      undefined,
      { texts: ['one'], count: 1 },
    ]);
    advance(20);
    expect([await textOf('1'), await textOf('2'), await listed()]).toEqual([
      'changed',
      undefined,
      { texts: ['changed'], count: 1 },
    ]);
    advance(10);
    expect(await listed()).toEqual({ texts: ['two', 'changed'], count: 2 });
  });

  it('still shows what was deleted, in its place', async () => {
    for (const id of ['1', '2', '3']) await put(id, id);
    await set({ readLagSeconds: 30 });
    await call('DELETE', 'notes.test/2');
    expect(await listed()).toEqual({ texts: ['3', '2', '1'], count: 3 });
    advance(30);
    expect(await listed()).toEqual({ texts: ['3', '1'], count: 2 });
  });

  it('freezes all reads if it is forever, and gives reads the time that they show', async () => {
    await set({ readLagSeconds: 'forever' });
    await put('1', 'one');
    advance(86_400);
    expect((await call('GET', 'notes.test/1')).body).toEqual({ note: null, at: startMs });
    await set({ readLagSeconds: 0 });
    expect(await textOf('1')).toBe('one');
  });

  it('does not change the answers of calls that write', async () => {
    await set({ readLagSeconds: 'forever' });
    expect((await put('1', 'one')).body).toMatchObject({ text: 'one' });
    expect((await put('1', 'two')).body).toMatchObject({ text: 'two' });
  });

  it('continues after a restart', async () => {
    await set({ readLagSeconds: 30 });
    await put('1', 'one');
    await simulator.stop();
    await start();
    await put('2', 'two');
    expect(await listed()).toEqual({ texts: [], count: 0 });
    advance(30);
    expect(await listed()).toEqual({ texts: ['two', 'one'], count: 2 });
  });

  it('counts a held call from the time of its effect', async () => {
    await set({ readLagSeconds: 30 });
    await call('POST', '_control/faults', { match: 'put', fault: 'hold:10' });
    await expect(put('1', 'one')).rejects.toThrow();
    advance(39);
    expect(await textOf('1')).toBeUndefined();
    advance(1);
    expect(await textOf('1')).toBe('one');
  });
});

it('listLagSeconds lags lists only', async () => {
  await set({ listLagSeconds: 30 });
  await put('1', 'one');
  advance(29);
  expect([await textOf('1'), await listed()]).toEqual(['one', { texts: [], count: 0 }]);
});

it('changesTexts shortens links and collapses whitespace', async () => {
  await put('1', ' See  https://example.com/menu?a=1\n\n now ');
  await set({ changesTexts: true });
  expect((await listed()).texts).toEqual([
    expect.stringMatching(/^See https:\/\/l\.facebook\.com\/\S+ now$/),
  ]);
});

it('otherPosts adds that many newer posts to lists', async () => {
  await put('1', 'one');
  await set({ otherPosts: 2 });
  expect((await listed()).texts).toEqual(['other', 'other', 'one']);
});

it.each([{ readLagSeconds: -1 }, { listLagSeconds: 'long' }, { otherPosts: 'many' }, { changesTexts: 1 }])(
  'refuses the settings %j',
  async (settings) => {
    expect((await set(settings)).status).toBe(400);
  },
);
