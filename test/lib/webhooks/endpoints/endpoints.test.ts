import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Vault } from '../../../../lib/accounts/vault.ts';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { ForbiddenMoveError } from '../../../../lib/kernel/life-cycle.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { sendTestEvent } from '../../../../lib/webhooks/deliveries/send-test.ts';
import { findDelivery } from '../../../../lib/webhooks/deliveries/store.ts';
import { createWebhook } from '../../../../lib/webhooks/endpoints/create.ts';
import { editWebhook } from '../../../../lib/webhooks/endpoints/edit.ts';
import { updateHealth } from '../../../../lib/webhooks/endpoints/health.ts';
import { rotateSecret } from '../../../../lib/webhooks/endpoints/rotate-secret.ts';
import { openWebhookSecret } from '../../../../lib/webhooks/endpoints/secrets.ts';
import { findWebhook, queryWebhooks, updateWebhook } from '../../../../lib/webhooks/endpoints/store.ts';
import type { Webhook } from '../../../../lib/webhooks/schemas.ts';
import { openWorkspace, startMs } from '../../../support/builders.ts';
import { memoryDataKeys } from '../../../support/data-keys.ts';
import { createTestTable, sendingTwice } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const vault = new Vault(memoryDataKeys(), () => startMs);
let context: Context;
/** The addresses that the host resolves to. */
let addresses: readonly string[];
beforeEach(async () => {
  ({ context } = await openWorkspace(table));
  addresses = ['93.184.216.34'];
});

const network = { plainHttpHosts: new Set<string>(), lookUp: async () => addresses };

const create = () =>
  createWebhook(
    { ...context, vault, network },
    {
      url: 'https://hooks.example.com/in',
      events: ['post.failed'],
      accountIds: null,
      isActive: true,
      description: null,
    },
  );

async function stored(id: string): Promise<Webhook> {
  const webhook = await findWebhook(table, context.workspaceId, id);
  if (!webhook) throw new Error('the endpoint does not exist');
  return webhook;
}

describe('a host name', () => {
  it.each([
    ['no address', []],
    ['a private address', ['10.1.2.3']],
    ['a private address among public ones', ['93.184.216.34', '::ffff:169.254.169.254']],
  ])('with %s is rejected by create and edit', async (_what, found) => {
    const { id } = await create();
    addresses = found;
    const refusal = {
      code: 'url_not_allowed',
      fields: { url: [expect.stringContaining('hooks.example.com')] },
    };
    await expect(create()).rejects.toMatchObject(refusal);
    const url = 'https://hooks.example.com/other';
    await expect(editWebhook({ ...context, network }, id, { url })).rejects.toMatchObject(refusal);
    expect((await queryWebhooks(table, context.workspaceId, {})).webhooks).toEqual([await stored(id)]);
  });
});

describe('a secret', () => {
  it('opens to the shown text, only for its own endpoint', async () => {
    const { id, secret } = await create();
    const { secret: sealed, workspaceId } = await stored(id);
    expect(await openWebhookSecret(vault, { workspaceId, id }, sealed)).toBe(secret);
    await expect(openWebhookSecret(vault, { workspaceId, id: newId(startMs) }, sealed)).rejects.toThrow();
    await expect(openWebhookSecret(vault, { workspaceId: newId(startMs), id }, sealed)).rejects.toThrow();
  });

  it('signs together with its successor, until the next rotation', async () => {
    const { id, secret } = await create();
    const shown = [secret];
    for (const turn of [1, 2]) {
      shown.push((await rotateSecret({ ...context, vault }, id)).secret);
      const webhook = await stored(id);
      const live = [webhook.secret, webhook.previousSecret ?? ''];
      const opened = await Promise.all(live.map((sealed) => openWebhookSecret(vault, webhook, sealed)));
      expect(opened).toEqual([shown[turn], shown[turn - 1]]);
    }
  });

  it('is rotated once if the response is lost and the SDK repeats the write', async () => {
    const { id, secret } = await create();
    const rotated = await rotateSecret({ ...context, table: sendingTwice(table), vault }, id);
    const webhook = await stored(id);
    expect(await openWebhookSecret(vault, webhook, webhook.secret)).toBe(rotated.secret);
    expect(await openWebhookSecret(vault, webhook, webhook.previousSecret ?? '')).toBe(secret);
  });

  it('that a client has chosen signs alone, also during a rotation', async () => {
    const { id } = await create();
    await rotateSecret({ ...context, vault }, id);
    await editWebhook({ ...context, network }, id, {}, { secret: 'chosen', vault });
    const webhook = await stored(id);
    expect(await openWebhookSecret(vault, webhook, webhook.secret)).toBe('chosen');
    expect(webhook).not.toHaveProperty('previousSecret');
    expect(webhook).not.toHaveProperty('previousSecretUntil');
  });
});

describe('a disabled endpoint', () => {
  const reason = /^disabled: the receiver responded 410/;
  const gone = { delivered: false, isGone: true, error: 'responded 410' };

  it('can be turned on again only if its recorded failures are cleared', async () => {
    const { id } = await create();
    await updateHealth(table, await stored(id), { ...gone, isGone: false }, startMs);
    await updateHealth(table, await stored(id), gone, startMs);
    const off = await stored(id);
    expect(off).toMatchObject({ isActive: false, statusMessage: expect.stringMatching(reason) });
    const plant = updateWebhook(table, off, { isActive: true, clearsHealth: false });
    await expect(plant).rejects.toThrow(ForbiddenMoveError);
    expect(await stored(id)).toEqual(off);
    expect(await editWebhook({ ...context, network }, id, { isActive: true })).toMatchObject({
      status: 'active',
      statusMessage: null,
    });
  });
});

it('a test event is stored even if the queue does not accept its message', async () => {
  const { id } = await create();
  const reports: string[] = [];
  const ports = {
    sendAll: async <Message>(messages: readonly Message[]) => new Set(messages),
    report: (message: string) => reports.push(message),
  };
  const shown = await sendTestEvent({ ...context, ...ports }, id);
  const ref = { workspaceId: context.workspaceId, webhookId: id, id: shown.id };
  expect(await findDelivery(table, ref, startMs)).toMatchObject({ status: 'pending', attemptNumber: 1 });
  expect(reports).toHaveLength(1);
});
