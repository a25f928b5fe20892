import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlatformHttp } from '../../../lib/platforms/shared/http.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const url = 'https://platform.example/posts';

/** Ports whose `connectAhead` is given. It is called before the time continues. */
function portsWith({ ports }: Fixture, connectAhead: (url: string) => Promise<void>): PublishingPorts {
  return {
    ...ports,
    sleep: async (milliseconds) => {
      await new Promise((resolve) => setImmediate(resolve));
      await ports.sleep(milliseconds);
    },
    toolsFor: async (platform) => {
      const tools = await ports.toolsFor(platform);
      return { ...tools, http: { ...tools.http, connectAhead } };
    },
  };
}

describe('the connection of the last call', () => {
  it.each([
    ['1.5 s before the due time', 2_250, 750],
    ['immediately, if less time is left', 1_000, 0],
    ['immediately, if the target is due', 0, 0],
    ['immediately, if the target is overdue', -60_000, 0],
  ])('is opened %s', async (_title, dueInMs, openedAfterMs) => {
    const fixture = await openFixture(table, { target: { scheduledFor: at(dueInMs), wakeAt: at(0) } });
    const opened: [string, number][] = [];
    const ports = portsWith(fixture, async (to) => {
      opened.push([to, fixture.clock.time - startMs]);
    });
    await fixture.deliver(undefined, 300, ports);
    expect(opened).toEqual([[url, openedAfterMs]]);
    expect(fixture.platform.ledger).toEqual([startMs + Math.max(0, dueInMs)]);
  });

  it('is not opened while the due time is far away', async () => {
    const fixture = await openFixture(table, { target: { scheduledFor: at(60_000), wakeAt: at(0) } });
    const ports = portsWith(fixture, () => {
      throw new Error('opened too early');
    });
    await fixture.deliver(undefined, 300, ports);
    expect(fixture.platform.ledger).toEqual([]);
  });

  it.each<[string, () => Promise<void>]>([
    ['is never open', () => new Promise<void>(() => {})],
    ['cannot be opened', () => Promise.reject(new Error('no route'))],
  ])('delays nothing and fails nothing if it %s', async (_title, connectAhead) => {
    const fixture = await openFixture(table, { target: { scheduledFor: at(2_000), wakeAt: at(0) } });
    await fixture.deliver(undefined, 300, portsWith(fixture, connectAhead));
    expect(fixture.platform.ledger).toEqual([startMs + 2_000]);
    expect(await fixture.status()).toBe('published');
  });

  it('fails nothing if its URL is not known', async () => {
    const fixture = await openFixture(table);
    fixture.platform.adapter.lastCallUrl = () => {
      throw new Error('no URL yet');
    };
    await fixture.deliver();
    expect(await fixture.status()).toBe('published');
  });
});

describe('at a platform', () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('the last call uses a connection that was opened before the due time and has carried nothing', async () => {
    const fixture = await openFixture(table, { target: { scheduledFor: at(2_000), wakeAt: at(0) } });
    const { clock, platform } = fixture;
    const opened = new Map<Socket, { atMs: number; requests: string[] }>();
    server = createServer(({ socket, method = '' }, response) => {
      opened.get(socket)?.requests.push(method);
      response.end('{}');
    });
    server.on('connection', (socket) => opened.set(socket, { atMs: clock.time - startMs, requests: [] }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const http = createPlatformHttp({
      platform: 'instagram',
      baseUrls: { instagram: base },
      now: () => clock.time,
    });

    const adapter: typeof platform.adapter = {
      ...platform.adapter,
      prepare: async (job, tools) => {
        await http.send({ method: 'GET', url });
        return platform.adapter.prepare(job, tools);
      },
      goLive: async (job, tools) => {
        await http.send({ method: 'POST', url, isLastCall: true });
        return platform.adapter.goLive(job, tools);
      },
    };
    let connecting: Promise<void> | undefined;
    const ports = portsWith(fixture, (to) => {
      connecting = http.connectAhead(to);
      return connecting;
    });
    await fixture.deliver(undefined, 300, {
      ...ports,
      adapterFor: () => adapter,
      sleep: async (milliseconds) => {
        await new Promise((resolve) => setImmediate(resolve));
        await connecting;
        await ports.sleep(milliseconds);
      },
    });
    expect([...opened.values()]).toEqual([
      { atMs: 0, requests: ['GET'] },
      { atMs: 500, requests: ['POST'] },
    ]);
    expect(platform.ledger).toEqual([startMs + 2_000]);
  });
});
