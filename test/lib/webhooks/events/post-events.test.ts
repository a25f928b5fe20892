import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { rollUpPost } from '../../../../lib/posts/roll-up.ts';
import { postKey } from '../../../../lib/table/keys.ts';
import type { ItemChange } from '../../../../lib/table/stream.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { StoredRisk } from '../../../../lib/targets/risk.ts';
import type { PostStatus } from '../../../../lib/targets/state.ts';
import { updateTarget } from '../../../../lib/targets/store.ts';
import { postEvents } from '../../../../lib/webhooks/events/events-from-changes.ts';
import type { EventDraft } from '../../../../lib/webhooks/events/store.ts';
import { openWorkspace, startMs, storePost } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

const mediaBaseUrl = 'https://media.example.com';
let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

type Image = NonNullable<ItemChange['after']>;

/** The events of a change, which are the same if the stream repeats it. */
function eventsOf(before: Image | undefined, after: Image | undefined): EventDraft[] {
  const change = { before, after, atMs: startMs, sequenceNumber: '1' };
  const events = postEvents(change, mediaBaseUrl);
  expect(postEvents({ ...change, sequenceNumber: '2' }, mediaBaseUrl)).toEqual(events);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  return events;
}

const types = (events: readonly EventDraft[]) => events.map(({ type }) => type);

const gone = { state: 'removed', by: 'person' } as const;

async function openPost(targetCount: number) {
  const { context } = await openWorkspace(table);
  const { workspaceId } = context;
  const accounts = Array.from({ length: targetCount }, () => ({ accountId: newId(startMs) }));
  const { post, targets } = await storePost(table, workspaceId, accounts);
  const held = [...targets];
  const read = async (): Promise<Image> => {
    const key = postKey(workspaceId, post.id);
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
    );
    if (!Item) throw new Error('no post');
    return Item;
  };
  return {
    post,
    workspaceId,
    accountIds: accounts.map(({ accountId }) => accountId),
    read,
    /** Marks the post of a target as gone, and returns the events that this causes. */
    async lose(index: number): Promise<EventDraft[]> {
      const target = held[index];
      if (!target) throw new Error('no such target');
      const before = await read();
      const changes = { removedAt: toTimestamp(startMs), removal: gone };
      held[index] = await updateTarget(table, target, changes, newId(startMs + minuteMs));
      await rollUpPost(table, workspaceId, post.id, startMs + minuteMs);
      return eventsOf(before, await read());
    },
    atMs: startMs + 25 * secondMs,
    /** Stores what a check has found, and returns the events that this causes. */
    async find(index: number, risk: StoredRisk | null, atMs: number): Promise<EventDraft[]> {
      const target = held[index];
      if (!target) throw new Error('no such target');
      const before = await read();
      held[index] = await updateTarget(table, target, { risk }, newId(atMs));
      await rollUpPost(table, workspaceId, post.id, atMs);
      return eventsOf(before, await read());
    },
    /** Moves a target and returns the events that this causes. Later than roll-ups wait for targets that are due. */
    async move(index: number, status: PostStatus, atMs = startMs + 25 * secondMs): Promise<EventDraft[]> {
      const target = held[index];
      if (!target) throw new Error('no such target');
      const before = await read();
      held[index] = await updateTarget(table, target, { status }, newId(atMs));
      await rollUpPost(table, workspaceId, post.id, atMs);
      return eventsOf(before, await read());
    },
  };
}

describe('the risk of a post', () => {
  const at = toTimestamp(startMs);
  const riskOf = (code: 'account_expired' | 'quota_exhausted', message = 'why') => ({
    since: at,
    checkedAt: at,
    findings: [{ code, message }],
  });

  it('is told once for each set of findings, and again when there is none', async () => {
    const { find, atMs } = await openPost(2);
    expect(types(await find(0, riskOf('account_expired'), atMs))).toEqual(['post.at_risk']);
    expect(types(await find(0, riskOf('account_expired', 'in other words'), atMs))).toEqual([]);
    expect(types(await find(1, riskOf('quota_exhausted'), atMs))).toEqual(['post.at_risk']);
    expect(types(await find(0, null, atMs))).toEqual(['post.at_risk']);
    const events = await find(1, null, atMs);
    expect(types(events)).toEqual(['post.risk_cleared']);
    expect(events[0]).toMatchObject({ data: { post: { atRisk: false, platforms: [{ risk: null }, {}] } } });
  });

  it('ends when the post goes live', async () => {
    const { find, move, atMs } = await openPost(1);
    const [event] = await find(0, riskOf('account_expired'), atMs);
    expect(event).toMatchObject({
      data: {
        post: {
          atRisk: true,
          platforms: [
            { risk: { findings: [{ code: 'account_expired', category: 'reconnect', by: 'account_owner' }] } },
          ],
        },
      },
    });
    expect(types(await move(0, 'publishing'))).toEqual(['post.risk_cleared']);
  });
});

describe('the result of a post', () => {
  it('is told when its last target has a result, and says that only some destinations are live', async () => {
    const { post, workspaceId, accountIds, move } = await openPost(2);
    expect(types(await move(0, 'publishing'))).toEqual([]);
    expect(types(await move(0, 'published'))).toEqual(['post.target.published']);
    const events = await move(1, 'failed', startMs + 29 * secondMs);
    expect(types(events)).toEqual(['post.target.failed', 'post.published', 'post.partial']);
    for (const event of events.slice(1)) {
      expect(event).toMatchObject({ workspaceId, atMs: startMs + 29 * secondMs, accountIds });
      expect(event.data).toMatchObject({
        post: {
          id: post.id,
          status: 'partial',
          platforms: [{ status: 'published' }, { status: 'failed' }],
          updatedAt: toTimestamp(startMs + 29 * secondMs),
        },
      });
    }
    expect(JSON.stringify(events)).not.toContain('settledResult');
  });

  it('is not partial if all targets are live', async () => {
    const { move } = await openPost(1);
    await move(0, 'publishing');
    expect(types(await move(0, 'published'))).toEqual(['post.target.published', 'post.published']);
  });

  it('is partial if a platform published only a part', async () => {
    const { move } = await openPost(1);
    await move(0, 'publishing');
    expect(types(await move(0, 'partial'))).toEqual([
      'post.target.published',
      'post.published',
      'post.partial',
    ]);
  });

  it('is a failure if all of its targets have failed', async () => {
    const { move } = await openPost(2);
    expect(types(await move(0, 'failed'))).toEqual(['post.target.failed']);
    const events = await move(1, 'failed');
    expect(types(events)).toEqual(['post.target.failed', 'post.failed']);
    expect(events[1]).toMatchObject({ data: { post: { status: 'failed' } } });
  });

  it('is told again, with another id, if a retry changes it', async () => {
    const { move } = await openPost(2);
    await move(0, 'publishing');
    await move(0, 'published');
    const [, first] = await move(1, 'failed');
    expect(await move(1, 'scheduled')).toEqual([]);
    expect(await move(1, 'publishing')).toEqual([]);
    const [target, second] = await move(1, 'published');
    expect([target?.type, second?.type]).toEqual(['post.target.published', 'post.published']);
    expect(second).toMatchObject({ data: { post: { status: 'published' } } });
    expect(second?.id).not.toBe(first?.id);
  });

  it('is not told again if a retry ends with the same one, but each failure of a target is', async () => {
    const { move } = await openPost(1);
    expect(types(await move(0, 'failed'))).toEqual(['post.target.failed', 'post.failed']);
    expect(await move(0, 'scheduled')).toEqual([]);
    expect(types(await move(0, 'failed'))).toEqual(['post.target.failed']);
  });

  it('causes no event when the post is deleted', async () => {
    const { move, read } = await openPost(1);
    await move(0, 'failed');
    expect(eventsOf(await read(), undefined)).toEqual([]);
  });
});

describe('the event of a target', () => {
  it('shows the target as the API does, and is about its account only', async () => {
    const { post, accountIds, move } = await openPost(2);
    const [event] = await move(1, 'failed');
    const [, accountId] = accountIds;
    expect(event).toMatchObject({ type: 'post.target.failed', accountIds: [accountId] });
    expect(event?.data).toMatchObject({ postId: post.id, target: { accountId, status: 'failed' } });
  });

  it('is not repeated for the targets that had a result before', async () => {
    const { move } = await openPost(3);
    for (const index of [0, 1]) await move(index, 'failed');
    const events = (await move(2, 'failed')).filter(({ type }) => type.startsWith('post.target.'));
    expect(events).toHaveLength(1);
  });
});

describe('post.scheduled', () => {
  const at = (minutes: number) => toTimestamp(startMs + minutes * minuteMs);

  it.each<[string, Image | undefined, Image, boolean]>([
    ['a new post with a time', undefined, { status: 'scheduled' }, true],
    ['a draft that gets its time', { status: 'draft' }, { status: 'scheduled' }, true],
    ['another time', { scheduledFor: at(1) }, { scheduledFor: at(2) }, true],
    ['another text', { content: 'a' }, { content: 'b' }, false],
    ['a new draft', undefined, { status: 'draft' }, false],
    ['a post that becomes a draft', { status: 'scheduled' }, { status: 'draft' }, false],
    ['a failed post that is retried', { status: 'failed' }, { status: 'scheduled' }, false],
    [
      'a failed post that is moved',
      { status: 'failed', scheduledFor: at(1) },
      { status: 'scheduled', scheduledFor: at(2) },
      true,
    ],
    ['a last call that did not take effect', { status: 'publishing' }, { status: 'scheduled' }, false],
  ])('of %s', async (_what, before, after, isSent) => {
    const { read } = await openPost(1);
    const stored = await read();
    const events = eventsOf(before && { ...stored, ...before }, { ...stored, ...after });
    expect(types(events)).toEqual(isSent ? ['post.scheduled'] : []);
    if (isSent) expect(events[0]?.data).toMatchObject({ post: { status: 'scheduled' } });
  });
});

describe('a live destination whose post is gone', () => {
  it('causes an event of its own, once, and none of its post', async () => {
    const { move, lose, accountIds } = await openPost(2);
    await move(0, 'publishing');
    await move(1, 'publishing');
    await move(0, 'published');
    await move(1, 'published');
    const [event, ...others] = await lose(0);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'post.target.removed',
      accountIds: [accountIds[0]],
      postAccountIds: accountIds,
      data: { target: { status: 'published', removedAt: toTimestamp(startMs), removal: gone } },
    });
    expect(types(await lose(1))).toEqual(['post.target.removed']);
  });
});
