import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

export interface Listener {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves HTTP on the loopback address only.
 *
 * @param port 0 for any free port.
 * @throws Error if the port is in use.
 */
export async function listen(port: number, handler: RequestListener): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: 60_000 }, handler);
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new Error(`Port ${port} on 127.0.0.1 is in use: stop the other program.`) : error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
