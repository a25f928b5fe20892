import { setTimeout as delay } from 'node:timers/promises';
import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { demoUsername } from '../../bin/dev/platforms.ts';
import { dayMs, hourMs, secondMs } from '../../lib/kernel/clock.ts';
import { clientOf } from '../journeys/support/client.ts';
import { type Crowd, messageCrowd } from '../support/crowd.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { percentile } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';

interface Size {
  readonly burst: {
    readonly people: number;
    readonly seconds: number;
    readonly lookEverySeconds: number;
    /** Time to wait for possible duplicates. */
    readonly watchedSeconds: number;
  };
  readonly crowd: Omit<Crowd, 'atMs'>;
}

const full: Size = {
  burst: { people: 700, seconds: 10, lookEverySeconds: 2, watchedSeconds: 5 },
  crowd: { people: 2_000, perHour: 750, repeated: 500, hours: 3 },
};
const patienceSeconds = 120;

export const automations = defineBench<Size>({
  name: 'automations',
  describe: `replies to ${full.burst.people} people who comment in ${full.burst.seconds} s, and to ${full.crowd.people} who exceed the hourly limit`,
  sizes: {
    full,
    smallest: {
      burst: { people: 2, seconds: 0, lookEverySeconds: 0.1, watchedSeconds: 0 },
      crowd: { people: 2, perHour: 2, repeated: 1, hours: 0.05 },
    },
  },
  measure: ({ burst, crowd }, { progress, withCloud }) =>
    withCloud({}, async (cloud) => [
      await measureBurst(cloud, burst, progress),
      await measureCrowd(cloud, crowd, progress),
    ]),
});

/** A comment or message in the simulated Instagram. */
interface SimulatedText {
  readonly username: string;
  readonly at: number;
}

/** Calls the control address of the simulated Instagram. */
async function control<T>(cloud: TestCloud, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${cloud.platforms['instagram']?.control}/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function measureBurst(
  cloud: TestCloud,
  burst: Size['burst'],
  progress: (line: string) => void,
): Promise<BenchTable> {
  const client = clientOf(cloud, cloud.demo);
  await control(cloud, 'PUT', 'settings', { webhookTwiceEvery: 3 });
  const { id: postId } = await control<{ id: string }>(cloud, 'POST', 'posts', {
    username: demoUsername('demo'),
  });
  await client.expectStatus(201, 'POST', '/v1/comment-automations', {
    accountId: client.accountId('instagram'),
    platformPostId: postId,
    keywords: ['link'],
    commentReply: 'Sent!',
    dmMessage: 'https://shop.example.com/a',
  });
  progress(`${burst.people} people comment in ${burst.seconds} s`);
  const commented = new Map<string, number>();
  const begunMs = Date.now();
  const comment = async (person: number) => {
    await delay((person * burst.seconds * secondMs) / burst.people);
    const username = `burst.${person}`;
    const { at } = await control<SimulatedText>(cloud, 'POST', 'comments', {
      postId,
      username,
      text: 'Link please',
    });
    commented.set(username, at);
  };
  await Promise.all(Array.from({ length: burst.people }, (_, person) => comment(person)));
  const tookMs = Date.now() - begunMs;
  const look = async () => {
    const messages = await control<readonly SimulatedText[]>(cloud, 'GET', 'messages');
    const replies = await control<readonly unknown[]>(cloud, 'GET', 'replies');
    return { messages, replies };
  };
  const deadline = Date.now() + patienceSeconds * secondMs;
  while (Date.now() < deadline) {
    const { messages, replies } = await look();
    if (messages.length >= burst.people && replies.length >= burst.people) break;
    progress(`${messages.length} messages, ${replies.length} replies`);
    await delay(burst.lookEverySeconds * secondMs);
  }
  // Wait for possible duplicates.
  await delay(burst.watchedSeconds * secondMs);
  const { messages, replies } = await look();
  const deliveries = await control<readonly unknown[]>(cloud, 'GET', 'webhooks');
  const people = new Set(messages.map(({ username }) => username)).size;
  const waits = messages
    .map(({ username, at }) => at - (commented.get(username) ?? Number.NaN))
    .toSorted((left, right) => left - right);
  const met = [people === burst.people, messages.length === people, replies.length === burst.people];
  return {
    title: `${burst.people} people comment on the post of one automation in ${(tookMs / secondMs).toFixed(0)} s`,
    columns: ['what', 'value', 'met'],
    rows: [
      ['people messaged', String(people), verdict(met[0])],
      ['duplicate messages', String(messages.length - people), verdict(met[1])],
      ['public replies', String(replies.length), verdict(met[2])],
      ['webhooks received', String(deliveries.length), ''],
      ['from comment to message, p50, ms', String(percentile(waits, 0.5)), ''],
      ['p99, ms', String(percentile(waits, 0.99)), ''],
      ['maximum, ms', String(percentile(waits, 1)), ''],
    ],
    notes: [
      'Every third webhook is sent twice. Everything runs on one machine: database, queues, functions and Instagram.',
    ],
    bounds: countBounds(met),
  };
}

async function measureCrowd(
  cloud: TestCloud,
  crowd: Size['crowd'],
  progress: (line: string) => void,
): Promise<BenchTable> {
  progress(`${crowd.people} people at ${crowd.perHour} messages per hour`);
  // Later than the cloud's own clock, so that its sweeps do not process these comments.
  const atMs = cloud.clock.now() + 10 * dayMs;
  const sent = await messageCrowd(openTableAsAdministrator(cloud), { ...crowd, atMs });
  const people = new Set(sent.map(({ commentId }) => commentId)).size;
  const inHour = (hour: number) => sent.filter(({ afterMs }) => Math.floor(afterMs / hourMs) === hour).length;
  const last = Math.max(...sent.map(({ afterMs }) => afterMs)) / 60_000;
  const met = [people === crowd.people, sent.length === people, last <= 180];
  return {
    title: `${crowd.people} people comment at the same moment; ${crowd.perHour} messages per hour are allowed`,
    columns: ['what', 'value', 'met'],
    rows: [
      ['people messaged', String(people), verdict(met[0])],
      ['duplicate messages', String(sent.length - people), verdict(met[1])],
      ['last message after, minutes', last.toFixed(0), verdict(met[2])],
      ...Array.from({ length: crowd.hours }, (_, hour) => [`in hour ${hour + 1}`, String(inHour(hour)), '']),
    ],
    notes: [
      `${crowd.repeated} comments are delivered twice. The engine runs on the local cloud's table, with queue and Instagram in memory`,
      'and a clock that the bench moves minute by minute.',
    ],
    bounds: countBounds(met),
  };
}
