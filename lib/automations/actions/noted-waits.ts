import { accountProblem } from '../../accounts/problem.ts';
import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { mapInBatches } from '../../kernel/batches.ts';
import { dayMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/ids.ts';
import { endOfTime, inTurns } from '../../overdue/due-pages.ts';
import { concurrentItems, type ResendPorts } from '../../overdue/resend.ts';
import { pauseAmong, pauseKeysOf } from '../../pauses/read.ts';
import { enabledFeatures, type StageFeatures } from '../../platforms/contract/features.ts';
import { featuresFor } from '../../platforms/registry/features.ts';
import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import { anyOf, moreThan, unconditionally } from '../../table/condition.ts';
import { deleteItem, type Item, updateItem } from '../../table/items.ts';
import {
  accountKey,
  allWaitingShards,
  automationKey,
  automationPartition,
  type Key,
  partsOfWaitingAction,
  waitingActionKey,
  waitingShard,
} from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import { indexes } from '../../table/schema.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import type { WaitReason } from '../failure-codes.ts';
import type { AutomationAction, AutomationMessage } from '../schemas.ts';
import { actionKey, dueKeys } from './store.ts';
import type { Work } from './work.ts';

/** The time for which a note is kept: a day longer than the longest window. */
const keptMs = 8 * dayMs;

/**
 * Returns the cause for which an action waits, as text: the reason, with what must change for it to end. The end of a restriction
 * is visible only in a call, unless the account is connected again.
 */
function causeOf({ action, account }: Pick<Work, 'action' | 'account'>, reason: WaitReason): string {
  if (reason === 'feature_off')
    return `${reason}=${action.kind === 'automationReply' ? 'comments' : 'messages'}`;
  const endsWithConnecting = reason === 'account_restricted' || reason === 'permission_missing';
  return endsWithConnecting ? `${reason}=${account?.connectedAt ?? ''}` : reason;
}

/**
 * Returns the part of a transaction that notes for what an action waits. The sweep finds notes in the order in which windows end.
 *
 * @param endMs the end of the window, in epoch milliseconds
 */
export function noteWait(work: Work, reason: WaitReason, endMs: number): TransactionItems {
  const { ports, action } = work;
  const note = { cause: causeOf(work, reason), endMs, noteId: ports.uniqueId(), now: ports.now() };
  return [putPart(ports.table, waitingActionItem(action, note), unconditionally)];
}

interface NewNote {
  readonly cause: string;
  /** The end of the window, in epoch milliseconds. */
  readonly endMs: number;
  /** Unique to this note: a note that was renewed is another one. */
  readonly noteId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the item that notes for what an action waits. */
export function waitingActionItem(action: AutomationAction, { cause, endMs, noteId, now }: NewNote): Item {
  const { workspaceId, accountId, automationId } = action;
  const { pk, sk } = actionKey(action);
  const digest = sha256(`${pk}\n${sk}`);
  return {
    ...waitingActionKey(action, cause, digest.slice(0, 32)),
    kind: 'waitingAction',
    workspaceId,
    accountId,
    automationId,
    action: sk,
    noteId,
    dueShard: waitingShard(digest),
    dueAt: toTimestamp(endMs),
    expiresAtSeconds: Math.floor((now + keptMs) / secondMs),
  };
}

export interface WakePorts extends ResendPorts<AutomationMessage> {
  readonly stageFeatures: StageFeatures;
}

/** The maximum number of notes read per shard: some 30 bytes of the index each. Actions beyond it still look by themselves. */
const maxKeysPerShard = 10_000;

interface Note extends Key {
  readonly dueAt: string;
}

/**
 * Wakes the actions whose cause of waiting has ended: an automation that was off, an account without access, a pause, a feature
 * that was off. Those whose windows end first come first, workspaces in turns. The causes are read, not the actions, so a cause
 * that goes on costs little however many wait for it.
 *
 * @param deadlineMs the time at which to begin no further page, in epoch milliseconds. The next sweep continues
 * @returns the number of actions that were woken
 */
export async function wakeWaitingActions(ports: WakePorts, deadlineMs: number): Promise<number> {
  const { table, now } = ports;
  const notes = (await Promise.all(allWaitingShards.map((shard) => notesIn(table, shard)))).flat();
  const hasEnded = await endedCauses(ports, notes);
  // An action whose window has closed waits no more; its note would take the place of others until it expires.
  const at = toTimestamp(now());
  const ended = notes
    .filter((note) => note.dueAt <= at || hasEnded(note))
    .toSorted((one, other) => (one.dueAt < other.dueAt ? -1 : Number(one.dueAt > other.dueAt)));
  const ordered = inTurns(ended);
  let woken = 0;
  for (let first = 0; first < ordered.length && now() < deadlineMs; first += batchGetLimit)
    woken += await wake(ports, ordered.slice(first, first + batchGetLimit));
  return woken;
}

async function notesIn(table: Table, shard: string): Promise<Note[]> {
  const query = {
    partition: shard,
    index: indexes.overdue,
    sort: { before: endOfTime },
    attributes: ['pk', 'sk', 'dueAt'],
  };
  const notes: Note[] = [];
  for await (const page of queryPages(table, query)) {
    notes.push(...(page as unknown as Note[]));
    if (notes.length >= maxKeysPerShard) break;
  }
  return notes;
}

/** Reads what the notes name, each thing once. Returns a function that says whether the cause of a note has ended. */
async function endedCauses(
  { table, stageFeatures, report }: WakePorts,
  notes: readonly Note[],
): Promise<(note: Note) => boolean> {
  const named = notes.map(partsOfWaitingAction);
  const accountKeys = named.map(({ workspaceId, accountId }) => accountKey(workspaceId, accountId));
  const automationKeys = named.flatMap(({ cause, workspaceId, automationId }) =>
    cause === 'automation_off' ? [automationKey(workspaceId, automationId)] : [],
  );
  const found = await batchGet(table, [...distinct(accountKeys), ...distinct(automationKeys)]);
  // An account that cannot be read must not keep others waiting.
  const accounts = new Map(
    distinct(accountKeys).flatMap((key): [string, Account | 'unreadable'][] => {
      const item = found.get(key);
      return item ? [[key.sk, readableItems({ report }, [item], accountFromItem)[0] ?? 'unreadable']] : [];
    }),
  );
  const accountOf = ({ workspaceId, accountId }: (typeof named)[number]) =>
    accounts.get(accountKey(workspaceId, accountId).sk);
  const pausable = named.flatMap((part) => {
    const account = part.cause === 'paused' ? accountOf(part) : undefined;
    const isKnown = account !== undefined && account !== 'unreadable';
    return isKnown ? [pauseKeysOf({ ...part, platform: account.platform })] : [];
  });
  const pauses = await batchGet(table, distinct(pausable.flat()));
  return (note) => {
    const part = partsOfWaitingAction(note);
    const account = accountOf(part);
    // Nothing is left to wait for: the action says so when it looks.
    if (!account) return true;
    if (account === 'unreadable') return false;
    const [reason, detail] = part.cause.split('=');
    switch (reason) {
      case 'automation_off':
        return found.get(automationKey(part.workspaceId, part.automationId))?.['isActive'] !== false;
      case 'account_expired':
      case 'account_disconnected':
        return accountProblem(account) === undefined;
      case 'account_restricted':
      case 'permission_missing':
        return account.connectedAt !== detail;
      case 'paused':
        return pauseAmong(pauses, pauseKeysOf({ ...part, platform: account.platform })) === undefined;
      case 'feature_off': {
        const { platform } = account;
        return enabledFeatures(featuresFor(platform), stageFeatures[platform]).some(
          (name) => name === detail,
        );
      }
      default:
        return false;
    }
  };
}

const distinct = (keys: readonly Key[]): Key[] => [
  ...new Map(keys.map((key) => [`${key.pk}\n${key.sk}`, key])).values(),
];

/**
 * Makes the actions due and sends their messages, in order, and then removes the notes. If the sweep dies in between, the action is
 * due, and the next sweep removes the note. A note that was renewed meanwhile stays.
 */
async function wake(ports: WakePorts, notes: readonly Key[]): Promise<number> {
  const { table, now, sendAll, report } = ports;
  const found = await batchGet(table, notes);
  const failed = new Set<Key>();
  const woken = await mapInBatches(notes, concurrentItems, async (key) => {
    const note = found.get(key);
    try {
      return note && (await makeDue(table, note, now())) ? [note] : [];
    } catch (error) {
      // Its note stays for the next sweep.
      failed.add(key);
      report(key, error);
      return [];
    }
  });
  const messages = woken.flat().map(messageOfNote);
  if (messages.length > 0) await sendAll(messages);
  // The index may still show a note that is gone.
  const done = notes.filter((key) => found.get(key) !== undefined && !failed.has(key));
  await mapInBatches(done, concurrentItems, async (key) => {
    const noteId = found.get(key)?.['noteId'];
    await deleteItem(table, key, { noteId }).catch((error: unknown) => report(key, error));
  });
  return messages.length;
}

const messageOfNote = (note: Item): AutomationMessage => ({
  workspaceId: String(note['workspaceId']),
  automationId: String(note['automationId']),
  action: String(note['action']),
});

/** Makes an action due that waits for a later look. Returns false if it does not, or no longer, wait so. */
async function makeDue(table: Table, note: Item, now: number): Promise<boolean> {
  const key = { pk: automationPartition(String(note['automationId'])), sk: String(note['action']) };
  const { cause } = partsOfWaitingAction({ pk: String(note['pk']), sk: String(note['sk']) });
  const wakeAt = toTimestamp(now);
  const waits: AutomationAction['state'][] = ['waiting', 'intended'];
  const { written } = await updateItem(table, key, {
    set: { wakeAt, ...dueKeys(key, wakeAt) },
    if: { state: anyOf(...waits), waitsFor: cause.split('=')[0], wakeAt: moreThan(wakeAt) },
  });
  return written;
}
