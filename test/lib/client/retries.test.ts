import { afterEach, describe, expect, it, vi } from 'vitest';
import { realSurroundings } from '../../../lib/client/send.ts';
import { type Answer, type operations, refusal, serviceOf } from './service.ts';

const ok: Answer = { status: 200, body: { ok: true } };
const id = 'post-1';
const lost = new TypeError('fetch failed');
const calls = {
  getPost: [id],
  setRhythm: [id, {}],
  deletePost: [id],
  createPost: [{ content: 'x' }],
  createBoard: [id, { name: 'x' }],
  updatePost: [id, { content: 'x' }],
} as const satisfies Partial<Record<keyof typeof operations, readonly unknown[]>>;
type Name = keyof typeof calls;

const all = Object.keys(calls) as Name[];
const safe = ['getPost', 'setRhythm', 'deletePost', 'createPost'] as const;

/** The methods that are repeated after each answer. */
const rows: readonly [what: string, answer: Answer, repeated: readonly Name[]][] = [
  ['a lost connection', lost, safe],
  ['a rate limit', refusal(429, 'rate_limited', {}, { 'Retry-After': '2' }), all],
  ['API Gateway’s own throttle', { status: 429, body: { message: 'Too Many Requests' } }, all],
  ['too many imports', refusal(429, 'too_many_imports'), all],
  ['a change at the same time', refusal(409, 'changed_concurrently'), all],
  ['contended slots', refusal(503, 'slots_contended'), all],
  ['a service that may have done it', refusal(503, 'unavailable'), safe],
  ['a platform that may have done it', refusal(503, 'platform_unavailable'), safe],
  ['a platform without an app', refusal(503, 'platform_not_configured'), []],
  ['a function that fails', { status: 500, body: { message: 'Internal Server Error' } }, safe],
  ['a gateway without a service', { status: 502, body: '<html>' }, safe],
  ['a gateway whose time is over', { status: 504, body: '' }, safe],
  ['a wrong request', refusal(400, 'field_missing'), []],
  ['an unknown key', refusal(401, 'key_unknown'), []],
  ['a missing permission', refusal(403, 'permission_missing'), []],
  ['an unknown post', refusal(404, 'not_found'), []],
  ['another conflict', refusal(409, 'post_changed'), []],
  ['a used-up quota', refusal(413, 'storage_quota_exceeded'), []],
  ['a redirect', { status: 301, headers: { Location: 'https://api.example.com/' } }, []],
  ['an answer that is not JSON', { status: 200, body: '<html>' }, []],
];

describe('a request', () => {
  it.each(rows)('is repeated after %s if that can do no harm', async (_what, answer, repeated) => {
    const outcomes = await Promise.all(
      all.map(async (name) => {
        const { methods, seen } = serviceOf([answer, ok]);
        const result = await methods[name](...calls[name]).catch((error: Error) => error.name);
        return [name, seen.length, result];
      }),
    );
    expect(outcomes).toEqual(
      all.map((name) => (repeated.includes(name) ? [name, 2, ok.body] : [name, 1, 'HeraldError'])),
    );
  });

  it('waits twice as long at each attempt, up to 20 seconds, and a random part of it', async () => {
    const limits = { maxAttempts: 9, totalTimeoutMs: 3_600_000 };
    for (const [random, expected] of [
      [0.999_999, [1, 2, 4, 8, 16, 20, 20, 20]],
      [0.5, [0.5, 1, 2, 4, 8, 10, 10, 10]],
      [0, [0, 0, 0, 0, 0, 0, 0, 0]],
    ] as const) {
      const { methods, waits } = serviceOf([lost], { ...limits, random: () => random });
      await expect(methods.getPost(id)).rejects.toThrow('fetch failed');
      expect(waits.map((ms) => Number((ms / 1_000).toFixed(3)))).toEqual(expected);
    }
  });

  it.each([
    ['seconds', '7', 7],
    ['a date', 'Fri, 15 Jan 2027 08:00:20 GMT', 20],
    ['parts of seconds, which the standard does not know', '1.5', 1.5],
  ])('waits for Retry-After in %s, and up to a quarter longer', async (_form, header, seconds) => {
    for (const random of [0, 0.999]) {
      const answer = refusal(429, 'rate_limited', {}, { 'Retry-After': header });
      const { methods, waits } = serviceOf([answer, ok], { random: () => random });
      await methods.getPost(id);
      expect(waits).toEqual([seconds * 1_000 * (1 + random / 4)]);
    }
  });

  it.each([
    ['a word', 'soon'],
    ['zero', '0'],
    ['a negative number', '-5'],
    ['a date that has passed', 'Fri, 15 Jan 2027 07:00:00 GMT'],
  ])('waits as usual if Retry-After is %s', async (_form, header) => {
    const answer = refusal(429, 'rate_limited', {}, { 'Retry-After': header });
    const { methods, waits } = serviceOf([answer, ok]);
    await methods.getPost(id);
    expect(waits).toEqual([500]);
  });

  it('ends at once if it would have to wait longer than it may take, and says for how long', async () => {
    const { methods, seen, waits } = serviceOf([refusal(429, 'rate_limited', {}, { 'Retry-After': '121' })]);
    await expect(methods.getPost(id)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 121 });
    expect([seen.length, waits]).toEqual([1, []]);
  });

  it('takes other limits for the client and for a call', async () => {
    const { methods, seen } = serviceOf([lost], { maxAttempts: 2 });
    await expect(methods.getPost(id)).rejects.toThrow();
    expect(seen).toHaveLength(2);
    await expect(methods.getPost(id, { maxAttempts: 1 })).rejects.toThrow();
    expect(seen).toHaveLength(3);
    await expect(methods.getPost(id, { maxAttempts: 9, totalTimeoutMs: 1_400 })).rejects.toThrow();
    // 0.5 and 1 second do not fit.
    expect(seen).toHaveLength(5);
  });

  it('is repeated after a lost connection if its operation does no harm', async () => {
    const { methods, seen } = serviceOf([lost, ok]);
    await methods.presignMedia({});
    expect(seen).toHaveLength(2);
  });

  it('is repeated after a lost connection if the caller says that this does no harm', async () => {
    const { methods, seen } = serviceOf([lost, ok]);
    await methods.createBoard(id, {}, { isRepeatable: true });
    expect(seen).toHaveLength(2);
  });

  it('is not repeated with a key if the caller forbids it', async () => {
    const { methods, seen } = serviceOf([lost, ok]);
    await expect(methods.createPost({}, { isRepeatable: false })).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });
});

describe('an idempotency key', () => {
  it('is the same at each attempt, and another one at each call', async () => {
    const { methods, seen } = serviceOf([lost, refusal(503, 'unavailable'), ok, lost, ok]);
    await methods.createPost({ content: 'x' });
    await methods.createPost({ content: 'x' });
    const keys = seen.map(({ headers }) => headers.get('Idempotency-Key'));
    const [first, , , second] = keys;
    expect(keys).toEqual([first, first, first, second, second]);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('is the caller’s if there is one, in the options or in the body', async () => {
    const { methods, seen } = serviceOf([ok]);
    await methods.resolveTarget(id, 'account-1', { outcome: 'live' }, { idempotencyKey: 'order-1' });
    await methods.createPost({ idempotencyKey: 'order-2' });
    expect(seen[0]?.headers.get('Idempotency-Key')).toBe('order-1');
    // The service takes the one of the body first.
    expect(seen[1]?.body).toBe('{"idempotencyKey":"order-2"}');
  });

  it('is not sent where nothing takes it', async () => {
    const { methods, seen } = serviceOf([ok]);
    await methods.createBoard(id, {}, { idempotencyKey: 'order-1' });
    expect(seen[0]?.headers.has('Idempotency-Key')).toBe(false);
  });
});

describe('a signal', () => {
  const hanging: typeof fetch = (_url, { signal } = {}) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  afterEach(() => {
    // In this order: a spy on a stopped timer would bring it back.
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('that has aborted lets nothing be sent', async () => {
    const { methods, seen } = serviceOf([ok]);
    await expect(methods.getPost(id, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow(
      'stop',
    );
    expect(seen).toEqual([]);
  });

  it('ends a request that runs, with its reason', async () => {
    const { methods } = serviceOf([], { fetch: hanging });
    const controller = new AbortController();
    const results = [
      methods.getPost(id, { signal: controller.signal }),
      methods.createBoard(id, {}, { signal: controller.signal }),
    ];
    controller.abort(new Error('stop'));
    for (const result of results) await expect(result).rejects.toThrow('stop');
  });

  it('ends a wait, with its reason', async () => {
    vi.useFakeTimers();
    const { methods, seen } = serviceOf([refusal(429, 'rate_limited', {}, { 'Retry-After': '60' })], {
      sleep: realSurroundings.sleep,
    });
    const controller = new AbortController();
    const result = methods.getPost(id, { signal: controller.signal });
    const check = expect(result).rejects.toThrow('stop');
    await vi.advanceTimersByTimeAsync(59_000);
    controller.abort(new Error('stop'));
    await check;
    expect(seen).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves nothing behind after a request that succeeds', async () => {
    vi.useFakeTimers();
    const { methods } = serviceOf([lost, ok], { sleep: realSurroundings.sleep });
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const result = methods.getPost(id, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    await result;
    expect(vi.getTimerCount()).toBe(0);
    expect(added.mock.calls.length).toBe(3);
    expect(removed.mock.calls.length).toBe(3);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])(
    'is the only end of a request that may take %d ms',
    async (ms) => {
      vi.useFakeTimers();
      const setTimer = vi.spyOn(globalThis, 'setTimeout');
      const { methods } = serviceOf([ok], { attemptTimeoutMs: ms, totalTimeoutMs: ms });
      await methods.getPost(id);
      // A longer timer ends after a millisecond.
      expect(setTimer.mock.calls[0]?.[1]).toBe(2 ** 31 - 1);
    },
  );

  it('is not needed to end an attempt that takes too long', async () => {
    vi.useFakeTimers();
    const surroundings = { sleep: realSurroundings.sleep, now: Date.now, random: () => 0.5 };
    const { methods } = serviceOf([], { fetch: hanging, ...surroundings });
    const startedAt = Date.now();
    const ended = (result: Promise<unknown>) =>
      result.catch((error) => [error.code, error.status, (Date.now() - startedAt) / 1_000]);
    const results = Promise.all([
      ended(methods.createBoard(id, {})),
      ended(methods.getPost(id, { attemptTimeoutMs: 1_000, maxAttempts: 3 })),
      ended(methods.getPost(id)),
      ended(methods.getPost(id, { totalTimeoutMs: 10_000 })),
    ]);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(await results).toEqual([
      ['timed_out', undefined, 30],
      ['timed_out', undefined, 4.5],
      ['timed_out', undefined, 120],
      ['timed_out', undefined, 10],
    ]);
  });
});
