import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { auditPartition } from '../../../../lib/table/keys.ts';
import { queryAll } from '../../../../lib/table/query.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { disableWebhook } from '../../../../lib/webhooks/endpoints/disable.ts';
import { findWebhook } from '../../../../lib/webhooks/endpoints/store.ts';
import { operatorAct } from '../../../support/acts.ts';
import { openWorkspace } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { storeWebhook } from '../../../support/webhooks.ts';

let table: Table;
let context: Context;
beforeAll(async () => {
  table = await createTestTable();
  context = { ...(await openWorkspace(table)).context, ...operatorAct('webhook.edit') };
});

const entries = async (subjectId: string) =>
  (await queryAll(table, { partition: auditPartition(context.workspaceId) })).filter(
    (entry) => entry['subjectId'] === subjectId,
  );

describe('an operator who switches an endpoint off', () => {
  it('stops it, clears its failures, and is named by the audit log of the workspace', async () => {
    const { id } = await storeWebhook(table, context.workspaceId, {
      failingSince: '2026-01-01T00:00:00.000Z',
    });
    expect(await disableWebhook(context, id)).toEqual({ isRepeated: false });
    const stored = await findWebhook(table, context.workspaceId, id);
    expect(stored).toMatchObject({ isActive: false, statusMessage: null });
    expect(stored).not.toHaveProperty('failingSince');
    expect(await entries(id)).toMatchObject([{ verb: 'webhook.edit', actor: { kind: 'operator' } }]);
  });

  it('changes nothing if it is off', async () => {
    const { id } = await storeWebhook(table, context.workspaceId, { isActive: false });
    expect(await disableWebhook(context, id)).toEqual({ isRepeated: true });
    expect(await entries(id)).toEqual([]);
  });

  it('succeeds once if two do it at the same time', async () => {
    const { id } = await storeWebhook(table, context.workspaceId, {});
    await Promise.all([disableWebhook(context, id), disableWebhook(context, id)]);
    expect(await entries(id)).toHaveLength(1);
  });

  it('finds no endpoint of another workspace', async () => {
    const { workspace } = await openWorkspace(table);
    const { id } = await storeWebhook(table, workspace.id, {});
    await expect(disableWebhook(context, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
