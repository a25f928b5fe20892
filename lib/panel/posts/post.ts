import type { listPostsOperation, readPostOperation } from '../../posts/operations.ts';
import { type Account, conditionOf, reconnectByOf } from '../accounts/account.ts';
import type { ReplyOf } from '../api/operation-types.ts';

/** A post as lists have it: without what its destinations have of their own. */
export type ListedPost = ReplyOf<typeof listPostsOperation>['posts'][number];
export type ListedTarget = ListedPost['platforms'][number];

/** A post as it is read alone. */
export type Post = ReplyOf<typeof readPostOperation>['post'];
export type Target = Post['platforms'][number];

/**
 * The state of a post or a destination, as far as it matters to a person. `removed`: it was live, and was taken down. `waiting`: it is
 * scheduled, and something keeps it back, such as a limit of the platform. `atRisk`: it is scheduled, and checks have found that it will probably fail. `unknown`: the platform gave no answer, so a person must look there before it is tried again.
 */
export type Condition =
  | 'draft'
  | 'scheduled'
  | 'waiting'
  | 'atRisk'
  | 'publishing'
  | 'published'
  | 'removed'
  | 'partial'
  | 'failed'
  | 'unknown';

/** The condition of a destination. */
export function conditionOfTarget({ status, errorDetail, risk, removedAt }: ListedTarget): Condition {
  if ((status === 'published' || status === 'partial') && removedAt) return 'removed';
  if ((status === 'failed' || status === 'partial') && errorDetail?.category === 'unknown') return 'unknown';
  if (status !== 'scheduled') return status;
  // An earlier release of the service sends no risk.
  return errorDetail !== null ? 'waiting' : risk ? 'atRisk' : status;
}

const mostUrgentFirst: readonly Condition[] = ['unknown', 'failed', 'partial', 'atRisk', 'waiting'];

/** The condition of a post: its status, unless a destination needs a person more. */
export function conditionOfPost({ status, platforms }: ListedPost): Condition {
  const conditions = platforms.map(conditionOfTarget);
  const urgent = mostUrgentFirst.find((each) => conditions.includes(each));
  const isOfWaiting = urgent === 'atRisk' || urgent === 'waiting';
  if (urgent === 'unknown' || (isOfWaiting && status === 'scheduled')) return urgent;
  return conditions.length > 0 && conditions.every((each) => each === 'removed') ? 'removed' : status;
}

/** The time at which the post goes out, or went; ISO 8601. A destination may have a time of its own. */
export const timeOf = (target: ListedTarget, post: ListedPost): string | null =>
  target.scheduledFor ?? post.scheduledFor;

/** The first words of a post, for lists, links and titles; `undefined` if it has none. */
export function excerptOf({ content }: Pick<ListedPost, 'content'>, mostCharacters = 80): string | undefined {
  const [line = ''] = content.trim().split(/\s*\n/);
  const characters = [...line];
  if (characters.length <= mostCharacters) return line || undefined;
  return `${characters.slice(0, mostCharacters).join('').trimEnd()}…`;
}

/**
 * The remedy for a destination: `retry` it; `check` at the platform whether it is live, then retry; `reconnect` the account; `correct` a
 * copy of the post, because the platform will never take this one; `look` at the platform, where somebody has to act; `wait`: it is tried
 * again by itself; `none` is needed.
 */
export type Remedy = 'check' | 'reconnect' | 'retry' | 'correct' | 'look' | 'wait' | 'none';

type Accounts = ReadonlyMap<string, Account> | undefined;

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

/** True if the service certainly lets a person change it: nothing of it is on its way or settled. A post that is read alone says it itself. */
export const canEdit = ({ platforms }: ListedPost): boolean =>
  platforms.every(({ status }) => status === 'draft' || status === 'scheduled');

/** True if the service lets a person delete it: nothing of it is live, or about to be. */
export const canRemove = ({ platforms }: ListedPost): boolean =>
  platforms.every(({ status }) => status === 'draft' || status === 'scheduled' || status === 'failed');

/** The reason why a destination will not go out as planned. */
export type Risk = 'disconnected' | 'expired' | 'expiring' | 'restricted';

/**
 * Returns the reason why a destination that is still to go out will have no access to its account by then. Pure.
 *
 * @param accounts the connected accounts by id; `undefined` while they are not known
 */
export function riskOf(target: ListedTarget, at: string, accounts: Accounts, now: number): Risk | undefined {
  if (target.status !== 'scheduled' || accounts === undefined) return undefined;
  const account = accounts.get(target.accountId);
  if (account === undefined) return 'disconnected';
  const condition = conditionOf(account, now);
  if (condition === 'expired') return 'expired';
  if (condition === 'error') return 'restricted';
  const by = reconnectByOf(account);
  return by !== undefined && Date.parse(by) <= Date.parse(at) ? 'expiring' : undefined;
}

const usualMs = 15_000;
const nearMs = 5_000;
/** Files are prepared in the minutes before. What is late is tried again for longer, but no longer by the second. */
const beforeMs = 5 * 60_000;
const afterMs = 10 * 60_000;

/** True if the post goes live now or within minutes, so that a person watches it. Pure. @param now epoch milliseconds */
export function isNearDue(post: ListedPost, now: number): boolean {
  return post.platforms.some((target) => {
    if (target.status === 'publishing') return true;
    const at = target.status === 'scheduled' ? timeOf(target, post) : null;
    return at !== null && Date.parse(at) - now <= beforeMs && now - Date.parse(at) <= afterMs;
  });
}

/** The interval at which to read these posts again, in milliseconds. Pure. @param now epoch milliseconds */
export const refreshEveryMs = (posts: readonly ListedPost[] | undefined, now: number): number =>
  posts?.some((post) => isNearDue(post, now)) ? nearMs : usualMs;

const prefix = /^outcome unknown: /;
const place = /^outcome unknown: check (https?:\/\/\S+) before retrying/;

/** The reason, without what the state beside it says already. */
export const reasonIn = (error: string): string => error.replace(prefix, '');

/** The address at which a person sees whether the post is there, if the service names one. It is never in words of the platform. Pure. */
export const placeToCheck = (error: string | null): string | undefined => place.exec(error ?? '')?.[1];

/** The paths whose results a change of a post makes out of date. */
export const postPaths = ['/v1/posts', '/v1/posts/{id}', '/v1/posts/{id}/timeline'];
