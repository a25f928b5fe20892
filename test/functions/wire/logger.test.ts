import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { queueHandler } from '../../../functions/middleware/queue.ts';
import { addLogKeys, beginLogKeys, logger, openLogger, withLogKeys } from '../../../functions/wire/logger.ts';

let written: string[];

beforeEach(() => {
  openLogger().setLogLevel('INFO');
  written = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  }
});
afterEach(() => {
  beginLogKeys({});
  vi.restoreAllMocks();
});

const lines = () => written.map((text) => JSON.parse(text));

describe('the log', () => {
  it('writes one object per line, with level, time and fields', () => {
    logger.info('a file arrived', { objectKey: 'media/1', text: 'two\nlines' });
    logger.warn('overdue work was found', { targets: 2 });
    expect(written.every((text) => text.indexOf('\n') === text.length - 1)).toBe(true);
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 'INFO',
        message: 'a file arrived',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        objectKey: 'media/1',
        text: 'two\nlines',
      }),
      expect.objectContaining({ level: 'WARN', message: 'overdue work was found', targets: 2 }),
    ]);
  });

  it.each([
    ['7', '7'],
    ['$LATEST', undefined],
  ])('shows the version that runs, if it is published: %s', (running, shown) => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', running);
    logger.error('failed');
    vi.unstubAllEnvs();
    expect(lines()[0].version).toBe(shown);
  });

  it('shows an error with its stack and causes, alone or among fields', () => {
    const error = new TypeError('outer', { cause: new Error('inner') });
    logger.error('failed', error);
    logger.error('failed', { error, eventId: '1' });
    const described = expect.objectContaining({
      name: 'TypeError',
      message: 'outer',
      stack: expect.stringContaining('logger.test.ts'),
      cause: expect.objectContaining({ name: 'Error', message: 'inner' }),
    });
    expect(lines()).toEqual([
      expect.objectContaining({ level: 'ERROR', error: described }),
      expect.objectContaining({ eventId: '1', error: described }),
    ]);
  });

  it("has a request's ids on every line until the next request begins", () => {
    beginLogKeys({ requestId: 'r' });
    addLogKeys({ workspaceId: 'w' });
    logger.info('one');
    beginLogKeys({});
    logger.info('two');
    expect(lines()[0]).toMatchObject({ requestId: 'r', workspaceId: 'w' });
    expect(lines()[1]).not.toHaveProperty('requestId');
  });

  it('separates the keys of concurrent pieces of work', async () => {
    const work = (postId: string) =>
      withLogKeys({ postId }, async () => {
        await Promise.resolve();
        addLogKeys({ attempt: postId.length });
        await Promise.resolve();
        logger.info('worked');
      });
    await Promise.all([work('a'), work('bb')]);
    logger.info('after');
    expect(lines()).toEqual([
      expect.objectContaining({ postId: 'a', attempt: 1 }),
      expect.objectContaining({ postId: 'bb', attempt: 2 }),
      expect.not.objectContaining({ postId: expect.anything() }),
    ]);
  });

  it('identifies a failed message, as far as its ids are known', async () => {
    const handler = queueHandler({}, z.string(), async (_dependencies, message) => {
      addLogKeys({ postId: message });
      if (message === 'bad') throw new Error('cannot be processed');
    })({ receiveAgain: async () => {} });
    const Records = ['"good"', '"bad"', 'nonsense'].map((body) => ({
      messageId: `m-${body.replaceAll('"', '')}`,
      body,
    }));
    const answer = await handler({ Records } as SQSEvent, {} as Context);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'm-bad' }, { itemIdentifier: 'm-nonsense' }]);
    const [nonsense, bad, ...more] = lines().sort((one, other) => (one.messageId < other.messageId ? 1 : -1));
    expect(more).toEqual([]);
    expect(bad).toMatchObject({ level: 'ERROR', messageId: 'm-bad', postId: 'bad' });
    expect(nonsense).toMatchObject({ level: 'ERROR', messageId: 'm-nonsense' });
    expect(nonsense).not.toHaveProperty('postId');
  });
});
