import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { dayIn, endOfDayMs } from '../../../lib/kernel/time-zone.ts';
import { StoredPostReply } from '../../../lib/posts/view/schemas.ts';
import { type Client, clientOf, settled, targetOf, until } from '../../journeys/support/client.ts';
import { advanceTo, passing, readClock } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

const minuteMs = 60_000;
const timeZone = 'America/Los_Angeles';

let cloud: TestCloud;
let [large, small] = [] as unknown as [Client, Client];
let dueMs: number;

/** An app with three uploads per day, at YouTube and in the stage, and a day that has just begun. */
beforeAll(async () => {
  cloud = await startTestCloud({ dailyLimits: { youtube: 3 } });
  await platformOf(cloud, 'youtube').limits({ 'videos.insert': 3 });
  [large, small] = [clientOf(cloud, cloud.demo), clientOf(cloud, cloud.other)];
  await advanceTo(cloud, endOfDayMs(timeZone, await readClock(cloud)) + minuteMs);
  dueMs = (await readClock(cloud)) + 60 * minuteMs;
});
afterAll(() => cloud.stop());

/** Small steps: a worker that is slow must not lose its lease, or it would start its upload twice. */
const patience = () => ({ withinSeconds: 60, ...passing(cloud, 5) });

async function videoOf(client: Client, content: string, atMs: number) {
  return {
    content,
    mediaItems: [{ type: 'video', url: await client.upload('two-seconds.mp4') }],
    platforms: [{ accountId: client.accountId('youtube') }],
    scheduledFor: new Date(atMs).toISOString(),
  };
}

it('a workspace that fills the day of an app leaves another its place, and waits itself', async () => {
  const posts: z.infer<typeof StoredPostReply>[] = [];
  const validate = async (client: Client, body: object) =>
    z
      .object({ valid: z.boolean(), warnings: z.array(z.object({ field: z.string(), message: z.string() })) })
      .parse((await client.expectStatus(200, 'POST', '/v1/posts/validate', body)).json());
  const knows = (share: number) => async () => {
    const { warnings } = await validate(large, await videoOf(large, 'asked only', dueMs));
    return warnings.some(({ message }) =>
      message.includes(`planned or used 4 with this one, and its share is ${share}.`),
    );
  };
  for (let number = 1; number <= 3; number += 1) {
    const body = await videoOf(large, `large ${number}`, dueMs);
    posts.push(StoredPostReply.parse((await large.expectStatus(201, 'POST', '/v1/posts', body)).json()));
  }
  expect(posts.flatMap(({ warnings }) => warnings)).toEqual([]);
  await until(knows(3), Boolean);

  const video = await videoOf(small, 'small', dueMs + 60 * minuteMs);
  expect(await validate(small, video)).toMatchObject({ valid: true, warnings: [] });
  const single = await small.createPost(video);
  await until(knows(2), Boolean);
  const refused = await large.request('POST', '/v1/posts', {
    ...(await videoOf(large, 'refused', dueMs)),
    onQuota: 'fail',
  });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('platforms[0].scheduledFor')]);

  await advanceTo(cloud, dueMs - 4 * minuteMs);
  await until(
    async () => Promise.all(posts.map(({ post }) => large.readPost(post.id))),
    (read) => read.filter(({ status }) => status === 'published').length === 2,
    patience(),
  );
  const last = await large.readPost(posts[2]?.post.id ?? '');
  expect(targetOf(last, 'youtube')).toMatchObject({
    status: 'scheduled',
    error: expect.stringMatching(/^waiting for a limit of the platform.*its share of 2 for/),
  });

  await advanceTo(cloud, dueMs + 56 * minuteMs);
  const published = targetOf(await settled(small, single.id, patience()), 'youtube');
  expect(published.status).toBe('published');
  expect(dayIn(timeZone, Date.parse(published.publishedAt ?? ''))).toBe(dayIn(timeZone, dueMs));

  // A destination comes back up to ten minutes after the end of the day.
  await advanceTo(cloud, endOfDayMs(timeZone, dueMs) + 11 * minuteMs);
  const waited = targetOf(await settled(large, last.id, patience()), 'youtube');
  expect(waited).toMatchObject({ status: 'published', error: null });
}, 180_000);
