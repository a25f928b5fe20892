import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { actionKey } from '../../../lib/automations/actions/store.ts';
import type {
  Automation,
  AutomationAction,
  MessageAction,
  ReplyAction,
} from '../../../lib/automations/schemas.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { explainAutomation } from '../../../lib/operating/why-automation.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import { automationCountsKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { anOperator } from '../../support/acts.ts';
import { storeAutomation } from '../../support/automations.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

async function open() {
  const { workspace } = await openWorkspace(table);
  const account = await storeAccount(table, workspace.id);
  return storeAutomation(table, workspace.id, { accountId: account.id });
}

let made = 0;
const common = ({ id, workspaceId, accountId }: Automation) => ({
  workspaceId,
  accountId,
  automationId: id,
  commentId: `comment-${made++}`,
  state: 'waiting' as const,
  attempt: 1,
  failures: 0,
  createdAt: toTimestamp(startMs),
  expiresAtSeconds: 4_000_000_000,
});
const reply = (of: Automation, changes: Partial<ReplyAction>): ReplyAction => ({
  ...common(of),
  kind: 'automationReply',
  ...changes,
});
const message = (of: Automation, changes: Partial<MessageAction>): MessageAction => ({
  ...common(of),
  kind: 'automationMessage',
  personId: `person-${made}`,
  stage: 'opening',
  turn: 1,
  ...changes,
});

async function store(...actions: readonly AutomationAction[]): Promise<void> {
  for (const action of actions)
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...actionKey(action), ...action } }),
    );
}

describe('why an automation does what it does', () => {
  it('is said by its id alone: its counts, and nothing else if all went well', async () => {
    await open();
    const automation = await open();
    const Item = { ...automationCountsKey(automation.id, 3), matches: 2, messages: 2 };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    await store(
      reply(automation, { state: 'done' }),
      message(automation, { state: 'done', stage: 'closed' }),
    );
    expect(await explainAutomation(table, automation.id)).toEqual({
      automationId: automation.id,
      workspaceId: automation.workspaceId,
      accountId: automation.accountId,
      accountState: 'ok',
      state: 'active',
      pausedFor: null,
      counts: { matches: 2, replies: 0, messages: 2, failures: 0, failuresByCode: {}, waiting: {} },
      groups: [],
      isCut: false,
    });
  });

  it('groups what has failed by reason, the most frequent first', async () => {
    const automation = await open();
    const failed = (error: string) => message(automation, { state: 'failed', error });
    await store(failed('blocked'), failed('comment 17 is gone'), failed('comment 18 is gone'));
    const { groups } = await explainAutomation(table, automation.id);
    expect(groups).toMatchObject([
      {
        state: 'failed',
        what: 'message',
        count: 2,
        reason: expect.stringMatching(/^comment 1[78] is gone$/),
      },
      { state: 'failed', what: 'message', count: 1, reason: 'blocked' },
    ]);
  });

  it.each([
    [
      'the hourly limit',
      { awaitsCap: true },
      'The account has sent all private replies that the platform allows in an hour.',
    ],
    ['another try', { failures: 2 }, 'tried again, after 2 failures'],
    ['the person', { state: 'done', stage: 'gated' }, 'the person has not tapped the button'],
    ['nothing', {}, null],
  ] as const)('says that a message waits for %s', async (_, changes, reason) => {
    const automation = await open();
    const [soon, later] = [toTimestamp(startMs + minuteMs), toTimestamp(startMs + 2 * minuteMs)];
    await store(
      message(automation, { ...changes, wakeAt: later }),
      message(automation, { ...changes, wakeAt: soon }),
    );
    expect((await explainAutomation(table, automation.id)).groups).toMatchObject([
      { state: 'waiting', count: 2, reason, nextAt: soon },
    ]);
  });

  it('says that a call whose outcome is unknown is not repeated', async () => {
    const automation = await open();
    await store(reply(automation, { state: 'unknown' }));
    const { groups } = await explainAutomation(table, automation.id);
    expect(groups).toMatchObject([
      { what: 'reply', state: 'unknown', reason: expect.stringContaining('not sent again') },
    ]);
  });

  it('says that its account is paused, and why', async () => {
    const automation = await open();
    const { workspaceId, accountId } = automation;
    const scope = { kind: 'account', workspaceId, accountId } as const;
    await putPause(anOperator(table, startMs, 'pause.begin'), { scope, reason: 'an incident' });
    expect(await explainAutomation(table, automation.id)).toMatchObject({ pausedFor: 'an incident' });
  });

  it.each(['nonsense', newId(startMs)])('is not found for %s', async (id) => {
    await expect(explainAutomation(table, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
