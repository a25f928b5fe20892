import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { build } from '../../../functions/consumers/publish-target.ts';
import { openLogger } from '../../../functions/wire/logger.ts';
import { systemClock, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { messageOf, type PublishMessage } from '../../../lib/publishing/message.ts';
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

let sent: PublishMessage[];
beforeEach(() => {
  sent = [];
});

/** Works the messages of targets in one batch. The table refuses every request about the poisoned ones. */
async function deliver(targets: readonly Target[], poisoned: readonly Target[]): Promise<SQSBatchResponse> {
  const ids = poisoned.map(({ accountId }) => accountId);
  const handler = build({
    table: failingTable(table, (command) => ids.some((id) => JSON.stringify(command).includes(id))),
    publishQueue: {
      send: async (message: PublishMessage) => void sent.push(message),
      sendAll: async () => new Set(),
    },
    publishDeadLetters: { send: async () => {} },
    renderMediaQueue: { send: async () => {} },
  } as never) as unknown as (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;
  const Records = targets.map((target) => ({
    messageId: target.accountId,
    // Without a time, so that the worker must read the target.
    body: JSON.stringify({ ...messageOf(target), wakeAt: undefined }),
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

it('a target that fails comes again alone, and takes no other of its batch along', async () => {
  const targets = await early(3);
  const [poisoned, ...others] = targets as [Target, ...Target[]];
  expect(await deliver(targets, [poisoned])).toEqual({
    batchItemFailures: [{ itemIdentifier: poisoned.accountId }],
  });
  expect(idsOf(sent)).toEqual(idsOf(others));
});
