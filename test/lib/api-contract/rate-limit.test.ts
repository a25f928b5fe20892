import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type RateLimit, RateLimiter } from '../../../lib/api-contract/rate-limit.ts';
import { rateKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

const limit = 20;
const minuteMs = 60_000;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** Starts a warm function instance whose writes are counted. */
function openInstance() {
  const client = Object.create(table.client) as Table['client'];
  const send = vi.fn(table.client.send.bind(table.client));
  Object.assign(client, { send });
  const limiter = new RateLimiter({ ...table, client });
  const count = (address: string, now = startMs) =>
    limiter.count({ of: 'address', id: address, perMinute: limit }, now);
  return { limiter, count, send };
}

type Instance = ReturnType<typeof openInstance>;
const countTimes = async ({ count }: Instance, times: number, address: string) => {
  const standings = [];
  for (let time = 0; time < times; time += 1) standings.push(await count(address));
  return standings;
};

describe('the count of an address', () => {
  it('allows exactly the limit across concurrent function instances', async () => {
    const instances = Array.from({ length: 5 }, openInstance);
    const standings = await Promise.all(
      Array.from({ length: limit * 3 }, (_, turn) => instances[turn % 5]?.count('192.0.2.1')),
    );
    const passed = standings.filter((standing) => standing?.isOver === false);
    expect(passed.map((standing) => standing?.remaining).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: limit }, (_, left) => left),
    );
  });

  it('costs one write per request, and none in an instance that has seen the limit exceeded', async () => {
    const instance = openInstance();
    await countTimes(instance, limit, '192.0.2.2');
    expect(instance.send).toHaveBeenCalledTimes(limit);
    const [first, ...others] = await countTimes(instance, 10, '192.0.2.2');
    expect([first, ...others].map((standing) => standing?.isOver)).toEqual(Array(10).fill(true));
    expect(instance.send).toHaveBeenCalledTimes(limit + 1);

    const another = openInstance();
    await countTimes(another, 10, '192.0.2.2');
    expect(another.send).toHaveBeenCalledTimes(1);
  });

  it('continues for other addresses, and for the same one in the next minute', async () => {
    const instance = openInstance();
    await countTimes(instance, limit + 5, '192.0.2.3');
    instance.send.mockClear();
    expect(await instance.count('192.0.2.4')).toMatchObject({ remaining: limit - 1, isOver: false });
    expect(await instance.count('192.0.2.3', startMs + minuteMs)).toMatchObject({ remaining: limit - 1 });
    expect(instance.send).toHaveBeenCalledTimes(2);
  });

  it('counts a whole IPv6 /64 network as one address, in every instance', async () => {
    const [one, other] = [openInstance(), openInstance()];
    await countTimes(one, limit, '2001:db8:0:7::1');
    expect(await other.count('2001:db8:0:7:ffff:ffff:ffff:ffff')).toMatchObject({ isOver: true });
    expect(await other.count('2001:db8:0:8::1')).toMatchObject({ isOver: false });
    other.send.mockClear();
    expect(await other.count('2001:0db8:0000:0007:1:2:3:4')).toMatchObject({ isOver: true });
    expect(other.send).not.toHaveBeenCalled();
  });

  it('is stored in a small item that expires', async () => {
    await openInstance().count('2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff');
    const minute = Math.floor(startMs / minuteMs);
    const Key = rateKey('2001:db8:aaaa:bbbb::/64', minute);
    const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key }));
    expect(Item).toMatchObject({ requests: 1, expiresAtSeconds: (minute + 2) * 60 });
    // One write unit is 1,024 bytes.
    expect(JSON.stringify(Item).length).toBeLessThan(200);
  });
});

describe('the counts of an address, a key and a workspace', () => {
  const limitOf = (of: RateLimit['of'], id: string, perMinute = 1): RateLimit => ({ of, id, perMinute });

  it('are separate, even if their ids are the same', async () => {
    const { limiter } = openInstance();
    for (const of of ['address', 'key', 'workspace'] as const)
      for (const id of ['192.0.2.10', '192.0.2.11'])
        expect(await limiter.count(limitOf(of, id), startMs)).toMatchObject({
          of,
          remaining: 0,
          isOver: false,
        });
  });

  it('are the same for every instance', async () => {
    for (const of of ['address', 'key', 'workspace'] as const) {
      await openInstance().limiter.count(limitOf(of, '192.0.2.12'), startMs);
      const { limiter } = openInstance();
      expect(await limiter.count(limitOf(of, '192.0.2.12'), startMs)).toMatchObject({ of, isOver: true });
    }
  });

  it('continue if the limit was raised after it was exceeded', async () => {
    const { limiter } = openInstance();
    for (let time = 0; time < 3; time += 1) await limiter.count(limitOf('key', 'raised'), startMs);
    expect(limiter.seenOver(limitOf('key', 'raised'), startMs)).toMatchObject({ isOver: true, remaining: 0 });
    expect(limiter.seenOver(limitOf('key', 'raised', 10), startMs)).toBeUndefined();
    // The second request was counted and refused, the third cost nothing.
    expect(await limiter.count(limitOf('key', 'raised', 10), startMs)).toMatchObject({ remaining: 7 });
  });

  it('are known without a request only once exceeded, and only for that minute', async () => {
    const { limiter, send } = openInstance();
    const limit = limitOf('workspace', 'busy');
    await limiter.count(limit, startMs);
    expect(limiter.seenOver(limit, startMs)).toBeUndefined();
    await limiter.count(limit, startMs);
    send.mockClear();
    expect(limiter.seenOver(limit, startMs)).toMatchObject({ of: 'workspace', isOver: true });
    expect(limiter.seenOver(limit, startMs + minuteMs)).toBeUndefined();
    expect(send).not.toHaveBeenCalled();
  });
});
