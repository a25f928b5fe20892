import { describe, expect, it } from 'vitest';
import { HeraldError, invalidFields } from '../../../lib/kernel/errors.ts';
import { fieldsOfPost, inTheirFields, namedBy } from '../../../lib/zernio/fields.ts';
import { webhookNames } from '../../../lib/zernio/names.ts';

const entry = (platform: string, platformSpecificData: object = {}) => ({
  platforms: [{ platform, accountId: 'a', platformSpecificData }],
});
const thread = entry('threads', {
  threadItems: [{ content: 'One', mediaItems: [{ url: 'u' }] }, { content: 'Two' }],
});
const option = (name: string) => `platforms[0].platformSpecificData.${name}`;

describe('a field of a post', () => {
  it.each<[string, object, string, string]>([
    ['that has one name', {}, 'content', 'content'],
    ['that nobody knows', {}, 'toString', 'toString'],
    ['of a file', {}, 'mediaItems[2].sizeBytes', 'mediaItems[2].size'],
    ['that is a file', {}, 'mediaItems[2]', 'mediaItems[2]'],
    [
      'that is the thumbnail',
      { mediaItems: [{ url: 'a' }, { url: 'b', thumbnail: 'c' }] },
      'coverUrl',
      'mediaItems[1].thumbnail',
    ],
    ['that is the queue', { queuedFromProfile: 'w' }, 'scheduledFor', 'queuedFromProfile'],
    ['that is a time', { queuedFromProfile: 'w', scheduledFor: 'x' }, 'scheduledFor', 'scheduledFor'],
    ['that is a destination', entry('threads'), 'platforms[0]', 'platforms[0]'],
    ['of no destination', { platforms: 1 }, 'platforms[0].accountId', 'platforms[0].accountId'],
    ['of a destination', entry('threads'), 'platforms[0].accountId', 'platforms[0].accountId'],
    [
      'of a file of a destination',
      entry('threads'),
      'platforms[0].customMedia[1].sizeBytes',
      'platforms[0].customMedia[1].size',
    ],
    ['that is an option', entry('tiktok', { allowDuet: 1 }), option('disableDuet'), option('allowDuet')],
    [
      'that is an option of all destinations',
      { ...entry('tiktok'), tiktokSettings: { allowDuet: 1 } },
      option('disableDuet'),
      'tiktokSettings.allowDuet',
    ],
    [
      'that is another form of an option',
      entry('tiktok', { commercialContentType: 'brand_content' }),
      option('brandContentToggle'),
      option('commercialContentType'),
    ],
    [
      'that is an option inside another',
      entry('facebook', { geoRestriction: { countries: 1 } }),
      option('countries'),
      option('geoRestriction.countries'),
    ],
    [
      'that is an option of the post',
      { ...entry('facebook'), facebookSettings: { draft: 1 } },
      option('draft'),
      'facebookSettings.draft',
    ],
    ['that is a list of the post', { ...entry('youtube'), tags: [1] }, option('tags[0]'), 'tags[0]'],
    ['of the first part of a thread', thread, 'platforms[0].customContent', option('threadItems[0].content')],
    [
      'of a file of the first part',
      thread,
      'platforms[0].customMedia[0].url',
      option('threadItems[0].mediaItems[0].url'),
    ],
    ['of a further part', thread, option('thread[0].content'), option('threadItems[1].content')],
    [
      'of a file of a further part',
      thread,
      option('thread[0].mediaItems[0].sizeBytes'),
      option('threadItems[1].mediaItems[0].size'),
    ],
    ['that is the thread', thread, option('thread'), option('threadItems')],
  ])('%s has the name of the request', (_what, body, field, expected) => {
    expect(fieldsOfPost(body as Record<string, unknown>)(field)).toBe(expected);
  });

  it('has the index that the client gave the destination', () => {
    const name = fieldsOfPost({ platforms: [{}, {}, { platform: 'threads' }] }, [0, 2]);
    expect(name('platforms[1].accountId')).toBe('platforms[2].accountId');
  });
});

describe('an error', () => {
  const name = namedBy(webhookNames);
  const renamed = (error: unknown) =>
    inTheirFields(Promise.reject(error), name).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );

  it('names the field in its message, its param and its details', async () => {
    const problem = { field: 'description', message: 'is too long', code: 'field_too_long' } as const;
    expect(await renamed(invalidFields([problem]))).toMatchObject({
      code: 'field_too_long',
      message: 'name: is too long',
      param: 'name',
      fields: { name: ['is too long'] },
      problems: [{ ...problem, field: 'name' }],
    });
  });

  it('without a field stays as it is, and so does one that nobody expected', async () => {
    const missing = new HeraldError('not_found', 'description not found', { retryAfterSeconds: 3 });
    expect(await renamed(missing)).toBe(missing);
    const bug = new Error('bug');
    expect(await renamed(bug)).toBe(bug);
  });

  it('keeps everything else', async () => {
    const error = new HeraldError('unavailable', 'wait', { param: 'description', retryAfterSeconds: 3 });
    expect(await renamed(error)).toMatchObject({ param: 'name', message: 'wait', retryAfterSeconds: 3 });
  });
});
