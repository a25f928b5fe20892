import { type Account, conditionOf } from '../accounts/account.ts';
import { conditionOfTarget, type ListedPost, type ListedTarget } from './post.ts';

/**
 * What helps a destination: `retry` it; `check` at the platform whether it is live, then retry; `reconnect` the account; `correct` a
 * copy of the post, because the platform will never take this one; `look` at the platform, where somebody has to act; `wait`: it is tried
 * again by itself; `none` is needed.
 */
export type Remedy = 'check' | 'reconnect' | 'retry' | 'correct' | 'look' | 'wait' | 'none';

type Accounts = ReadonlyMap<string, Account> | undefined;

/**
 * Pure.
 *
 * @param accounts the connected accounts by id; `undefined` while they are not known
 * @param now epoch milliseconds
 */
export function remedyOfTarget(target: ListedTarget, accounts: Accounts, now: number): Remedy {
  const { status, errorDetail, accountId } = target;
  if (errorDetail === null) return status === 'failed' ? 'retry' : 'none';
  const { category } = errorDetail;
  const isReconnected = category === 'reconnect' && hasAccess(accounts?.get(accountId), now);
  if (status === 'published' || status === 'partial') return 'look';
  if (status !== 'failed') return category === 'reconnect' && !isReconnected ? 'reconnect' : 'wait';
  if (category === 'reconnect') return isReconnected ? 'retry' : 'reconnect';
  return ({ unknown: 'check', retryable: 'retry', content: 'correct', platform: 'look' } as const)[category];
}

const hasAccess = (account: Account | undefined, now: number): boolean =>
  account !== undefined && conditionOf(account, now) !== 'expired';

const mostUrgentFirst: readonly Remedy[] = ['check', 'reconnect', 'retry', 'correct', 'look', 'wait', 'none'];

/** What helps a post first, and the destination that it is for. Pure. @param now epoch milliseconds */
export function remedyOfPost(
  post: ListedPost,
  accounts: Accounts,
  now: number,
): { readonly remedy: Remedy; readonly target: ListedTarget | undefined } {
  const all = post.platforms.map((target) => ({ target, remedy: remedyOfTarget(target, accounts, now) }));
  const wanted = mostUrgentFirst.find((each) => all.some(({ remedy }) => remedy === each));
  return all.find(({ remedy }) => remedy === wanted) ?? { remedy: 'none', target: undefined };
}

/** The destinations that a retry of the post is about. */
export const failedTargets = ({ platforms }: ListedPost): ListedTarget[] =>
  platforms.filter(({ status }) => status === 'failed');

/** The destinations that may be live, and that a retry would publish again. */
export const unknownTargets = ({ platforms }: ListedPost): ListedTarget[] =>
  platforms.filter((target) => conditionOfTarget(target) === 'unknown');

/** Whether the service lets a person change it: nothing of it is on its way or settled. */
export const canEdit = ({ platforms }: ListedPost): boolean =>
  platforms.every(({ status }) => status === 'draft' || status === 'scheduled');

/** Whether the service lets a person delete it: nothing of it is live, or about to be. */
export const canRemove = ({ platforms }: ListedPost): boolean =>
  platforms.every(({ status }) => status === 'draft' || status === 'scheduled' || status === 'failed');
