import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

interface SendRequest {
  readonly MessageBody?: string;
  readonly Entries?: readonly { readonly Id: string; readonly MessageBody: string }[];
}

export interface QueueEndpoint {
  readonly url: string;
  /** Returns the number of messages that it has accepted since the last call. */
  take(): number;
  stop(): Promise<void>;
}

/** Starts an endpoint that accepts messages for any queue, as SQS does, and answers after some milliseconds. */
export async function startQueueEndpoint(answerMs: number): Promise<QueueEndpoint> {
  let accepted = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { MessageBody, Entries } = (await json(request)) as SendRequest;
    await delay(answerMs);
    const bodies = Entries?.map((entry) => entry.MessageBody) ?? [MessageBody ?? ''];
    const receipts = bodies.map((body, index) => receipt(body, Entries?.[index]?.Id));
    accepted += bodies.length;
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify(Entries ? { Successful: receipts, Failed: [] } : receipts[0]));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    take() {
      const taken = accepted;
      accepted = 0;
      return taken;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The SDK compares the digest with the message that it has sent. */
const receipt = (body: string, id?: string) => ({
  ...(id !== undefined && { Id: id }),
  MessageId: 'message',
  MD5OfMessageBody: createHash('md5').update(body).digest('hex'),
});
