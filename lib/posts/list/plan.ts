import { invalidField } from '../../kernel/errors.ts';
import { anyElementHas, anyOf, type Condition, hasAny } from '../../table/condition.ts';
import { accountList, type StatusGroup, statusList, workspaceList } from '../../table/keys.ts';
import { indexes } from '../../table/schema.ts';
import type { WorkspaceTags } from '../../tags/schemas.ts';
import { findTag, noTagsYet } from '../../tags/workspace-tags.ts';
import type { PostStatus } from '../../targets/state.ts';
import { maxTargets } from '../request/schemas.ts';
import { parseSearch, type Search } from '../search/words.ts';
import { attentionStatuses, needsAttention } from '../stored/list-keys.ts';
import type { Post } from '../stored/schemas.ts';
import { isAtRisk } from '../view/to-view.ts';
import { rangeOf } from './range.ts';
import type { ListPostsQuery } from './schemas.ts';

export type PostFilters = Omit<Partial<ListPostsQuery>, 'limit' | 'cursor'>;

/** The maximum number of accounts whose lists are read side by side. With more, the posts of the workspace are read and filtered. */
export const maxMergedAccounts = 10;

interface AccountList {
  readonly accountId: string;
  readonly partition: string;
}

/** The way to read a list of posts: one Query of one index per page, or one for each of a few accounts. */
export interface ListPlan {
  readonly index: (typeof indexes)['postsNewestFirst' | 'postsByStatus' | 'postsByTime' | 'targetsByAccount'];
  readonly partition: string;
  /** The accounts whose lists are read side by side, in place of `partition`. */
  readonly ofAccounts?: readonly AccountList[];
  /** Bounds of the sort key; absent: the whole partition. */
  readonly sort?: { readonly between: readonly [first: string, last: string] };
  readonly isDescending: boolean;
  /** The filter by which DynamoDB leaves out posts after reading them; absent if the key is enough. */
  readonly filter?: Condition;
  /**
   * True if `matches` leaves out most of a page that DynamoDB cannot narrow, because no expression compares the elements of a
   * list with an attribute. Then a page is read in full.
   */
  readonly isNarrowedAfterwards: boolean;
  /** True if no post can pass the filters, so nothing is read. */
  readonly isEmpty: boolean;
  /** The words that posts must have; absent: any. `matches` does not decide about them. */
  readonly search: Search | undefined;
  /** Returns true if a post passes all filters but `search`. For posts that were read by key, and for filters that DynamoDB cannot apply. */
  readonly matches: (post: Post) => boolean;
  /** The filters to which a cursor of this list is bound, equal for lists with the same posts in the same order. */
  readonly boundTo: Readonly<Record<string, string | undefined>>;
}

/**
 * Plans the reads of a list of posts. `docs/api.md` has the index of each combination of filters. Pure.
 *
 * @param accountIds the accounts of which posts must go to at least one, by `accountId` and `accountExternalId`; absent: any
 * @param tags the tags of the workspace, if the list has the filter
 * @throws HeraldError `invalid`, `incompatible_filters`, `range_empty` or `range_too_long`, with the parameter
 */
export function planPostList(
  workspaceId: string,
  query: PostFilters,
  accountIds: readonly string[] | undefined = query.accountId,
  tags: WorkspaceTags = noTagsYet,
): ListPlan {
  const {
    status: statuses,
    platform: platforms,
    accountId,
    accountExternalId,
    externalId,
    attention,
    atRisk,
    ownTimes,
    approval,
    sort,
  } = query;
  const range = rangeOf(query);
  const tagIds = query.tags?.flatMap((name) => findTag(tags, name)?.id ?? []);
  if (atRisk && (range || sort === 'scheduledFor'))
    throw invalidField(
      'atRisk',
      'cannot be combined with from, to or sort=scheduledFor',
      'incompatible_filters',
    );
  if (externalId !== undefined && (range || sort === 'scheduledFor'))
    throw invalidField(
      'externalId',
      'cannot be combined with from, to or sort=scheduledFor',
      'incompatible_filters',
    );
  if (range && sort === 'createdAt')
    throw invalidField('sort', 'must be scheduledFor, or left out, with from or to', 'incompatible_filters');
  const isByTime = range !== undefined || sort === 'scheduledFor';
  const search = query.search === undefined ? undefined : parseSearch(query.search);
  const boundTo = {
    search: search && [...search.whole, search.prefix].join(' '),
    status: statuses?.join(),
    platform: platforms?.join(),
    accountId: accountId?.join(),
    accountExternalId,
    externalId,
    attention: attention && 'true',
    atRisk: atRisk && 'true',
    ownTimes: ownTimes && 'true',
    approval,
    // By their ids: a tag may be renamed between two pages.
    tags: tagIds?.join(),
    from: range?.first,
    to: range?.last,
    sort: isByTime ? 'scheduledFor' : undefined,
  };
  const common = {
    matches: (post: Post) =>
      (statuses?.includes(post.status) ?? true) &&
      (accountIds === undefined || post.targets.some((target) => accountIds.includes(target.accountId))) &&
      (platforms === undefined || post.targets.some((target) => platforms.includes(target.platform))) &&
      (!attention || needsAttention(post)) &&
      (!atRisk || isAtRisk(post.targets)) &&
      (!ownTimes || hasOwnTimes(post)) &&
      (approval === undefined || post.approval?.state === approval) &&
      (tagIds === undefined || tagIds.some((id) => post.tagIds?.includes(id))),
    isEmpty: tagIds?.length === 0,
    isNarrowedAfterwards:
      [accountIds, platforms].some((several = []) => several.length > 1) || ownTimes === true,
    isDescending: !isByTime,
    search,
    boundTo,
  };
  const [accountOnly, platformOnly] = [accountIds, platforms].map((several) =>
    several?.length === 1 ? several[0] : undefined,
  );
  const conditions = {
    ...(statuses && { status: anyOf(...statuses) }),
    // An account has one platform, so `matches` decides about both.
    ...(accountOnly
      ? { targets: anyElementHas('targets', 'accountId', accountOnly, maxTargets) }
      : platformOnly && { targets: anyElementHas('targets', 'platform', platformOnly, maxTargets) }),
    ...(attention && { statusList: statusList(workspaceId, 'attention') }),
    ...(approval && { 'approval.state': approval }),
    ...(tagIds && tagIds.length > 0 && { tagIds: hasAny(...tagIds) }),
  };
  if (isByTime) {
    const sortRange = range && { sort: { between: [range.first, range.last] as const } };
    const partition = workspaceList(workspaceId);
    return { ...common, index: indexes.postsByTime, partition, ...sortRange, ...filterOf(conditions) };
  }
  // The few posts of an account would be far apart in the other indexes, and pages short.
  if (accountIds !== undefined && accountIds.length <= maxMergedAccounts)
    return {
      ...common,
      index: indexes.targetsByAccount,
      partition: '',
      ofAccounts: accountIds.map((accountId) => ({
        accountId,
        partition: accountList(workspaceId, accountId),
      })),
    };
  const ofStatuses = attention ? 'attention' : groupOf(statuses);
  // Whatever is not approved is a draft.
  const isDraft = approval !== undefined && approval !== 'approved';
  const group = ofStatuses ?? (isDraft ? 'draft' : undefined);
  if (group === undefined) {
    const partition = workspaceList(workspaceId);
    return { ...common, index: indexes.postsNewestFirst, partition, ...filterOf(conditions) };
  }
  const { statusList: _key, status, ...others } = conditions;
  const isExact = ofStatuses !== undefined && ofStatuses !== 'attention';
  const rest = status && !isExact ? { ...others, status } : others;
  return {
    ...common,
    index: indexes.postsByStatus,
    partition: statusList(workspaceId, group),
    ...filterOf(rest),
  };
}

/** True if a destination has another time than its post. */
const hasOwnTimes = ({ scheduledFor, targets }: Post): boolean =>
  targets.some((target) => (target.scheduledFor ?? scheduledFor) !== scheduledFor);

/** Returns the group that contains all posts with these statuses. */
function groupOf(statuses: readonly PostStatus[] | undefined): StatusGroup | undefined {
  if (statuses === undefined) return undefined;
  const [only] = statuses;
  if (statuses.length === 1 && (only === 'draft' || only === 'scheduled')) return only;
  return statuses.every((status) => attentionStatuses.includes(status)) ? 'attention' : undefined;
}

const filterOf = (filter: Condition) => (Object.keys(filter).length > 0 ? { filter } : {});
