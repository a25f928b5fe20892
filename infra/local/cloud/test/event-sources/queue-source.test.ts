import { afterEach, describe, expect, it } from 'vitest';
import { startQueueSource } from '../../event-sources/queue-source.ts';
import type { EventSource, SourceSurroundings } from '../../event-sources/source.ts';
import type { EventSourceResource } from '../../model.ts';
import type { InvokeOutcome } from '../../runtime/execution-environment.ts';
import { withInvocation } from '../../runtime/lineage.ts';
import { broken, createSurroundings, failing, functionArn, handled, queueArn } from './fakes.ts';

type Message = { readonly body: string };

const sources: EventSource[] = [];
afterEach(() => Promise.all(sources.splice(0).map((source) => source.stop())));

const mappingOf = (settings: Partial<EventSourceResource> = {}): EventSourceResource => ({
  functionArn,
  sourceArn: queueArn,
  batchSize: 10,
  batchingWindowSeconds: 0,
  reportsBatchItemFailures: true,
  filters: [],
  ...settings,
});

function start(
  answer: (records: readonly Message[]) => InvokeOutcome | Promise<InvokeOutcome>,
  settings: Partial<EventSourceResource> = {},
  concurrency = 5,
) {
  const cloud = createSurroundings<Message>(answer);
  const begin = () => sources.push(startQueueSource(mappingOf(settings), concurrency, cloud.surroundings));
  return { ...cloud, begin, bodies: () => cloud.batches.map((batch) => batch.map(({ body }) => body)) };
}

describe('a queue feeds its function', () => {
  it("with records in Lambda's format", async () => {
    const { put, begin, batches } = start(() => handled);
    put('hello');
    begin();
    await expect
      .poll(() => batches)
      .toEqual([
        [
          {
            messageId: 'hello',
            receiptHandle: 'hello',
            body: 'hello',
            attributes: { ApproximateReceiveCount: '1' },
            messageAttributes: {
              trace: { dataType: 'String', stringValue: 't', stringListValues: [], binaryListValues: [] },
            },
            md5OfBody: 'md5',
            eventSource: 'aws:sqs',
            eventSourceARN: queueArn,
            awsRegion: 'us-east-1',
          },
        ],
      ]);
  });

  it('in batches of at most the batch size', async () => {
    const { put, begin, bodies, deleted } = start(() => handled, { batchSize: 2 });
    put('a', 'b', 'c');
    begin();
    await expect.poll(bodies).toEqual([['a', 'b'], ['c']]);
    await expect.poll(() => deleted).toEqual(['a', 'b', 'c']);
  });

  it('after it waited for a full batch up to the batching window', async () => {
    const { put, begin, bodies, clock } = start(() => handled, { batchSize: 3, batchingWindowSeconds: 5 });
    begin();
    put('a');
    await new Promise((settle) => setTimeout(settle, 5));
    put('b');
    await new Promise((settle) => setTimeout(settle, 5));
    expect(bodies()).toEqual([]);
    clock.advance(5_000);
    await expect.poll(bodies).toEqual([['a', 'b']]);
  });

  it.each([
    ["the mapping's maximum concurrency", { maximumConcurrency: 2 }, 5],
    ["the function's concurrency", {}, 2],
  ])('with no more concurrent batches than %s', async (_, settings, concurrency) => {
    let running = 0;
    let max = 0;
    const { put, begin, bodies } = start(
      async () => {
        max = Math.max(max, ++running);
        await new Promise((settle) => setTimeout(settle, 5));
        running -= 1;
        return handled;
      },
      { batchSize: 1, ...settings },
      concurrency,
    );
    put('a', 'b', 'c', 'd', 'e');
    begin();
    await expect.poll(() => bodies().length).toBe(5);
    expect(max).toBe(2);
  });
});

describe('a message', () => {
  it('that no filter matches is deleted without an invocation', async () => {
    const { put, begin, bodies, deleted } = start(() => handled, {
      filters: [{ body: { kind: ['publish'] } }],
    });
    put('{"kind":"publish"}', '{"kind":"other"}', 'text');
    begin();
    await expect.poll(bodies).toEqual([['{"kind":"publish"}']]);
    await expect.poll(() => [...deleted].sort()).toEqual(['text', '{"kind":"other"}', '{"kind":"publish"}']);
  });

  it('that failed stays in the queue; the others of its batch are deleted', async () => {
    const { put, begin, deleted } = start(() => failing('b'));
    put('a', 'b', 'c');
    begin();
    await expect.poll(() => deleted).toEqual(['a', 'c']);
  });

  it.each([
    ['fails', broken],
    ['returns an invalid response', { ok: true, result: { batchItemFailure: [] } } as const],
  ])('stays in the queue if the function %s', async (_, outcome) => {
    const { put, begin, batches, deleted } = start(
      ([record]) => (record?.body === 'good' ? handled : outcome),
      { batchSize: 1 },
    );
    put('bad', 'good');
    begin();
    await expect.poll(() => deleted).toEqual(['good']);
    expect(batches).toHaveLength(2);
  });
});

it('a batch continues the longest chain of events among its messages', async () => {
  const headers: (string | undefined)[] = [];
  const { put, surroundings } = start(() => handled);
  const lineage = (count: number) =>
    Array.from({ length: count }).reduce<string>((header) => withInvocation(header, functionArn), 'Root=1');
  const { receive } = surroundings.queues;
  surroundings.queues.receive = async (request) =>
    (await receive(request)).map((message) => ({
      ...message,
      attributes: { ...message.attributes, AWSTraceHeader: lineage(Number(message.body)) },
    }));
  put('2', '9', '0');
  const invoke: SourceSurroundings['invoke'] = async (_arn, _event, options) => {
    headers.push(options?.traceHeader);
    return handled;
  };
  sources.push(startQueueSource(mappingOf(), 5, { ...surroundings, invoke }));
  await expect.poll(() => headers).toEqual([lineage(9)]);
});

describe('a batch that Lambda throttles', () => {
  const throttled: InvokeOutcome = {
    ok: false,
    error: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' },
  };

  it('is tried again with growing waits', async () => {
    let refusals = 2;
    const { put, begin, bodies, deleted, clock } = start(() => (refusals-- > 0 ? throttled : handled));
    put('a');
    begin();
    await expect.poll(bodies).toHaveLength(1);
    clock.advance(1_000);
    await expect.poll(bodies).toHaveLength(2);
    clock.advance(1_000);
    expect(bodies()).toHaveLength(2);
    clock.advance(1_000);
    await expect.poll(() => deleted).toEqual(['a']);
  });

  it('waits for its visibility timeout in the end', async () => {
    const { put, begin, bodies, deleted, clock } = start(() => throttled);
    put('a');
    begin();
    for (const [tries, waitMs] of [1_000, 2_000, 4_000, 8_000].entries()) {
      await expect.poll(bodies).toHaveLength(tries + 1);
      clock.advance(waitMs);
    }
    await expect.poll(bodies).toHaveLength(5);
    clock.advance(60_000);
    expect([bodies().length, deleted]).toEqual([5, []]);
  });
});

describe('a queue source', () => {
  it('continues after an error of the queue', async () => {
    const { put, begin, bodies, clock, surroundings, logged } = start(() => handled);
    const { receive } = surroundings.queues;
    let failures = 1;
    surroundings.queues.receive = async (request) => {
      if (failures-- > 0) throw new Error('the disk is full');
      return receive(request);
    };
    put('a');
    begin();
    await expect.poll(() => logged).toEqual([expect.stringContaining('the disk is full')]);
    clock.advance(1_000);
    await expect.poll(bodies).toEqual([['a']]);
  });

  it('stops after the running invocations have ended', async () => {
    let isDone = false;
    const { put, begin, bodies } = start(async () => {
      await new Promise((settle) => setTimeout(settle, 20));
      isDone = true;
      return handled;
    });
    put('a');
    begin();
    await expect.poll(() => bodies().length).toBe(1);
    await Promise.all(sources.splice(0).map((source) => source.stop()));
    expect(isDone).toBe(true);
    put('b');
    expect(bodies()).toHaveLength(1);
  });
});
