import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { type ConversationQuery, ConversationsQuery } from '../../../lib/automations/conversation-views.ts';
import { listConversations } from '../../../lib/automations/conversations.ts';
import { deleteInbound } from '../../../lib/automations/inbound/store.ts';
import type { Automation } from '../../../lib/automations/schemas.ts';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace } from '../../support/builders.ts';
import { openInstagram, type SimulatedInstagram } from '../../support/instagram.ts';
import { createTestTable } from '../../support/table.ts';
import { type Fixture, openFixture } from './fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
let context: Context;
let automation: Automation;
let name: string;
let tests = 0;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
beforeEach(async () => {
  table = await createTestTable();
  ({ context } = await openWorkspace(table));
  fixture = await openFixture(table, instagram, context.workspaceId);
  name = `log.${++tests}`;
});
afterAll(() => instagram.close());

const list = (query: Partial<Record<keyof ConversationQuery, string>> = {}, of = automation) =>
  listConversations({ ...context, now: fixture.clock.now() }, of.id, ConversationsQuery.parse(query));
const conversations = async (query?: Parameters<typeof list>[0]) => (await list(query)).conversations;

describe('the list of conversations', () => {
  it('says who wrote what, when, and what was sent', async () => {
    automation = await fixture.automation();
    const comment = await fixture.comment(automation, name, 'link please');
    await fixture.work();
    const common = {
      commentId: comment.id,
      messageId: null,
      personId: comment['fromId'],
      username: name,
      text: 'link please',
      commentedAt: toTimestamp(fixture.clock.now()),
      state: 'done',
      reason: null,
      sentAt: expect.any(String),
    };
    expect(await conversations({ kind: 'public_reply' })).toEqual([
      { ...common, kind: 'public_reply', sent: 'reply' },
    ]);
    expect(await conversations({ kind: 'private_message' })).toEqual([
      { ...common, kind: 'private_message', sent: 'message' },
    ]);
    expect(await conversations()).toHaveLength(2);
  });

  it('says why something waits, was not sent, or awaits an answer', async () => {
    const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };
    automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, `${name}.asked`);
    await fixture.work();
    await fixture.comment(automation, `${name}.failed`);
    await instagram.plan('messages', 'error:100/2534025');
    await fixture.work();
    await fixture.comment(automation, `${name}.waits`);
    await fixture.rewrite({ ...automation, isActive: false });
    await fixture.work();
    const seen = (await conversations()).map(({ username, state, reason, sent }) => [
      username,
      state,
      reason?.code ?? null,
      sent,
    ]);
    expect(new Set(seen)).toEqual(
      new Set([
        [`${name}.waits`, 'waiting', 'automation_off', null],
        [`${name}.failed`, 'failed', 'comment_unavailable', null],
        [`${name}.asked`, 'awaiting_answer', null, 'question'],
      ]),
    );
    expect((await conversations({ state: 'failed' })).map(({ username }) => username)).toEqual([
      `${name}.failed`,
    ]);
  });

  it('has the latest comment first, page by page, each once', async () => {
    automation = await fixture.automation({ commentReply: null });
    for (let person = 0; person < 7; person += 1) {
      await fixture.comment(automation, `${name}.${person}`);
      fixture.clock.time += minuteMs;
    }
    await fixture.work();
    for (const filters of [{}, { state: 'done' }]) {
      const names: (string | null)[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ ...filters, limit: '3', ...(cursor !== undefined && { cursor }) });
        expect(page.conversations.length).toBeLessThanOrEqual(3);
        names.push(...page.conversations.map(({ username }) => username));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((person) => `${name}.${person}`));
    }
  });

  it('fills a page with what fits the filters', async () => {
    automation = await fixture.automation({ commentReply: null });
    for (let person = 0; person < 30; person += 1) {
      await fixture.comment(automation, `${name}.${person}`);
      if (person % 10 === 0) await instagram.plan('messages', 'error:100/2534025');
      await fixture.work();
      fixture.clock.time += minuteMs;
    }
    const { conversations: failed, nextCursor } = await list({ state: 'failed', limit: '2' });
    expect(failed.map(({ username }) => username)).toEqual([`${name}.20`, `${name}.10`]);
    const rest = await list({ state: 'failed', limit: '2', cursor: nextCursor ?? '' });
    expect(rest).toMatchObject({ conversations: [{ username: `${name}.0` }], nextCursor: null });
  });

  it('lists a conversation that begins again with its new comment', async () => {
    automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, name, 'link one');
    await instagram.plan('messages', 'error:100/2534025');
    await fixture.work();
    fixture.clock.time += minuteMs;
    await fixture.comment(automation, name, 'link two');
    await fixture.work();
    expect(await conversations()).toMatchObject([{ text: 'link two', state: 'done' }]);
  });

  it('forgets names and texts with the comment, and everything after 30 days', async () => {
    automation = await fixture.automation({ commentReply: null });
    const comment = await fixture.comment(automation, name);
    await fixture.work();
    await deleteInbound(table, fixture.account);
    expect(await conversations()).toMatchObject([
      { commentId: comment.id, personId: comment['fromId'], username: null, text: null },
    ]);
    fixture.clock.time += 30 * dayMs + minuteMs;
    expect(await conversations()).toEqual([]);
  });

  it('is of one automation, and not found for others', async () => {
    automation = await fixture.automation();
    const other = await fixture.automation();
    await fixture.comment(automation, name);
    expect((await list({}, other)).conversations).toEqual([]);
    const foreign = await openWorkspace(table);
    await expect(
      listConversations(foreign.context, automation.id, ConversationsQuery.parse({})),
    ).rejects.toMatchObject({ code: 'not_found' });
    const { nextCursor } = await list({ limit: '1' });
    await expect(list({ cursor: nextCursor ?? '' }, other)).rejects.toMatchObject({ code: 'cursor_invalid' });
  });
});
