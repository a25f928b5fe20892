import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playlistIdOf } from '../../youtube/state.ts';
import {
  connect,
  control,
  type Fixture,
  get,
  openFixture,
  posts,
  readBody,
  reasonOf,
  scopes,
  second,
} from './support.ts';
import { metadata, uploadVideo, type VideoResource } from './upload-client.ts';

const forceSsl = 'https://www.googleapis.com/auth/youtube.force-ssl';
const hidden = { ...metadata, status: { ...metadata.status, privacyStatus: 'private', embeddable: false } };

let fixture: Fixture;
let token: string;
let id: string;
beforeEach(async () => {
  fixture = await openFixture();
  token = await tokenOf('ada', `${scopes.upload} ${scopes.read} ${forceSsl}`);
  ({ id } = await uploadVideo(fixture, token, { body: hidden }));
});
afterEach(() => fixture.close());

const tokenOf = async (login: string, scope: string) =>
  (await connect(fixture, login, { scope })).access_token;

function send(method: string, path: string, body?: unknown, bearer = token): Promise<Response> {
  return fetch(`${fixture.simulator.url}/www.googleapis.com/youtube/v3/${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
const update = (body: object, part = 'status', bearer?: string) =>
  send('PUT', `videos?part=${part}`, { id, ...body }, bearer);
const read = async (part = 'snippet,status') =>
  (await readBody<{ items: VideoResource[] }>(await get(fixture, token, `videos?part=${part}&id=${id}`)))
    .items[0];

describe('videos.update', () => {
  it('makes a private video public, which is when others see it', async () => {
    expect(await posts(fixture)).toEqual([]);
    fixture.clock.time += 60 * second;
    const answer = await update({ status: { privacyStatus: 'public', embeddable: false } });
    expect(await readBody(answer)).toMatchObject({ id, status: { privacyStatus: 'public' } });
    expect(await posts(fixture)).toMatchObject([
      { id, privacyStatus: 'public', publishedAt: fixture.clock.time, viewableAt: fixture.clock.time },
    ]);
    expect((await read())?.snippet.publishedAt).toBe('2026-11-20T20:01:00Z');
  });

  it('can be repeated, and the video keeps the time at which it became public', async () => {
    await update({ status: { privacyStatus: 'public' } });
    const publishedAt = fixture.clock.time;
    fixture.clock.time += 60 * second;
    expect((await update({ status: { privacyStatus: 'public' } })).status).toBe(200);
    expect(await posts(fixture)).toMatchObject([{ publishedAt }]);
  });

  it('shows a video that is still being processed only from the end of that on', async () => {
    await update({ status: { privacyStatus: 'public' } });
    expect((await posts(fixture))[0]).toMatchObject({ viewableAt: fixture.clock.time + 10 * second });
  });

  it('gives the properties of a named part that the body lacks their defaults, and leaves other parts alone', async () => {
    expect((await read())?.status).toMatchObject({ embeddable: false });
    await update({ status: { privacyStatus: 'unlisted' } });
    expect(await read()).toMatchObject({
      snippet: { title: 'A boat', tags: ['sea', 'wind'] },
      status: { privacyStatus: 'unlisted', embeddable: true },
    });
    await update({ status: {} });
    expect((await read())?.status).toMatchObject({ privacyStatus: 'public' });
    await update({ snippet: { title: 'A ship', categoryId: '22' } }, 'snippet');
    const after = await read();
    expect(after?.snippet).toMatchObject({ title: 'A ship', description: '' });
    expect(after?.snippet).not.toHaveProperty('tags');
  });

  it.each([
    ['without a part', { status: {} }, '', '400 missingRequiredParameter'],
    ['with an unknown part', { status: {} }, 'state', '400 unknownPart'],
    ['with a part that it does not name', { status: {} }, 'snippet', '400 unexpectedPart'],
    ['of a snippet without a category', { snippet: { title: 'A ship' } }, 'snippet', '400 invalidCategoryId'],
    ['of a snippet without a title', { snippet: { categoryId: '22' } }, 'snippet', '400 invalidTitle'],
    [
      'with an unknown privacy',
      { status: { privacyStatus: 'friends' } },
      'status',
      '403 forbiddenPrivacySetting',
    ],
    ['without an id', { id: undefined, status: {} }, 'status', '400 missingRequiredParameter'],
    ['of an unknown video', { id: 'missing', status: {} }, 'status', '404 videoNotFound'],
  ])('is refused %s', async (_name, body, part, reason) => {
    expect(await reasonOf(await update(body, part))).toBe(reason);
  });

  it('needs a scope that upload and reading do not need, and a video of the own channel', async () => {
    const usual = await tokenOf('ada', `${scopes.upload} ${scopes.read}`);
    expect(await reasonOf(await update({ status: {} }, 'status', usual))).toBe('403 insufficientPermissions');
    const other = await tokenOf('bob', forceSsl);
    expect(await reasonOf(await update({ status: {} }, 'status', other))).toBe('403 forbidden');
  });

  it('costs 50 units', async () => {
    await control(fixture, 'PUT', 'limits', { queries: 99 });
    expect((await update({ status: { privacyStatus: 'private' } })).status).toBe(200);
    expect(await reasonOf(await update({ status: {} }))).toBe('403 quotaExceeded');
  });

  it('leaves a video private whose creator’s settings make every upload private', async () => {
    await control(fixture, 'PUT', 'settings', { forcesPrivate: true });
    expect(await readBody(await update({ status: { privacyStatus: 'public' } }))).toMatchObject({
      status: { privacyStatus: 'private' },
    });
    expect(await posts(fixture)).toEqual([]);
  });
});

describe('a deleted video', () => {
  const playlistId = playlistIdOf('ada', 'Mornings');
  const itemCount = async () =>
    (
      await readBody<{ items: { contentDetails: { itemCount: number } }[] }>(
        await get(fixture, token, 'playlists?part=contentDetails&mine=true'),
      )
    ).items[0]?.contentDetails.itemCount;
  const addToPlaylist = async () => {
    const resourceId = { kind: 'youtube#video', videoId: id };
    const answer = await send('POST', 'playlistItems?part=snippet', { snippet: { playlistId, resourceId } });
    return (await readBody<{ id: string }>(answer)).id;
  };

  it('is gone, and deleting it again is refused', async () => {
    expect((await send('DELETE', `videos?id=${id}`)).status).toBe(204);
    expect(await read()).toBeUndefined();
    expect(await reasonOf(await send('DELETE', `videos?id=${id}`))).toBe('404 videoNotFound');
  });

  it('stays in its playlists, unless its entries are removed', async () => {
    const entry = await addToPlaylist();
    await send('DELETE', `videos?id=${id}`);
    expect(await itemCount()).toBe(1);
    expect((await send('DELETE', `playlistItems?id=${entry}`)).status).toBe(204);
    expect(await itemCount()).toBe(0);
    expect(await reasonOf(await send('DELETE', `playlistItems?id=${entry}`))).toBe(
      '404 playlistItemNotFound',
    );
  });

  it('has shown the thumbnail, playlists and comments that it got while it was private', async () => {
    await addToPlaylist();
    await update({ status: { privacyStatus: 'public' } });
    expect(await posts(fixture)).toMatchObject([{ playlistIds: [playlistId] }]);
  });
});
