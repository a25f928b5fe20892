/** A receiver of webhooks that runs in its own process and follows its parent's commands. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Arrival, Order } from './receiver-process.ts';

let arrivals: Arrival[] = [];
let failShare = 0;
let hangShare = 0;
let port = 0;
let server: Server;
let connections = 0;
let maxConnections = 0;

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const drawn = Math.random();
  // Never respond: the sender times out.
  if (drawn < hangShare || request.url?.startsWith('/hang')) return;
  if (drawn < hangShare + failShare) {
    response.writeHead(500).end();
    return;
  }
  const { id, data } = JSON.parse(body);
  arrivals.push([String(request.headers['x-service-delivery-id']), data.post?.id ?? id, Date.now()]);
  response.writeHead(200).end();
}

async function listen(): Promise<void> {
  server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    connections += 1;
    maxConnections = Math.max(maxConnections, connections);
    socket.once('close', () => {
      connections -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
}

async function follow(order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'count':
      return arrivals.length;
    case 'take': {
      const taken = { arrivals, maxConnections };
      arrivals = [];
      maxConnections = connections;
      return taken;
    }
    case 'behave':
      ({ failShare, hangShare } = order);
      return null;
    case 'restart':
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await delay(order.downMs);
      await listen();
      return null;
  }
}

process.on('message', (order: Order) => {
  void follow(order).then((reply) => process.send?.({ id: order.id, reply }));
});
await listen();
process.send?.({ id: 0, reply: `http://127.0.0.1:${port}` });
