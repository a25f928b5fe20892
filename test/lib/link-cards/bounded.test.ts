import { describe, expect, it } from 'vitest';
import { pagesOfRequest, remembering } from '../../../lib/link-cards/bounded.ts';
import type { PageReading, ReadPage } from '../../../lib/link-cards/fetch.ts';

/** A reader of pages that answers only when it is told to. */
function openReader() {
  const clock = { time: 0 };
  const asked: string[] = [];
  const open: (() => void)[] = [];
  const read: ReadPage = (url) => {
    asked.push(url);
    return new Promise<PageReading>((resolve) => {
      open.push(() => resolve({ card: { url, title: 'A' } }));
    });
  };
  return { clock, asked, read, now: () => clock.time, answer: () => open.shift()?.() };
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`);

describe('the pages of one request', () => {
  it('are read once each', async () => {
    const reader = openReader();
    const read = pagesOfRequest(reader.read, reader.now);
    const both = [read('https://example.com/', 'w'), read('https://example.com/', 'w')];
    await tick();
    reader.answer();
    expect(await Promise.all(both)).toEqual(Array(2).fill({ card: expect.anything() }));
    expect(reader.asked).toHaveLength(1);
  });

  it('are read eight at a time', async () => {
    const reader = openReader();
    const read = pagesOfRequest(reader.read, reader.now);
    const all = urls(10).map((url) => read(url, 'w'));
    await tick();
    expect(reader.asked).toHaveLength(8);
    for (let answered = 0; answered < 10; answered += 1) {
      reader.answer();
      await tick();
    }
    expect(await Promise.all(all)).toHaveLength(10);
    expect(reader.asked).toEqual(urls(10));
  });

  it('are left out once reading has begun six seconds ago', async () => {
    const reader = openReader();
    const read = pagesOfRequest(reader.read, reader.now);
    const all = urls(9).map((url) => read(url, 'w'));
    await tick();
    reader.clock.time = 6_000;
    for (let answered = 0; answered < 8; answered += 1) reader.answer();
    expect((await Promise.all(all)).at(-1)).toEqual({
      problem: 'the request has too many posts or links to read all pages',
    });
    expect(reader.asked).toHaveLength(8);
  });

  it('are left out in the last seconds of a long request, which they would make too long', async () => {
    const reader = openReader();
    const read = pagesOfRequest(reader.read, reader.now);
    reader.clock.time = 18_000;
    expect(await Promise.race([read('https://example.com/', 'w'), tick()])).toEqual({
      problem: expect.stringContaining('too many posts or links'),
    });
    expect(reader.asked).toEqual([]);
  });
});

describe('a page', () => {
  it('is remembered for a minute, for its workspace alone', async () => {
    const reader = openReader();
    const read = remembering(reader.read, reader.now);
    const ask = (owner: string, at: number) => {
      reader.clock.time = at;
      void read('https://example.com/', owner);
      return reader.asked.length;
    };
    expect(ask('a', 0)).toBe(1);
    expect(ask('a', 59_999)).toBe(1);
    expect(ask('b', 59_999)).toBe(2);
    expect(ask('a', 60_000)).toBe(3);
  });

  it('is forgotten once a hundred others were read', () => {
    const reader = openReader();
    const read = remembering(reader.read, reader.now);
    for (const url of urls(101)) void read(url, 'a');
    void read('https://example.com/100', 'a');
    expect(reader.asked).toHaveLength(101);
    void read('https://example.com/0', 'a');
    expect(reader.asked).toHaveLength(102);
  });
});
