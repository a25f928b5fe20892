import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import type { WebhookRequest } from '../../../lib/webhooks/transport/sender.ts';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A receiver on this machine whose responses the test decides. */
export interface Receiver {
  readonly port: number;
  /** A plain http URL, which the test must allow. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Returns the number of connections that were opened to it. */
  readonly connections: () => number;
  close(): void;
}

export async function startReceiver(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end('ok'),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    answer(response, request);
  });
  return { ...(await listening(server)), received };
}

/** A receiver below HTTP, which handles raw connections. */
export async function startRawReceiver(talk: (socket: Socket) => void): Promise<Omit<Receiver, 'received'>> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    talk(socket);
  });
  return listening(server);
}

async function listening(server: Server | TcpServer): Promise<Omit<Receiver, 'received'>> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    connections: () => sockets.length,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export const secret = 'whsec_0123456789abcdefghijABCDEFGHIJ0123456789';

export function requestTo(url: string, changes: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    webhookId: '0199a3c0-0000-7000-8000-000000000001',
    eventId: '0199a3c0-0000-7000-8000-000000000002',
    deliveryId: '0199a3c0-0000-7000-8000-000000000003',
    url,
    body: Buffer.from('{"type":"webhook.test"}'),
    secrets: [secret],
    ...changes,
  };
}
