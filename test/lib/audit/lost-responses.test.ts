import { beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { deleteMedia } from '../../../lib/media/retention/delete.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { resolveTarget } from '../../../lib/posts/resolve.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { findMediaUsage } from '../../../lib/posts/stored/media-usage.ts';
import { isInHiddenDraft, seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import { setRhythm } from '../../../lib/rhythm/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { redeliver } from '../../../lib/webhooks/deliveries/redeliver.ts';
import { removeWebhook } from '../../../lib/webhooks/endpoints/edit.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { openWorkspace, startMs, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { createTestTable, sendingTwice } from '../../support/table.ts';
import { storeDelivery, storeWebhook } from '../../support/webhooks.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const queue = { sendAll: async () => new Set<never>(), report: () => undefined };

/** Prepares a change, and returns the request that makes it. */
type Case = (context: Context) => Promise<(context: Context) => Promise<unknown>>;

const cases: Readonly<Record<string, Case>> = {
  'a retry of a post': async ({ workspaceId }) => {
    const { id: accountId } = await storeAccount(table, workspaceId);
    const failed = { accountId, status: 'failed', wakeAt: undefined } as const;
    const { post } = await storePost(table, workspaceId, [failed], { status: 'failed' });
    return (context) => retryPost(context, post.id);
  },
  'a verdict on a destination': async ({ workspaceId }) => {
    const { id: accountId } = await storeAccount(table, workspaceId);
    const at = toTimestamp(startMs);
    const call = { intentAt: at, token: {}, endedAt: at, outcome: 'unknown', lookups: 2, misses: 2 } as const;
    const failed: Partial<Target> = { accountId, status: 'failed', wakeAt: undefined, calls: [call] };
    const { post } = await storePost(table, workspaceId, [failed], { status: 'failed' });
    const verdict = { outcome: 'live', platformPostId: newId(startMs) } as const;
    return (context) => resolveTarget(context, post.id, accountId, verdict);
  },
  'the deletion of a post': async ({ workspaceId }) => {
    const { post } = await storePost(table, workspaceId, [{}]);
    return (context) => removePost(context, post.id);
  },
  'the deletion of a file': async ({ workspaceId }) => {
    const { id } = await storeMedia(table, workspaceId);
    return (context) =>
      deleteMedia({ ...context, findUsage: findMediaUsage, seesMedia, isInHiddenDraft }, id);
  },
  'a new rhythm': async ({ workspaceId }) => {
    const { id } = await storeAccount(table, workspaceId);
    return (context) => setRhythm(context, id, Rhythm.parse({}));
  },
  'the deletion of an endpoint': async ({ workspaceId }) => {
    const { id } = await storeWebhook(table, workspaceId);
    return (context) => removeWebhook(context, id);
  },
  'a redelivery': async ({ workspaceId, now }) => {
    const webhook = await storeWebhook(table, workspaceId);
    const { id } = await storeDelivery(table, webhook, { status: 'failed', atMs: now });
    return (context) => redeliver({ ...context, ...queue }, webhook.id, id);
  },
};

it.each(Object.entries(cases))(
  '%s succeeds and has one entry in the audit log if responses are lost and the SDK repeats the writes',
  async (_what, prepare) => {
    const { context } = await openWorkspace(table);
    const request = await prepare(context);
    await request({ ...context, table: sendingTwice(table) });
    expect(await auditLogOf(table, context.workspaceId)).toHaveLength(1);
  },
);
