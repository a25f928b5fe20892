import { setTimeout as delay } from 'node:timers/promises';
import { inStage, recordAct } from '../../lib/audit/record.ts';
import { isSameQueue } from '../../lib/aws/queue-names.ts';
import { messageInLetter, openStageQueues, type StageQueue } from '../../lib/aws/stage-queues.ts';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { idsIn } from '../../lib/operating/message-ids.ts';
import { type AdminContext, type Commands, operatorCommand } from './command.ts';
import { countTo } from './values.ts';

const anyForm =
  'The name of a queue is accepted in any form: media-arrived, "media arrived" and MediaArrived are the same.';

export const queueCommands: Commands = {
  'queue list': operatorCommand({
    verb: 'queue.read',
    summary: 'show the number of messages of each queue: waiting, in work and dead letters',
    run: async ({ stage, out }) => out.list((await openStageQueues().find(stage)).map(countsOf)),
  }),
  'queue peek': operatorCommand({
    verb: 'queue.read',
    words: { queueName: {} },
    options: {
      limit: {
        value: 'number',
        read: countTo(100),
        default: '10',
        summary: 'maximum number of messages to show',
      },
    },
    summary: 'show the ids in the dead letters of a queue, without deleting them',
    detail: `Only the ids, because a message may contain texts of people. ${anyForm}`,
    run: async ({ stage, out }, { queueName: given }, { limit }) => {
      const { deadLetters } = await findQueue(stage, given);
      if (deadLetters === undefined) throw new HeraldError('not_found', `${given}: has no dead letters`);
      const messages = await openStageQueues().peek(deadLetters, limit);
      out.list(
        messages.map(({ id, body, sentMs, attributes }) => ({
          message: id,
          sentAt: toTimestamp(sentMs),
          ids: idsIn(messageInLetter(body)).map(({ name, value }) => `${name}=${value}`),
          // Scheduler says why it could not reach the queue.
          error: attributes['ERROR_MESSAGE'] ?? attributes['ERROR_CODE'],
        })),
      );
      if (deadLetters.waiting > messages.length)
        out.note(`${deadLetters.waiting} dead letters in all; SQS shows a sample. See --limit.`);
    },
  }),
  'queue redrive': operatorCommand({
    verb: 'queue.redrive',
    words: { queueName: {} },
    options: { 'dry-run': { summary: 'show the number of messages without moving any' } },
    summary: 'move the dead letters of a queue back to it, after their cause is fixed',
    detail:
      'Safe for every queue: outdated messages have no effect. Dead letters of schedules go to the queue publish. ' +
      `Those of relay and announce belong to no queue: see docs/runbook.md. ${anyForm}`,
    run: async (operator, { queueName: given }, { 'dry-run': isDryRun }) => {
      const { out, stage } = operator;
      const { name, queue, deadLetters } = await findQueue(stage, given);
      const destination =
        queue ?? (name === 'schedules' ? (await findQueue(stage, 'publish')).queue : undefined);
      if (destination === undefined || deadLetters === undefined)
        throw new HeraldError(
          'not_found',
          `${name}: its dead letters belong to no queue, see docs/runbook.md`,
        );
      const waiting = deadLetters.waiting;
      if (waiting === 0) {
        out.result({ queue: name, [isDryRun ? 'wouldMove' : 'moved']: 0 }, [`${name} has no dead letters.`]);
        return;
      }
      if (isDryRun) {
        const where = queue === undefined ? 'to publish' : `back to ${name}`;
        out.result({ queue: name, wouldMove: waiting }, [`Would move ${waiting} ${where}.`]);
        return;
      }
      await recordAct(inStage(operator), name);
      if (queue === undefined) {
        const moved = await openStageQueues().moveOneByOne(deadLetters, destination, (count) =>
          out.note(`Moved so far: ${count} of about ${waiting}`),
        );
        out.result({ queue: name, moved }, [`Moved ${moved} to publish.`]);
        return;
      }
      await redrive(operator, { name, queue, deadLetters });
    },
  }),
};

function countsOf({ name, queue, deadLetters }: StageQueue) {
  return {
    name,
    waiting: queue?.waiting ?? null,
    inWork: queue?.inWork ?? null,
    deadLetters: deadLetters?.waiting ?? null,
  };
}

async function findQueue(stage: string, given: string): Promise<StageQueue> {
  const queues = await openStageQueues().find(stage);
  const queue = queues.find(({ name }) => isSameQueue(name, given));
  if (queue) return queue;
  const names = queues.map(({ name }) => name).join(', ');
  throw new HeraldError('not_found', `${given}: no such queue. Choose one of: ${names}`);
}

const endStatuses: readonly string[] = ['COMPLETED', 'CANCELLED', 'FAILED'];
const watchMs = 20_000;

/** Watches SQS's move for 20 seconds; after that it continues by itself. */
async function redrive(
  { out }: AdminContext,
  { name, queue, deadLetters }: Required<StageQueue>,
): Promise<void> {
  const queues = openStageQueues();
  await queues.beginMove(deadLetters, queue);
  let told = 0;
  for (let waitedMs = 0; waitedMs < watchMs; waitedMs += 200) {
    const task = await queues.readMove(deadLetters);
    if (task && endStatuses.includes(task.status)) {
      if (task.status !== 'COMPLETED')
        throw new Error(`${name}: the move ended with ${task.status}: ${task.reason}`);
      out.result({ queue: name, moved: task.moved }, [`Moved ${task.moved} back to ${name}.`]);
      return;
    }
    if (task && task.moved >= told + 1_000) {
      told = task.moved;
      out.note(`Moved so far: ${told} of about ${deadLetters.waiting}`);
    }
    await delay(200);
  }
  out.result({ queue: name, isContinuing: true }, [`${name}: the move continues.`]);
  out.note('To see how many messages are left, run queue list.');
}
