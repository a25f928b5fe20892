import { afterEach, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { type Client, clientOf, settled, until } from '../../journeys/support/client.ts';
import { passing, readClock } from '../../journeys/support/clock.ts';
import { type PlatformControl, platformOf } from '../../journeys/support/platforms.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

/** More than the environments that the local cloud gives to one function. */
const uploads = 12;
/** YouTube's processing time for the bytes of each upload. */
const uploadSeconds = 60;
const others = 10;

let cloud: CloudVisit;
let client: Client;
let youtube: PlatformControl;
visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
  youtube = platformOf(cloud, 'youtube');
});
afterEach(() => youtube.clearFaults());

describe('uploads that are slow', () => {
  it('occupy no worker of the targets that are due meanwhile', async () => {
    const [image, video] = await Promise.all([client.upload('image.jpg'), client.upload('video.mp4')]);
    await youtube.planFault('videos.insert.start', `slow:${uploadSeconds}`, uploads);
    const slow = await Promise.all(
      Array.from({ length: uploads }, (_, index) =>
        client.createPost({
          content: `Slow ${index}`,
          mediaItems: [{ type: 'video', url: video }],
          platforms: [
            { accountId: client.accountId('youtube'), platformSpecificData: { madeForKids: false } },
          ],
          publishNow: true,
        }),
      ),
    );
    const isSending = () =>
      youtube.requests().then((all) => all.some(({ fault }) => fault?.startsWith('slow')));
    await until(isSending, Boolean, { withinSeconds: 30 });

    const posts = await Promise.all(
      Array.from({ length: others }, (_, index) =>
        client.createPost({
          content: `Due ${index}`,
          mediaItems: [{ type: 'image', url: image }],
          platforms: [{ accountId: client.accountId('instagram') }],
          publishNow: true,
        }),
      ),
    );
    const ends = await Promise.all(posts.map(({ id }) => settled(client, id, { withinSeconds: 40 })));

    expect(ends.map(({ status }) => status)).toEqual(posts.map(() => 'published'));
    const states = await Promise.all(slow.map(({ id }) => client.readPost(id)));
    expect(states.map(({ status }) => status)).toEqual(slow.map(() => 'scheduled'));
  });
});

it('a private video whose post is deleted before its time is deleted on YouTube, under the deployed rights', async () => {
  const title = 'Deleted before its time';
  // The uploads of other posts go on meanwhile.
  const ownVideos = async () => (await youtube.videos()).filter((video) => video.title === title);
  const { id } = await client.createPost({
    content: title,
    mediaItems: [{ type: 'video', url: await client.upload('two-seconds.mp4') }],
    platforms: [{ accountId: client.accountId('youtube') }],
    scheduledFor: new Date((await readClock(cloud)) + 15 * minuteMs).toISOString(),
  });
  const [uploaded] = await until(ownVideos, (videos) => videos.length > 0, { withinSeconds: 40 });
  expect(uploaded?.privacyStatus).toBe('private');
  expect((await client.readPost(id)).platforms[0]).toMatchObject({
    status: 'scheduled',
    platformPostId: null,
  });
  await client.expectStatus(200, 'DELETE', `/v1/posts/${id}`);
  await until(ownVideos, (videos) => videos.length === 0, { withinSeconds: 60, ...passing(cloud, 20) });
  expect(await youtube.postsSaying(title)).toEqual([]);
}, 120_000);
