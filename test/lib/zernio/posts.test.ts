import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeCategories } from '../../../lib/targets/outcome-codes.ts';
import { errorNames, toPost, toPostBody } from '../../../lib/zernio/posts.ts';

const workspaceId = 'w';

describe('the body of a post', () => {
  it.each([
    ['sizes of files', { mediaItems: [{ url: 'u', size: 3 }] }, { mediaItems: [{ url: 'u', sizeBytes: 3 }] }],
    [
      'an animated picture',
      { mediaItems: [{ type: 'gif', url: 'u' }] },
      { mediaItems: [{ type: 'image', url: 'u' }] },
    ],
    [
      'a thumbnail',
      { mediaItems: [{ type: 'video', url: 'u', thumbnail: 't' }] },
      { coverUrl: 't', mediaItems: [{ type: 'video', url: 'u' }] },
    ],
    ['the queue', { queuedFromProfile: 'w' }, { scheduledFor: 'auto' }],
    ['a time beside publishNow', { publishNow: true, scheduledFor: 't' }, { publishNow: true }],
    [
      'publishNow of a draft',
      { publishNow: true, isDraft: true, scheduledFor: 't' },
      { isDraft: true, scheduledFor: 't' },
    ],
    ['a time and the queue', { queuedFromProfile: 'w', scheduledFor: 't' }, { scheduledFor: 't' }],
    [
      'settings of all TikTok destinations',
      {
        tiktokSettings: { privacyLevel: 'SELF_ONLY', allowComment: true },
        platforms: [
          { platform: 'tiktok', accountId: 'a', platformSpecificData: { allowComment: false } },
          { platform: 'threads', accountId: 'b' },
        ],
      },
      {
        platforms: [
          {
            platform: 'tiktok',
            accountId: 'a',
            platformSpecificData: { privacyLevel: 'SELF_ONLY', disableComment: true },
          },
          { platform: 'threads', accountId: 'b' },
        ],
      },
    ],
    [
      'a thread',
      {
        platforms: [
          {
            platform: 'threads',
            accountId: 'a',
            platformSpecificData: {
              threadItems: [{ content: 'one', mediaItems: [{ url: 'u', size: 1 }] }, { content: 'two' }],
            },
          },
        ],
      },
      {
        platforms: [
          {
            platform: 'threads',
            accountId: 'a',
            customContent: 'one',
            customMedia: [{ url: 'u', sizeBytes: 1 }],
            platformSpecificData: { thread: [{ content: 'two' }] },
          },
        ],
      },
    ],
    [
      'advertising',
      {
        platforms: [
          {
            platform: 'tiktok',
            accountId: 'a',
            platformSpecificData: { commercialContentType: 'brand_content' },
          },
        ],
      },
      {
        platforms: [
          { platform: 'tiktok', accountId: 'a', platformSpecificData: { brandContentToggle: true } },
        ],
      },
    ],
    ['unknown fields', { recycling: {}, chain: [] }, { recycling: {}, chain: [] }],
  ])('translates %s', (_name, theirs, ours) => {
    expect(toPostBody(theirs, workspaceId)).toEqual(ours);
  });

  it.each([{ queuedFromProfile: 'x' }, { queueId: 'x' }])('names only the own queue: %j', (body) => {
    expect(() => toPostBody(body, workspaceId)).toThrow('not found');
  });

  it('throws nothing but an error for people, whatever it contains', () => {
    const json = fc.jsonValue();
    const body = fc.record(
      {
        content: json,
        mediaItems: json,
        platforms: fc.oneof(json, fc.array(json)),
        tiktokSettings: json,
        tags: json,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(body, (given) => {
        const { mediaItems } = given as { mediaItems?: unknown };
        fc.pre(!JSON.stringify(mediaItems ?? null).includes('thumbnail'));
        expect(toPostBody(given, workspaceId)).toBeTypeOf('object');
      }),
    );
  });
});

it.each(outcomeCategories)('the error category %s has a name at Zernio', (category) => {
  const { errorCategory, errorSource } = errorNames({ code: 'anything', category });
  expect({ errorCategory, errorSource }).toEqual({
    errorCategory: expect.any(String),
    errorSource: expect.any(String),
  });
});

describe('a post', () => {
  const target = {
    platform: 'tiktok',
    accountId: 'a',
    status: 'failed',
    scheduledFor: null,
    platformPostId: null,
    permalink: null,
    publishedAt: null,
    removedAt: null,
    error: 'The token has expired',
    errorDetail: { code: 'account_expired', category: 'reconnect', platformMessage: null, retryAt: null },
    customContent: null,
    customMedia: null,
    platformSpecificData: { privacyLevel: 'SELF_ONLY', disableComment: true },
  };
  const post = {
    _id: 'p',
    content: 'Hello',
    status: 'failed',
    scheduledFor: null,
    timezone: 'UTC',
    metadata: {},
    createdAt: 'then',
    updatedAt: 'then',
    coverUrl: 'cover',
    mediaItems: [{ type: 'video', url: 'u', sizeBytes: 3 }],
    platforms: [target],
  } as unknown as Parameters<typeof toPost>[0];

  it('has the names of Zernio, also for its errors', () => {
    expect(toPost(post)).toEqual({
      _id: 'p',
      content: 'Hello',
      status: 'failed',
      timezone: 'UTC',
      metadata: {},
      createdAt: 'then',
      updatedAt: 'then',
      mediaItems: [{ type: 'video', url: 'u', size: 3, thumbnail: 'cover' }],
      platforms: [
        {
          platform: 'tiktok',
          accountId: 'a',
          status: 'failed',
          errorMessage: 'The token has expired',
          errorCategory: 'auth_expired',
          errorSource: 'user',
          platformSpecificData: { privacyLevel: 'SELF_ONLY', allowComment: false },
        },
      ],
    });
  });

  it('can be sent back as it was read', () => {
    expect(toPostBody(toPost(post), workspaceId)).toEqual({
      content: 'Hello',
      timezone: 'UTC',
      metadata: {},
      coverUrl: 'cover',
      mediaItems: [{ type: 'video', url: 'u', sizeBytes: 3 }],
      platforms: [{ platform: 'tiktok', accountId: 'a', platformSpecificData: target.platformSpecificData }],
    });
  });

  it('keeps a thread in both directions', () => {
    const thread = [{ content: 'two', mediaItems: [{ url: 'v', sizeBytes: 1 }] }, { content: 'three' }];
    const own = { ...target, platform: 'threads', customContent: 'one', platformSpecificData: { thread } };
    const shown = toPost({ ...post, mediaItems: [], platforms: [own] } as unknown as typeof post);
    expect(shown['platforms']).toMatchObject([
      {
        platformSpecificData: { threadItems: [{ content: 'one' }, { content: 'two' }, { content: 'three' }] },
      },
    ]);
    expect(toPostBody(shown, workspaceId)['platforms']).toMatchObject([
      { customContent: 'one', platformSpecificData: { thread } },
    ]);
  });
});
