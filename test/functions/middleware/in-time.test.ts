import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTime, lateReserveMs } from '../../../functions/middleware/in-time.ts';
import { jsonReply } from '../../../functions/middleware/reply.ts';
import { apiEvent } from '../../support/api.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const event = apiEvent('GET /v1/posts', {});
const leftMs = 10_000;
const context = { getRemainingTimeInMillis: () => leftMs } as Context;
const never = () => new Promise<never>(() => {});

describe('a request', () => {
  it('that takes too long is answered with 503 a second before Lambda ends the function, with all that clients need', async () => {
    const answer = inTime(never)(event, context);
    const isAnswered = vi.fn();
    void answer.then(isAnswered);
    await vi.advanceTimersByTimeAsync(leftMs - lateReserveMs - 1);
    expect(isAnswered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const { statusCode, headers, body = '' } = await answer;
    expect([statusCode, headers]).toEqual([
      503,
      expect.objectContaining({ 'retry-after': '5', 'x-request-id': event.requestContext.requestId }),
    ]);
    expect(JSON.parse(body)).toMatchObject({ code: 'unavailable', error: expect.stringMatching(/in time/) });
  });

  it('of a browser gets what its route says', async () => {
    const page = { statusCode: 503, headers: {}, body: 'later' };
    const answer = inTime<APIGatewayProxyEventV2>(never, () => page)(event, context);
    await vi.advanceTimersByTimeAsync(leftMs);
    expect(await answer).toMatchObject({ statusCode: 503, body: 'later', headers: { 'retry-after': '5' } });
  });

  it('that is answered in time leaves no timer behind', async () => {
    expect(await inTime(async () => jsonReply(200, {}))(event, context)).toMatchObject({ statusCode: 200 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that fails, fails, and leaves no timer behind', async () => {
    const failing = async () => {
      throw new Error('no');
    };
    await expect(inTime(failing)(event, context)).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });
});
