import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { logIdsIn } from '../../../functions/middleware/message-ids.ts';
import { queueHandler } from '../../../functions/middleware/queue.ts';
import { logger } from '../../../functions/wire/logger.ts';

const workspaceId = 'b0f4b3c2-9f0a-4a39-8a0e-0f3f6d6f2f10';

describe('the ids of an unreadable message', () => {
  it.each<[string, unknown, object]>([
    [
      'are those of its fields that name something',
      JSON.stringify({ workspaceId, postId: 'p-1', wakeNumber: 3, wakeAt: 'x' }),
      { workspaceId, postId: 'p-1', wakeNumber: '3' },
    ],
    [
      'may be those of an item',
      { workspaceId, kind: 'target', content: 'Hello' },
      { workspaceId, kind: 'target' },
    ],
    [
      'leave out what does not look like an id',
      { postId: 'Buy now, 50 % off!', accountId: 'a'.repeat(201) },
      {},
    ],
    ['leave out what is no text', { postId: { $ne: 1 }, accountId: null }, {}],
    ['leave out what people are called', { personId: '17841', username: 'anna' }, {}],
    ['are none if it is not JSON', '{"workspaceId":', {}],
    ['are none if it is no object', '7', {}],
    ['are none if it is null', 'null', {}],
    ['are none if there is nothing', undefined, {}],
  ])('%s', (_, body, ids) => {
    expect(logIdsIn(body)).toEqual(ids);
  });

  it('are on the line that says that the message failed', async () => {
    const write = vi.spyOn(logger, 'error').mockImplementation(() => {});
    const fail = async () => Promise.reject(new Error('cannot be processed'));
    const handler = queueHandler({}, z.unknown(), fail)({ receiveAgain: async () => {} });
    const body = JSON.stringify({ workspaceId, postId: 'p-1', wakeNumber: 'not a number' });
    const event = { Records: [{ messageId: 'm-1', body }] } as SQSEvent;
    expect(await handler(event, {} as Context)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm-1' }],
    });
    expect(write).toHaveBeenCalledExactlyOnceWith(
      'a message failed',
      expect.objectContaining({ workspaceId, postId: 'p-1', error: expect.any(Error) }),
    );
    write.mockRestore();
  });
});
