import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../functions/wire/logger.ts';
import { eventExamples } from '../../../lib/api-contract/openapi/examples/webhooks.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { newEvent } from '../../../lib/webhooks/events/store.ts';
import { FeedEventType } from '../../../lib/webhooks/feed/operations.ts';
import { recordEvents } from '../../../lib/webhooks/feed/record.ts';
import { type Agent, modern } from '../../contract/clients/agents.ts';
import { connectAgent } from '../../support/agents.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { storeRecordedEvent } from '../../support/webhooks.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let workspaceId: string;
let accountId: string;
let agent: Agent;
beforeEach(async () => {
  const { apiKey, context } = await openWorkspace(table, { now: Date.now() });
  ({ workspaceId } = context);
  ({ id: accountId } = await storeAccount(table, workspaceId));
  agent = await connectAgent(modern, call, apiKey);
});

describe('a destination', () => {
  const now = toTimestamp(Date.now());
  const shown = async (target: Partial<Target>) => {
    const targets = [{ accountId, ...target }];
    const { post } = await storePost(table, workspaceId, targets, { status: target.status ?? 'scheduled' });
    const one = await agent.call('get_post', { postId: post.id });
    const list = await agent.call('find_posts', {});
    const posts = [one.value, ...(list.value['posts'] as object[])] as { destinations: object[] }[];
    expect(posts).toHaveLength(2);
    return posts.map(({ destinations }) => destinations[0]);
  };

  it('that was taken down says so', async () => {
    const removal = { state: 'removed', by: 'person' } as const;
    for (const destination of await shown({ status: 'published', publishedAt: now, removedAt: now, removal }))
      expect(destination).toMatchObject({ status: 'published', removedAt: now });
  });

  it('that will probably fail says why, and who acts', async () => {
    const findings = [{ code: 'account_expired', message: 'the account must be connected again' } as const];
    for (const destination of await shown({ risk: { since: now, checkedAt: now, findings } }))
      expect(destination).toMatchObject({
        status: 'scheduled',
        error: {
          code: 'account_expired',
          message: 'will probably fail: the account must be connected again',
          whoActs: 'account owner',
        },
      });
  });

  it('is read in the form in which a change replaces it', async () => {
    const media = await storeMedia(table, workspaceId, { status: 'ready' });
    const { mediaUrl } = (await agent.call('get_media', { mediaId: media.id })).value;
    const destination = {
      accountId,
      options: { firstComment: 'First' },
      content: 'Its own',
      mediaUrls: [mediaUrl],
    };
    const asked = { content: 'Hello', when: 'draft', idempotencyKey: 'one', destinations: [destination] };
    const { value } = await agent.call('create_post', asked);
    const read = await agent.call('get_post', { postId: value['id'] });
    expect(read.value['destinations']).toEqual([expect.objectContaining(destination)]);
  });
});

describe('list_events', () => {
  it.each(FeedEventType.options)('shows an event of the type %s', async (type) => {
    await agent.call('list_events');
    const atMs = Date.now();
    const event = newEvent({ id: newId(atMs), workspaceId, type, atMs, data: eventExamples[type] });
    await recordEvents(table, workspaceId, [{ ...event, accountIds: [] }], () => atMs);
    const { isError, value } = await agent.call('list_events');
    expect({ isError, events: value['events'] }).toMatchObject({ isError: false, events: [{ type }] });
  });

  it('says where to continue if events are no longer kept', async () => {
    const { value: first } = await agent.call('list_events');
    await storeRecordedEvent(table, workspaceId, [], Date.now() - 31 * dayMs);
    const young = await storeRecordedEvent(table, workspaceId, [], Date.now() - dayMs);
    const late = await agent.call('list_events', { after: first['nextCursor'] });
    expect(late).toMatchObject({
      isError: true,
      value: { code: 'events_expired', oldestCursor: expect.any(String) },
    });
    const { value } = await agent.call('list_events', { after: late.value['oldestCursor'] });
    expect(value['events']).toMatchObject([{ id: young }]);
  });
});

describe('set_automation', () => {
  it('does not claim to have set what the post has already', async () => {
    const platformPostId = '17890000000000001';
    await claimLivePost(table, {
      ...{ platform: 'instagram', workspaceId, accountId, platformPostId },
      postId: 'a post',
    });
    const asked = { accountId, platformPostId, dmMessage: 'Hello' };
    const { value: first } = await agent.call('set_automation', asked);
    const again = await agent.call('set_automation', { ...asked, dmMessage: 'Something else' });
    expect(again).toMatchObject({ isError: true, value: { code: 'conflict', param: 'platformPostId' } });
    expect(again.value['message']).toContain(String(first['id']));
    const changed = { automationId: first['id'], dmMessage: 'Something else' };
    expect(await agent.call('set_automation', changed)).toMatchObject({ isError: false });
    expect((await agent.call('find_automations')).value['automations']).toMatchObject([
      { dmMessage: 'Something else' },
    ]);
  });
});

describe('a tool that only an operator can repair', () => {
  it('tells the agent so, and the operator what is missing', async () => {
    const write = vi.spyOn(logger, 'error').mockReturnValue();
    const missing = new HeraldError('platform_not_configured', 'Threads: the operator has to set it up');
    const api = await openApi({ toolsFor: () => Promise.reject(missing) });
    const { apiKey } = await openWorkspace(api.table, { now: Date.now() });
    const client = await connectAgent(modern, api.call, apiKey);
    const refused = await client.call('connect_account', { platform: 'threads' });
    expect(refused).toMatchObject({ isError: true, value: { code: 'platform_not_configured' } });
    expect(write).toHaveBeenCalledWith(expect.any(String), missing);
    write.mockRestore();
  });
});
