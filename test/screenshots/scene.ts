import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { demoUsername } from '../../bin/dev/platforms.ts';
import { UploadGrant } from '../../lib/media/operations.ts';
import type { PostView } from '../../lib/posts/view/schemas.ts';
import { type Client, clientOf, parsePost, settled, until } from '../journeys/support/client.ts';
import { advance, advanceTo, passTo, readClock } from '../journeys/support/clock.ts';
import { platformOf } from '../journeys/support/platforms.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import type { PictureName } from './pictures.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** Posts are prepared ten minutes ahead at most, and their schedules fire a minute and a half before that. */
const longestLeadMs = 12 * minuteMs;

/** The ids that the pages need. */
export interface Scene {
  readonly livePostId: string;
  readonly plannedPostId: string;
  readonly automationId: string;
  /** Epoch milliseconds: the time on the cloud's clock. */
  readonly now: number;
}

interface Planned {
  readonly day: number;
  /** Time on the clocks of Berlin. */
  readonly time: string;
  readonly content: string;
  readonly picture?: PictureName;
  readonly platforms: readonly string[];
}

const planned: readonly Planned[] = [
  {
    day: 0,
    time: '18:30',
    content: 'Late shift: open until nine tonight',
    platforms: ['threads', 'facebook'],
  },
  {
    day: 1,
    time: '09:00',
    content: 'New in: Yirgacheffe, washed, with notes of bergamot',
    picture: 'beans',
    platforms: ['instagram', 'facebook', 'threads'],
  },
  {
    day: 1,
    time: '17:00',
    content: 'We are hiring baristas for the harbour branch',
    platforms: ['linkedin'],
  },
  {
    day: 2,
    time: '12:15',
    content: 'Cherry cake is back',
    picture: 'cake',
    platforms: ['instagram', 'pinterest'],
  },
  {
    day: 3,
    time: '08:45',
    content: 'Five plants that like coffee grounds',
    picture: 'plant',
    platforms: ['pinterest', 'threads'],
  },
  {
    day: 4,
    time: '19:00',
    content: 'Concert at the harbour on Saturday',
    picture: 'harbour',
    platforms: ['instagram', 'facebook'],
  },
  {
    day: 6,
    time: '10:00',
    content: 'How we roast: a short series',
    picture: 'cup',
    platforms: ['linkedin', 'facebook', 'instagram'],
  },
  { day: 8, time: '09:30', content: 'Opening hours in the holidays', platforms: ['facebook', 'threads'] },
  {
    day: 9,
    time: '16:00',
    content: 'Gift vouchers, also by post',
    picture: 'cake',
    platforms: ['instagram', 'pinterest'],
  },
];

/** The posts of the past week, one per day. */
const past: readonly Pick<Planned, 'time' | 'content' | 'picture' | 'platforms'>[] = [
  { time: '09:00', content: 'What should we roast next?', platforms: ['threads', 'facebook'] },
  { time: '12:15', content: 'Lunch today: soup and sourdough', platforms: ['instagram'], picture: 'cup' },
  {
    time: '08:30',
    content: 'Fresh from the roaster',
    platforms: ['instagram', 'facebook'],
    picture: 'beans',
  },
  { time: '17:00', content: 'How we choose our farms', platforms: ['facebook', 'threads'] },
  { time: '09:45', content: 'Carrot cake, while it lasts', platforms: ['instagram'], picture: 'cake' },
  { time: '18:30', content: 'Coffee grounds for your garden', platforms: ['threads'], picture: 'plant' },
  { time: '10:00', content: 'Sunday at the harbour', platforms: ['facebook', 'threads'], picture: 'harbour' },
];

/**
 * Fills the demo workspace as a café would: posts of the last and the next days, all of them on time, and an automation with clicks.
 *
 * @param pictures JPEG files by name
 */
export async function setScene(
  cloud: TestCloud,
  pictures: ReadonlyMap<PictureName, Buffer>,
  progress: (line: string) => void,
): Promise<Scene> {
  const client = clientOf(cloud, cloud.demo);
  await client.expectStatus(200, 'PATCH', '/v1/workspace', { name: 'Nordlicht', timezone: 'Europe/Berlin' });
  const urls = new Map<PictureName, string>();
  for (const [name, bytes] of pictures) urls.set(name, await upload(client, `${name}.jpg`, bytes));
  const itemsOf = (name: PictureName | undefined) =>
    name === undefined ? [] : [{ type: 'image', url: urls.get(name), altText: `A drawing: ${name}` }];

  progress('posts that are live');
  const live = await publish(client, {
    content: 'Good morning! The first cup is on us today. Comment “BEANS” and we send you the recipe.',
    mediaItems: itemsOf('cup'),
    platforms: ['instagram', 'facebook', 'threads'].map((name) => ({ accountId: client.accountId(name) })),
  });
  const automationId = await answerComments(cloud, client, live, {
    progress,
    eachDay: async (day) => {
      const { picture, ...post } = past[day] ?? { content: '', time: '10:00', platforms: [] };
      await goLive(cloud, client, { ...post, mediaItems: itemsOf(picture) });
    },
  });

  progress('the next days');
  await advanceTo(cloud, nextTime(await readClock(cloud), '10:30'));
  let plannedPostId = '';
  const boardId = await firstBoard(client);
  const now = await readClock(cloud);
  for (const { day, time, content, picture, platforms } of planned) {
    const date = new Date(now + day * dayMs).toISOString().slice(0, 10);
    const body = {
      content,
      mediaItems: itemsOf(picture),
      timezone: 'Europe/Berlin',
      scheduledFor: `${date}T${time}`,
      platforms: platforms.map((name) => ({
        accountId: client.accountId(name),
        ...(name === 'pinterest' && { platformSpecificData: { boardId } }),
      })),
    };
    const answer = await client.request('POST', '/v1/posts', body);
    // The first day may already be over.
    if (answer.status !== 201 && day > 0) throw new Error(`the post ${content} was refused: ${answer.text}`);
    if (day === 1 && plannedPostId === '') plannedPostId = parsePost(answer).id;
  }
  await client.expectStatus(201, 'POST', '/v1/posts', {
    content: 'Summer menu (waiting for the photographs)',
    isDraft: true,
    platforms: [{ accountId: client.accountId('instagram') }],
  });
  return { livePostId: live.id, plannedPostId, automationId, now };
}

const Boards = z.object({ boards: z.array(z.object({ id: z.string() })) });

async function firstBoard(client: Client): Promise<string | undefined> {
  const path = `/v1/accounts/${client.accountId('pinterest')}/boards`;
  return Boards.parse((await client.expectStatus(200, 'GET', path)).json()).boards[0]?.id;
}

async function upload(client: Client, filename: string, bytes: Buffer): Promise<string> {
  const asked = { filename, contentType: 'image/jpeg', size: bytes.length };
  const grant = UploadGrant.parse(
    (await client.expectStatus(200, 'POST', '/v1/media/presign', asked)).json(),
  );
  const put = await fetch(grant.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(bytes),
  });
  if (!put.ok) throw new Error(`the upload returned ${put.status}: ${await put.text()}`);
  return grant.publicUrl;
}

async function publish(client: Client, body: object): Promise<PostView> {
  const { id } = await client.createPost({ ...body, publishNow: true });
  return settled(client, id);
}

/** Returns the next time at which the clocks of Berlin show a time of the day, in epoch milliseconds. @param now epoch milliseconds */
function nextTime(now: number, time: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO('Europe/Berlin')
    .withPlainTime(time);
  const days = today.epochMilliseconds > now + minuteMs ? 0 : 1;
  return today.add({ days }).epochMilliseconds;
}

/** Schedules a post of the next 24 hours, and lets it go live. */
async function goLive(
  cloud: TestCloud,
  client: Client,
  { time, platforms, ...body }: Pick<Planned, 'time' | 'content' | 'platforms'> & { mediaItems: object[] },
): Promise<void> {
  const next = nextTime(await readClock(cloud), time);
  const { id } = await client.createPost({
    ...body,
    scheduledFor: new Date(next).toISOString(),
    platforms: platforms.map((name) => ({ accountId: client.accountId(name) })),
  });
  await advanceTo(cloud, next - longestLeadMs);
  // The rest passes in real time, so that the workers of the local cloud are ready before the post is due.
  await passTo(cloud, next - 5_000, 20);
  await settled(client, id);
}

/** Lets an account lose its access, and a post fail because of that. */
export async function loseAccess(cloud: TestCloud): Promise<void> {
  const client = clientOf(cloud, cloud.demo);
  await platformOf(cloud, 'threads').revoke(demoUsername('demo'));
  await publish(client, {
    content: 'Any questions about our beans?',
    platforms: [{ accountId: client.accountId('threads') }, { accountId: client.accountId('facebook') }],
  });
}

const Made = z.object({ automation: z.object({ id: z.string() }) });
const Links = z.object({ links: z.array(z.object({ address: z.string() })) });

/** A week of comments and clicks. */
async function answerComments(
  cloud: TestCloud,
  client: Client,
  post: PostView,
  { progress, eachDay }: { progress(line: string): void; eachDay(day: number): Promise<void> },
) {
  const target = post.platforms.find(({ platform }) => platform === 'instagram');
  const made = await client.expectStatus(201, 'POST', '/v1/comment-automations', {
    name: 'Recipe by message',
    accountId: target?.accountId,
    platformPostId: target?.platformPostId,
    keywords: ['beans', 'recipe'],
    commentReply: 'It is in your messages!',
    dmMessage: 'Here is the recipe, fresh from the roastery.',
    buttons: [{ type: 'url', title: 'To the recipe', url: 'https://nordlicht.example/recipes/first-cup' }],
  });
  const { id } = Made.parse(made.json()).automation;
  const path = `/v1/links?automationId=${id}`;
  const { links } = Links.parse((await client.expectStatus(200, 'GET', path)).json());
  const address = links[0]?.address ?? '';
  for (const [day, clicks] of [3, 9, 14, 8, 6, 11, 4].entries()) {
    progress(`comments and clicks of day ${day + 1}`);
    for (let number = 0; number < clicks; number++) {
      const comment = {
        postId: target?.platformPostId,
        username: `guest.${day}.${number}`,
        text: 'BEANS please!',
      };
      await comments(cloud, comment);
      await fetch(address, { redirect: 'manual' });
    }
    const start = await readClock(cloud);
    await until(
      async () => client.expectStatus(200, 'GET', `/v1/comment-automations/${id}`),
      (answer) => /"messaged":(\d+)/.exec(answer.text)?.[1] !== '0',
      { meanwhile: () => advance(cloud, 5) },
    );
    await eachDay(day);
    await advanceTo(cloud, start + dayMs);
  }
  return id;
}

async function comments({ platforms }: Pick<TestCloud, 'platforms'>, comment: object): Promise<void> {
  const answer = await fetch(`${platforms['instagram']?.control}/comments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(comment),
  });
  if (!answer.ok) throw new Error(`a comment returned ${answer.status}: ${await answer.text()}`);
}
