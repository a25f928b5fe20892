import { describe, expect, it } from 'vitest';
import { numberSettings, openNumbers } from '../../kit/numbers.ts';

const dayMs = 86_400_000;
const publishedMs = Date.parse('2026-03-01T12:00:00Z');

function numbersWith(changes: Partial<Record<keyof typeof numberSettings, unknown>> = {}) {
  const settings: Readonly<Record<string, unknown>> = { ...numberSettings, ...changes };
  return openNumbers((name) => settings[name]);
}

describe('simulated numbers', () => {
  it('grow with time and never fall, from the same seed alike', () => {
    const [numbers, again] = [numbersWith(), numbersWith()];
    const days = [0, 1, 2, 7, 28, 90];
    const read = (of: typeof numbers) =>
      days.map((day) => of.total('post', 'views', publishedMs, publishedMs + day * dayMs));
    expect(read(numbers)[0]).toBe(0);
    expect(read(numbers).at(-1)).toBeGreaterThan(0);
    expect(read(numbers)).toEqual(read(numbers).toSorted((one = 0, other = 0) => one - other));
    expect(read(again)).toEqual(read(numbers));
  });

  it('differ by post, name and seed', () => {
    const read = (seed: number, id: string, name: string) =>
      numbersWith({ numbersSeed: seed }).total(id, name, publishedMs, publishedMs + 28 * dayMs);
    expect(
      new Set([read(1, 'a', 'views'), read(1, 'b', 'views'), read(1, 'a', 'view'), read(2, 'a', 'views')])
        .size,
    ).toBe(4);
  });

  it('come late if the platform is slow', () => {
    const numbers = numbersWith({ numbersDelaySeconds: 2 * 86_400 });
    const at = (day: number) => numbers.total('post', 'views', publishedMs, publishedMs + day * dayMs);
    expect([at(1.9), at(2)]).toEqual([undefined, 0]);
    expect(at(4)).toBe(numbersWith().total('post', 'views', publishedMs, publishedMs + 2 * dayMs));
    expect(numbers.ofDay('account', 'views', '2026-03-01', publishedMs)).toBeUndefined();
  });

  it('are withheld by name', () => {
    const numbers = numbersWith({ withheldNumbers: 'likes,followers' });
    const at = publishedMs + dayMs;
    expect(numbers.total('post', 'likes', publishedMs, at)).toBeUndefined();
    expect(numbers.total('post', 'views', publishedMs, at)).toBeDefined();
    expect(numbers.followers('account', 'followers', at)).toBeUndefined();
  });

  it('of a day stay as they are once it is over', () => {
    const numbers = numbersWith();
    const at = (day: number) =>
      numbers.ofDay('account', 'views', '2026-03-01', Date.parse('2026-03-01') + day * dayMs);
    expect(at(0)).toBe(0);
    expect(at(1)).toBeGreaterThan(0);
    expect(at(5)).toBe(at(1));
  });
});
