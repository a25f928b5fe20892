import type { Platform } from '../../../platforms/contract/names.ts';
import { type Account, conditionOf } from '../../accounts/account.ts';
import {
  findingsOf,
  type ListedPost,
  type ListedTarget,
  type Risk,
  riskOf,
  timeOf,
} from '../../posts/post.ts';
import { failedTargets, remedyOfPost, remedyOfTarget } from '../../posts/remedy.ts';
import { type Condition, conditionOfPost, conditionOfTarget } from '../../posts/state.ts';
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
  | CauseConcern
  | { readonly kind: 'endpoint'; readonly key: string; readonly endpoint: Endpoint }
  | {
      readonly kind: 'storage';
      readonly key: string;
      readonly usedBytes: number;
      readonly quotaBytes: number;
    };

/** Several posts that one cause has stopped, and that one action brings on their way. */
export interface CauseConcern {
  readonly kind: 'cause';
  readonly key: string;
  readonly platform: Platform;
  /** The account that the cause is about; absent if it is about the platform. */
  readonly accountId: string | undefined;
  readonly posts: readonly ListedPost[];
  /** A destination that the cause has stopped. */
  readonly target: ListedTarget;
}

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
  /** The posts that have failed because of it. */
  readonly failed: readonly ListedPost[];
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
  const { alone, together, byAccount } = byCause(facts, now);
  return [
    ...ofPosts(alone),
    ...together,
    ...ofAtRisk(facts, now),
    ...ofWaiting(facts, now),
    ...ofAccounts(facts, byAccount, now),
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
    case 'cause':
      return 1;
    case 'account':
      if (concern.failed.length > 0) return 1;
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
        const isOfAccount = at !== null && riskOf(target, at, accounts, now) !== undefined;
        return !isOfAccount && findingsOf(target, accounts?.get(target.accountId)).length > 0;
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

/** Posts that went wrong, by their causes. */
interface ByCause {
  /** Each is a concern of its own. */
  readonly alone: readonly ListedPost[];
  /** Posts that a retry of all helps. */
  readonly together: readonly CauseConcern[];
  /** Posts that wait for an account without access, or with a restriction, by its id. */
  readonly byAccount: ReadonlyMap<string, readonly Stopped[]>;
}

interface Stopped {
  readonly post: ListedPost;
  readonly target: ListedTarget;
}

/** Groups stopped posts by their cause. If a post has several, the first one counts for which somebody has to do more than to try again. */
function byCause({ posts, accounts }: Facts, now: number): ByCause {
  // Without the accounts, nobody knows which of them have access again.
  if (accounts === undefined) return { alone: posts, together: [], byAccount: new Map() };
  const causes = posts.map((post) => ({ post, ...causeOf(post, accounts, now) }));
  const groups = Map.groupBy(causes, ({ key }, place) => key ?? `alone ${place}`);
  const isAccounts = (key: string | undefined) => key?.startsWith(ofAccount) === true;
  const isAlone = ({ key }: (typeof causes)[number]) =>
    key === undefined || (!isAccounts(key) && (groups.get(key)?.length ?? 0) < 2);
  return {
    alone: causes.filter(isAlone).map(({ post }) => post),
    together: [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first?.key === undefined || isAlone(first) || isAccounts(first.key)) return [];
      const { key, target, isOfPlatform } = first;
      if (target === undefined) return [];
      const accountId = isOfPlatform ? undefined : target.accountId;
      const of = group.map(({ post }) => post);
      return [{ kind: 'cause', key, platform: target.platform, accountId, posts: of, target }];
    }),
    byAccount: Map.groupBy(
      causes.flatMap(({ post, key, target }) => (isAccounts(key) && target ? [{ post, target }] : [])),
      ({ target }) => target.accountId,
    ),
  };
}

const ofAccount = 'account ';

/** The codes whose cause is the same for all accounts of a platform. */
const codesOfPlatforms = [
  'platform_unavailable',
  'app_refused',
  'internal',
  'paused',
  'missed',
  'media_delayed',
];

/** Returns a text that posts with the same cause share; none if the post needs an action of its own. */
function causeOf(
  post: ListedPost,
  accounts: ReadonlyMap<string, Account>,
  now: number,
): { key?: string; target?: ListedTarget; isOfPlatform?: boolean } {
  const { remedy, target } = remedyOfPost(post, accounts, now);
  if (target === undefined) return {};
  if (remedy === 'reconnect') return { key: ofAccount + target.accountId, target };
  const failed = failedTargets(post);
  if (remedy === 'look') {
    const account = accounts.get(target.accountId);
    const isRestricted =
      account?.status === 'error' &&
      failed.every(
        ({ accountId, errorDetail }) =>
          accountId === target.accountId && errorDetail?.code === 'account_restricted',
      );
    return isRestricted ? { key: ofAccount + target.accountId, target } : {};
  }
  if (remedy !== 'retry') return {};
  const keys = new Set(
    failed.map((each) => {
      if (remedyOfTarget(each, accounts, now) !== 'retry') return undefined;
      const { code = 'failed', category } = each.errorDetail ?? {};
      if (codesOfPlatforms.includes(code)) return `${each.platform} ${code}`;
      return `${each.accountId} ${category === 'reconnect' ? 'works again' : code}`;
    }),
  );
  const [key] = keys;
  if (keys.size !== 1 || key === undefined) return {};
  return { key, target, isOfPlatform: key.startsWith(`${target.platform} `) };
}

function ofAccounts(
  { entries, accounts }: Facts,
  byAccount: ReadonlyMap<string, readonly Stopped[]>,
  now: number,
): Concern[] {
  if (accounts === undefined) return [];
  const found = new Map<string, AccountConcern>();
  const add = (
    { accountId, platform }: Pick<AccountConcern, 'accountId' | 'platform'>,
    risk: Risk,
    entry?: Entry,
  ) => {
    const known = found.get(accountId);
    found.set(accountId, {
      kind: 'account',
      key: accountId,
      accountId,
      platform,
      risk: known?.risk ?? risk,
      account: accounts.get(accountId),
      entries: [...(known?.entries ?? []), ...(entry ? [entry] : [])],
      failed: byAccount.get(accountId)?.map(({ post }) => post) ?? [],
    });
  };
  for (const account of accounts.values()) {
    const condition = conditionOf(account, now);
    if (condition !== 'ok')
      add(
        { accountId: account.id, platform: account.platform },
        condition === 'error' ? 'restricted' : condition,
      );
  }
  for (const [accountId, [first]] of byAccount) {
    if (first && !found.has(accountId))
      add(first.target, accounts.has(accountId) ? 'expired' : 'disconnected');
  }
  for (const entry of entries) {
    for (const target of entry.targets) {
      const risk = riskOf(target, entry.at, accounts, now);
      if (risk !== undefined) add(target, risk, entry);
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
