import type { AccountView } from '../../accounts/schemas.ts';
import { locale, words } from '../words/words.ts';
import { platforms, platformTitles } from './platforms.ts';

export type Account = AccountView;

/** The service sends its first notice as long before access ends. */
const noticeMs = 7 * 86_400_000;

/** Returns the time at which access ends unless a person connects the account again; ISO 8601. `undefined` if the service renews it. */
export function reconnectByOf({ meta }: Pick<Account, 'meta'>): string | undefined {
  const by = meta['reconnectBy'];
  return typeof by === 'string' && !Number.isNaN(Date.parse(by)) ? by : undefined;
}

/** @param now epoch milliseconds */
export function conditionOf(account: Pick<Account, 'status' | 'meta'>, now: number): Condition {
  if (account.status !== 'ok') return account.status;
  const by = reconnectByOf(account);
  return by !== undefined && Date.parse(by) - now <= noticeMs ? 'expiring' : 'ok';
}

/** Returns true if connecting the account again helps. A restriction ends at the platform. */
export const needsReconnecting = (condition: Condition): boolean =>
  condition === 'expired' || condition === 'expiring';

type Named = Pick<Account, 'id' | 'platform' | 'username' | 'displayName'>;

/** The name that people know. After the platform has demanded that its data is deleted, an account has none. */
export function nameOf({ id, platform, username, displayName }: Named): string {
  return (
    clean(displayName) || clean(username) || words.account.nameless(platformTitles[platform], id.slice(-4))
  );
}

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

/** Accounts in the order in which they are offered: by platform, then by name. */
export function sortAccounts<Each extends Named>(accounts: readonly Each[]): Each[] {
  // Of 2,000 accounts, finding out a name in each comparison would take longer than sorting.
  return accounts
    .map((account) => ({ account, place: platforms.indexOf(account.platform), name: nameOf(account) }))
    .sort((left, right) => left.place - right.place || collator.compare(left.name, right.name))
    .map(({ account }) => account);
}

/** Removes characters that turn the direction of the text around the name, or break its line. */
const clean = (name: string | null): string => (name ?? '').replace(harmful, '').trim();
const harmful = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** `@name`, if the account has one that {@link nameOf} does not show. */
export function handleOf(account: Named): string | undefined {
  const username = clean(account.username);
  if (username === '' || nameOf(account) === username) return undefined;
  return username.startsWith('@') ? username : `@${username}`;
}

/** Returns the kind of a LinkedIn account: a member's or an organization's. */
export const kindOf = ({ platform, meta }: Pick<Account, 'platform' | 'meta'>) =>
  platform !== 'linkedin' ? undefined : meta['as'] === 'organization' ? 'organization' : 'member';

/** The state of an account for people. `expiring`: it works, and ends unless the person acts. */
export type Condition = 'ok' | 'expiring' | 'error' | 'expired';
