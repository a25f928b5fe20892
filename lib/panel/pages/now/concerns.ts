import type { Platform } from '../../../platforms/contract/names.ts';
import { type Account, conditionOf } from '../../accounts/account.ts';
import {
  type Condition,
  conditionOfPost,
  conditionOfTarget,
  type ListedPost,
  type ListedTarget,
  type Risk,
  riskOf,
  timeOf,
} from '../../posts/post.ts';
import type { Endpoint } from '../developers/endpoint.ts';
import type { Entry } from './next-day.ts';

/** Something that a person has to look at. */
export type Concern =
  | { readonly kind: 'post'; readonly key: string; readonly post: ListedPost; readonly condition: Condition }
  | {
      readonly kind: 'waiting';
      readonly key: string;
      readonly post: ListedPost;
      readonly target: ListedTarget;
      readonly at: string;
    }
  | {
      readonly kind: 'atRisk';
      readonly key: string;
      readonly post: ListedPost;
      readonly target: ListedTarget;
      readonly at: string | null;
    }
  | AccountConcern
  | { readonly kind: 'endpoint'; readonly key: string; readonly endpoint: Endpoint }
  | {
      readonly kind: 'storage';
      readonly key: string;
      readonly usedBytes: number;
      readonly quotaBytes: number;
    };

export interface AccountConcern {
  readonly kind: 'account';
  readonly key: string;
  readonly accountId: string;
  readonly platform: Platform;
  readonly risk: Risk;
  /** Absent if it is disconnected. */
  readonly account: Account | undefined;
  /** The entries that go out to it within 24 hours, the earliest first. */
  readonly entries: readonly Entry[];
}

interface Facts {
  readonly posts: readonly ListedPost[];
  /** The waiting posts for which checks have found that they will probably fail. */
  readonly atRisk: readonly ListedPost[];
  readonly entries: readonly Entry[];
  readonly accounts: ReadonlyMap<string, Account> | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly storage: { readonly usedBytes: number; readonly quotaBytes: number } | undefined;
}

/** The share from which on it is time to make space. */
export const nearFull = 0.9;

/** Returns what needs a person, the most urgent first. Pure. @param now epoch milliseconds */
export function concernsOf(facts: Facts, now: number): Concern[] {
  return [
    ...ofPosts(facts.posts),
    ...ofAtRisk(facts, now),
    ...ofWaiting(facts, now),
    ...ofAccounts(facts, now),
    ...ofEndpoints(facts),
    ...ofStorage(facts),
  ]
    .map((concern, place) => ({ concern, place }))
    .sort((one, other) => rankOf(one.concern) - rankOf(other.concern) || one.place - other.place)
    .map(({ concern }) => concern);
}

const ranks: Readonly<Partial<Record<Condition, number>>> = { unknown: 0, failed: 1 };
const riskRanks: Readonly<Record<Risk, number>> = { disconnected: 0, expired: 0, expiring: 1, restricted: 2 };

function rankOf(concern: Concern): number {
  switch (concern.kind) {
    case 'post':
      return ranks[concern.condition] ?? 2;
    case 'account':
      return (concern.entries.length > 0 ? 3 : 6) + riskRanks[concern.risk];
    case 'atRisk':
      return 3;
    case 'waiting':
      return 5;
    case 'endpoint':
      return concern.endpoint.status === 'disabled' ? 9 : 10;
    case 'storage':
      return concern.usedBytes >= concern.quotaBytes ? 3 : 11;
  }
}

const ofPosts = (posts: readonly ListedPost[]): Concern[] =>
  posts.map((post) => ({ kind: 'post', key: post.id, post, condition: urgencyOf(post) }));

/** A post that is still on its way, with a destination that has failed, is about that destination. */
function urgencyOf(post: ListedPost): Condition {
  const condition = conditionOfPost(post);
  const hasFailed = post.platforms.some(({ status }) => status === 'failed');
  return condition === 'publishing' && hasFailed ? 'failed' : condition;
}

/** Leaves out destinations whose account is a concern of its own. */
function ofAtRisk({ atRisk, accounts }: Facts, now: number): Concern[] {
  return atRisk.flatMap((post) =>
    post.platforms
      .filter((target) => {
        const at = timeOf(target, post);
        // An earlier release of the service sends no risk.
        return target.risk && (at === null || riskOf(target, at, accounts, now) === undefined);
      })
      .slice(0, 1)
      .map((target) => ({
        kind: 'atRisk' as const,
        key: `risk ${post.id}`,
        post,
        target,
        at: timeOf(target, post),
      })),
  );
}

/** An account without access is a concern of its own, with all that waits for it. */
function ofWaiting({ entries, accounts }: Facts, now: number): Concern[] {
  return entries.flatMap(({ post, at, targets }) =>
    targets
      .filter(
        (target) =>
          conditionOfTarget(target) === 'waiting' && riskOf(target, at, accounts, now) === undefined,
      )
      .slice(0, 1)
      .map((target) => ({ kind: 'waiting' as const, key: `waiting ${post.id} ${at}`, post, target, at })),
  );
}

function ofAccounts({ entries, accounts }: Facts, now: number): Concern[] {
  if (accounts === undefined) return [];
  const found = new Map<string, AccountConcern>();
  for (const account of accounts.values()) {
    const condition = conditionOf(account, now);
    if (condition === 'ok') continue;
    const risk = condition === 'error' ? 'restricted' : condition;
    const { id: accountId, platform } = account;
    found.set(accountId, {
      kind: 'account',
      key: accountId,
      accountId,
      platform,
      risk,
      account,
      entries: [],
    });
  }
  for (const entry of entries) {
    for (const target of entry.targets) {
      const risk = riskOf(target, entry.at, accounts, now);
      if (risk === undefined) continue;
      const { accountId, platform } = target;
      const account = accounts.get(accountId);
      const known = found.get(accountId) ?? {
        kind: 'account',
        key: accountId,
        accountId,
        platform,
        risk,
        account,
        entries: [],
      };
      found.set(accountId, { ...known, entries: [...known.entries, entry] });
    }
  }
  return [...found.values()];
}

/** The begin of the service's reason for turning an endpoint off. One that a person has paused is no concern. */
export const byService = 'disabled: ';

const ofEndpoints = ({ endpoints }: Facts): Concern[] =>
  endpoints
    .filter(
      ({ status, statusMessage }) =>
        status === 'failing' || (status === 'disabled' && statusMessage?.startsWith(byService) === true),
    )
    .map((endpoint) => ({ kind: 'endpoint', key: endpoint.id, endpoint }));

function ofStorage({ storage }: Facts): Concern[] {
  if (storage === undefined || storage.usedBytes < storage.quotaBytes * nearFull) return [];
  return [{ kind: 'storage', key: 'storage', ...storage }];
}

/** The time for which a failure is news. Later it is still listed, apart. */
const newsMs = 14 * 86_400_000;

/** Posts that went wrong lately, and those of before. The service keeps both in its list, for nobody can settle some. Pure. */
export function byAge(posts: readonly ListedPost[], now: number) {
  const isNews = ({ updatedAt }: ListedPost) => now - Date.parse(updatedAt) <= newsMs;
  return { recent: posts.filter(isNews), older: posts.filter((post) => !isNews(post)) };
}
