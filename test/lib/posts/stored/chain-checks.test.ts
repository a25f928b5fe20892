import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../lib/kernel/clock.ts';
import { retryPost } from '../../../../lib/posts/retry.ts';
import type { ChainMessage } from '../../../../lib/posts/stored/chain-schemas.ts';
import { sweepOverdue } from '../../../../lib/recovery/sweep.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs } from '../../../support/builders.ts';
import { sweepPorts, takingAll } from '../../../support/sweep.ts';
import { createTestTable } from '../../../support/table.ts';
import { anotherCrossPost, crossPost, minuteMs, openChain } from '../chain-fixture.ts';
import { mediaItem } from '../fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** The messages that a sweep at this time sends for this post's chain. */
async function sweptOf(postId: string, now: number): Promise<ChainMessage[]> {
  const messages: ChainMessage[] = [];
  const ports = { ...sweepPorts(table, () => now), enqueueAllChains: takingAll(messages) };
  await sweepOverdue(ports, Number.POSITIVE_INFINITY);
  return messages.filter((message) => message.postId === postId);
}

/** A table that refuses to write a step's post, and accepts everything else. */
function refusingPosts(real: Table): Table {
  const client = new Proxy(real.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: unknown) => {
            if (command instanceof TransactWriteCommand && (command.input.TransactItems?.length ?? 0) > 1)
              throw new Error('the item is too large');
            return target.send(command as Parameters<typeof target.send>[0]);
          }
        : Reflect.get(target, name, target),
  });
  return { ...real, client };
}

describe('the sweep', () => {
  it('finds a chain whose message was lost, until all its steps are posts', async () => {
    const { post, goLive, run, clock, children } = await openChain(table, (fixture) => [
      crossPost(fixture),
      anotherCrossPost(fixture),
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

  /** The times of the sweep's checks, in minutes after the start. Runs each check at its scheduled time. */
  async function checks(
    { clock, read, run }: Awaited<ReturnType<typeof openChain>>,
    maxTimes: number,
    check: () => Promise<unknown> = run,
  ): Promise<number[]> {
    const minutes: number[] = [];
    for (let times = 0; times < maxTimes; times += 1) {
      const { chainWakeAt } = (await read()).post;
      if (chainWakeAt === undefined) break;
      clock.time = Date.parse(chainWakeAt);
      minutes.push((clock.time - startMs) / minuteMs);
      await check();
      await check();
    }
    return minutes;
  }

  it('checks ever more rarely while no target goes live', async () => {
    const chain = await openChain(table, (fixture) => [crossPost(fixture)]);
    expect(await checks(chain, 12)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_000, 1_360, 1_720, 2_080]);
  });

  it('stops once all destinations of a post have failed', async () => {
    const chain = await openChain(table, (fixture) => [crossPost(fixture)]);
    await chain.fail();
    expect(await checks(chain, 12)).toEqual([5]);
    expect(await sweptOf(chain.post.id, startMs + 10_000 * minuteMs)).toEqual([]);
  });

  it('resumes after a retry, until the retry has ended', async () => {
    const chain = await openChain(table, (fixture) => [crossPost(fixture)]);
    const { clock, context, post, run, fail, goLive, children } = chain;
    await fail();
    await checks(chain, 2);
    for (const [end, minutes] of [
      [fail, 60],
      [goLive, 120],
    ] as const) {
      clock.time = startMs + minutes * minuteMs;
      await retryPost(context(), post.id);
      // An extra message in between does not cancel the scheduled check.
      expect(await run()).toBe('not live yet');
      await end();
      expect(await sweptOf(post.id, clock.time + 6 * minuteMs)).toHaveLength(1);
      expect(await checks(chain, 2)).toEqual([minutes + 5]);
    }
    expect(await children()).toHaveLength(1);
  });

  it('waits for the next destination if one has failed long before it', async () => {
    const inDays = toTimestamp(startMs + 3 * 1_440 * minuteMs);
    const chain = await openChain(
      table,
      (fixture) => [crossPost(fixture)],
      ({ instagram, youtube, video }) => ({
        mediaItems: [mediaItem(video)],
        platforms: [
          { accountId: instagram.id },
          { accountId: youtube.id, platformSpecificData: { title: 'A video' }, scheduledFor: inDays },
        ],
      }),
    );
    await chain.fail(0);
    expect(await checks(chain, 3)).toEqual([5, 4_325, 4_330]);
  });

  it('gives up a step that cannot be settled for six hours, with the reason', async () => {
    const chain = await openChain(table, (fixture) => [crossPost(fixture), anotherCrossPost(fixture)]);
    const { goLive, ports, view, children, run } = chain;
    await goLive();
    const failing = { ...ports, table: refusingPosts(table) };
    expect(await checks(chain, 30, () => run(failing).catch(() => {}))).toEqual([
      5, 10, 20, 40, 80, 140, 200, 260, 320, 380,
    ]);
    const error = 'an error on our side (given up after 6 hours)';
    expect((await view()).chain).toMatchObject([
      { status: 'failed', error },
      { status: 'failed', error },
    ]);
    expect(await children()).toEqual([]);
    expect(await sweptOf(chain.post.id, startMs + 10_000 * minuteMs)).toEqual([]);
  });

  it('does not check drafts', async () => {
    const { post } = await openChain(
      table,
      (fixture) => [crossPost(fixture)],
      () => ({ publishNow: false }),
    );
    expect(await sweptOf(post.id, startMs + 10_000 * minuteMs)).toEqual([]);
  });
});
