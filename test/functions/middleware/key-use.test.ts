import middy from '@middy/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitUse, KeyUseRecorder, type UsingEvent } from '../../../functions/middleware/key-use.ts';
import { jsonReply, type Reply } from '../../../functions/middleware/reply.ts';
import { logger } from '../../../functions/wire/logger.ts';
import { startMs } from '../../support/builders.ts';
import { clientOf } from '../../support/database/database.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A function whose table answers the write of the day as given, and that serves its request immediately. */
function functionWith(write: () => Promise<unknown>) {
  const recorder = new KeyUseRecorder({ name: 'table', client: clientOf(write as never) });
  const begin = ({ event }: { event: UsingEvent }) => recorder.begin(event, 'key', startMs);
  const handler = middy<UsingEvent, Reply>()
    .use(awaitUse())
    .use({ before: begin })
    .handler(async () => jsonReply(200, {}));
  const call = () => handler({} as UsingEvent, {} as never) as Promise<Reply>;
  /** The state of a call after some milliseconds. */
  const callFor = async (ms: number) => {
    let status: number | undefined;
    void call().then(({ statusCode }) => {
      status = statusCode;
    });
    await vi.advanceTimersByTimeAsync(ms);
    return status ?? 'waiting';
  };
  return { callFor };
}

describe('the record of a key’s use', () => {
  it('does not fail the request if the table refuses it', async () => {
    const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined);
    const { callFor } = functionWith(() => Promise.reject(new Error('throttled')));
    expect(await callFor(0)).toBe(200);
    expect(warn).toHaveBeenCalledWith('the use of the API key was not recorded', new Error('throttled'));
  });

  it('delays the response by at most 100 ms if the table does not answer', async () => {
    const { callFor } = functionWith(() => new Promise(() => undefined));
    expect(await callFor(99)).toBe('waiting');
    const other = functionWith(() => new Promise(() => undefined));
    expect(await other.callFor(100)).toBe(200);
  });

  it('is awaited, because Lambda may freeze the function after the response', async () => {
    const answersAfter50Ms = () => new Promise((resolve) => setTimeout(() => resolve({}), 50));
    expect(await functionWith(answersAfter50Ms).callFor(49)).toBe('waiting');
    expect(await functionWith(answersAfter50Ms).callFor(50)).toBe(200);
  });

  it('delays no later request of the same day', async () => {
    const { callFor } = functionWith(() => new Promise(() => undefined));
    await callFor(100);
    expect(await callFor(0)).toBe(200);
  });
});
