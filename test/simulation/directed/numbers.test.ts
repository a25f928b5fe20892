import { expect, it } from 'vitest';
import { hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { targetOfNumbers } from '../../../lib/table/keys.ts';
import { eventBody } from '../../../lib/webhooks/events/store.ts';
import { WebhookEvent } from '../../../lib/webhooks/schemas.ts';
import type { Database, Item } from '../../support/database/database.ts';
import { createMemoryDatabase } from '../../support/database/memory.ts';
import { startMs } from '../scenario/history.ts';
import { runScenario } from '../simulate.ts';
import { noFaults } from '../world/faults.ts';
import { directedScenario, postToAll } from './scenario.ts';

const dueMs = startMs + 2 * hourMs;
const posts = [0, 10].map((minutes) => postToAll(`post ${minutes}`, dueMs + minutes * minuteMs));
const crashing = { crash: 0.02, connectionLost: 0.05, tableReplyLost: 0.05, platformFails: 0.05 };

/** Publishes the posts and reads their numbers at the ages of an hour and a day, which the judge compares with the events. */
async function run(
  seed: number,
  faults: Partial<typeof noFaults>,
  disconnects: readonly { account: number; atMs: number }[] = [],
) {
  let items: readonly Item[] = [];
  const engine = createMemoryDatabase();
  const database: Database = {
    async request(operation, input) {
      if (operation === 'DeleteTable')
        items = (await engine.request('Scan', input))['Items'] as readonly Item[];
      return engine.request(operation, input);
    },
  };
  const { violation, targets } = await runScenario(
    directedScenario({
      posts,
      world: { seed, faults: { ...noFaults, ...faults }, faultsEndMs: dueMs + 26 * hourMs },
      deployment: { readsNumbers: true },
      workspace: { disconnects, hasWebhook: true },
    }),
    { database },
  );
  const rows = items.filter(({ kind }) => kind === 'postNumbers');
  const told = items
    .filter(({ kind, type }) => kind === 'webhookEvent' && type === 'post.metrics')
    .map((event) => {
      const { data } = JSON.parse(eventBody(WebhookEvent.parse(event)).toString()) as {
        data: { postId: string; accountId: string; snapshot: { age: string } };
      };
      return `${data.postId} ${data.accountId} ${data.snapshot.age}`;
    });
  const live = targets.filter(({ status }) => status === 'published');
  return { violation, rows, told, live };
}

it.each([1, 2, 3])('processes that crash lose no numbers and tell none twice: %s', async (seed) => {
  const { violation, rows, told, live } = await run(seed, crashing);
  expect(violation).toBeUndefined();
  expect(rows).toHaveLength(live.length);
  expect(live.length).toBeGreaterThan(posts.length);
  const expected = rows.flatMap((row) => {
    const { postId, accountId } = targetOfNumbers({ pk: String(row['pk']), sk: String(row['sk']) });
    return ['1h', '1d'].map((age) => `${postId} ${accountId} ${age}`);
  });
  expect(told.toSorted()).toEqual(expected.toSorted());
});

it.each([1, 2])('nothing is read of an account after it was disconnected: %s', async (seed) => {
  const disconnects = [{ account: 0, atMs: dueMs + 5 * hourMs }];
  const { violation, rows, told, live } = await run(seed, crashing, disconnects);
  expect(violation).toBeUndefined();
  expect(rows.length).toBeLessThan(live.length);
  expect(told.filter((text) => text.endsWith('1h'))).toHaveLength(live.length);
  expect(told.filter((text) => text.endsWith('1d'))).toHaveLength(rows.length);
});
