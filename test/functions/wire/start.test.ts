import { afterEach, describe, expect, it, vi } from 'vitest';
import { environmentOf, handlerFactory, start, type Wire } from '../../../functions/wire/start.ts';

afterEach(() => vi.unstubAllEnvs());

const made: string[] = [];
const color: Wire<string> = (environment) => {
  made.push('color');
  return environment('TEST_COLOR');
};
const build = handlerFactory(
  { color },
  ({ color }) =>
    async () =>
      color,
);

describe('a handler', () => {
  it('can be created from doubles without reading the environment', async () => {
    expect(await build({ color: 'red' })()).toBe('red');
    expect(made).toEqual([]);
  });

  it('is created once with what its wires read from the environment', async () => {
    vi.stubEnv('TEST_COLOR', 'blue');
    const handler = start(build);
    expect([await handler(), await handler(), made]).toEqual(['blue', 'blue', ['color']]);
  });

  it('does not start if a required variable is missing', () => {
    expect(() => start(build)).toThrow('environment variable TEST_COLOR is not set');
  });
});

it('a missing variable has the value of its fallback', () => {
  const environment = environmentOf({ EMPTY: '' });
  expect([environment('MISSING', 'other'), environment('EMPTY', 'other')]).toEqual(['other', '']);
});
