import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { FeedEvent } from '../../../lib/webhooks/feed/operations.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { anOperator } from '../../support/acts.ts';
import { type Answer, type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import { storeRecordedEvent, storeWebhook } from '../../support/webhooks.ts';

let table: Table;
let call: Call;
let apiKey: string;
let workspaceId: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
});
beforeEach(async () => {
  const opened = await openWorkspace(table);
  ({ apiKey } = opened);
  ({ workspaceId } = opened.context);
});

const list = (query: Readonly<Record<string, string>> = {}) =>
  call('listEvents', { apiKey, query: new URLSearchParams(query).toString() });
const eventsIn = ({ body }: Answer) => body['events'] as FeedEvent[];
const cursorIn = ({ body }: Answer) => String(body['nextCursor']);
const setFeed = (eventFeed: boolean) => call('updateWorkspace', { apiKey, body: { eventFeed } });
const workspaceIn = ({ body }: Answer) => body['workspace'] as Record<string, unknown>;

describe('GET /v1/events', () => {
  it('turns the feed on, and then returns what is new after each cursor', async () => {
    const first = await list();
    expect(first).toMatchObject({ status: 200, body: { events: [], hasMore: false } });
    const { recordedSince } = first.body;
    expect(workspaceIn(await call('getWorkspace', { apiKey }))).toMatchObject({
      eventFeed: true,
      eventFeedSince: recordedSince,
    });
    const ids = [await storeRecordedEvent(table, workspaceId), await storeRecordedEvent(table, workspaceId)];
    const next = await list({ after: cursorIn(first), limit: '1' });
    expect(eventsIn(next)).toMatchObject([{ id: ids[0], type: 'post.published', data: {}, sequence: 1 }]);
    expect(next.body).toMatchObject({ hasMore: true, recordedSince });
    const last = await list({ after: cursorIn(next), types: 'post.failed,post.published' });
    expect(eventsIn(last).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await list({ after: cursorIn(last) })).toMatchObject({ body: { events: [], hasMore: false } });
  });

  it.each([
    ['after', { after: 'x' }, 'cursor_invalid'],
    ['after', { after: '' }, 'field_too_short'],
    ['types', { types: 'post.published,post.lost' }, 'field_unknown_value'],
    ['types', { types: '' }, 'field_unknown_value'],
    ['types', { types: 'webhook.test' }, 'field_unknown_value'],
    ['limit', { limit: '501' }, 'field_out_of_range'],
    ['limit', { limit: '0' }, 'field_out_of_range'],
    ['limit', { limit: 'many' }, 'field_format'],
    ['accountId', { accountId: 'me' }, 'field_format'],
    ['cursor', { cursor: 'x' }, 'unknown_parameter'],
  ])('refuses a wrong %s: %j', async (param, query, code) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { param, code } });
  });

  it('responds 410 with the oldest cursor if events after the cursor are gone', async () => {
    const first = await list();
    const [old, young] = [Date.now() - 31 * dayMs, Date.now() - dayMs];
    await storeRecordedEvent(table, workspaceId, [], old);
    const id = await storeRecordedEvent(table, workspaceId, [], young);
    const late = await list({ after: cursorIn(first) });
    expect(late).toMatchObject({ status: 410, body: { code: 'events_expired' } });
    const rest = await list({ after: String(late.body['oldestCursor']) });
    expect(eventsIn(rest)).toMatchObject([{ id, sequence: 2 }]);
    expect(eventsIn(await list())).toEqual(eventsIn(rest));
  });

  it('responds 409 while the feed is off', async () => {
    expect(workspaceIn(await setFeed(false))).toMatchObject({ eventFeed: false, eventFeedSince: null });
    expect(await list()).toMatchObject({ status: 409, body: { code: 'event_feed_off' } });
    expect(workspaceIn(await setFeed(true))).toMatchObject({ eventFeed: true });
    expect((await list()).status).toBe(200);
  });

  it.each([true, false])('is turned on or off (%s) once, however often it is asked for', async (isOn) => {
    const [first, second] = [workspaceIn(await setFeed(isOn)), workspaceIn(await setFeed(isOn))];
    expect(second).toMatchObject({ eventFeed: isOn, eventFeedSince: first['eventFeedSince'] });
  });

  it('needs the permission `webhooks`', async () => {
    const operator = anOperator(table, Date.now());
    const permissions = ['read', 'publish'];
    const { apiKey: other } = await createKey(operator, { workspaceId, name: 'reader', permissions });
    const answer = await call('listEvents', { apiKey: other });
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_missing' } });
  });
});

describe('GET /v1/events/{id}', () => {
  it('returns the event as the list does', async () => {
    await list();
    const id = await storeRecordedEvent(table, workspaceId);
    const { status, body } = await call('getEvent', { apiKey, path: { id } });
    expect([status, body['event']]).toEqual([200, eventsIn(await list())[0]]);
  });
});

describe('POST /v1/webhooks/{id}/replay', () => {
  const replay = async (body: object) => {
    const webhook = await storeWebhook(table, workspaceId, {
      createdAt: toTimestamp(Date.now() - 10 * minuteMs),
    });
    return call('replayEvents', { apiKey, path: { id: webhook.id }, body });
  };

  it('accepts a cursor of the feed, and returns one for what follows', async () => {
    const { nextCursor } = (await list()).body;
    await storeRecordedEvent(table, workspaceId);
    const answer = await replay({ after: nextCursor, types: ['post.published'] });
    expect(answer).toMatchObject({ status: 202, body: { events: 1, hasMore: false, warnings: [] } });
    expect(eventsIn(await list({ after: cursorIn(answer) }))).toEqual([]);
  });

  it('accepts a time', async () => {
    await storeWebhook(table, workspaceId, { createdAt: toTimestamp(Date.now() - 10 * minuteMs) });
    await storeRecordedEvent(table, workspaceId);
    const answer = await replay({ since: toTimestamp(Date.now() - minuteMs) });
    expect(answer).toMatchObject({ status: 202, body: { events: 1 } });
  });

  it.each<[object, string, string]>([
    [{}, 'after', 'field_required'],
    [{ after: 'x', since: '2026-03-01T12:00:00Z' }, 'since', 'contradictory_fields'],
    [{ since: 'yesterday' }, 'since', 'field_format'],
    [{ after: 'x' }, 'after', 'cursor_invalid'],
    [{ since: '2026-03-01T12:00:00Z', types: ['post.lost'] }, 'types[0]', 'field_unknown_value'],
  ])('refuses %j', async (body, param, code) => {
    expect(await replay(body)).toMatchObject({ status: 400, body: { param, code } });
  });

  it('responds 410 with the oldest cursor for a time before the feed', async () => {
    const answer = await replay({ since: '2026-03-01T12:00:00Z' });
    expect(answer).toMatchObject({ status: 410, body: { oldestCursor: expect.any(String) } });
  });
});
