import { beforeAll, describe, expect, it } from 'vitest';
import { newConversation, newReply } from '../../../lib/automations/actions/new-actions.ts';
import {
  type ActionChanges,
  actionKey,
  actionPut,
  findAction,
  updateAction,
} from '../../../lib/automations/actions/store.ts';
import type { AutomationAction, InboundComment } from '../../../lib/automations/schemas.ts';
import { deleteAutomation, findAutomation, replaceAutomation } from '../../../lib/automations/store.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { ForbiddenMoveError } from '../../../lib/kernel/life-cycle.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { storeAutomation } from '../../support/automations.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const aComment = (): InboundComment => ({
  kind: 'inboundComment',
  workspaceId: newId(startMs),
  accountId: newId(startMs),
  commentId: newId(startMs),
  platformPostId: '1',
  personId: '2',
  username: null,
  text: 'link',
  at: toTimestamp(startMs),
  expiresAtSeconds: startMs,
});

async function stored(action: AutomationAction): Promise<AutomationAction> {
  expect(await transact(table, [actionPut(table, action)])).toEqual({ committed: true });
  return action;
}
const change = (action: AutomationAction, changes: ActionChanges) =>
  updateAction(table, action, changes, { writeId: newId(startMs) });

describe('an action refuses without a write', () => {
  const reply = () => newReply(aComment(), newId(startMs), startMs);
  const conversation = () => newConversation(aComment(), newId(startMs), startMs);
  const rows: [string, () => AutomationAction, ActionChanges][] = [
    ['a call without an intent', reply, { state: 'done' }],
    ['a second reply after the first', () => ({ ...reply(), state: 'done' }), { state: 'waiting' }],
    ['another try after an unknown outcome', () => ({ ...reply(), state: 'unknown' }), { state: 'intended' }],
    ['another try of a reply after a failure', () => ({ ...reply(), state: 'failed' }), { state: 'waiting' }],
    ['a call after a failure', () => ({ ...conversation(), state: 'failed' }), { state: 'intended' }],
    [
      'another try of a conversation after an unknown outcome',
      () => ({ ...conversation(), state: 'unknown' }),
      { state: 'waiting' },
    ],
    [
      'a message in a closed conversation',
      () => ({ ...conversation(), stage: 'closed' }),
      { stage: 'gated' },
    ],
    ['the message itself before an answer', conversation, { stage: 'granting' }],
  ];

  it.each(rows)('%s', async (_what, make, changes) => {
    const action = await stored(make());
    await expect(change(action, changes)).rejects.toThrow(ForbiddenMoveError);
    expect(await findAction(table, actionKey(action))).toEqual(action);
  });
});

it('a deleted automation cannot be restored', async () => {
  const automation = await storeAutomation(table, newId(startMs));
  expect(await deleteAutomation(table, automation)).toBe('deleted');
  const find = () => findAutomation(table, automation.workspaceId, automation.id);
  await expect(replaceAutomation(table, await find(), automation, [])).rejects.toThrow(ForbiddenMoveError);
  expect(await find()).toBeUndefined();
});
