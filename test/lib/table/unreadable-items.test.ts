import { beforeAll, describe, expect, it } from 'vitest';
import { ZodError } from 'zod';
import { listAccounts } from '../../../lib/accounts/read.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { listAutomations } from '../../../lib/automations/read.ts';
import { listPosts } from '../../../lib/posts/list/list-posts.ts';
import { updateItem } from '../../../lib/table/items.ts';
import {
  accountKey,
  automationKey,
  deliveryKey,
  type Key,
  listedKeyKey,
  postKey,
  webhookKey,
} from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { announce } from '../../../lib/webhooks/announce.ts';
import { listDeliveries, queryFailedDeliveries } from '../../../lib/webhooks/deliveries/lists.ts';
import { listWebhooks } from '../../../lib/webhooks/endpoints/read.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { listKeys } from '../../../lib/workspaces/store.ts';
import { anOperator } from '../../support/acts.ts';
import { storeAutomation } from '../../support/automations.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { createEngineTable } from '../../support/table.ts';
import { storeDelivery, storeWebhook } from '../../support/webhooks.ts';

let table: Table;
beforeAll(async () => {
  table = await createEngineTable();
});

/** A list, and how to store an item of it. `store` returns the item's id and key. */
interface List {
  readonly store: (context: Context) => Promise<{ id: string; key: Key }>;
  readonly ids: (context: Context) => Promise<string[]>;
}

const limit = 10;
const accountId = '0190a0e0-0000-7000-8000-00000000000a';
const endpoint = '0190a0e0-0000-7000-8000-00000000000b';
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

const storeOnePost: List['store'] = async (context) => {
  const { post } = await storePost(table, context.workspaceId, [{ accountId, status: 'draft' }], {
    status: 'draft',
  });
  return { id: post.id, key: postKey(context.workspaceId, post.id) };
};
const storeOneDelivery: List['store'] = async ({ workspaceId }) => {
  const at = { workspaceId, id: endpoint };
  const delivery = await storeDelivery(table, at, { atMs: startMs, status: 'failed' });
  return { id: delivery.id, key: deliveryKey(delivery) };
};

const lists: Readonly<Record<string, List>> = {
  posts: {
    store: storeOnePost,
    ids: async (context) => idsOf((await listPosts(context, { limit })).posts),
  },
  'posts of a status': {
    store: storeOnePost,
    ids: async (context) => idsOf((await listPosts(context, { limit, status: ['draft'] })).posts),
  },
  'posts of an account': {
    store: storeOnePost,
    ids: async (context) => idsOf((await listPosts(context, { limit, accountId: [accountId] })).posts),
  },
  accounts: {
    store: async ({ workspaceId }) => {
      const { id } = await storeAccount(table, workspaceId);
      return { id, key: accountKey(workspaceId, id) };
    },
    ids: async (context) => idsOf((await listAccounts({ ...context, stageFeatures: {} }, {})).accounts),
  },
  webhooks: {
    store: async ({ workspaceId }) => {
      const { id } = await storeWebhook(table, workspaceId);
      return { id, key: webhookKey(workspaceId, id) };
    },
    ids: async (context) => idsOf((await listWebhooks(context, {})).webhooks),
  },
  deliveries: {
    store: async (context) => {
      const webhook = { id: endpoint };
      await storeWebhook(table, context.workspaceId, webhook).catch(() => undefined);
      return storeOneDelivery(context);
    },
    ids: async (context) => idsOf((await listDeliveries(context, endpoint, { limit })).deliveries),
  },
  'failed deliveries': {
    store: storeOneDelivery,
    ids: async ({ workspaceId }) => {
      const at = { workspaceId, webhookId: endpoint };
      const page = await queryFailedDeliveries(reporting(), at, { sinceMs: startMs, now: startMs });
      return idsOf(page.deliveries);
    },
  },
  automations: {
    store: async ({ workspaceId }) => {
      const { id } = await storeAutomation(table, workspaceId);
      return { id, key: automationKey(workspaceId, id) };
    },
    ids: async (context) => idsOf((await listAutomations(context, { limit })).automations),
  },
  'API keys': {
    store: async ({ workspaceId }) => {
      const { key } = await createKey(anOperator(table, startMs), { workspaceId, name: 'another' });
      return { id: key.id, key: listedKeyKey(workspaceId, key.id) };
    },
    ids: async ({ workspaceId }) => idsOf(await listKeys(reporting(), workspaceId)),
  },
};

let reported: Key[] = [];
const reporting = (): Table => ({ ...table, report: (key) => reported.push(key) });

/** Replaces attributes of an item by values of another type. */
async function damage(key: Key): Promise<void> {
  const broken = { createdAt: 7, connectedAt: 7, name: 7, attemptNumber: 'none' };
  await updateItem(table, key, { set: broken, if: { pk: key.pk } });
}

describe('a list leaves out an item that cannot be read, shows the others and reports it:', () => {
  it.each(Object.keys(lists))('%s', async (name) => {
    const list = lists[name];
    if (!list) throw new Error(name);
    const { context } = await openWorkspace(table, { now: startMs });
    await list.store(context);
    const before = await list.ids({ ...context, table: reporting() });
    const damaged = await list.store(context);
    const sound = await list.store(context);
    await damage(damaged.key);
    reported = [];
    const shown = await list.ids({ ...context, table: reporting() });
    expect(shown.toSorted()).toEqual([...before, sound.id].toSorted());
    expect(reported).toEqual([damaged.key]);
  });
});

it('an endpoint that cannot be read is an error when an event is announced, so that the stream repeats it', async () => {
  const { context } = await openWorkspace(table, { now: startMs });
  const { workspaceId } = context;
  await storeWebhook(table, workspaceId);
  const other = await storeWebhook(table, workspaceId);
  await damage(webhookKey(workspaceId, other.id));
  const id = '0190a0e0-0000-7000-8000-00000000000c';
  const event = {
    id,
    workspaceId,
    type: 'post.published',
    atMs: startMs,
    accountIds: [],
    data: {},
  } as const;
  const ports = { table, now: () => startMs, sendAll: async () => new Set<never>() };
  expect(await announce(ports, [event])).toEqual([{ status: 'rejected', reason: expect.any(ZodError) }]);
});
