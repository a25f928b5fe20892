import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveUpTakenPorts, requireFreePorts, wantedPorts } from '../../../bin/dev/ports.ts';
import { readSettings } from '../../../bin/dev/settings.ts';

let other: Server;
let taken = 0;
beforeAll(async () => {
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  taken = (other.address() as AddressInfo).port;
});
afterAll(() => other.close());

const data = (ports?: unknown) => ({ path: '/data', read: () => ports });
const check = (settings: { port: number; panelPort: number }, ports?: unknown) =>
  requireFreePorts(wantedPorts(settings, data(ports)));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the ports of a local run', () => {
  it('are free if nobody listens, and 0 always is', async () => {
    await expect(check({ port: 0, panelPort: 0 }, { api: taken, panel: taken })).resolves.toBeUndefined();
  });

  it('are named with the remedy if another program has them', async () => {
    await expect(check({ port: taken, panelPort: 0 })).rejects.toThrow(
      `port ${taken} is in use: stop the other program or set PORT`,
    );
    await expect(check({ port: 0, panelPort: taken })).rejects.toThrow(
      `port ${taken} is in use: stop the other program or set PANEL_PORT`,
    );
    await expect(check({ port: await freePort(), panelPort: 0 }, { threads: taken })).rejects.toThrow(
      `port ${taken} is in use: it is the port of threads since the last run. Stop the other program, or remove /data/ports.json to use other ports`,
    );
  });

  it('are free ones for everything if PORT is 0, also in place of those of the last run', async () => {
    expect(readSettings({ PORT: '0' })).toMatchObject({ port: 0, panelPort: 0 });
    expect(readSettings({ PORT: '0', PANEL_PORT: '3001' })).toMatchObject({ panelPort: 3001 });
    expect(readSettings({})).toMatchObject({ port: 3000, panelPort: 3001 });
    await expect(check({ port: 0, panelPort: 0 }, { threads: taken })).resolves.toBeUndefined();
    const stored: Record<string, unknown> = { 'ports.json': { threads: taken, tiktok: 0 } };
    await giveUpTakenPorts({
      read: (name) => stored[name],
      write: (name, content) => void Object.assign(stored, { [name]: content }),
    });
    expect(stored['ports.json']).toEqual({ tiktok: 0 });
  });

  it('are not the same for the API and the panel', async () => {
    other.close();
    await once(other, 'close');
    await expect(check({ port: taken, panelPort: taken })).rejects.toThrow('set PANEL_PORT');
  });

  it('are any if those of the last run cannot be read', async () => {
    await expect(check({ port: 0, panelPort: 0 }, 'damaged')).resolves.toBeUndefined();
  });
});
