import { type Account, conditionOf } from '../accounts/account.ts';
import type { ListedPost, ListedTarget } from './post.ts';
import { conditionOfTarget } from './state.ts';

type Accounts = ReadonlyMap<string, Account> | undefined;

/**
 * The remedy for a destination: `retry` it; `check` at the platform whether it is live, then retry; `reconnect` the account; `correct` a
 * copy of the post, because the platform will never take this one; `look` at the platform, where somebody has to act; `wait`: it is tried
 * again by itself; `none` is needed.
 */
export type Remedy = 'check' | 'reconnect' | 'retry' | 'correct' | 'look' | 'wait' | 'none';

/**
 * Returns the remedy for a destination. Pure.
 *
 * @param accounts the connected accounts by id; `undefined` while they are not known
 * @param now epoch milliseconds
 */
export function remedyOfTarget(target: ListedTarget, accounts: Accounts, now: number): Remedy {
  const { status, errorDetail, accountId, removal } = target;
  if (removal !== null) return 'none';
  if (errorDetail === null) return status === 'failed' ? 'retry' : 'none';
  const { category } = errorDetail;
  const isReconnected = category === 'reconnect' && hasAccess(accounts?.get(accountId), now);
  const isPartial = status === 'partial';
  // A corrected copy would publish again what is live.
  if (status === 'published' || (isPartial && category === 'content')) return 'look';
  if (status !== 'failed' && !isPartial)
    return category === 'reconnect' && !isReconnected ? 'reconnect' : 'wait';
  if (category === 'reconnect') return isReconnected ? 'retry' : 'reconnect';
  return ({ unknown: 'check', retryable: 'retry', content: 'correct', platform: 'look' } as const)[category];
}

const hasAccess = (account: Account | undefined, now: number): boolean =>
  account !== undefined && conditionOf(account, now) !== 'expired';

const remediesByUrgency: readonly Remedy[] = [
  'check',
  'reconnect',
  'retry',
  'correct',
  'look',
  'wait',
  'none',
];

/** Returns the first remedy for a post, and the destination that it is for. Pure. @param now epoch milliseconds */
export function remedyOfPost(
  post: ListedPost,
  accounts: Accounts,
  now: number,
): { readonly remedy: Remedy; readonly target: ListedTarget | undefined } {
  const all = post.platforms.map((target) => ({ target, remedy: remedyOfTarget(target, accounts, now) }));
  const wanted = remediesByUrgency.find((each) => all.some(({ remedy }) => remedy === each));
  return all.find(({ remedy }) => remedy === wanted) ?? { remedy: 'none', target: undefined };
}

/** The destinations that a retry of the post is about. */
export const failedTargets = ({ platforms }: ListedPost): ListedTarget[] =>
  platforms.filter(
    ({ status, removal }) => removal === null && (status === 'failed' || status === 'partial'),
  );

/** The accounts whose platforms have refused the post for ever: a corrected copy is for these. Pure. @param now epoch milliseconds */
export const accountsToCorrect = (post: ListedPost, accounts: Accounts, now: number): string[] =>
  failedTargets(post)
    .filter((target) => remedyOfTarget(target, accounts, now) === 'correct')
    .map(({ accountId }) => accountId);

/** The destinations that may be live, and that a retry would publish again. */
export const unknownTargets = ({ platforms }: ListedPost): ListedTarget[] =>
  platforms.filter((target) => conditionOfTarget(target) === 'unknown');

const prefix = /^outcome unknown: /;
const place = /^outcome unknown: check (https?:\/\/\S+) before retrying/;

/** The reason, without what the state beside it says already. */
export const reasonIn = (error: string): string => error.replace(prefix, '');

/** The address at which a person sees whether the post is there, if the service names one. It is never in words of the platform. Pure. */
export const placeToCheck = (error: string | null): string | undefined => place.exec(error ?? '')?.[1];
