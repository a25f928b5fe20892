import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTagCharacters } from '../../youtube/metadata.ts';
import { connect, control, type Fixture, openFixture, reasonOf } from './support.ts';
import { metadata, startUpload } from './upload-client.ts';

let fixture: Fixture;
let token: string;
beforeAll(async () => {
  fixture = await openFixture();
  token = (await connect(fixture)).access_token;
  await control(fixture, 'PUT', 'limits', { 'videos.insert': 10_000 });
});
afterAll(() => fixture.close());

const snippet = (changes: object) => ({ ...metadata, snippet: { ...metadata.snippet, ...changes } });
const status = (changes: object) => ({ ...metadata, status: { ...metadata.status, ...changes } });
const start = (body: unknown) => startUpload(fixture, token, { body });

describe('the metadata of a video at the start of a session', () => {
  it.each([
    ['no title', snippet({ title: undefined }), '400 invalidTitle'],
    ['an empty title', snippet({ title: '' }), '400 invalidTitle'],
    ['a title of spaces', snippet({ title: '  ' }), '400 invalidTitle'],
    ['a title of 101 characters', snippet({ title: 'x'.repeat(101) }), '400 invalidTitle'],
    ['a title with <', snippet({ title: 'a < b' }), '400 invalidTitle'],
    ['a title that is a number', snippet({ title: 7 }), '400 invalidTitle'],
    ['a title with a line break', snippet({ title: 'a\nb' }), '400 invalidTitle'],
    ['a description with a vertical tab', snippet({ description: 'a\u000Bb' }), '400 invalidDescription'],
    ['a tag with a bell', snippet({ tags: ['a\u0007b'] }), '400 invalidTags'],
    ['a description of 5,001 bytes', snippet({ description: 'x'.repeat(5001) }), '400 invalidDescription'],
    ['2,501 characters of two bytes', snippet({ description: 'é'.repeat(2501) }), '400 invalidDescription'],
    ['a description with >', snippet({ description: 'a > b' }), '400 invalidDescription'],
    ['tags of 501 characters', snippet({ tags: ['x'.repeat(250), 'y'.repeat(250)] }), '400 invalidTags'],
    ['a spaced tag of 499 characters', snippet({ tags: [`a ${'x'.repeat(497)}`] }), '400 invalidTags'],
    ['tags in one string', snippet({ tags: 'sea,wind' }), '400 invalidTags'],
    ['a category that is not assignable', snippet({ categoryId: '18' }), '400 invalidCategoryId'],
    ['a category as a number', snippet({ categoryId: 22 }), '400 invalidCategoryId'],
    ['an unknown privacy', status({ privacyStatus: 'friends' }), '403 forbiddenPrivacySetting'],
    ['an unknown license', status({ license: 'mit' }), '403 forbiddenLicenseSetting'],
    ['a flag as a string', status({ selfDeclaredMadeForKids: 'no' }), '400 invalidVideoMetadata'],
    [
      'a publishing time for a public video',
      status({ publishAt: '2026-12-01T00:00:00Z' }),
      '400 invalidPublishAt',
    ],
    [
      'a publishing time without a time zone',
      status({ privacyStatus: 'private', publishAt: '2026-12-01T00:00' }),
      '400 invalidPublishAt',
    ],
    ['a list', [], '400 invalidVideoMetadata'],
    ['half a JSON body', '{"snippet":', '400 parseError'],
    [
      'a paid product placement whose part is not named',
      { ...metadata, paidProductPlacementDetails: { hasPaidProductPlacement: true } },
      '400 unexpectedPart',
    ],
    ['a part that the parameter does not name', { ...metadata, recordingDetails: {} }, '400 unexpectedPart'],
  ])('is refused with its reason: %s', async (_, body, reason) => {
    expect(await reasonOf(await start(body))).toBe(reason);
  });

  it.each([
    ['a title of 100 characters', snippet({ title: '🌊'.repeat(100) })],
    ['a description of 5,000 bytes', snippet({ description: 'é'.repeat(2500) })],
    ['tags of 500 characters', snippet({ tags: ['x'.repeat(250), 'y'.repeat(249)] })],
    ['a spaced tag of 498 characters', snippet({ tags: [`a ${'x'.repeat(496)}`] })],
    [
      'a publishing time for a private video',
      status({ privacyStatus: 'private', publishAt: '2026-12-01T00:00:00+01:00' }),
    ],
    ['only a title', { snippet: { title: 'A' } }],
  ])('is accepted: %s', async (_, body) => {
    expect((await start(body)).status).toBe(200);
  });

  it('refuses localizations without a default language', async () => {
    const query = 'uploadType=resumable&part=snippet,status,localizations';
    const body = { ...metadata, localizations: { de: { title: 'Ein Boot' } } };
    expect(await reasonOf(await startUpload(fixture, token, { body, query }))).toBe(
      '400 defaultLanguageNotSet',
    );
  });
});

describe('the count of tag characters', () => {
  it.each([
    [[], 0],
    [['sea'], 3],
    [['sea', 'wind'], 8],
    [['sea', 'north wind'], 16],
  ])('includes commas and quotation marks: %j', (tags, characters) => {
    expect(countTagCharacters(tags)).toBe(characters);
  });
});

describe('the request that starts a session', () => {
  it.each([
    ['no media type', { headers: { 'x-upload-content-type': undefined } }, '400 mediaBodyRequired'],
    ['no media length', { headers: { 'x-upload-content-length': undefined } }, '400 mediaBodyRequired'],
    ['a length of 0', { bytes: 0 }, '400 mediaBodyRequired'],
    [
      'a length that is not a number',
      { headers: { 'x-upload-content-length': 'many' } },
      '400 mediaBodyRequired',
    ],
    ['an image', { headers: { 'x-upload-content-type': 'image/png' } }, '400 badContent'],
    ['more than 256 GB', { bytes: 256 * 1024 ** 3 + 1 }, '413 uploadTooLarge'],
    ['a body that is not JSON', { headers: { 'content-type': 'text/plain' } }, '400 badContent'],
    ['another kind of upload', { query: 'uploadType=multipart&part=snippet,status' }, '400 badRequest'],
    ['no part', { query: 'uploadType=resumable' }, '400 missingRequiredParameter'],
    ['an unknown part', { query: 'uploadType=resumable&part=snippet,state' }, '400 unknownPart'],
    ['no token', { headers: { authorization: undefined } }, '401 authorizationRequired'],
    ['a wrong token', { headers: { authorization: 'Bearer wrong' } }, '401 authError'],
  ])('is refused with %s', async (_, options, reason) => {
    expect(await reasonOf(await startUpload(fixture, token, options))).toBe(reason);
  });

  it('is refused for a Google account without a channel', async () => {
    await control(fixture, 'POST', 'users', { username: 'empty', hasChannel: false });
    const { access_token } = await connect(fixture, 'empty');
    expect(await reasonOf(await startUpload(fixture, access_token))).toBe('401 youtubeSignupRequired');
  });

  it('is answered with the address of the session, without a body', async () => {
    const response = await startUpload(fixture, token);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    const address = new URL(response.headers.get('location') ?? '');
    expect(address.href).toContain(`${fixture.simulator.url}/www.googleapis.com/upload/youtube/v3/videos?`);
    expect(address.searchParams.get('upload_id')).toMatch(/^\S{20,}$/);
  });
});
