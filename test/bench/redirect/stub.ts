import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../../support/certificate.ts';

export interface Stub {
  /** The additional environment variables with which a function finds and trusts the stub. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a stub of the table over TLS. It has every link and responds immediately, so only the caller is measured. */
export async function startStub(): Promise<Stub> {
  const directory = await mkdtemp(join(tmpdir(), 'redirect-stub-'));
  const certificate = selfSignedCertificate(['localhost']);
  const authority = join(directory, 'authority.pem');
  await writeFile(authority, certificate.cert);
  const item = JSON.stringify({ Item: { url: { S: 'https://example.com/shop' } } });
  const server = createServer({ ...certificate, keepAlive: true }, (request, response) => {
    const answer = String(request.headers['x-amz-target']).endsWith('.GetItem') ? item : '{}';
    request.resume();
    request.on('end', () => {
      response.writeHead(200, {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': answer.length,
      });
      response.end(answer);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: `https://localhost:${port}`,
      NODE_EXTRA_CA_CERTS: authority,
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(directory, { recursive: true });
    },
  };
}
