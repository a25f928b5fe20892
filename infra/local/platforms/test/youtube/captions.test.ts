import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Fixture, get, openFixture, posts, readBody, reasonOf, scopes } from './support.ts';
import { metadata, uploadVideo } from './upload-client.ts';

const forceSsl = 'https://www.googleapis.com/auth/youtube.force-ssl';
const srt = '1\n00:00:01,000 --> 00:00:04,000\nThe harbour\n';

let fixture: Fixture;
let token: string;
let videoId: string;
beforeEach(async () => {
  fixture = await openFixture();
  token = await tokenOf('ada');
  ({ id: videoId } = await uploadVideo(fixture, token, {
    body: { ...metadata, status: { ...metadata.status, privacyStatus: 'unlisted' } },
  }));
});
afterEach(() => fixture.close());

const tokenOf = async (login: string, scope = `${scopes.upload} ${scopes.read} ${forceSsl}`) =>
  (await connect(fixture, login, { scope })).access_token;

function insert(snippet: object = {}, text = srt, bearer = token): Promise<Response> {
  const resource = JSON.stringify({ snippet: { videoId, language: 'en', name: '', ...snippet } });
  const body = [
    '--b\r\nContent-Type: application/json\r\n\r\n',
    resource,
    '\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\n',
    text,
    '\r\n--b--\r\n',
  ].join('');
  const path = 'www.googleapis.com/upload/youtube/v3/captions?uploadType=multipart&part=snippet';
  return fetch(`${fixture.simulator.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'multipart/related; boundary=b' },
    body,
  });
}
const list = async () =>
  (
    await readBody<{ items: { id: string; snippet: { language: string; name: string } }[] }>(
      await get(fixture, token, `captions?part=id,snippet&videoId=${videoId}`),
    )
  ).items;

describe('captions', () => {
  it('are added to a video, one track for each language and name, and deleted', async () => {
    expect((await insert()).status).toBe(200);
    expect(await reasonOf(await insert())).toBe('409 captionExists');
    expect((await insert({ name: 'Plain' })).status).toBe(200);
    const tracks = await list();
    expect(tracks.map(({ snippet: { language, name } }) => [language, name])).toEqual([
      ['en', ''],
      ['en', 'Plain'],
    ]);
    expect(await posts(fixture)).toMatchObject([
      {
        captions: [
          { language: 'en', name: '', text: srt },
          { language: 'en', name: 'Plain', text: srt },
        ],
      },
    ]);
    const address = `${fixture.simulator.url}/www.googleapis.com/youtube/v3/captions?id=${tracks[0]?.id}`;
    const remove = () => fetch(address, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    expect((await remove()).status).toBe(204);
    expect(await reasonOf(await remove())).toBe('404 captionNotFound');
    expect(await list()).toHaveLength(1);
  });

  it.each<[string, () => Promise<Response>, string]>([
    ['without a text', () => insert({}, ' '), '400 contentRequired'],
    ['with a long name', () => insert({ name: 'a'.repeat(151) }), '400 nameTooLong'],
    ['without a language', () => insert({ language: '' }), '400 invalidMetadata'],
    ['of no video', () => insert({ videoId: 'none' }), '404 videoNotFound'],
    ['of another channel', async () => insert({}, srt, await tokenOf('bob')), '403 forbidden'],
    [
      'without the scope',
      async () => insert({}, srt, await tokenOf('ada', `${scopes.upload} ${scopes.read}`)),
      '403 insufficientPermissions',
    ],
  ])('are refused %s', async (_what, send, reason) => {
    expect(await reasonOf(await send())).toBe(reason);
  });
});
