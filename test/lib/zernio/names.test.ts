import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountNames,
  automationNames,
  eventNames,
  mediaNames,
  type Name,
  optionNames,
  optionsToTheirs,
  postNames,
  targetNames,
  toOurs,
  toTheirs,
  webhookNames,
} from '../../../lib/zernio/names.ts';

const tables: Readonly<Record<string, readonly Name[]>> = {
  accountNames,
  automationNames,
  mediaNames,
  postNames,
  targetNames,
  webhookNames,
  ...optionNames,
};

const inBoth = (names: readonly Name[]) => names.filter(([, , direction]) => direction === 'both');

/** Values of Herald's fields that go in both directions. */
const valuesOf = (names: readonly Name[]) =>
  fc.record(
    Object.fromEntries(
      inBoth(names).map(([, ours, , negated]) => [
        ours,
        negated ? fc.boolean() : fc.oneof(fc.string(), fc.integer()),
      ]),
    ),
    { requiredKeys: [] },
  );

describe.each(Object.entries(tables))('the table %s', (_name, names) => {
  it('has each name once in each direction', () => {
    for (const side of ['in', 'out'] as const) {
      const used = names.filter(([, , direction]) => direction === side || direction === 'both');
      const theirs = used.map(([name]) => name);
      expect(new Set(theirs).size).toBe(theirs.length);
    }
    const taken = names.filter(([, , direction]) => direction !== 'out').map(([, ours]) => ours);
    expect(new Set(taken).size).toBe(taken.length);
  });

  it('brings back what it has translated', () => {
    fc.assert(
      fc.property(valuesOf(names), (ours) => {
        expect(toOurs(names, toTheirs(names, ours))).toEqual(ours);
      }),
    );
  });
});

describe.each(Object.entries(optionNames))('the options of %s', (_platform, names) => {
  it('come back, with those that have no other name', () => {
    fc.assert(
      fc.property(valuesOf(names), fc.string(), (known, other) => {
        const ours = { ...known, other };
        expect(toOurs(names, optionsToTheirs(names, ours))).toEqual(ours);
      }),
    );
  });
});

it('leaves unknown fields to the rules of Herald', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
      const unknown = Object.fromEntries(
        Object.entries(given).filter(([name]) => !mediaNames.some(([theirs]) => theirs === name)),
      );
      expect(toOurs(mediaNames, unknown)).toEqual(unknown);
    }),
  );
});

it('shows no field that is not in the table, and none that is null', () => {
  expect(toTheirs(mediaNames, { url: 'u', sizeBytes: 1, filename: null, secret: 's' })).toEqual({
    url: 'u',
    size: 1,
  });
});

it('keeps a negated field that is no truth value, so that it is refused', () => {
  expect(toOurs(optionNames['tiktok'] ?? [], { allowComment: 'yes' })).toEqual({ disableComment: 'yes' });
});

it('names each event of Herald once', () => {
  const ours = eventNames.map(([, name]) => name);
  expect(new Set(ours).size).toBe(ours.length);
});
