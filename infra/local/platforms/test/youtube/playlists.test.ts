import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { channelIdOf, playlistIdOf, uploadsPlaylistId } from '../../youtube/state.ts';
import { connect, control, type Fixture, get, openFixture, readBody, reasonOf, scopes } from './support.ts';
import { metadata, uploadVideo } from './upload-client.ts';

const forceSsl = 'https://www.googleapis.com/auth/youtube.force-ssl';
const mine = playlistIdOf('ada', 'Mornings');

let fixture: Fixture;
let token: string;
let videoId: string;
beforeEach(async () => {
  fixture = await openFixture();
  token = await tokenOf('ada', `${scopes.upload} ${scopes.read} ${forceSsl}`);
  videoId = await upload();
});
afterEach(() => fixture.close());

async function upload(status: object = {}): Promise<string> {
  const body = { ...metadata, status: { ...metadata.status, ...status } };
  return (await uploadVideo(fixture, token, { body })).id;
}

async function tokenOf(login: string, scope: string): Promise<string> {
  return (await connect(fixture, login, { scope })).access_token;
}

function post(path: string, snippet: unknown, bearer = token): Promise<Response> {
  return fetch(`${fixture.simulator.url}/www.googleapis.com/youtube/v3/${path}?part=snippet`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ snippet }),
  });
}

interface List {
  readonly items: readonly { id: string; snippet: { position?: number } }[];
  readonly nextPageToken?: string;
}
const listed = async (query: string) => (await readBody<List>(await get(fixture, token, query))).items;

describe('playlistItems.insert', () => {
  const video = () => ({ kind: 'youtube#video', videoId });
  const add = (changes: object = {}, bearer?: string) =>
    post('playlistItems', { playlistId: mine, resourceId: video(), ...changes }, bearer);

  it('adds a video as often as it is called, and the list can be asked about one video', async () => {
    expect((await add()).status).toBe(200);
    expect((await add()).status).toBe(200);
    const other = await upload();
    await add({ resourceId: { kind: 'youtube#video', videoId: other } });
    expect(await listed(`playlistItems?part=snippet&playlistId=${mine}`)).toHaveLength(3);
    expect(await listed(`playlistItems?part=id&playlistId=${mine}&videoId=${other}`)).toHaveLength(1);
    expect(await listed(`playlistItems?part=id&playlistId=${mine}&videoId=missing`)).toEqual([]);
  });

  it.each([
    ['no playlist', { playlistId: undefined }, '400 playlistIdRequired'],
    ['no video', { resourceId: undefined }, '400 resourceIdRequired'],
    ['a channel', { resourceId: { kind: 'youtube#channel', videoId: 'x' } }, '400 invalidResourceType'],
    ['an unknown video', { resourceId: { kind: 'youtube#video', videoId: 'x' } }, '404 videoNotFound'],
    ['an unknown playlist', { playlistId: 'PLx' }, '404 playlistNotFound'],
    [
      'the uploads',
      { playlistId: uploadsPlaylistId(channelIdOf('ada')) },
      '400 playlistOperationUnsupported',
    ],
    [
      'a playlist of another',
      { playlistId: playlistIdOf('bob', 'Mornings') },
      '403 playlistItemsNotAccessible',
    ],
  ])('refuses %s', async (_name, changes, reason) => {
    expect(await reasonOf(await add(changes))).toBe(reason);
  });

  it('needs a scope that upload and reading do not need', async () => {
    const usual = await tokenOf('ada', `${scopes.upload} ${scopes.read}`);
    expect(await reasonOf(await add({}, usual))).toBe('403 insufficientPermissions');
  });
});

describe('playlists.list', () => {
  it('has the own playlists with their number of videos', async () => {
    await post('playlistItems', { playlistId: mine, resourceId: { kind: 'youtube#video', videoId } });
    expect(await listed('playlists?part=id,snippet,status,contentDetails&mine=true')).toMatchObject([
      {
        id: mine,
        snippet: { title: 'Mornings' },
        status: { privacyStatus: 'public' },
        contentDetails: { itemCount: 1 },
      },
      { snippet: { title: 'Outtakes' }, contentDetails: { itemCount: 0 } },
    ]);
  });

  it.each([
    ['without a filter', 'part=id', '400 missingRequiredFilter'],
    ['without parts', 'mine=true', '400 missingRequiredParameter'],
    ['with parts of videos', 'part=processingDetails&mine=true', '400 unknownPart'],
  ])('is refused %s', async (_name, query, reason) => {
    expect(await reasonOf(await get(fixture, token, `playlists?${query}`))).toBe(reason);
  });
});

describe('commentThreads.insert', () => {
  const comment = (changes: object = {}, text: unknown = 'First', bearer?: string) =>
    post(
      'commentThreads',
      {
        channelId: channelIdOf('ada'),
        videoId,
        topLevelComment: { snippet: { textOriginal: text } },
        ...changes,
      },
      bearer,
    );

  it('writes a comment as often as it is called, and the list shows the newest first', async () => {
    await comment();
    await comment({}, 'Second');
    const threads = await listed(`commentThreads?part=snippet&videoId=${videoId}&textFormat=plainText`);
    expect(threads).toMatchObject(
      ['Second', 'First'].map((textOriginal) => ({
        snippet: {
          topLevelComment: { snippet: { textOriginal, authorChannelId: { value: channelIdOf('ada') } } },
        },
      })),
    );
  });

  it.each([
    ['no video', { videoId: undefined }, 'First', '400 channelOrVideoIdMissing'],
    ['no channel', { channelId: undefined }, 'First', '400 channelOrVideoIdMissing'],
    ['an unknown video', { videoId: 'x' }, 'First', '404 videoNotFound'],
    ['the channel of another', { channelId: channelIdOf('bob') }, 'First', '404 channelNotFound'],
    ['an empty text', {}, ' ', '400 commentTextRequired'],
    ['a long text', {}, 'a'.repeat(10_001), '400 commentTextTooLong'],
  ])('refuses %s', async (_name, changes, text, reason) => {
    expect(await reasonOf(await comment(changes, text))).toBe(reason);
  });

  it('is refused for a channel without comments, a video made for kids, and a private video', async () => {
    const kids = await upload({ selfDeclaredMadeForKids: true });
    const hidden = await upload({ privacyStatus: 'private' });
    expect(await reasonOf(await comment({ videoId: kids }))).toBe('403 commentsDisabled');
    expect(await reasonOf(await comment({ videoId: hidden }))).toBe('403 forbidden');
    await control(fixture, 'PUT', 'settings', { disablesComments: true });
    expect(await reasonOf(await comment())).toBe('403 commentsDisabled');
    const list = await get(fixture, token, `commentThreads?part=snippet&videoId=${videoId}`);
    expect(await reasonOf(list)).toBe('403 commentsDisabled');
  });

  it('and the list need the one scope of comments', async () => {
    const manager = await tokenOf('ada', `${scopes.upload} https://www.googleapis.com/auth/youtube`);
    expect(await reasonOf(await comment({}, 'First', manager))).toBe('403 insufficientPermissions');
    const list = await get(fixture, manager, `commentThreads?part=snippet&videoId=${videoId}`);
    expect(await reasonOf(list)).toBe('403 insufficientPermissions');
  });
});
