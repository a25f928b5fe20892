import { describe, expect, it } from 'vitest';
import { cacheParameters } from '../../../lib/aws/parameter-cache.ts';

const minuteMs = 60_000;
type Answer = string | undefined | Error;

/** A cache in virtual time. The store answers with the latest of `answers`, when `reply` is called. */
function open({ chance = 0, isSlow = false } = {}) {
  let nowMs = 0;
  let answer: Answer = 'first';
  let isHeld = isSlow;
  const asked: string[] = [];
  const open: (() => void)[] = [];
  const read = cacheParameters({
    now: () => nowMs,
    chance: () => chance,
    // Passes once everything else has gone on.
    sleep: (ms) =>
      new Promise((resolve) => {
        setImmediate(() => {
          nowMs += ms;
          resolve();
        });
      }),
    read: async (name) => {
      asked.push(name);
      if (isHeld) await new Promise<void>((resolve) => open.push(resolve));
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return {
    read,
    asked,
    pass(ms: number) {
      nowMs += ms;
    },
    says(next: Answer) {
      answer = next;
    },
    hold() {
      isHeld = true;
    },
    /** Lets all calls go on, and everything that follows from them. */
    reply: async () => {
      isHeld = false;
      for (const resolve of open.splice(0)) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a parameter', () => {
  it('is asked for once, however many events read it at the same time', async () => {
    const { read, asked, reply } = open({ isSlow: true });
    const all = Promise.all(Array.from({ length: 100 }, () => read('a')));
    await reply();
    expect(new Set(await all)).toEqual(new Set(['first']));
    expect(asked).toEqual(['a']);
  });

  it('is asked for separately from others', async () => {
    const { read, asked } = open();
    await Promise.all([read('a'), read('b')]);
    expect(asked).toEqual(['a', 'b']);
  });

  it.each([
    ['as early as after three minutes', 0, 3 * minuteMs],
    ['at a random time', 0.5, 4 * minuteMs],
  ])('is renewed %s, while the event uses the old value', async (_, chance, afterMs) => {
    const { read, asked, pass, says, reply } = open({ chance });
    await read('a');
    says('second');
    pass(afterMs - 1);
    expect(await read('a')).toBe('first');
    expect(asked).toHaveLength(1);
    pass(1);
    expect(await read('a')).toBe('first');
    await reply();
    expect(await read('a')).toBe('second');
    expect(asked).toHaveLength(2);
  });

  it('is waited for if it is older than five minutes, so that a rotation is noticed', async () => {
    const { read, pass, says } = open();
    await read('a');
    says('second');
    pass(5 * minuteMs);
    expect(await read('a')).toBe('second');
  });

  it('is used however old it is while the store is slow, by each event after a second', async () => {
    const { read, asked, pass, hold, says, reply } = open();
    await read('a');
    hold();
    says('second');
    pass(60 * minuteMs);
    expect(await Promise.all([read('a'), read('a')])).toEqual(['first', 'first']);
    expect(asked).toHaveLength(2);
    await reply();
    expect(await read('a')).toBe('second');
  });

  it('is used however old it is while the store fails, which is then left alone for ten seconds or more', async () => {
    const { read, asked, pass, says } = open();
    await read('a');
    says(new Error('Rate exceeded'));
    pass(60 * minuteMs);
    for (let count = 0; count < 10; count += 1) expect(await read('a')).toBe('first');
    expect(asked).toHaveLength(2);
    says('second');
    pass(10_000);
    expect(await read('a')).toBe('second');
  });
});

describe('without a known value', () => {
  it('an absence is remembered for 30 seconds', async () => {
    const { read, asked, pass, says } = open();
    says(undefined);
    for (let count = 0; count < 100; count += 1) expect(await read('a')).toBeUndefined();
    says('stored');
    pass(29_999);
    expect(await read('a')).toBeUndefined();
    expect(asked).toHaveLength(1);
    pass(1);
    expect(await read('a')).toBe('stored');
  });

  it('a failure is thrown to all, and asked about again after a second or two', async () => {
    const { read, asked, pass, says } = open();
    says(new Error('Rate exceeded'));
    for (let count = 0; count < 100; count += 1) await expect(read('a')).rejects.toThrow('Rate exceeded');
    expect(asked).toHaveLength(1);
    says('first');
    pass(1_000);
    expect(await read('a')).toBe('first');
  });

  it('a failure after an absence is thrown, because the parameter may have been stored', async () => {
    const { read, pass, says } = open();
    says(undefined);
    await read('a');
    says(new Error('Rate exceeded'));
    pass(30_000);
    await expect(read('a')).rejects.toThrow('Rate exceeded');
  });
});
