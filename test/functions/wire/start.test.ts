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
  it('is made from doubles without a look at the environment', async () => {
    expect(await build({ color: 'red' })()).toBe('red');
    expect(made).toEqual([]);
  });

  it('is started with what its wires read from the environment, once', async () => {
    vi.stubEnv('TEST_COLOR', 'blue');
    const handler = start(build);
    expect([await handler(), await handler(), made]).toEqual(['blue', 'blue', ['color']]);
  });

  it('does not start without a variable that it needs', () => {
    expect(() => start(build)).toThrow('environment variable TEST_COLOR is not set');
  });
});

it('what may be missing is read as what stands in for it', () => {
  const environment = environmentOf({ EMPTY: '' });
  expect([environment('MISSING', 'other'), environment('EMPTY', 'other')]).toEqual(['other', '']);
});
