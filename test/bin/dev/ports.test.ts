import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireFreePorts, wantedPorts } from '../../../bin/dev/ports.ts';

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
    await expect(check({ port: 0, panelPort: 0 }, { threads: taken })).rejects.toThrow(
      `port ${taken} is in use: it is the port of threads since the last run. Stop the other program, or remove /data/ports.json to use other ports`,
    );
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
