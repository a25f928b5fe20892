import type { Account } from '../accounts/schemas.ts';
import { accountFromItem } from '../accounts/store.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { secondMs } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import type { FoundItems } from '../table/found-items.ts';
import {
  accountKey,
  accountNumbersKey,
  type Key,
  monthOf,
  numbersRetryShard,
  postNumbersKey,
  targetOfNumbers,
  tokensKey,
} from '../table/keys.ts';
import { readableItems } from '../table/readable.ts';
import { isExpired } from '../table/retention.ts';
import { readDay } from './account-days.ts';
import { storyEndsMs } from './ages.ts';
import { type AskPorts, readPosts, takenReading } from './ask-account.ts';
import { rankRows } from './best-posts.ts';
import { dueAge, dueRetries, nextSlice } from './due.ts';
import { kindOf, numbersLack } from './lack.ts';
import { type LiveTarget, latestReading, type NumbersRow, numbersFromItem } from './numbers-row.ts';
import type { Age } from './schemas.ts';
import { dayOf, mostFailures, noteGone, putOff, rest, retryWaitMs, storeReading, targetOf } from './store.ts';

export interface SweepNumbersPorts extends AskPorts {
  readonly stageFeatures: StageFeatures;
  /** Returns true if somebody receives the events of a workspace. */
  readonly isHeard: (workspaceId: string) => Promise<boolean>;
}

/** The number of readings, of posts that are gone, and of those that are tried again later. */
export interface NumbersCount {
  read: number;
  gone: number;
  putOff: number;
  /** Errors on our side. */
  failures: number;
}

/** The number of accounts that are asked at the same time. */
const concurrentAccounts = 10;
/** The wait after an error on our side, as that after so many failures: an hour. */
const faultFailures = 2;
/** The number of accounts in a row for which a platform fails, after which its others are not asked in this run. */
const mostFailuresInARow = 5;

/**
 * Reads the numbers of all posts for which a reading is due, those of an account together. What was read is stored at once; the
 * progress is noted after a slice, so a run that ends anywhere is repeated from there, and asks again only for what is missing.
 *
 * @param deadlineMs epoch milliseconds after which no slice is begun
 */
export async function readDueNumbers(ports: SweepNumbersPorts, deadlineMs: number): Promise<NumbersCount> {
  const run: Run = {
    ports,
    count: { read: 0, gone: 0, putOff: 0, failures: 0 },
    failures: new Map(),
    heard: new Map(),
  };
  await readRows(run, await dueRetries(ports.table, ports.now));
  for (;;) {
    if (ports.now() >= deadlineMs) return run.count;
    const slice = await nextSlice(ports.table, ports.now());
    await readRows(run, slice.keys);
    await slice.done();
    if (!slice.isPart) return run.count;
  }
}

interface Run {
  readonly ports: SweepNumbersPorts;
  readonly count: NumbersCount;
  /** The accounts in a row for which a platform has failed. */
  readonly failures: Map<string, number>;
  /** The answers about workspaces, so that each is asked once. */
  readonly heard: Map<string, Promise<boolean>>;
}

async function readRows(run: Run, keys: readonly Key[]): Promise<void> {
  const { table, now } = run.ports;
  const byAccount = Map.groupBy(keys, (key) => {
    const { workspaceId, accountId } = targetOfNumbers(key);
    return `${workspaceId} ${accountId}`;
  });
  const stored = await mapInBatches([...byAccount.values()], concurrentAccounts, (own) =>
    visit(run, own).catch((error: unknown) => leave(run, own, error)),
  );
  const months = Map.groupBy(
    stored.flat(),
    ({ workspaceId, publishedAt }) => `${workspaceId} ${monthOf(publishedAt)}`,
  );
  await mapInBatches([...months.values()], concurrentAccounts, (rows) =>
    rankRows(table, rows, now()).catch((error: unknown) => {
      run.count.failures += 1;
      run.ports.report('the best posts of a month were not ranked', error);
    }),
  );
}

/** Puts the rows of an account aside that an error on our side has stopped, so that it does not hold up the others. */
async function leave({ ports, count }: Run, keys: readonly Key[], error: unknown): Promise<NumbersRow[]> {
  ports.report('the numbers of an account were not read', error);
  count.failures += 1;
  await mapInBatches(keys, concurrentAccounts, (key) =>
    putOff(ports.table, key, ports.now() + retryWaitMs(faultFailures)),
  );
  return [];
}

/** A row with the age of its reading. */
interface DueRow {
  readonly row: NumbersRow;
  readonly age: Age;
}

/**
 * Reads the rows of one account, and the account's own numbers if this has not been done today.
 *
 * @returns the rows that were read, also by a run before this one that has ended without ranking them
 */
async function visit(run: Run, keys: readonly Key[]): Promise<NumbersRow[]> {
  const { table, now, stageFeatures } = run.ports;
  const nowMs = now();
  const { workspaceId, accountId } = targetOfNumbers(keys[0] as Key);
  const own = [
    accountKey(workspaceId, accountId),
    tokensKey(workspaceId, accountId),
    accountNumbersKey(workspaceId, accountId, dayOf(nowMs)),
  ];
  const items = await batchGet(table, [...own, ...keys], { isEventual: true });
  const found = keys.map((key) => items.get(key)).filter((item) => item !== undefined);
  const known = readableItems(table, found, numbersFromItem);
  const rows = known.filter((row) => !isExpired(row, nowMs) && row.goneAt === undefined);
  // DynamoDB deletes what has expired days later. Until then, it must not stand before the tries of others.
  await restAll(
    run,
    known.filter((row) => !rows.includes(row)),
  );
  const due = rows.flatMap((row): DueRow[] => {
    const age = dueAge(row, nowMs);
    return age === undefined || isOver(row, nowMs) ? [] : [{ row, age }];
  });
  const idle = rows.filter((row) => !due.some((each) => each.row === row));
  const account = accountIn(items, workspaceId, accountId);
  const [first] = rows;
  if (first === undefined) return [];
  if (account === undefined || numbersLack(account, first.platform, stageFeatures) !== undefined) {
    await restAll(run, rows);
    return [];
  }
  await restAll(run, idle);
  const tokensItem = items.get(tokensKey(workspaceId, accountId));
  const read: NumbersRow[] = [];
  for (let start = 0; start < due.length; start += batchGetLimit) {
    const answered = await askFor(run, account, due.slice(start, start + batchGetLimit), tokensItem);
    if (answered === undefined) {
      await putOffAll(run, due.slice(start + batchGetLimit), 0);
      break;
    }
    read.push(...answered);
  }
  if (read.length > 0)
    await readDay(run.ports, account, items.get(own[2] as Key), tokensItem).catch((error: unknown) => {
      // Its posts are read.
      run.count.failures += 1;
      run.ports.report(`the numbers of the account ${accountId} itself were not read`, error);
    });
  return [...read, ...idle.filter((row) => latestReading(row) !== undefined)];
}

function accountIn(items: FoundItems, workspaceId: string, accountId: string): Account | undefined {
  const item = items.get(accountKey(workspaceId, accountId));
  return item && accountFromItem(item);
}

/** The numbers of a story that was not read in time cannot be read any more. */
const isOver = (row: NumbersRow, now: number): boolean =>
  row.isStory === true && now - Date.parse(row.publishedAt) >= storyEndsMs;

/** Puts rows that wait for a try which is not needed any more back among the others. */
async function restAll({ ports }: Run, rows: readonly NumbersRow[]): Promise<void> {
  const waiting = rows.filter(({ dueShard }) => dueShard === numbersRetryShard);
  await mapInBatches(waiting, concurrentAccounts, (row) => rest(ports.table, targetOf(row)));
}

/** Asks for some rows of an account. Puts aside those that were not read. @returns `undefined` if the platform did not answer */
async function askFor(
  run: Run,
  account: Account,
  due: readonly DueRow[],
  tokensItem: Record<string, unknown> | undefined,
): Promise<NumbersRow[] | undefined> {
  const { ports, failures } = run;
  const { platform, workspaceId } = account;
  const as = kindOf(account);
  const targets = due.map(({ row }): LiveTarget => ({ ...targetOf(row), as }));
  const failedInARow = () => failures.get(platform) ?? 0;
  if (failedInARow() >= mostFailuresInARow) {
    await putOffAll(run, due, 0);
    return undefined;
  }
  try {
    const answers = await readPosts(ports, account, targets, tokensItem);
    failures.delete(platform);
    const isAnnounced = await isHeard(run, workspaceId);
    const stored = await mapInBatches(due, concurrentAccounts, async ({ row, age }) => {
      const target = { ...targetOf(row), as };
      const answer = answers.get(row.platformPostId);
      if (answer === undefined) {
        await putOffAll(run, [{ row, age }], 0);
        return undefined;
      }
      if (answer === 'gone') {
        run.count.gone += 1;
        if ((await noteGone(ports, target)) === 'busy') await putOffAll(run, [{ row, age }], 0);
        return undefined;
      }
      run.count.read += 1;
      const isRetried = row.dueShard === numbersRetryShard;
      const reading = takenReading(answer, ports.now());
      return storeReading(ports.table, target, age, reading, { isAnnounced, isRetried });
    });
    return stored.filter((row) => row !== undefined);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    // What an account lacks says nothing about the others.
    if (error.remedy === 'retry' || error.remedy === 'unknown') failures.set(platform, failedInARow() + 1);
    ports.report(`the numbers of the ${platform} account ${account.id} were not read`, error);
    await putOffAll(run, due, (error.retryAfterSeconds ?? 0) * secondMs);
    return undefined;
  }
}

/** Puts rows aside for another try, or after too many back among the others: the numbers of their age then stay missing. */
async function putOffAll({ ports, count }: Run, due: readonly DueRow[], leastWaitMs: number): Promise<void> {
  const { table, now } = ports;
  count.putOff += due.length;
  await mapInBatches(due, concurrentAccounts, ({ row }) => {
    const { failures = 0 } = row;
    if (failures >= mostFailures) return rest(table, targetOf(row));
    return putOff(table, postNumbersKey(row), now() + Math.max(leastWaitMs, retryWaitMs(failures)));
  });
}

function isHeard({ ports, heard }: Run, workspaceId: string): Promise<boolean> {
  const known = heard.get(workspaceId) ?? ports.isHeard(workspaceId);
  heard.set(workspaceId, known);
  return known;
}
