import { describe, expect, it } from 'vitest';
import {
  countTo,
  durationMsTo,
  oneOf,
  readDurationMs,
  readList,
  readMoment,
  readSize,
} from '../../../bin/admin/values.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('a moment in an option', () => {
  it.each([
    ['2027-01-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-01T08:00:00Z', '2027-01-01T08:00:00.000Z'],
    ['2027-01-01T08:00+02:00', '2027-01-01T06:00:00.000Z'],
    ['90d', '2026-05-30T12:00:00.000Z'],
    ['36h', '2026-03-03T00:00:00.000Z'],
    ['5m', '2026-03-01T12:05:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(readMoment('expires', text)(now)).toBe(moment);
  });

  it.each([
    '',
    'soon',
    '90',
    '90 d',
    '-1d',
    '1.5d',
    '2027',
    '2027-13-01',
    '2027-02-30',
    '2027-01-01T08:00',
    '01/01/2027',
    '9999999d',
  ])('%j is refused', (text) => {
    expect(() => readMoment('expires', text)).toThrow('expires: must be a day (2027-01-01)');
  });
});

describe('a duration in an option', () => {
  it.each([
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['0m', 0],
  ])('%s is %d ms', (text, durationMs) => {
    expect(readDurationMs('overlap', text)).toBe(durationMs);
  });

  it.each(['', '24', 'h', '-1h', '1h30m', 'a day'])('%j is refused', (text) => {
    expect(() => readDurationMs('overlap', text)).toThrow('overlap: must be a duration');
  });
});

it('a duration is at most the given one', () => {
  expect(durationMsTo('7d')('since', '7d')).toBe(604_800_000);
  expect(() => durationMsTo('7d')('since', '169h')).toThrow('since: may be at most 7d');
});

it.each(['0', '1001', '1e2', '-1', '1.5', '', 'ten'])('a number up to 1000 is not %j', (text) => {
  expect(() => countTo(1_000)('limit', text)).toThrow('limit: must be a whole number from 1 to 1000');
});

it('a choice is one of its names', () => {
  expect(oneOf(['red', 'blue'])('colour', 'blue')).toBe('blue');
  expect(() => oneOf(['red', 'blue'])('colour', 'toString')).toThrow('colour: must be red or blue');
  expect(() => oneOf(['a', 'b', 'c'])('letter', 'd')).toThrow('letter: must be one of a, b, c');
});

it('a list is separated by commas', () => {
  expect(readList('permissions', 'read, publish,')).toEqual(['read', 'publish']);
  expect(readList('permissions', ',')).toEqual([]);
});

describe('a size', () => {
  it.each([
    ['10', 10],
    ['10B', 10],
    ['500 mb', 500 * 1024 ** 2],
    ['1.5GB', 1.5 * 1024 ** 3],
  ])('%s is %d bytes', (text, bytes) => {
    expect(readSize('size', text)).toBe(bytes);
  });

  it.each(['', 'much', '-1GB', '5XB', 'GB'])('%j is refused', (text) => {
    expect(() => readSize('size', text)).toThrow('size: must be a size, such as 500MB');
  });
});
