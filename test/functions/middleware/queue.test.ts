import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { queueBatchHandler, queueHandler } from '../../../functions/middleware/queue.ts';
import { openLogger } from '../../../functions/wire/logger.ts';
import { maximumReceives } from '../../../lib/kernel/receives.ts';

beforeAll(() => openLogger().setLogLevel('SILENT'));
afterAll(() => openLogger().setLogLevel('WARN'));

const Message = z.object({ id: z.string(), kind: z.enum(['known']) });

let worked: string[];
let again: [string, number][];
let isRefusing: boolean;
beforeEach(() => {
  worked = [];
  again = [];
  isRefusing = false;
});

const receiveAgain = async (receiptHandle: string, seconds: number) => {
  if (isRefusing) throw new Error('SQS does not answer');
  again.push([receiptHandle, seconds]);
};

const one = queueHandler({}, Message, async (_dependencies, { id }) => void worked.push(id));
const many = queueBatchHandler({}, Message, async (_dependencies, received) => {
  worked.push(...received.map(({ message }) => message.id));
  return received.map(() => ({ status: 'fulfilled', value: undefined }));
});

/** Delivers a batch. @returns the places of the messages that SQS delivers again */
async function deliver(build: typeof one | typeof many, bodies: readonly string[]): Promise<number[]> {
  const Records = bodies.map((body, index) => ({
    messageId: String(index),
    receiptHandle: `handle ${index}`,
    body,
  }));
  const answer = await build({ receiveAgain })({ Records } as SQSEvent, {} as Context);
  return answer.batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
}

const known = (id: string) => JSON.stringify({ id, kind: 'known' });

describe.each([
  ['one by one', one],
  ['together', many],
])('messages that are worked %s', (_, build) => {
  it.each([
    ['no JSON', 'nonsense'],
    ['cut off', '{"id":"a"'],
    ['a text', '"a"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['empty', ''],
  ])('go to the dead letters at once if they are %s', async (_kind, body) => {
    expect(await deliver(build, [known('a'), body, known('b')])).toEqual([1]);
    expect({ worked, again }).toEqual({ worked: ['a', 'b'], again: [['handle 1', 0]] });
  });

  it.each([
    ['has a kind that this one does not know', { id: 'c', kind: 'new' }],
    ['has another shape', { name: 'c' }],
  ])(
    'go there after some ten minutes if another release may have sent them: one that %s',
    async (_kind, body) => {
      expect(await deliver(build, [JSON.stringify(body), known('a')])).toEqual([0]);
      expect(worked).toEqual(['a']);
      const [[handle, seconds] = ['', 0], ...more] = again;
      expect([handle, more]).toEqual(['handle 0', []]);
      const lastReceiveMinutes = ((maximumReceives - 1) * seconds) / 60;
      expect(lastReceiveMinutes).toBeGreaterThanOrEqual(10);
      expect((maximumReceives * seconds) / 60).toBeLessThan(15);
    },
  );

  it('are kept if SQS does not answer: they wait for the visibility timeout', async () => {
    isRefusing = true;
    expect(await deliver(build, [known('a'), 'nonsense'])).toEqual([1]);
    expect(worked).toEqual(['a']);
  });

  it('leave nothing to do if none can be read', async () => {
    expect(await deliver(build, ['x', 'y'])).toEqual([0, 1]);
    expect({ worked, again: again.length }).toEqual({ worked: [], again: 2 });
  });
});

it('a message that can be read and fails waits for the visibility timeout', async () => {
  const failing = queueHandler({}, Message, async () => Promise.reject(new Error('failed')));
  expect(await deliver(failing, [known('a')])).toEqual([0]);
  expect(again).toEqual([]);
});
