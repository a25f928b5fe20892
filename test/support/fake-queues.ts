import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Queue, TenantQueue } from '../../lib/aws/queue.ts';

/** A message that a function has sent. */
export interface SentMessage {
  readonly queueUrl: string;
  readonly body: unknown;
  readonly tenant: string | undefined;
}

interface FakeQueues {
  /** The endpoint. A queue's URL starts with it. */
  readonly url: string;
  /** All messages so far. */
  readonly sent: SentMessage[];
}

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
}

interface Input {
  readonly QueueUrl?: string;
  readonly MessageBody?: string;
  readonly Entries?: readonly Entry[];
}

/** The queues of functions, which accept every message. */
export function queuesInMemory() {
  const sent: SentMessage[] = [];
  const take = (queueUrl: string, message: unknown, tenant?: string) => {
    sent.push({ queueUrl, body: JSON.parse(JSON.stringify(message)), tenant });
  };
  return {
    /** All messages so far. */
    sent,
    openQueue: (queueUrl: string): Queue => ({ send: async (message) => take(queueUrl, message) }),
    openTenantQueue: <Message extends { readonly workspaceId: string }>(
      queueUrl: string,
    ): Pick<TenantQueue<Message>, 'sendAll'> => ({
      async sendAll(messages) {
        for (const message of messages) take(queueUrl, message, message.workspaceId);
        return new Set();
      },
    }),
  };
}

/** Starts an SQS endpoint that accepts every message for any queue. It ends with the test file's process. */
export async function startFakeQueues(): Promise<FakeQueues> {
  const sent: SentMessage[] = [];
  const take = (queueUrl: string, { MessageBody = '', MessageGroupId }: Partial<Entry>) => {
    sent.push({ queueUrl, body: JSON.parse(MessageBody), tenant: MessageGroupId });
    const digest = createHash('md5').update(MessageBody).digest('hex');
    return { MessageId: randomBytes(8).toString('hex'), MD5OfMessageBody: digest };
  };
  const answers: Record<string, (input: Input) => unknown> = {
    'AmazonSQS.SendMessage': ({ QueueUrl = '', ...message }) => take(QueueUrl, message),
    'AmazonSQS.SendMessageBatch': ({ QueueUrl = '', Entries = [] }) => ({
      Successful: Entries.map((entry) => ({ Id: entry.Id, ...take(QueueUrl, entry) })),
      Failed: [],
    }),
  };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const target = String(request.headers['x-amz-target']);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify(answers[target]?.(JSON.parse(Buffer.concat(chunks).toString()))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}
