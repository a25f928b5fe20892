import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { AwsCallError, type AwsFailure } from '../../../lib/aws/json-client.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { readClicks } from '../../../lib/links/clicks.ts';
import { isCode, linkAddress } from '../../../lib/links/codes.ts';
import { clickShards, LinkTable } from '../../../lib/links/link-table.ts';
import { linkWrites, planLinks } from '../../../lib/links/plan.ts';
import { quarterAttribute, quarterMs } from '../../../lib/links/quarters.ts';
import { clicksKey, linkKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const owner = () => ({
  workspaceId: newId(0),
  automationId: newId(1),
  createdAt: '2026-03-01T12:00:00.000Z',
});

describe('tracked links', () => {
  it('have codes that cannot be guessed', () => {
    const links = planLinks(Array.from({ length: 5_000 }, (_, index) => `https://example.com/${index}`));
    expect(new Set(links.map(({ code }) => code)).size).toBe(5_000);
    for (const { code } of links) {
      expect(code).toMatch(/^[0-9A-Za-z]{12}$/);
      expect(isCode(code)).toBe(true);
    }
    for (const character of '0Az') expect(links.some(({ code }) => code.includes(character))).toBe(true);
  });

  it('are made once per distinct URL, in the order of the URLs', () => {
    let made = 0;
    const nextCode = () => `code${made++}`;
    expect(planLinks(['https://b/', 'https://a/', 'https://b/'], nextCode)).toEqual([
      { code: 'code0', url: 'https://b/' },
      { code: 'code1', url: 'https://a/' },
    ]);
  });

  it('are written with their owner', async () => {
    const of = owner();
    const links = planLinks(['https://example.com/a', 'https://example.com/b']);
    expect(await transact(table, linkWrites(table, links, of))).toEqual({ committed: true });
    for (const { code, url } of links) {
      const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: linkKey(code) }));
      expect(Item).toEqual({ ...linkKey(code), kind: 'link', url, ...of });
    }
  });

  it('never reuse an existing code', async () => {
    const [first] = planLinks(['https://example.com/first']);
    if (!first) throw new Error('no link');
    await transact(table, linkWrites(table, [first], owner()));
    const second = { code: first.code, url: 'https://example.com/second' };
    expect(await transact(table, linkWrites(table, [second], owner()))).toMatchObject({ committed: false });
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: linkKey(first.code) }),
    );
    expect(Item?.['url']).toBe(first.url);
  });

  it('have short URLs', () => {
    expect(linkAddress('https://api.example.com', 'abcdefghij12')).toBe(
      'https://api.example.com/r/abcdefghij12',
    );
  });

  it.each([
    '',
    'short',
    '..',
    '../../etc',
    'abcdefghij1%',
    'ABCDEFGHIJ\u0131',
    'abcdefghij 1',
    'a'.repeat(33),
  ])('are not looked up by %j', (code) => {
    expect(isCode(code)).toBe(false);
  });
});

describe('clicks', () => {
  const put = async (code: string, day: string, shard: number, clicks: number) =>
    transact(table, [
      { Put: { TableName: table.name, Item: { ...clicksKey(code, day, shard), kind: 'clicks', clicks } } },
    ]);

  it('are summed over shards and days, for each link', async () => {
    await put('clicked1234', '2026-03-02', 9, 5);
    await put('clicked1234', '2026-03-01', 0, 1);
    await put('clicked1234', '2026-03-01', 3, 2);
    await put('other123456', '2026-03-01', 3, 7);
    const clicks = await readClicks(table, ['clicked1234', 'other123456', 'never123456', 'clicked1234']);
    expect(Object.fromEntries(clicks)).toEqual({
      clicked1234: {
        total: 8,
        days: [
          { day: '2026-03-01', clicks: 3 },
          { day: '2026-03-02', clicks: 5 },
        ],
      },
      other123456: { total: 7, days: [{ day: '2026-03-01', clicks: 7 }] },
      never123456: { total: 0, days: [] },
    });
  });

  it('are summed by the days of a zone, and those that were counted by the day only by the days of UTC', async () => {
    const count = async (at: string, clicks: number) => {
      const quarter = quarterAttribute(Math.floor((Date.parse(at) % 86_400_000) / quarterMs));
      const key = clicksKey('zoned123456', at.slice(0, 10), clicks);
      await transact(table, [
        {
          Put: {
            TableName: table.name,
            Item: { ...key, kind: 'clicks', clicks: clicks + 1, [quarter]: clicks },
          },
        },
      ]);
    };
    await count('2026-03-28T22:59:59.000Z', 1);
    await count('2026-03-28T23:00:00.000Z', 2);
    // The clocks go forward on the 29th, so that it ends an hour earlier.
    await count('2026-03-29T21:59:00.000Z', 3);
    await count('2026-03-29T22:00:00.000Z', 4);
    const of = async (timezone: string, first: string, last = first) =>
      (await readClicks(table, ['zoned123456'], { first, last, timezone })).get('zoned123456');
    expect(await of('Europe/Berlin', '2026-03-28', '2026-03-30')).toEqual({
      total: 14,
      days: [
        { day: '2026-03-28', clicks: 1 + 2 },
        { day: '2026-03-29', clicks: 2 + 3 + 2 },
        { day: '2026-03-30', clicks: 4 },
      ],
    });
    expect(await of('Europe/Berlin', '2026-03-30')).toEqual({
      total: 4,
      days: [{ day: '2026-03-30', clicks: 4 }],
    });
    expect(await of('Asia/Kathmandu', '2026-03-29')).toMatchObject({ total: 1 + 2 + 2 });
    expect(await of('UTC', '2026-03-29')).toMatchObject({ total: 9 });
  });

  it('have a counter for each quarter of an hour', async () => {
    const updates: unknown[] = [];
    const links = new LinkTable({
      tableName: 'table',
      random: () => 0,
      sleep: async () => undefined,
      call: async (_operation, input) => {
        updates.push(input);
        return {};
      },
    });
    await links.countClick('code', Date.parse('2026-03-01T23:59:59.999Z'), 100);
    expect(updates).toMatchObject([
      {
        Key: { sk: { S: '2026-03-01#0' } },
        UpdateExpression: 'SET kind = :kind ADD clicks :one, #quarter :one',
        ExpressionAttributeNames: { '#quarter': 'q95' },
      },
    ]);
  });

  it('are spread evenly over the shards', async () => {
    const keys: string[] = [];
    const links = new LinkTable({
      tableName: 'table',
      random: Math.random,
      sleep: async () => undefined,
      call: async (_operation, input) => {
        keys.push((input as { Key: { sk: { S: string } } }).Key.sk.S);
        return {};
      },
    });
    for (let click = 0; click < 2_000; click += 1)
      await links.countClick('code', Date.parse('2026-03-01T12:00:00Z'), 100);
    const shards = Map.groupBy(keys, (sk) => sk);
    expect([...shards.keys()].sort()).toEqual(
      Array.from({ length: clickShards }, (_, shard) => `2026-03-01#${shard}`),
    );
    for (const clicks of shards.values()) expect(clicks.length).toBeGreaterThan(100);
  });

  it.each<[AwsFailure, boolean]>([
    ['throttled', true],
    ['unreachable', true],
    ['unclear', false],
    ['refused', false],
  ])('are retried after %s: %s, each time in another shard', async (failure, isRetried) => {
    const keys: string[] = [];
    const links = new LinkTable({
      tableName: 'table',
      random: Math.random,
      sleep: async () => undefined,
      call: async (_operation, input) => {
        keys.push((input as { Key: { sk: { S: string } } }).Key.sk.S);
        throw new AwsCallError(failure, 'staged');
      },
    });
    await expect(links.countClick('code', Date.parse('2026-03-01T12:00:00Z'), 1_000)).rejects.toThrow(
      'staged',
    );
    expect(keys).toHaveLength(isRetried ? 4 : 1);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
