import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toZernioEvent, zernioForm } from '../../../lib/zernio/events.ts';

const at = '2026-03-01T12:00:00.000Z';
const target = {
  platform: 'threads',
  accountId: 'a',
  status: 'published',
  scheduledFor: at,
  platformPostId: '1',
  permalink: 'https://threads.example/1',
  error: null,
  publishedAt: at,
  removedAt: null,
};
const account = {
  id: 'a',
  platform: 'threads',
  username: 'bakery',
  displayName: null,
  profileId: { _id: 'w' },
  statusMessage: null,
};
const post = {
  id: 'p',
  content: 'Hello',
  status: 'published',
  scheduledFor: at,
  metadata: { k: 'v' },
  platforms: [target],
};

const shownTarget = {
  platform: 'threads',
  accountId: 'a',
  status: 'published',
  platformPostId: '1',
  publishedUrl: 'https://threads.example/1',
};

describe('an event', () => {
  it.each([
    [
      'post.published',
      { post },
      {
        event: 'post.published',
        post: {
          id: 'p',
          content: 'Hello',
          status: 'published',
          scheduledFor: at,
          publishedAt: at,
          metadata: { k: 'v' },
          platforms: [shownTarget],
        },
      },
    ],
    [
      'post.target.removed',
      { postId: 'p', metadata: {}, target: { ...target, removedAt: at } },
      {
        event: 'post.platform.deleted',
        post: {
          id: 'p',
          content: '',
          status: 'published',
          scheduledFor: at,
          publishedAt: at,
          platforms: [shownTarget],
          metadata: {},
        },
        platform: {
          name: 'threads',
          status: 'deleted',
          platformPostId: '1',
          publishedUrl: 'https://threads.example/1',
          deletedAt: at,
        },
        account: { accountId: 'a', platform: 'threads', username: '' },
      },
    ],
    [
      'account.disconnected',
      { account },
      {
        event: 'account.disconnected',
        account: {
          accountId: 'a',
          profileId: 'w',
          platform: 'threads',
          username: 'bakery',
          disconnectionType: 'intentional',
          reason: 'The account was disconnected',
        },
      },
    ],
    [
      'account.expired',
      { account: { ...account, statusMessage: 'The token has expired' } },
      {
        event: 'account.disconnected',
        account: {
          accountId: 'a',
          profileId: 'w',
          platform: 'threads',
          username: 'bakery',
          disconnectionType: 'unintentional',
          reason: 'The token has expired',
        },
      },
    ],
    ['webhook.test', { webhookId: 'x' }, { event: 'webhook.test', message: expect.any(String) }],
    ['account.expiring', { other: 1 }, { event: 'account.expiring', data: { other: 1 } }],
  ])('%s is in the envelope of Zernio', (type, data, expected) => {
    expect(toZernioEvent({ id: 'e', type, createdAt: at, data })).toEqual({
      id: 'e',
      ...expected,
      timestamp: at,
    });
  });

  it('of one destination shows the whole post and the names of the account, where they are known', () => {
    const failed = { ...target, accountId: 'b', status: 'failed', error: 'Refused' };
    const event = toZernioEvent(
      { id: 'e', type: 'post.target.published', createdAt: at, data: { postId: 'p', metadata: {}, target } },
      {
        post: { ...post, status: 'partial', platforms: [target, failed] },
        account: { username: 'bakery', displayName: 'The Bakery' },
      },
    );
    expect(event).toMatchObject({
      post: {
        id: 'p',
        content: 'Hello',
        status: 'partial',
        platforms: [{ accountId: 'a' }, { accountId: 'b', error: 'Refused' }],
      },
      platform: { name: 'threads', status: 'published' },
      account: { accountId: 'a', username: 'bakery', displayName: 'The Bakery' },
    });
  });

  it.each([
    ['comment.received', { comment: { author: { id: 'person' } }, account: { username: 'bakery' } }],
    ['dm.received', { message: { id: 'm', platformMessageId: 'm' }, account: { username: 'bakery' } }],
  ])('%s has ids and names that Herald’s own event lacks', (type, expected) => {
    const data = { accountId: 'a', commentId: 'c', senderId: 'person', text: 'Hi', at };
    const known = {
      personId: 'person',
      messageId: 'm',
      account: { username: 'bakery', displayName: null },
    };
    expect(toZernioEvent({ id: 'e', type, createdAt: at, data }, known)).toMatchObject(expected);
  });

  it('is signed over its exact bytes with the newest secret', () => {
    const body = zernioForm.toBody(
      Buffer.from(JSON.stringify({ id: 'e', type: 'webhook.test', createdAt: at, data: {} })),
      {},
    );
    const headers = zernioForm.headersOf({ body, eventId: 'e', deliveryId: 'd', secrets: ['new', 'old'] }, 1);
    expect(headers).toEqual({
      'x-zernio-signature': createHmac('sha256', 'new').update(body).digest('hex'),
      'x-zernio-event-id': 'e',
    });
  });
});
