import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { findFailingEndpoints } from '../../../lib/operating/failing-endpoints.ts';
import { batchPut } from '../../../lib/table/batch-write.ts';
import { webhookKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { deliveryItem, newDelivery } from '../../../lib/webhooks/deliveries/store.ts';
import type { Webhook } from '../../../lib/webhooks/schemas.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let unreadable: object[];
beforeEach(async () => {
  unreadable = [];
  table = { ...(await createTestTable()), report: (item) => void unreadable.push(item) };
});

const at = (minutes: number) => toTimestamp(startMs + minutes * minuteMs);

/** Stores an endpoint of a workspace, with deliveries that wait for these times. */
async function endpoint(changes: Partial<Webhook>, ...nextAttempts: readonly string[]): Promise<Webhook> {
  const webhook: Webhook = {
    ...{ id: newId(startMs), workspaceId: newId(startMs), url: 'https://hooks.example.com/secret-path' },
    ...{ events: ['*'], isActive: true, description: null, statusMessage: 'the connection was refused' },
    ...{ secret: 'sealed', createdAt: at(-60), version: 1, failingSince: at(-30), ...changes },
  };
  const { id, workspaceId } = webhook;
  const event = { workspaceId, type: 'post.published', createdAt: at(0), expiresAtSeconds: 2e9 } as const;
  await batchPut(table, [
    { ...webhookKey(workspaceId, id), kind: 'webhook', ...webhook },
    ...nextAttempts.map((nextAttemptAt) =>
      deliveryItem({ ...newDelivery({ id: newId(startMs), ...event }, id, startMs), nextAttemptAt }),
    ),
  ]);
  return webhook;
}

describe('the failing endpoints of all workspaces', () => {
  it('are listed with what waits for them, the longest failing first, and without the path of their URLs', async () => {
    const recent = await endpoint({ failingSince: at(-5), slowSince: at(-5) }, at(30));
    const old = await endpoint({}, at(60), at(-1), at(1_500));
    expect(await findFailingEndpoints(table, startMs)).toEqual({
      isCut: false,
      endpoints: [
        {
          ...{ id: old.id, workspaceId: old.workspaceId, host: 'hooks.example.com', failingSince: at(-30) },
          ...{ waiting: 3, nextAttemptAt: at(-1), isSlow: false, error: 'the connection was refused' },
        },
        expect.objectContaining({ id: recent.id, waiting: 1, nextAttemptAt: at(30), isSlow: true }),
      ],
    });
  });

  it.each<[string, Partial<Webhook>, string[]]>([
    ['has answered since', { failingSince: undefined }, [at(1)]],
    ['is switched off', { isActive: false }, [at(1)]],
    ['has nothing that waits', {}, []],
  ])('do not include one that %s', async (_case, changes, nextAttempts) => {
    await endpoint(changes, ...nextAttempts);
    expect((await findFailingEndpoints(table, startMs)).endpoints).toEqual([]);
  });

  it('include those of replays, and those whose receiver asks for a day of patience', async () => {
    const { id, workspaceId } = await endpoint({}, toTimestamp(startMs + 1.1 * dayMs));
    const replay = { id: newId(startMs), workspaceId, type: 'post.published', createdAt: at(0) } as const;
    const again = newDelivery({ ...replay, expiresAtSeconds: 2e9 }, id, startMs, newId(startMs));
    await batchPut(table, [deliveryItem(again)]);
    expect((await findFailingEndpoints(table, startMs)).endpoints).toMatchObject([{ id, waiting: 2 }]);
  });

  it('are listed although another one cannot be read or is deleted', async () => {
    const [known, odd] = [await endpoint({}, at(1)), await endpoint({ url: 7 as never }, at(1))];
    const gone = { ...known, workspaceId: newId(startMs), type: 'post.published' as const };
    const left = newDelivery({ ...gone, createdAt: at(0), expiresAtSeconds: 2e9 }, odd.id, startMs);
    await batchPut(table, [deliveryItem(left)]);
    expect((await findFailingEndpoints(table, startMs)).endpoints).toMatchObject([{ id: known.id }]);
    expect(unreadable).toHaveLength(1);
  });
});
