import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MediaServer, readMedia, serveMedia } from '../support/media.ts';
import { board, type Fixture, login, openFixture, otherBoard, section } from './support.ts';

let media: MediaServer;
let address: (name: string) => string;
beforeAll(async () => {
  media = await serveMedia();
  address = media.url;
});
afterAll(() => media.close());

let pinterest: Fixture;
let token: string;
beforeEach(async () => {
  pinterest = await openFixture();
  token = await pinterest.connect();
});
afterEach(() => pinterest.close());

const image = (name = 'image.jpg') => ({ source_type: 'image_url', url: address(name) });
const create = (changes: Record<string, unknown> = {}, bearer = token) =>
  pinterest.call(bearer, 'POST', 'pins', { board_id: board, media_source: image(), ...changes });

describe('every call', () => {
  it.each([undefined, 'guess'])('needs a valid token, not %s', async (wrong) => {
    const answer = await pinterest.call(wrong, 'GET', 'user_account');
    expect(answer).toMatchObject({ status: 401, body: { code: 2, message: 'Authentication failed.' } });
  });

  it('is refused if the token is 30 days old', async () => {
    pinterest.advance(30 * 86_400);
    expect((await pinterest.call(token, 'GET', 'user_account')).status).toBe(401);
  });

  it('needs its scopes, and names the missing ones', async () => {
    const poor = await pinterest.connect({ declined: 'pins:write' });
    expect(await create({}, poor)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('pins:write') },
    });
  });

  it('counts towards a quota per minute, separately for reads and writes', async () => {
    await pinterest.control('PUT', 'limits', { writesPerMinute: 1 });
    const first = await create();
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([201, '0']);
    pinterest.advance(20);
    const second = await create();
    expect([second.status, second.body.code, second.headers.get('x-ratelimit-reset')]).toEqual([
      429,
      8,
      '40',
    ]);
    expect((await pinterest.call(token, 'GET', 'user_account')).status).toBe(200);
    pinterest.advance(40);
    expect((await create()).status).toBe(201);
  });

  it('cannot create a Pin with Trial access', async () => {
    await pinterest.set({ access: 'trial' });
    expect(await create()).toMatchObject({
      status: 403,
      body: { code: 29, message: expect.stringContaining('Trial access') },
    });
    expect((await pinterest.call(token, 'GET', 'boards')).status).toBe(200);
  });

  it('to an unknown address has its own error', async () => {
    expect(await pinterest.call(token, 'GET', 'pinz')).toMatchObject({ status: 404 });
  });
});

describe('boards', () => {
  it('can be created, once per name, with sections', async () => {
    const { status, body } = await pinterest.call(token, 'POST', 'boards', { name: 'Boats' });
    expect([status, body['privacy'], body['name']]).toEqual([201, 'PUBLIC', 'Boats']);
    expect((await pinterest.call(token, 'POST', 'boards', { name: 'Boats' })).status).toBe(400);
    expect((await pinterest.call(token, 'POST', 'boards', {})).status).toBe(400);
    const sections = `boards/${body.id}/sections`;
    const made = await pinterest.call(token, 'POST', sections, { name: 'Red' });
    expect([made.status, made.body['name']]).toEqual([201, 'Red']);
    expect((await pinterest.call(token, 'POST', sections, { name: 'Red' })).status).toBe(409);
    expect((await pinterest.call(token, 'POST', sections, { name: 'a'.repeat(181) })).status).toBe(400);
    expect((await pinterest.call(token, 'GET', sections)).body.items).toEqual([made.body]);
  });

  it('need the scope to write', async () => {
    const reader = await pinterest.connect({ scope: 'boards:read' });
    expect((await pinterest.call(reader, 'POST', 'boards', { name: 'Boats' })).status).toBe(403);
  });

  it('are listed in pages, the secret ones only with the scope to see them', async () => {
    const boards = [
      ...Array.from({ length: 28 }, (_, index) => ({ name: `Board ${index}` })),
      { name: 'Diary', privacy: 'SECRET' },
    ];
    await pinterest.control('POST', 'users', { username: login, boards });
    const first = await pinterest.call(token, 'GET', 'boards');
    expect(first.body.items).toHaveLength(25);
    const rest = await pinterest.call(token, 'GET', `boards?bookmark=${first.body.bookmark}`);
    expect([rest.body.items.length, rest.body.bookmark]).toEqual([5, null]);
    expect((await pinterest.call(token, 'GET', 'boards?page_size=251')).status).toBe(400);
    const trusted = await pinterest.connect({ scope: 'boards:read,boards:read_secret' });
    const all = await pinterest.call(trusted, 'GET', 'boards?page_size=250&privacy=SECRET');
    expect(all.body.items).toMatchObject([{ name: 'Diary' }]);
  });

  it('list their Pins, newest first', async () => {
    const first = await create({ title: 'One', board_section_id: section });
    pinterest.advance(1);
    const second = await create({ title: 'Two' });
    const listed = await pinterest.call(token, 'GET', `boards/${board}/pins?page_size=1`);
    expect(listed.body).toMatchObject({ items: [{ id: second.body.id }], bookmark: expect.any(String) });
    const inSection = await pinterest.call(token, 'GET', `boards/${board}/sections/${section}/pins`);
    expect(inSection.body.items).toMatchObject([
      { id: first.body.id, title: 'One', created_at: '2026-11-20T12:00:00', media: { media_type: 'image' } },
    ]);
    const own = await pinterest.call(token, 'GET', 'pins?page_size=1');
    expect(own.body).toMatchObject({
      items: [{ id: second.body.id, board_id: board }],
      bookmark: expect.any(String),
    });
    await pinterest.set({ listLagSeconds: 10 });
    await create({ title: 'Three' });
    expect((await pinterest.call(token, 'GET', `boards/${board}/pins`)).body.items).toHaveLength(2);
  });
});

describe('a Pin', () => {
  it('is live as soon as it is created', async () => {
    const { status, body } = await create({
      title: 'Harbour',
      description: 'At six',
      link: 'https://example.com/?a=1',
      alt_text: 'Boats',
    });
    expect([status, body]).toMatchObject([
      201,
      { id: expect.stringMatching(/^\d{18}$/), link: 'https://example.com/?a=1', board_id: board },
    ]);
    expect(await pinterest.posts()).toMatchObject([
      { id: body.id, permalink: `https://www.pinterest.com/pin/${body.id}/`, content: 'At six' },
    ]);
    await pinterest.call(token, 'DELETE', `pins/${body.id}`);
    expect((await pinterest.call(token, 'GET', `pins/${body.id}`)).body.code).toBe(50);
    expect(await pinterest.posts()).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, number, number]>([
    ['no board', { board_id: undefined }, 400, 1],
    ['a board by its name', { board_id: 'Harbour' }, 400, 1],
    ['a board as a number', { board_id: 12 }, 400, 1],
    ['a board that does not exist', { board_id: '12' }, 404, 40],
    ['a section that does not exist', { board_section_id: '12' }, 404, 2031],
    ["another board's section", { board_id: otherBoard, board_section_id: section }, 404, 2031],
    ['101 characters of title', { title: 'a'.repeat(101) }, 400, 1],
    ['801 characters of description', { description: 'a'.repeat(801) }, 400, 1],
    ['501 characters of alternative text', { alt_text: 'a'.repeat(501) }, 400, 1],
    ['a link of 2,049 characters', { link: `https://example.com/${'a'.repeat(2_029)}` }, 400, 1],
    ['a color by its name', { dominant_color: 'red' }, 400, 1],
    ['an unknown disclosure', { ai_disclosures: { values: ['AI'] } }, 400, 1],
    ['no disclosure in the list', { ai_disclosures: { values: [] } }, 400, 1],
    ['disclosures without values', { ai_disclosures: ['AI_MODIFIED'] }, 400, 1],
    ['no media source', { media_source: undefined }, 400, 1],
    [
      'an unknown source',
      { media_source: { source_type: 'audio_url', url: 'https://example.com/' } },
      400,
      1,
    ],
    [
      'a video that does not exist',
      { media_source: { source_type: 'video_id', media_id: '12', cover_image_key_frame_time: 1 } },
      404,
      4134,
    ],
  ])('with %s is refused', async (_name, changes, status, code) => {
    expect(await create(changes)).toMatchObject({ status, body: { code } });
    expect(await pinterest.posts()).toEqual([]);
  });

  it.each([
    ['missing.jpg', 'Unable to reach the URL'],
    ['broken.jpg', 'too small or of an unsupported type'],
    ['video.mp4', 'too small or of an unsupported type'],
  ])('of %s is refused', async (name, words) => {
    expect(await create({ media_source: image(name) })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(words) },
    });
  });

  it('can show two to five images', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, () => ({ url: address('square.jpg'), title: 'One' }));
    const carousel = (count: number, index = 0) =>
      create({ media_source: { source_type: 'multiple_image_urls', items: items(count), index } });
    expect((await carousel(1)).status).toBe(400);
    expect((await carousel(6)).status).toBe(400);
    expect((await carousel(2, 2)).status).toBe(400);
    expect((await carousel(5, 4)).status).toBe(201);
    expect((await pinterest.posts())[0]?.media).toHaveLength(5);
  });

  it('cannot show images of different sizes', async () => {
    const items = ['image.jpg', 'square.jpg'].map((name) => ({ url: address(name) }));
    expect(await create({ media_source: { source_type: 'multiple_image_urls', items } })).toMatchObject({
      status: 400,
      body: { code: 1, message: expect.stringContaining('same dimensions') },
    });
  });

  it('can be created only on the user’s own boards, not on ads-only or secret ones', async () => {
    await pinterest.control('POST', 'users', {
      username: 'north.light',
      boards: [
        { name: 'Ads', isAdsOnly: true },
        { name: 'Diary', privacy: 'SECRET' },
      ],
    });
    expect((await create({}, await pinterest.connect({ login: 'north.light' }))).status).toBe(403);
    const { body } = await pinterest.control('GET', 'accounts');
    const accounts = body as unknown as { username: string; boards: { id: string; name: string }[] }[];
    const theirs = accounts.find(({ username }) => username === 'north.light')?.boards ?? [];
    const north = await pinterest.connect({ login: 'north.light' });
    const boardNamed = (name: string) => theirs.find((one) => one.name === name)?.id;
    for (const name of ['Ads', 'Diary'])
      expect(await create({ board_id: boardNamed(name) }, north)).toMatchObject({
        status: 403,
        body: { code: 29 },
      });
    const usual = 'boards:read,boards:write,pins:read,pins:write';
    const seeing = `${usual},boards:read_secret,pins:read_secret`;
    const onDiary = async (scope: string) => {
      const trusted = await pinterest.connect({ login: 'north.light', scope });
      const { status } = await create({ board_id: boardNamed('Diary') }, trusted);
      const listed = await pinterest.call(trusted, 'GET', `boards/${boardNamed('Diary')}/pins`);
      return [status, listed.status, listed.body.items?.length];
    };
    expect(await onDiary(`${usual},boards:read_secret`)).toEqual([403, 403, undefined]);
    expect(await onDiary(seeing)).toEqual([403, 200, 0]);
    expect(await onDiary(`${seeing},boards:write_secret,pins:write_secret`)).toEqual([201, 200, 1]);
  });
});

describe('a video', () => {
  const register = async () => (await pinterest.call(token, 'POST', 'media', { media_type: 'video' })).body;
  const status = async (id: string) => (await pinterest.call(token, 'GET', `media/${id}`)).body['status'];
  const file = async (name = 'video.mp4') => new Blob([new Uint8Array(await readMedia(name))]);

  it('is uploaded to S3, processed, and then posted with exactly one cover', async () => {
    const { media_id: id, upload_parameters: parameters, upload_url: url } = await register();
    expect(url).toBe('https://pinterest-media-upload.s3-accelerate.amazonaws.com/');
    expect(await status(id)).toBe('registered');
    const answer = await pinterest.upload([...Object.entries(parameters), ['file', await file()]]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await status(id)).toBe('processing');
    const pin = (more: object) =>
      create({ media_source: { source_type: 'video_id', media_id: id, ...more } });
    expect((await pin({ cover_image_key_frame_time: 1 })).status).toBe(400);
    pinterest.advance(10);
    expect(await status(id)).toBe('succeeded');
    expect((await pin({})).status).toBe(400);
    expect((await pin({ cover_image_key_frame_time: 2.5 })).status).toBe(400);
    const twice = { cover_image_key_frame_time: 1, cover_image_url: address('image.jpg') };
    expect((await pin(twice)).status).toBe(400);
    expect((await pin({ cover_image_url: address('square.jpg') })).status).toBe(201);
    const { length } = await readMedia('video.mp4');
    expect(await pinterest.posts()).toMatchObject([
      { media: [{ type: 'video/mp4', bytes: length }], cover: { type: 'image/jpeg' } },
    ]);
  });

  it.each([
    ['two-seconds.mp4', 'failed'],
    ['image.jpg', 'failed'],
    ['moov-last.mp4', 'succeeded'],
  ])('of %s ends as %s', async (name, end) => {
    const id = await pinterest.video(token, name);
    pinterest.advance(10);
    expect(await status(id)).toBe(end);
  });

  it('belongs to the user who registered it', async () => {
    const media_id = await pinterest.video(token);
    pinterest.advance(10);
    const north = await pinterest.connect({ login: 'north.light' });
    expect((await pinterest.call(north, 'GET', `media/${media_id}`)).status).toBe(404);
  });

  const refusals: [
    string,
    (parameters: [string, string][], video: Blob) => [string, string | Blob][],
    string,
  ][] = [
    ['a missing field', ([, ...rest], video) => [...rest, ['file', video]], 'AccessDenied'],
    [
      'a changed field',
      (all, video) => [...all.map(([name]): [string, string] => [name, 'x']), ['file', video]],
      'AccessDenied',
    ],
    ['an extra field', (all, video) => [...all, ['title', 'x'], ['file', video]], 'AccessDenied'],
    ['no file', (all) => all, 'InvalidArgument'],
    ['the file first', (all, video) => [['file', video], ...all], 'AccessDenied'],
    [
      'the file before the last field',
      (all, video) => [...all.slice(0, -1), ['file', video], ...all.slice(-1)],
      'AccessDenied',
    ],
    ['two files', (all, video) => [...all, ['file', video], ['file', video]], 'InvalidArgument'],
  ];
  it.each(refusals)('is refused by S3 with %s', async (_name, entries, code) => {
    const { media_id, upload_parameters } = await register();
    const answer = await pinterest.upload(entries(Object.entries(upload_parameters), await file()));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).toContain(`<Code>${code}</Code>`);
    expect(await status(media_id)).toBe('registered');
  });

  it('is refused with a token, in another encoding, or after an hour', async () => {
    const { upload_parameters } = await register();
    const entries = [...Object.entries(upload_parameters), ['file', await file()] as const];
    const withToken = await pinterest.upload(entries, { authorization: `Bearer ${token}` });
    expect([withToken.status, withToken.text]).toEqual([400, expect.stringContaining('InvalidArgument')]);
    expect((await pinterest.upload(entries, { 'content-type': 'video/mp4' })).status).toBe(412);
    pinterest.advance(3_600);
    expect((await pinterest.upload(entries)).text).toContain('Policy expired');
  });

  it('is refused in chunks of unknown length', async () => {
    const status = await new Promise((resolve, reject) => {
      const sent = request(
        pinterest.uploadUrl(),
        { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
        (response) => {
          resolve(response.statusCode);
          response.resume();
        },
      );
      sent.on('error', reject);
      sent.write('--x\r\n');
      sent.end();
    });
    expect(status).toBe(411);
  });

  it('survives a restart once uploaded', async () => {
    const id = await pinterest.video(token);
    await pinterest.restart();
    pinterest.advance(10);
    expect(await status(id)).toBe('succeeded');
  });
});
