import { expect, it } from 'vitest';
import { type Outage, recoveryAfter } from './sweep/outage-model.ts';

const hour: Outage = {
  outageMinutes: 60,
  duePerSecond: 100,
  sweptPerMinute: 10_000,
  publishedPerSecond: 500,
};

it.each<[string, Partial<Outage>, ReturnType<typeof recoveryAfter>]>([
  ['the sweep is slower than the workers', {}, { minutes: 37, boundBy: 'the sweep' }],
  ['the sweep is fast', { sweptPerMinute: 60_000 }, { minutes: 16, boundBy: 'the workers' }],
  ['the sweep is too slow', { sweptPerMinute: 1_600 }, { minutes: 226, boundBy: 'the sweep' }],
  ['the outage is short', { outageMinutes: 1 }, { minutes: 2, boundBy: 'the sweep' }],
  ['there was no outage', { outageMinutes: 0 }, { minutes: 1, boundBy: 'the sweep' }],
  ['new targets need all workers', { duePerSecond: 500 }, { minutes: 1_440, boundBy: 'the workers' }],
])('computes the recovery after an outage if %s', (_what, changes, expected) => {
  expect(recoveryAfter({ ...hour, ...changes })).toEqual(expected);
});
