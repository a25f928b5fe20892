import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { curlCommand } from '../../../lib/panel/curl.ts';
import { isWanted, spanOf } from '../../../lib/panel/pages/developers/deliveries.ts';
import { verificationSnippet } from '../../../lib/panel/pages/developers/endpoint.ts';
import { expiresAt, findKeys, isExpiringSoon, isUnused } from '../../../lib/panel/pages/developers/keys.ts';
import { addDays, dayIn, startOfDay } from '../../../lib/panel/time.ts';
import { deliveryOf, keyOf } from '../support/developers-data.ts';

describe('a day in a zone', () => {
  test.each([
    ['2026-03-14', 'UTC', '2026-03-14T00:00:00.000Z'],
    ['2026-03-14', 'Europe/Berlin', '2026-03-13T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-03-14', 'Asia/Kathmandu', '2026-03-13T18:15:00.000Z'],
    ['2026-03-14', 'Pacific/Kiritimati', '2026-03-13T10:00:00.000Z'],
    ['2026-03-14', 'Pacific/Pago_Pago', '2026-03-14T11:00:00.000Z'],
    // Clocks went from 00:00 to 01:00, so the day began at 01:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s begins at %s', (date, zone, begin) => {
    const at = startOfDay(date, zone);
    expect(at.toISOString()).toBe(begin);
    expect(dayIn(at, zone)).toBe(date);
    expect(dayIn(new Date(at.getTime() - 1), zone)).toBe(addDays(date, -1));
  });

  test('is counted across months', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});

describe('the expiry of a key', () => {
  const now = Date.parse('2026-03-14T12:00:00Z');
  test.each([
    [{ kind: 'never' }, undefined],
    [{ kind: 'days', days: 30 }, '2026-04-13T12:00:00.000Z'],
    [{ kind: 'date', date: '2026-03-29' }, '2026-03-29T22:00:00.000Z'],
    [{ kind: 'date', date: '' }, undefined],
  ] as const)('%j is %s', (expiry, at) => {
    expect(expiresAt(expiry, 'Europe/Berlin', now)).toBe(at);
  });
});

describe('a key', () => {
  const now = Date.parse('2026-03-31T12:00:00Z');
  const old = { createdAt: '2026-01-01T00:00:00.000Z' };
  test.each([
    ['was used 29 days ago', false, { ...old, lastUsedOn: '2026-03-02' }],
    ['was used 30 full days ago', true, { ...old, lastUsedOn: '2026-02-28' }],
    ['was never used, and is old', true, { ...old, lastUsedOn: null }],
    ['was never used, and is new', false, { createdAt: '2026-03-20T00:00:00.000Z', lastUsedOn: null }],
    ['is revoked', false, { ...old, lastUsedOn: null, status: 'revoked' }],
  ] as const)('that %s counts as unused: %s', (_, isIt, changes) => {
    expect(isUnused(keyOf(1, changes), now)).toBe(isIt);
  });

  test.each([
    [{ expiresAt: null }, false],
    [{ expiresAt: '2026-04-13T12:00:00.000Z' }, true],
    [{ expiresAt: '2026-04-15T12:00:00.000Z' }, false],
    [{ expiresAt: '2026-03-30T12:00:00.000Z', status: 'expired' }, false],
  ] as const)('with %j expires soon: %s', (changes, isIt) => {
    expect(isExpiringSoon(keyOf(1, changes), now)).toBe(isIt);
  });

  test('is found by its name or last characters; those that work come first', () => {
    const keys = [
      keyOf(1, { name: 'Shop', status: 'revoked' }),
      keyOf(2, { name: 'Reporting', lastFour: 'SHop' }),
      keyOf(3, { name: 'Importer', lastFour: null }),
    ];
    const names = (words: string, status = '') => findKeys(keys, { words, status }).map(({ name }) => name);
    expect(names('')).toEqual(['Reporting', 'Importer', 'Shop']);
    expect(names(' shop ')).toEqual(['Reporting', 'Shop']);
    expect(names('shop', 'revoked')).toEqual(['Shop']);
  });
});

describe('the filters of deliveries', () => {
  const none = { status: '', type: '', endpoint: '', period: '', from: '', to: '' };
  const now = Date.parse('2026-03-14T12:00:00Z');
  const at = (createdAt: string) => deliveryOf(1, { createdAt });

  test.each([
    [{}, '2026-02-20T00:00:00.000Z', true],
    [{ type: 'post.failed' }, '2026-03-14T11:30:00.000Z', false],
    [{ period: '1h' }, '2026-03-14T11:00:00.000Z', true],
    [{ period: '1h' }, '2026-03-14T10:59:59.999Z', false],
    [{ period: '7d' }, '2026-03-07T12:00:00.000Z', true],
    [{ period: 'days', from: '2026-03-10' }, '2026-03-09T23:00:00.000Z', true],
    [{ period: 'days', from: '2026-03-10' }, '2026-03-09T22:59:59.999Z', false],
    [{ period: 'days', to: '2026-03-10' }, '2026-03-10T22:59:59.999Z', true],
    [{ period: 'days', to: '2026-03-10' }, '2026-03-10T23:00:00.000Z', false],
    [{ period: 'nonsense', from: 'x' }, '2026-02-20T00:00:00.000Z', true],
  ])('%j with an event at %s in Berlin: %s', (changes, createdAt, isIt) => {
    const filters = { ...none, ...changes };
    expect(isWanted(at(createdAt), filters, spanOf(filters, 'Europe/Berlin', now))).toBe(isIt);
  });
});

describe('a curl command', () => {
  test('has the key as a variable, and survives any text in a shell', () => {
    const body = { url: 'https://x.example/it\'s $HOME `id` \\ "quoted"' };
    const command = curlCommand('https://api.test/', { method: 'POST', path: '/v1/webhooks', body });
    const script = `curl() { printf '%s\\0' "$@"; }\nHERALD_API_KEY=secret\n${command}`;
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(words.slice(0, 6)).toEqual([
      'https://api.test/v1/webhooks',
      '-H',
      'Authorization: Bearer secret',
      '-H',
      'Content-Type: application/json',
      '-d',
    ]);
    expect(JSON.parse(words[6] ?? '')).toEqual(body);
    expect(command).not.toContain('secret');
  });

  test('names the method if curl would not guess it', () => {
    expect(curlCommand('https://api.test', { method: 'POST', path: '/v1/webhooks/1/test' })).toBe(
      `curl -X POST 'https://api.test/v1/webhooks/1/test' \\\n  -H "Authorization: Bearer $HERALD_API_KEY"`,
    );
  });
});

test('the program that verifies webhooks is that of the documentation', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
  expect(guide).toContain(verificationSnippet);
});
