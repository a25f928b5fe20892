import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import {
  openTenantQueue,
  type ReportRefused,
  sendingTogether,
  type TenantQueue,
} from '../../../lib/aws/queue.ts';

type Refused = Parameters<ReportRefused>[0];

let server: Server | undefined;
afterEach(() => server?.close());

/** A queue that gives this response to each batch. */
async function open(status: number, body: (ids: readonly string[]) => object) {
  server = createServer(async (request, response) => {
    const { Entries } = (await json(request)) as { Entries: { Id: string }[] };
    const answer = body(Entries.map(({ Id }) => Id));
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refused: Refused[] = [];
  const access = { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
  const queue = openTenantQueue<{ workspaceId: string }>(`${endpoint}/000000000000/jobs`, {
    access,
    reportRefused: (each) => refused.push(each),
  });
  return { queue, refused };
}

it('says why SQS refuses messages of a batch', async () => {
  const { queue, refused } = await open(200, (ids) => ({
    Successful: [],
    Failed: ids.map((Id) => ({ Id, SenderFault: true, Code: 'InvalidMessageContents', Message: 'bad' })),
  }));
  const messages = [{ workspaceId: 'w1' }, { workspaceId: 'w2' }];
  expect(await queue.sendAll(messages)).toEqual(new Set(messages));
  expect(refused).toEqual([{ messages: 2, reason: 'InvalidMessageContents: bad' }]);
});

it('says why a whole batch is refused', async () => {
  const { queue, refused } = await open(400, () => ({
    __type: 'com.amazonaws.sqs#QueueDoesNotExist',
    message: 'no queue',
  }));
  const messages = [{ workspaceId: 'w1' }];
  expect(await queue.sendAll(messages)).toEqual(new Set(messages));
  expect(refused).toEqual([{ messages: 1, reason: expect.objectContaining({ name: 'QueueDoesNotExist' }) }]);
});

describe('sendingTogether', () => {
  /** A queue that notes its requests, and refuses the messages of `w3`. */
  function noting() {
    const requests: { readonly workspaceId: string; readonly delaySeconds: number | undefined }[][] = [];
    const queue: TenantQueue<{ readonly workspaceId: string }> = {
      send: async ({ workspaceId }, delaySeconds) => void requests.push([{ workspaceId, delaySeconds }]),
      sendAll: async (messages, delaySecondsOf) => {
        requests.push(
          messages.map((each) => ({ workspaceId: each.workspaceId, delaySeconds: delaySecondsOf?.(each) })),
        );
        return new Set(messages.filter(({ workspaceId }) => workspaceId === 'w3'));
      },
    };
    return { requests, queue: sendingTogether(queue) };
  }

  it('sends in one request what is sent at the same time, each message with its delay', async () => {
    const { requests, queue } = noting();
    const repeated = { workspaceId: 'w1' };
    await Promise.all([queue.send(repeated, 5), queue.send({ workspaceId: 'w2' }), queue.send(repeated, 9)]);
    expect(requests).toEqual([
      [
        { workspaceId: 'w1', delaySeconds: 5 },
        { workspaceId: 'w2', delaySeconds: 0 },
        { workspaceId: 'w1', delaySeconds: 9 },
      ],
    ]);
  });

  it('sends a message that is alone as before', async () => {
    const { requests, queue } = noting();
    await queue.send({ workspaceId: 'w1' }, 5);
    await queue.send({ workspaceId: 'w2' });
    expect(requests).toEqual([
      [{ workspaceId: 'w1', delaySeconds: 5 }],
      [{ workspaceId: 'w2', delaySeconds: undefined }],
    ]);
  });

  it('throws for a message that was not accepted, and for no other', async () => {
    const { queue } = noting();
    const outcomes = await Promise.allSettled([
      queue.send({ workspaceId: 'w3' }),
      queue.send({ workspaceId: 'w1' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
