import type { listPostsOperation, readPostOperation } from '../../posts/operations.ts';
import { type Account, conditionOf, reconnectByOf } from '../accounts/account.ts';
import type { ReplyOf } from '../api/operation-types.ts';

/** A post as lists have it: without what its destinations have of their own. */
export type ListedPost = ReplyOf<typeof listPostsOperation>['posts'][number];
export type ListedTarget = ListedPost['platforms'][number];

/** A post as it is read alone. */
export type Post = ReplyOf<typeof readPostOperation>['post'];
export type Target = Post['platforms'][number];

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

/** True if the service certainly lets a person change it: nothing of it is on its way or settled. A post that is read alone says it itself. */
export const canEdit = ({ platforms }: ListedPost): boolean =>
  platforms.every(({ status }) => status === 'draft' || status === 'scheduled');

/** True if the service lets a person delete it: nothing of it is live, or about to be. */
export const canRemove = ({ platforms }: ListedPost): boolean =>
  platforms.every(({ status }) => status === 'draft' || status === 'scheduled' || status === 'failed');

type Accounts = ReadonlyMap<string, Account> | undefined;

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

/**
 * Returns what the service has found against a destination and still holds. It checks again within a minute after an account was
 * connected again; until then, the account itself says that it has access. Pure.
 */
export const findingsOf = ({ risk }: ListedTarget, account: Account | undefined) =>
  (risk?.findings ?? []).filter(({ code }) => code !== 'account_expired' || account?.status !== 'ok');

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

/** The paths whose results a change of a post makes out of date. */
export const postPaths = ['/v1/posts', '/v1/posts/{id}', '/v1/posts/{id}/timeline'];
