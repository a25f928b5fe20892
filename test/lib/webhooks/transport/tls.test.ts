import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type PinnedConnections,
  pinnedConnections,
} from '../../../../lib/http-client/address-guard/pinned-connections.ts';
import { postPinned } from '../../../../lib/webhooks/transport/sender.ts';
import { selfSignedCertificate, type TestCertificate } from '../../../support/certificate.ts';
import { elapse, stopTime } from '../../../support/stopped-time.ts';
import { startRawReceiver } from '../receiver.ts';

const open: { close(): void }[] = [];
beforeEach(() => stopTime());
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  vi.useRealTimers();
});

interface Met {
  readonly serverName: string | false | null;
  readonly host: string | undefined;
}

async function startTlsReceiver(certificate: TestCertificate) {
  const met: Met[] = [];
  let handshakes = 0;
  const server = createServer(certificate, (request, response) => {
    met.push({ serverName: (request.socket as TLSSocket).servername, host: request.headers.host });
    response.end('ok');
  });
  server.on('secureConnection', () => {
    handshakes += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return { port: (server.address() as AddressInfo).port, met, handshakes: () => handshakes };
}

function connectionsThatTrust(ca?: string): PinnedConnections {
  const connections = pinnedConnections(ca === undefined ? {} : { ca });
  open.push(connections);
  return connections;
}

function post(connections: PinnedConnections, href: string, addresses = ['127.0.0.1'], limits = {}) {
  return postPinned(connections, {
    url: new URL(href),
    addresses,
    webhookId: 'one',
    headers: {},
    body: Buffer.from('{}'),
    limits: { connectSeconds: 5, totalSeconds: 10, answerBytes: 1_000, ...limits },
    begunAtMs: performance.now(),
  });
}

describe('a POST with https', () => {
  const certificate = selfSignedCertificate(['hooks.example.com', 'other.example.com']);

  it('goes to the given address with the host name of the URL, without a look-up', async () => {
    const { port, met } = await startTlsReceiver(certificate);
    const outcome = await post(connectionsThatTrust(certificate.cert), `https://hooks.example.com:${port}/`);
    expect(outcome).toMatchObject({ answer: { statusCode: 200, start: Buffer.from('ok') } });
    expect(met).toEqual([{ serverName: 'hooks.example.com', host: `hooks.example.com:${port}` }]);
  });

  it('makes one TLS handshake for many events, and another if the addresses change', async () => {
    const { port, handshakes } = await startTlsReceiver(certificate);
    const connections = connectionsThatTrust(certificate.cert);
    const href = `https://hooks.example.com:${port}/`;
    for (let sent = 0; sent < 3; sent += 1) await post(connections, href);
    expect(handshakes()).toBe(1);
    // Nothing listens at this address. The open connection to the old address must not be used.
    expect(await post(connections, href, ['127.0.0.77'])).toHaveProperty('failure');
    expect(handshakes()).toBe(1);
    await post(connections, href, ['127.0.0.77', '127.0.0.1']);
    expect(handshakes()).toBe(2);
  });

  it('trusts only the public certificate authorities', async () => {
    const { port, met } = await startTlsReceiver(certificate);
    const outcome = await post(connectionsThatTrust(), `https://hooks.example.com:${port}/`);
    expect(outcome).toEqual({ failure: 'the certificate is self-signed' });
    expect(met).toEqual([]);
  });

  it('rejects a certificate of another host', async () => {
    const { port, met } = await startTlsReceiver(certificate);
    const connections = connectionsThatTrust(certificate.cert);
    for (const host of ['elsewhere.example.com', '127.0.0.1']) {
      expect(await post(connections, `https://${host}:${port}/`)).toEqual({
        failure: 'the certificate is for another host',
      });
    }
    expect(met).toEqual([]);
  });

  it('rejects an expired certificate', async () => {
    const expired = selfSignedCertificate(['hooks.example.com'], new Date(Date.now() - 60_000));
    const { port } = await startTlsReceiver(expired);
    const outcome = await post(connectionsThatTrust(expired.cert), `https://hooks.example.com:${port}/`);
    expect(outcome).toEqual({ failure: 'the certificate has expired' });
  });

  it('fails if the receiver does not speak TLS', async () => {
    const receiver = await startRawReceiver((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 400\r\n\r\n')),
    );
    open.push(receiver);
    const outcome = await post(connectionsThatTrust(), `https://hooks.example.com:${receiver.port}/`);
    expect(outcome).toEqual({ failure: 'the TLS handshake failed' });
  });

  it('counts the handshake toward the connection limit', async () => {
    const receiver = await startRawReceiver(() => undefined);
    open.push(receiver);
    const limits = { connectSeconds: 0.1 };
    const url = `https://hooks.example.com:${receiver.port}/`;
    const outcome = await elapse(100, post(connectionsThatTrust(), url, undefined, limits));
    expect(outcome).toEqual({ failure: 'no connection within 0.1 s' });
  });
});
