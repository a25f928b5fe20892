import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../lib/access/actor.ts';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { approvalAfter } from '../../../lib/posts/approval/approval-after.ts';
import { createPost, type PostsContext } from '../../../lib/posts/create.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import type { Approval } from '../../../lib/posts/stored/schemas.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture } from './fixture.ts';

const agent: Actor = { kind: 'key', id: 'agent', permissions: ['read', 'draft'] };
const person: Actor = { kind: 'person', id: 'ada', role: 'member', sessionId: 's', signedInAt: startMs };

describe('the approval of a post after a change', () => {
  const request = { requestedAt: 'earlier', requestedBy: { kind: 'key', id: 'agent' } } as const;
  const decision = { decidedAt: 'earlier', decidedBy: { kind: 'person', id: 'ada' } } as const;
  const waiting: Approval = { ...request, state: 'waiting' };
  const approved: Approval = { ...request, ...decision, state: 'approved' };
  const declined: Approval = { ...request, ...decision, state: 'declined', note: 'no' };
  const now = startMs;
  const at = toTimestamp(now);
  const asked: Approval = { state: 'waiting', requestedAt: at, requestedBy: { kind: 'key', id: 'agent' } };
  const decided = { ...request, decidedAt: at, decidedBy: { kind: 'person', id: 'ada' } } as const;
  const publisher: Actor = { kind: 'key', id: 'k', permissions: ['publish'] };
  const full: Actor = { kind: 'key', id: 'k' };

  it.each<[string, Parameters<typeof approvalAfter>[0], Approval | undefined]>([
    ['a new draft of a person', { actor: person, now, isScheduled: false }, undefined],
    ['a new post of a person', { actor: person, now, isScheduled: true }, undefined],
    ['a new draft of a key that may publish', { actor: publisher, now, isScheduled: false }, undefined],
    ['a new draft of a key with all permissions', { actor: full, now, isScheduled: false }, undefined],
    ['a new draft of a key that may only draft', { actor: agent, now, isScheduled: false }, asked],
    ['a draft that the key changes', { actor: agent, now, before: waiting, isScheduled: false }, asked],
    [
      'a declined draft that the key changes',
      { actor: agent, now, before: declined, isScheduled: false },
      asked,
    ],
    ['a draft that a person changes', { actor: person, now, before: waiting, isScheduled: false }, waiting],
    [
      'a declined draft that a person changes',
      { actor: person, now, before: declined, isScheduled: false },
      declined,
    ],
    [
      'a draft that a person schedules',
      { actor: person, now, before: waiting, isScheduled: true },
      { ...decided, state: 'approved' },
    ],
    [
      'a declined draft that a person schedules',
      { actor: person, now, before: declined, isScheduled: true },
      { ...decided, state: 'approved' },
    ],
    [
      'a draft that a person declines',
      { actor: person, now, before: waiting, isScheduled: false, decline: { note: 'no' } },
      { ...decided, state: 'declined', note: 'no' },
    ],
    [
      'an approved post that is changed',
      { actor: person, now, before: approved, isScheduled: true },
      approved,
    ],
    [
      'an approved post that becomes a draft',
      { actor: person, now, before: approved, isScheduled: false },
      undefined,
    ],
  ])('%s', (_what, change, expected) => {
    expect(approvalAfter(change)).toEqual(expected);
  });
});

describe('a draft that a key proposes, while others change it', () => {
  let table: Table;
  let fixture: Awaited<ReturnType<typeof openFixture>>;
  beforeAll(async () => {
    table = await createTestTable();
    fixture = await openFixture(table);
  });
  let id: string;
  beforeEach(async () => {
    const body = fixture.body({ scheduledFor: inOneHour, isDraft: true });
    ({
      post: { id },
    } = await createPost(as(agent), body, { rawBody: '{}' }));
  });

  const as = (actor: Actor, changes: Partial<PostsContext> = {}): PostsContext => ({
    ...fixture.context,
    actor,
    verb: 'post.edit',
    ...changes,
  });
  /** The table, with something that happens before the first transaction. */
  const beforeWriting = (happen: () => Promise<unknown>): Table => {
    let first: Promise<unknown> | undefined;
    const send = async (command: Parameters<Table['client']['send']>[0]) => {
      if (command instanceof TransactWriteCommand) {
        first ??= happen();
        await first;
      }
      return table.client.send(command);
    };
    return { ...table, client: { send } as unknown as Table['client'] };
  };
  const stored = async () => (await readPost(as(person), id)).post;
  const swap = (context = as(agent)) => editPost(context, id, { content: 'Something else' });
  const approve = (context = as(person)) => editPost(context, id, { isDraft: false, ifVersion: 1 });

  it('is not approved if the key changes it between the decision and its write', async () => {
    const racing = as(person, { table: beforeWriting(() => swap()) });
    await expect(approve(racing)).rejects.toMatchObject({ code: 'post_changed' });
    expect(await stored()).toMatchObject({ status: 'draft', content: 'Something else', version: 2 });
  });

  it('is not changed by the key if it is approved between the change and its write', async () => {
    const racing = as(agent, { table: beforeWriting(() => approve()) });
    await expect(swap(racing)).rejects.toMatchObject({ code: 'permission_missing' });
    expect(await stored()).toMatchObject({ status: 'scheduled', content: 'Hello', version: 2 });
  });

  it('is not deleted by the key if it is approved between the request and its write', async () => {
    const racing = as(agent, { verb: 'post.delete', table: beforeWriting(() => approve()) });
    await expect(removePost(racing, id)).rejects.toMatchObject({ code: 'permission_missing' });
    expect(await stored()).toMatchObject({ status: 'scheduled' });
  });

  it('is approved once, and declined not at all, if two people decide at the same time', async () => {
    const racing = as(person, { table: beforeWriting(() => approve()) });
    const decline = editPost(racing, id, { decline: {}, ifVersion: 1 });
    await expect(decline).rejects.toMatchObject({ code: 'post_changed' });
    expect(await stored()).toMatchObject({ status: 'scheduled', approval: { state: 'approved' } });
  });

  it('cannot be approved after it was deleted', async () => {
    const racing = as(person, {
      table: beforeWriting(() => removePost(as(agent, { verb: 'post.delete' }), id)),
    });
    await expect(approve(racing)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not approved for a time that passes while it waits', async () => {
    const late = as(person, { now: startMs + hourMs });
    await expect(approve(late)).rejects.toMatchObject({
      code: 'time_in_past',
      message: expect.stringContaining('passed'),
    });
    expect((await stored()).status).toBe('draft');
  });

  it('keeps its approval through a change of a post that was approved', async () => {
    await approve();
    await editPost(as(person), id, { content: 'A typo less' });
    expect(await stored()).toMatchObject({
      status: 'scheduled',
      approval: { state: 'approved' },
      version: 3,
    });
  });
});
