import type { Platform } from '../../../platforms/contract/names.ts';
import { type Account, conditionOf, handleOf, nameOf, sortAccounts } from '../../accounts/account.ts';
import type { Condition } from '../../accounts/condition.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { words } from '../../words/words.ts';
import type { Upcoming } from './upcoming.ts';

/** An account as the list shows it. */
export interface AccountRow {
  readonly account: Account;
  readonly condition: Condition;
  /** When its next post goes out. `undefined`: none is known. */
  readonly next: string | undefined;
}

/** What the list is narrowed to. */
export interface Filters {
  readonly text: string;
  readonly platform: Platform | undefined;
  readonly state: Condition | 'attention' | undefined;
}

const urgency: Readonly<Record<Condition, number>> = { expired: 0, error: 1, expiring: 2, ok: 3 };

/** Whether somebody has to do something about it. */
export const needsAttention = (condition: Condition): boolean => condition !== 'ok';

/** What needs a person comes first; then by platform and name. Pure. @param now epoch milliseconds */
export function rowsOf(
  accounts: readonly Account[],
  upcoming: Upcoming | undefined,
  now: number,
): AccountRow[] {
  return sortAccounts(accounts)
    .map((account) => ({
      account,
      condition: conditionOf(account, now),
      next: upcoming?.nextByAccount[account.id],
    }))
    .sort((left, right) => urgency[left.condition] - urgency[right.condition]);
}

/** The rows that pass all filters. Each word must be a part of a name, an id, the platform or the state. Pure. */
export function filterRows(
  rows: readonly AccountRow[],
  { text, platform, state }: Filters,
): readonly AccountRow[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  if (wanted.length === 0 && platform === undefined && state === undefined) return rows;
  return rows.filter(
    (row) =>
      (platform === undefined || row.account.platform === platform) &&
      (state === undefined ||
        (state === 'attention' ? needsAttention(row.condition) : row.condition === state)) &&
      (wanted.length === 0 || hasWords(row, wanted)),
  );
}

/** The words of rows that were searched once. Lists are shown more often than searched. */
const knownWords = new WeakMap<AccountRow, string>();

function hasWords(row: AccountRow, wanted: readonly string[]): boolean {
  const words = knownWords.get(row) ?? wordsOf(row);
  knownWords.set(row, words);
  return wanted.every((word) => words.includes(word));
}

/** In lower case and without accents. */
function wordsOf({ account, condition }: AccountRow): string {
  const { id, platform, username, displayName, externalId } = account;
  const texts = [
    nameOf(account),
    displayName,
    username,
    handleOf(account),
    platformTitles[platform],
    externalId,
    id,
    words.account.conditions[condition],
  ];
  return plain(texts.filter((text) => text !== null && text !== undefined).join('\n'));
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
