import { beforeAll, describe, expect, it } from 'vitest';
import type { ChainMessage } from '../../../lib/chains/index.ts';
import { sweepOverdue } from '../../../lib/sweeping/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { crossPost, minuteMs, openChain } from './harness.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** The chains that a sweep asks after at this moment, of one post alone. */
async function sweptOf(postId: string, now: number): Promise<ChainMessage[]> {
  const messages: ChainMessage[] = [];
  await sweepOverdue({
    table,
    now,
    enqueue: async () => {},
    enqueueChain: async (message) => {
      if (message.postId === postId) messages.push(message);
    },
  });
  return messages;
}

describe('the sweep', () => {
  it('finds a chain that nobody was told of, until all its steps are posts', async () => {
    const { post, goLive, run, clock, children } = await openChain(table, (desk) => [
      crossPost(desk),
      crossPost(desk),
    ]);
    await goLive();
    expect(await sweptOf(post.id, startMs + 5 * minuteMs)).toEqual([]);
    clock.time = startMs + 6 * minuteMs;
    const { workspaceId, id: postId } = post;
    expect(await sweptOf(postId, clock.time)).toEqual([{ workspaceId, postId }]);
    await run();
    expect(await children()).toHaveLength(2);
    expect(await sweptOf(postId, clock.time + 10_000 * minuteMs)).toEqual([]);
  });

  it('asks ever more rarely after a post of which nothing goes live', async () => {
    const { fail, run, clock, read } = await openChain(table, (desk) => [crossPost(desk)]);
    await fail();
    const askedAfterMinutes: number[] = [];
    for (let times = 0; times < 12; times += 1) {
      clock.time = Date.parse((await read()).post.chainWakeAt ?? '');
      askedAfterMinutes.push((clock.time - startMs) / minuteMs);
      await run();
      await run();
    }
    expect(askedAfterMinutes).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_000, 1_360, 1_720, 2_080]);
  });

  it('does not ask after drafts', async () => {
    const { post } = await openChain(
      table,
      (desk) => [crossPost(desk)],
      () => ({ publishNow: false }),
    );
    expect(await sweptOf(post.id, startMs + 10_000 * minuteMs)).toEqual([]);
  });
});
