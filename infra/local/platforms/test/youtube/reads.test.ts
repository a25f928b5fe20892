import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMedia } from '../support/media.ts';
import {
  connect,
  control,
  day,
  type Fixture,
  get,
  openFixture,
  planFault,
  posts,
  readBody,
  reasonOf,
  second,
} from './support.ts';
import { metadata, sha256, uploadVideo, type VideoResource } from './upload-client.ts';

let fixture: Fixture;
let token: string;
beforeEach(async () => {
  fixture = await openFixture();
  token = (await connect(fixture)).access_token;
});
afterEach(() => fixture.close());

interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken?: string;
  readonly pageInfo: { readonly totalResults: number };
}

const read = async <T>(path: string, as = token) => readBody<Page<T>>(await get(fixture, as, path));
const titled = (title: string, privacyStatus = 'public') => ({
  body: { snippet: { ...metadata.snippet, title }, status: { privacyStatus } },
});
const video = async (id: string, part = 'status,processingDetails', as = token) =>
  (await read<VideoResource>(`videos?part=${part}&id=${id}`, as)).items[0];

interface Channel {
  readonly id: string;
  readonly contentDetails: { readonly relatedPlaylists: { readonly uploads: string } };
}
const uploadsOf = async () => {
  const { items } = await read<Channel>('channels?part=contentDetails&mine=true');
  return items[0]?.contentDetails.relatedPlaylists.uploads ?? '';
};

describe('channels.list', () => {
  it('shows the channel that was chosen at consent', async () => {
    const { items } = await read<Channel>('channels?part=snippet,contentDetails,status&mine=true');
    expect(items).toMatchObject([
      {
        kind: 'youtube#channel',
        id: expect.stringMatching(/^UC[\w-]{22}$/),
        snippet: { title: 'ada', customUrl: '@ada', thumbnails: { default: { url: expect.any(String) } } },
        contentDetails: { relatedPlaylists: { uploads: expect.stringMatching(/^UU/) } },
        status: { longUploadsStatus: 'allowed' },
      },
    ]);
  });

  it('returns no items for a Google account without a channel', async () => {
    await control(fixture, 'POST', 'users', { username: 'empty', hasChannel: false });
    const { access_token } = await connect(fixture, 'empty');
    expect((await read('channels?part=snippet&mine=true', access_token)).items).toEqual([]);
  });

  it.each([
    ['channels?part=snippet', '400 missingRequiredFilter'],
    ['channels?mine=true', '400 missingRequiredParameter'],
    ['channels?part=face&mine=true', '400 unknownPart'],
    ['videos?part=status', '400 missingRequiredFilter'],
    ['playlistItems?part=snippet', '400 missingRequiredParameter'],
    ['playlistItems?part=snippet&playlistId=UUnone', '404 playlistNotFound'],
    ['elsewhere', '404 notFound'],
  ])('and the other lists refuse %s', async (path, reason) => {
    expect(await reasonOf(await get(fixture, token, path))).toBe(reason);
  });

  it('and the other lists share a daily quota of units', async () => {
    await control(fixture, 'PUT', 'limits', { queries: 1 });
    await uploadsOf();
    expect(await reasonOf(await get(fixture, token, 'videos?part=status&id=x'))).toBe('403 quotaExceeded');
  });
});

describe('videos.list', () => {
  it('shows a video as processed after its processing', async () => {
    const { id } = await uploadVideo(fixture, token);
    expect(await video(id)).toMatchObject({
      status: { uploadStatus: 'uploaded' },
      processingDetails: { processingStatus: 'processing' },
    });
    fixture.clock.time += 10 * second;
    expect(await video(id)).toMatchObject({
      status: { uploadStatus: 'processed' },
      processingDetails: { processingStatus: 'succeeded' },
    });
  });

  it.each([
    ['error:codec', { uploadStatus: 'failed', failureReason: 'codec' }, 'failed'],
    ['error:duplicate', { uploadStatus: 'rejected', rejectionReason: 'duplicate' }, 'terminated'],
    ['timeout', { uploadStatus: 'uploaded' }, 'processing'],
  ])('shows the outcome of processing with the planned fault %s', async (fault, status, processingStatus) => {
    await planFault(fixture, 'processing', fault);
    const { id } = await uploadVideo(fixture, token);
    fixture.clock.time += 600 * second;
    expect(await video(id)).toMatchObject({ status, processingDetails: { processingStatus } });
  });

  it('shows private videos and processing details only to the owner', async () => {
    const hidden = await uploadVideo(fixture, token, titled('Mine', 'private'));
    const open = await uploadVideo(fixture, token, titled('Ours'));
    const other = (await connect(fixture, 'bob')).access_token;
    expect(await video(hidden.id)).toMatchObject({ id: hidden.id });
    expect(await video(hidden.id, 'status', other)).toBeUndefined();
    expect(await video(open.id, 'snippet', other)).toMatchObject({ snippet: { title: 'Ours' } });
    expect(await reasonOf(await get(fixture, other, `videos?part=processingDetails&id=${open.id}`))).toBe(
      '403 forbidden',
    );
  });

  it('shows a private video as public from its publishing time on', async () => {
    const publishAt = new Date(fixture.clock.time + 60 * second).toISOString();
    const body = { ...metadata, status: { privacyStatus: 'private', publishAt } };
    const { id } = await uploadVideo(fixture, token, { body });
    expect(await video(id)).toMatchObject({ status: { privacyStatus: 'private' } });
    fixture.clock.time += 60 * second;
    expect(await video(id)).toMatchObject({ status: { privacyStatus: 'public' } });
  });

  it('shows the owner the file name from the Slug header', async () => {
    const { id } = await uploadVideo(fixture, token, { headers: { slug: 'post-1.mp4' } });
    expect(await video(id, 'fileDetails')).toMatchObject({ fileDetails: { fileName: 'post-1.mp4' } });
  });
});

describe('playlistItems.list of the uploads', () => {
  it('shows the owner everything, newest first, page by page', async () => {
    for (const title of ['one', 'two', 'three']) {
      fixture.clock.time += 1500;
      await uploadVideo(fixture, token, titled(title, title === 'two' ? 'private' : 'public'));
    }
    const path = `playlistItems?part=snippet,contentDetails,status&maxResults=2&playlistId=${await uploadsOf()}`;
    const first = await read<VideoResource>(path);
    expect(first.items.map((item) => `${item.snippet.title} ${item.status['privacyStatus']}`)).toEqual([
      'three public',
      'two private',
    ]);
    expect(first.items[0]?.snippet.publishedAt).toBe('2026-11-20T20:00:04Z');
    const second = await read<VideoResource>(`${path}&pageToken=${first.nextPageToken}`);
    expect(second.items.map((item) => item.snippet.title)).toEqual(['one']);
    expect(second).not.toHaveProperty('nextPageToken');
    expect(second.pageInfo.totalResults).toBe(3);
    const other = (await connect(fixture, 'bob')).access_token;
    expect((await read<VideoResource>(path, other)).items.map((item) => item.snippet.title)).toEqual([
      'three',
      'one',
    ]);
  });

  it.each([
    ['maxResults=51', '400 badRequest'],
    ['pageToken=wrong', '400 invalidPageToken'],
  ])('refuses %s', async (query, reason) => {
    const path = `playlistItems?part=snippet&playlistId=${await uploadsOf()}&${query}`;
    expect(await reasonOf(await get(fixture, token, path))).toBe(reason);
  });
});

describe('thumbnails.set', () => {
  const set = (videoId: string, image: Buffer, type = 'image/jpeg', as = token) =>
    fetch(
      `${fixture.simulator.url}/www.googleapis.com/upload/youtube/v3/thumbnails/set?uploadType=media&videoId=${videoId}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${as}`, 'content-type': type },
        body: new Uint8Array(image),
      },
    );

  it.each([
    ['image/jpeg', 'image.jpg'],
    ['image/png', 'image.png'],
  ])('sets an image of type %s', async (type, name) => {
    const image = await readMedia(name);
    const { id } = await uploadVideo(fixture, token);
    const response = await set(id, image, type);
    expect(response.status).toBe(200);
    expect(await readBody(response)).toMatchObject({ kind: 'youtube#thumbnailSetResponse' });
    expect((await posts(fixture))[0]?.thumbnail).toEqual({
      type,
      bytes: image.length,
      sha256: sha256(image),
    });
  });

  it('succeeds for a Short, but changes nothing until the Short is processed', async () => {
    const image = await readMedia('image.jpg');
    const { id } = await uploadVideo(fixture, token, { file: await readMedia('video.mp4') });
    expect((await set(id, image)).status).toBe(200);
    expect((await posts(fixture))[0]).not.toHaveProperty('thumbnail');
    fixture.clock.time += 10_000;
    expect((await set(id, image)).status).toBe(200);
    expect((await posts(fixture))[0]?.thumbnail).toMatchObject({ sha256: sha256(image) });
  });

  const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
  it.each([
    ['an unknown video', 'nothing', jpeg, 'image/jpeg', '404 videoNotFound'],
    ['another type', 'own', jpeg, 'image/webp', '400 badContent'],
    ['no bytes', 'own', Buffer.alloc(0), 'image/jpeg', '400 mediaBodyRequired'],
    ['bytes that are not an image', 'own', Buffer.from('<html></html>'), 'image/jpeg', '400 invalidImage'],
    [
      'more than 50 MB',
      'own',
      Buffer.concat([jpeg, Buffer.alloc(50 * 1024 ** 2)]),
      'image/jpeg',
      '413 uploadTooLarge',
    ],
  ])('refuses %s', async (_, which, image, type, reason) => {
    const { id } = await uploadVideo(fixture, token);
    expect(await reasonOf(await set(which === 'own' ? id : which, image, type))).toBe(reason);
  });

  it('is forbidden for an unverified channel and for the video of another user', async () => {
    const { id } = await uploadVideo(fixture, token);
    const other = (await connect(fixture, 'bob')).access_token;
    expect(await reasonOf(await set(id, jpeg, 'image/jpeg', other))).toBe('403 forbidden');
    await control(fixture, 'POST', 'users', { username: 'ada', isVerified: false });
    expect(await reasonOf(await set(id, jpeg))).toBe('403 forbidden');
  });

  it('costs 50 units', async () => {
    await control(fixture, 'PUT', 'limits', { queries: 99 });
    const { id } = await uploadVideo(fixture, token);
    expect((await set(id, jpeg)).status).toBe(200);
    expect(await reasonOf(await set(id, jpeg))).toBe('403 quotaExceeded');
    fixture.clock.time += day;
    token = (await connect(fixture)).access_token;
    expect((await set(id, jpeg)).status).toBe(200);
  });
});
