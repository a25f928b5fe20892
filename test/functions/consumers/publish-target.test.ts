import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build } from '../../../functions/consumers/publish-target.ts';
import { openLogger } from '../../../functions/wire/logger.ts';
import { systemClock, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import {
  joinWakes,
  messageOf,
  type PublishMessage,
  type WakeMessage,
  wakesOf,
} from '../../../lib/publishing/message.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { failingTable } from '../../lib/recovery/fixture.ts';
import { storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
  // These tests cause errors.
  openLogger().setLogLevel('SILENT');
});
afterAll(() => openLogger().setLogLevel('WARN'));

let sent: WakeMessage[];
let acceptsMessages: boolean;
beforeEach(() => {
  sent = [];
  acceptsMessages = true;
});

/** A message that does not say when its wake is, so that the worker must read the target. */
const untimed = (target: Target): PublishMessage => ({ ...messageOf(target), wakeAt: undefined });

/** Works a message. The wakes of these targets cannot be worked, because the table refuses every request about them. */
async function deliver(
  targets: readonly Target[],
  poisoned: readonly Target[],
  messageFor = untimed,
): Promise<SQSBatchResponse> {
  const ids = poisoned.map(({ accountId }) => accountId);
  const handler = build({
    table: failingTable(table, (command) => ids.some((id) => JSON.stringify(command).includes(id))),
    publishQueue: {
      send: async (message: WakeMessage) => {
        if (!acceptsMessages) throw new Error('the queue does not answer');
        sent.push(message);
      },
      sendAll: async () => new Set(),
    },
    publishDeadLetters: { send: async () => {} },
  } as never) as unknown as (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;
  const Records = joinWakes(targets.map(messageFor)).map((message, index) => ({
    messageId: `message-${index}`,
    body: JSON.stringify(message),
  }));
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
  return handler({ Records } as never, context);
}

/** Targets of a post whose wake is an hour ahead: a worker finds them too early, and sends the message on. */
async function early(count: number): Promise<Target[]> {
  const wakeAt = toTimestamp(systemClock() + 3_600_000);
  const accounts = Array.from({ length: count }, () => ({ accountId: newId(systemClock()), wakeAt }));
  return (await storePost(table, newId(systemClock()), accounts)).targets;
}

const idsOf = (targets: readonly { accountId: string }[]) =>
  targets.map(({ accountId }) => accountId).toSorted();

describe('a message for several targets', () => {
  it.each([
    ['after a read', false],
    ['without a read if it says when it is due', true],
  ])('goes back to the queue as one message if it is early, %s', async (_how, isTimed) => {
    const targets = await early(3);
    const outcome = await (isTimed ? deliver(targets, targets, messageOf) : deliver(targets, []));
    expect(outcome).toEqual({ batchItemFailures: [] });
    expect(sent).toHaveLength(1);
    expect(idsOf(sent.flatMap(wakesOf))).toEqual(idsOf(targets));
  });

  it('leaves a target that fails to a message of its own, so that it takes no other to the dead letters', async () => {
    const targets = await early(3);
    const poisoned = targets.slice(0, 1);
    expect(await deliver(targets, poisoned)).toEqual({ batchItemFailures: [] });
    expect(sent).toContainEqual({ ...untimed(poisoned[0] as Target), sends: 1 });
    expect(idsOf(sent)).toEqual(idsOf(targets));
  });

  it('comes again if the queue does not accept that message', async () => {
    const targets = await early(2);
    acceptsMessages = false;
    expect((await deliver(targets, targets)).batchItemFailures).toHaveLength(1);
  });
});

it('a message for one target comes again if the target fails', async () => {
  const targets = await early(1);
  expect((await deliver(targets, targets)).batchItemFailures).toHaveLength(1);
  expect(sent).toEqual([]);
});
