import type { Account } from '../accounts/schemas.ts';
import { queryAccounts } from '../accounts/store.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { batchGet } from '../table/batch-get.ts';
import { unconditionally } from '../table/condition.ts';
import { getItem, putItem } from '../table/items.ts';
import { accountNumbersKey, directoryPartition, numbersProgressKey } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { hasKeptDays, readDay } from './account-days.ts';
import { kindOf, numbersLack } from './lack.ts';
import { dayOf } from './store.ts';
import type { SweepNumbersPorts } from './sweep.ts';

/** The hours, in UTC, from which all accounts are looked at. The second walk finds those that the first could not read. */
const walkHours = [9, 18] as const;

const pageSize = 100;
const concurrentWorkspaces = 5;
const concurrentAccounts = 5;

/**
 * Reads the own numbers of each account with the feature `insights`, once a day; those of accounts that have published were mostly read
 * together with their posts. Walks over all workspaces, and notes after each page how far it is, so it may end anywhere.
 *
 * @param deadlineMs epoch milliseconds after which no page of workspaces is begun
 * @returns the number of accounts read
 */
export async function readAccountDays(ports: SweepNumbersPorts, deadlineMs: number): Promise<number> {
  const { table, now } = ports;
  const hour = new Date(now()).getUTCHours();
  const begun = walkHours.findLast((each) => each <= hour);
  if (begun === undefined) return 0;
  const walk = `${dayOf(now())}#${begun}`;
  const key = numbersProgressKey('ACCOUNTS');
  const before = await getItem(table, key);
  if (before?.['walk'] === walk && before['isDone'] === true) return 0;
  const after = before?.['walk'] === walk ? before['after'] : undefined;
  // Two walks at the same time only look twice: a day is read once.
  const note = (walked: { readonly after?: string; readonly isDone: boolean }) =>
    putItem(table, { ...key, kind: 'numbersProgress', walk, ...walked }, unconditionally);
  let read = 0;
  const pages = queryPages(table, {
    partition: directoryPartition,
    sort: { beginsWith: 'WORKSPACE#' },
    limit: pageSize,
    ...(after !== undefined && { after: { pk: directoryPartition, sk: String(after) } }),
  });
  for await (const page of pages) {
    if (now() >= deadlineMs) return read;
    const open = page.filter(({ deleteAfter }) => deleteAfter === undefined);
    const counts = await mapInBatches(open, concurrentWorkspaces, ({ id }) =>
      readWorkspace(ports, String(id)),
    );
    read += counts.reduce((sum, each) => sum + each, 0);
    const last = page.at(-1);
    if (last) await note({ after: String(last['sk']), isDone: false });
  }
  await note({ isDone: true });
  return read;
}

async function readWorkspace(ports: SweepNumbersPorts, workspaceId: string): Promise<number> {
  const { table, now, stageFeatures, report } = ports;
  let read = 0;
  let afterAccountId: string | undefined;
  do {
    const page = await queryAccounts(table, workspaceId, { limit: pageSize, afterAccountId });
    const counted = page.accounts.filter(
      (account) =>
        hasKeptDays(account.platform, kindOf(account)) &&
        numbersLack(account, account.platform, stageFeatures) === undefined,
    );
    const keyOf = ({ id }: Account) => accountNumbersKey(workspaceId, id, dayOf(now()));
    const days = await batchGet(table, counted.map(keyOf), { isEventual: true });
    const outcomes = await mapInBatches(counted, concurrentAccounts, (account) =>
      readDay(ports, account, days.get(keyOf(account))).catch((error: unknown) => {
        report(`the numbers of the account ${account.id} were not read`, error);
        return false;
      }),
    );
    read += outcomes.filter(Boolean).length;
    afterAccountId = page.lastAccountId;
  } while (afterAccountId !== undefined);
  return read;
}
