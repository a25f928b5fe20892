import type { Platform } from '../../../platforms/contract/names.ts';
import { type Account, byPlatformAndName, conditionOf, handleOf, nameOf } from '../../accounts/account.ts';
import type { Condition } from '../../accounts/condition.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { strings as accountStrings } from '../../accounts/strings.ts';
import type { Upcoming } from './upcoming.ts';

/** An account as the list shows it. */
export interface AccountRow {
  readonly account: Account;
  readonly condition: Condition;
  /** When its next post goes out. `undefined`: none is known. */
  readonly next: string | undefined;
  /** In lower case and without accents, for the search. */
  readonly words: string;
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
  return accounts
    .toSorted(byPlatformAndName)
    .map((account) => ({
      account,
      condition: conditionOf(account, now),
      next: upcoming?.nextByAccount[account.id],
      words: wordsOf(account, conditionOf(account, now)),
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
    ({ account, condition, words }) =>
      (platform === undefined || account.platform === platform) &&
      (state === undefined || (state === 'attention' ? needsAttention(condition) : condition === state)) &&
      wanted.every((word) => words.includes(word)),
  );
}

function wordsOf(account: Account, condition: Condition): string {
  const { id, platform, username, displayName, externalId } = account;
  const texts = [
    nameOf(account),
    displayName,
    username,
    handleOf(account),
    platformTitles[platform],
    externalId,
    id,
    accountStrings.conditions[condition],
  ];
  return plain(texts.filter((text) => text !== null && text !== undefined).join('\n'));
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
