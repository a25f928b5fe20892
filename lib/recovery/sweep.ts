import type { TenantQueue } from '../aws/queue.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { type Clock, secondMs, toTimestamp } from '../kernel/clock.ts';
import { type DueItem, workDuePages } from '../overdue/due-pages.ts';
import { allRoutineNames, type RoutineName } from '../overdue/repair-tasks.ts';
import { concurrentItems, type Resent, resend, type SendAll } from '../overdue/resend.ts';
import {
  type ChainCheck,
  chainCheckFromItem,
  messageOfCheck,
  postponeCheckSweep,
} from '../posts/stored/chain-checks.ts';
import type { ChainMessage } from '../posts/stored/chain-schemas.ts';
import { messageOf, type PublishMessage } from '../publishing/message.ts';
import type { WakePorts } from '../publishing/wake.ts';
import { allDueShards, type Key } from '../table/keys.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { overdueSince, targetFromItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';
import { postponeSweep } from '../targets/store.ts';
import { postponedMs } from '../targets/wake.ts';
import { runStoredRepair } from './run-repair.ts';

/** The minimum lateness of work. By then its message, its schedule or its worker may be lost. A duplicate message is harmless. */
const graceMs = 15 * secondMs;

/**
 * The time by which a sweep sends wakes ahead. Scheduler should have sent them by then: it fires half a minute before the wake at the
 * latest. The sweep runs once a minute, so without Scheduler a target is at most some 45 seconds late.
 */
export const aheadMs = 15 * secondMs;

/**
 * The time after its wake at which such a message arrives. By then the message from Scheduler has been processed, so the
 * duplicate costs little: it finds nothing left to do. If it came before the wake, it would read and wait as the first one does.
 */
const checkedAfterMs = 5 * secondMs;

/**
 * The maximum number of wakes that a sweep sends ahead. They are duplicates as long as Scheduler works, so they must not double a
 * burst. If anything was overdue, something is wrong, and the limit is higher.
 */
const mostAhead = { usual: 500, troubled: 5_000 };

export interface SweepPorts extends WakePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
  readonly enqueueAll: TenantQueue<PublishMessage>['sendAll'];
  readonly enqueueAllChains: SendAll<ChainMessage>;
  /** Gets each target that the sweep finds overdue or in trouble. */
  readonly noteTarget?: (target: Target) => void;
  /** Reports a failure of a sweep to operators. */
  readonly report: (message: string, error: unknown) => void;
}

/** The number of items of each kind that the sweep handled, and of its failures. */
export interface SweepCount extends Record<RoutineName, number> {
  targets: number;
  chains: number;
  repairs: number;
  failures: number;
}

/** The counts that are above 0 although nothing was lost. */
export const routineCounts: readonly (keyof SweepCount)[] = allRoutineNames;

const noneDone = (): SweepCount => ({
  targets: 0,
  chains: 0,
  repairs: 0,
  failures: 0,
  pauseLooks: 0,
  forgottenAccounts: 0,
  discardedUploads: 0,
});

/**
 * Finds overdue work by time: sends targets and chains to their queues again, and runs repair tasks. It needs the table
 * and the queues, but not Scheduler, earlier messages or the stream. It reads the index of waiting items page by page
 * until nothing is left or the deadline has passed; a sweep that finds nothing costs one small query per shard. A failure
 * of one item does not stop the others. Targets that wait for their first worker are sent ahead of their time, with a delay.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun; the next sweep continues
 */
export async function sweepOverdue(ports: SweepPorts, deadlineMs: number): Promise<SweepCount> {
  const now = ports.now();
  const overdue = toTimestamp(now - graceMs);
  const count = noneDone();
  const range = { shards: allDueShards, dueBefore: toTimestamp(now + aheadMs), deadlineMs };
  let sentAhead = 0;
  try {
    await workDuePages(ports, range, async (page) => {
      const isOverdue = ({ item }: DueItem) => String(item['dueAt']) < overdue;
      noteTroubled(
        ports,
        page.filter((each) => !isOverdue(each)),
      );
      await sweepPage(ports, page.filter(isOverdue), { overdue, deadlineMs }, count);
      const most = count.targets > 0 ? mostAhead.troubled : mostAhead.usual;
      const ahead = aheadIn(page, overdue, range.dueBefore).slice(0, Math.max(0, most - sentAhead));
      // Before any await: another page is processed at the same time.
      sentAhead += ahead.length;
      await sendAhead(ports, ahead);
    });
  } catch (error) {
    count.failures += 1;
    ports.report('a part of the index was not swept', error);
  }
  return count;
}

/** Notes the targets that may be put off until about now. Others are not parsed: most that are due are well. */
function noteTroubled({ table, noteTarget }: SweepPorts, page: readonly DueItem[]): void {
  if (noteTarget === undefined) return;
  const troubled = page.flatMap(({ item }) => {
    const { kind, errorDetail, status } = item;
    return kind === 'target' && (errorDetail !== undefined || status === 'publishing') ? [item] : [];
  });
  readableItems(table, troubled, targetFromItem).forEach(noteTarget);
}

async function sweepPage(
  ports: SweepPorts,
  page: readonly DueItem[],
  { overdue, deadlineMs }: { readonly overdue: string; readonly deadlineMs: number },
  count: SweepCount,
): Promise<void> {
  const ofKind = (kind: string) => page.filter(({ item }) => item['kind'] === kind);
  const [targets, chains, repairs] = await Promise.all([
    resendTargets(ports, ofKind('target'), overdue),
    resendChains(ports, ofKind('post')),
    runRepairs(ports, ofKind('chore'), deadlineMs),
  ]);
  count.targets += targets.sent;
  count.chains += chains.sent;
  for (const name of repairs.done) count[name] += 1;
  count.failures += targets.failures + chains.failures + repairs.failures;
}

/**
 * Returns the targets of a page that begin their work or go live between two times, and that no worker holds. Their places in the index
 * do not tell: a target that was resent is later there than its wake.
 */
function aheadIn(page: readonly DueItem[], from: string, to: string): DueItem[] {
  return page.filter(({ item }) => {
    const wakeAt = String(item['wakeAt']);
    return item['kind'] === 'target' && wakeAt >= from && wakeAt <= to && isAwaitingWorker(item);
  });
}

/**
 * Sends the messages of targets ahead of their time, in case Scheduler does not. They arrive a moment after the wakes; duplicates
 * have no effect. The targets keep their places in the index.
 */
async function sendAhead(ports: SweepPorts, ahead: readonly DueItem[]): Promise<void> {
  const targets = ahead.flatMap(({ key, item }) => {
    try {
      return targetFromItem(item);
    } catch (error) {
      reportItem(ports)(key, error);
      return [];
    }
  });
  const delays = new Map(
    targets.map((target) => {
      const arrivalMs = Date.parse(target.wakeAt ?? '') + checkedAfterMs;
      return [messageOf(target), Math.max(0, Math.ceil((arrivalMs - ports.now()) / secondMs))];
    }),
  );
  if (delays.size > 0) await ports.enqueueAll([...delays.keys()], (message) => delays.get(message) ?? 0);
}

/** True for a first wake and for the one that makes the target live. A lost look or try in between may wait for the next sweep. */
function isAwaitingWorker(target: DueItem['item']): boolean {
  const { status, leaseUntil, preparation, failures, wakeAt, scheduledFor } = target;
  const isFirst = preparation === undefined && failures === 0;
  return status === 'scheduled' && leaseUntil === undefined && (isFirst || wakeAt === scheduledFor);
}

function resendTargets(ports: SweepPorts, page: readonly DueItem[], overdue: string): Promise<Resent> {
  const read = (item: Record<string, unknown>) => {
    const target = targetFromItem(item);
    ports.noteTarget?.(target);
    const since = overdueSince(target);
    return since !== undefined && since < overdue ? target : undefined;
  };
  const postpone = (table: Table, target: Target, untilMs: number) =>
    postponeSweep(table, target, untilMs, ports.uniqueId());
  const sendAll = reportRefused(ports, 'publish', ports.enqueueAll);
  return resend(
    { ...ports, sendAll, report: reportItem(ports) },
    { read, postpone, postponedMs, messageOf },
    page,
  );
}

function resendChains(ports: SweepPorts, page: readonly DueItem[]): Promise<Resent> {
  const sendAll = reportRefused(ports, 'chain', ports.enqueueAllChains);
  return resend<ChainCheck, ChainMessage>(
    { ...ports, sendAll, report: reportItem(ports) },
    { read: chainCheckFromItem, postpone: postponeCheckSweep, postponedMs, messageOf: messageOfCheck },
    page,
  );
}

async function runRepairs(ports: SweepPorts, page: readonly DueItem[], deadlineMs: number) {
  const report = reportItem(ports);
  const outcomes = await mapInBatches(page, concurrentItems, async ({ key, item }) => {
    try {
      return await runStoredRepair(ports, item, deadlineMs);
    } catch (error) {
      report(key, error);
      return undefined;
    }
  });
  const done = outcomes.filter((name) => name !== undefined);
  return { done, failures: outcomes.length - done.length };
}

const reportItem =
  ({ report }: SweepPorts) =>
  ({ pk, sk }: Key, error: unknown) =>
    report(`not swept: ${pk} ${sk}`, error);

function reportRefused<Message>(
  { report }: SweepPorts,
  queue: string,
  sendAll: SendAll<Message>,
): SendAll<Message> {
  return async (messages) => {
    const refused = await sendAll(messages);
    if (refused.size > 0)
      report(
        `the ${queue} queue did not accept ${refused.size} messages`,
        new Error('sent again in a minute'),
      );
    return refused;
  };
}
