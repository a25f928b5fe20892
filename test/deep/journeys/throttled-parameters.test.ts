import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientOf, settled, targetOf } from '../../journeys/support/client.ts';
import { advanceTo, readClock } from '../../journeys/support/clock.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

const minuteMs = 60_000;
/** The time between two messages of a publishing worker, and a busy machine. */
const punctualMs = 15_000;

let cloud: TestCloud;
let client: Client;
beforeAll(async () => {
  cloud = await startTestCloud();
  client = clientOf(cloud, cloud.demo);
});
afterAll(() => cloud.stop());

async function setRates(rates: object): Promise<void> {
  const response = await fetch(`${cloud.awsEndpoint}/_local/rates`, {
    method: 'POST',
    body: JSON.stringify(rates),
  });
  expect(response.status).toBe(200);
}

const postAt = (content: string, atMs: number) =>
  client.createPost({
    content,
    platforms: [{ accountId: client.accountId('threads') }],
    scheduledFor: new Date(atMs).toISOString(),
  });

it('posts are on time while the parameter store is throttled', async () => {
  const dueMs = (await readClock(cloud)) + 20 * minuteMs;
  const first = await postAt('before', dueMs - 10 * minuteMs);
  const posts = await Promise.all(
    Array.from({ length: 12 }, (_, index) => postAt(`throttled ${index}`, dueMs)),
  );
  await advanceTo(cloud, dueMs - 10 * minuteMs);
  expect(targetOf(await settled(client, first.id), 'threads').status).toBe('published');

  // Less than one call for each of the posts, and what the first post read is older than five minutes.
  await setRates({ ssm: { perSecond: 1, burst: 1 } });
  await advanceTo(cloud, dueMs - 1_000);
  for (const { id } of posts) {
    const { status, publishedAt } = targetOf(await settled(client, id), 'threads');
    expect(status).toBe('published');
    expect(Date.parse(publishedAt ?? '') - dueMs).toBeLessThan(punctualMs);
  }
  expect(cloud.functionLines.filter((line) => line.includes('the work on a target failed'))).toEqual([]);
  await setRates({ ssm: null });
}, 120_000);
