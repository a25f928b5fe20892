import { describe, expect, it } from 'vitest';
import { idsIn } from '../../../lib/operating/message-ids.ts';

const shown = (body: unknown) =>
  idsIn(typeof body === 'string' ? body : JSON.stringify(body)).map(({ name, value }) => `${name}=${value}`);

describe('the ids in a message', () => {
  it.each([
    [
      'a message of a queue',
      { workspaceId: 'w-1', postId: 'p-1', accountId: 'a-1', wakeNumber: 3, isTakeover: true },
      ['workspaceId=w-1', 'postId=p-1', 'accountId=a-1', 'wakeNumber=3'],
    ],
    [
      'a record of the stream',
      {
        eventID: '1',
        eventName: 'MODIFY',
        dynamodb: {
          Keys: { pk: { S: 'POST#w#p' }, sk: { S: 'TARGET#a' } },
          NewImage: { content: { S: 'Hi' } },
        },
      },
      ['eventID=1', 'eventName=MODIFY', 'pk=POST#w#p', 'sk=TARGET#a'],
    ],
    [
      'a range of the stream that failed',
      { DDBStreamBatchInfo: { shardId: 'shardId-1', startSequenceNumber: '7', endSequenceNumber: '9' } },
      ['shardId=shardId-1', 'startSequenceNumber=7', 'endSequenceNumber=9'],
    ],
    [
      'an event of S3',
      { Records: [{ eventSource: 'aws:s3', s3: { object: { key: 'w/media/1/a.jpg', size: 5 } } }] },
      ['eventSource=aws:s3', 'key=w/media/1/a.jpg'],
    ],
    [
      'what has the name of an id, and is a secret',
      { id: 'yay_0123456789abcdef', key: 'whsec_0123456789abcdef', postId: 'p-1' },
      ['postId=p-1'],
    ],
    ['a text', 'no JSON', []],
    ['a number', '7', []],
  ])('%s', (_, body, ids) => {
    expect(shown(body)).toEqual(ids);
  });

  it('are everything that is shown: no text of people, no URL with a query and no token', () => {
    const body = {
      content: 'secret plans',
      accessToken: 'EAAB',
      tokenId: 'T1',
      sessionId: 'S1',
      accessKeyId: 'AKIA1',
      body: 'H4sIAAAA',
      url: 'https://x.example/?sig=1',
      postId: 'two words',
      id: 'https://x.example/?sig=1',
    };
    expect(shown(body)).toEqual([]);
  });

  it('are each shown once, and only to a depth', () => {
    let deep: unknown = { postId: 'p' };
    for (let depth = 0; depth < 20; depth += 1) deep = { deep };
    expect(shown({ all: [{ postId: 'p' }, { postId: 'p' }], deep })).toEqual(['postId=p']);
  });
});
