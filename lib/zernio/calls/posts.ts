import { HeraldError, invalidField } from '../../kernel/errors.ts';
import {
  listPostsOperation,
  readPostOperation,
  removePostOperation,
  retryPostOperation,
  unpublishPostOperation,
} from '../../posts/operations.ts';
import { createPostOperation, editPostOperation } from '../../posts/request/operations.ts';
import type { ListedPostView } from '../../posts/view/schemas.ts';
import {
  fieldsOf,
  notInHerald,
  ok,
  refuseParameters,
  requireProfile,
  wholeNumber,
  type ZernioCall,
  type ZernioPorts,
  type ZernioRequest,
} from '../call.ts';
import { type FieldName, fieldsOfPost, inTheirFields, renamedBy } from '../fields.ts';
import { pageOf } from '../pages.ts';
import { toPost, toPostBody, unstoredLabels } from '../posts.ts';
import { requirePlatform } from './accounts.ts';

const ofPost = ({ path }: ZernioRequest) => ({ id: path['postId'] ?? '' });

type Warnings = readonly { readonly field: string; readonly message: string }[];

/** Returns the warnings of a request in words, as Zernio has them. */
function warningsOf(warnings: Warnings, body: Readonly<Record<string, unknown>>) {
  const name = fieldsOfPost(body);
  const lost = unstoredLabels(body).map((label) => `${label}: not stored`);
  const all = [...warnings.map(({ field, message }) => `${name(field)}: ${message}`), ...lost];
  return all.length > 0 ? { warnings: all } : {};
}

/** Adds the queue to a post that a request has put into it. */
const queued = (body: Readonly<Record<string, unknown>>, post: Record<string, unknown>) =>
  typeof body['queuedFromProfile'] === 'string' && body['scheduledFor'] === undefined
    ? { ...post, queuedFromProfile: body['queuedFromProfile'], queueId: body['queuedFromProfile'] }
    : post;

const createPost: ZernioCall = {
  name: 'createPost',
  route: 'POST /v1/posts',
  operations: [createPostOperation],
  run: async ({ call, workspaceId }, request) => {
    const body = fieldsOf(request);
    const creating = call(createPostOperation, {
      body: toPostBody(body, workspaceId),
      idempotencyKey: request.idempotencyKey,
    });
    const reply = await inTheirFields(creating, fieldsOfPost(body));
    const warnings = warningsOf(reply.warnings, body);
    if ('dryRun' in reply) return ok(verdictOf(reply, fieldsOfPost(body)));
    const post = queued(body, toPost(reply.post));
    if ('existingPost' in reply) {
      const message = reply.idempotencyMismatch
        ? 'This request id was used for another request, which has created this post'
        : 'This request has created this post before';
      return ok({ message, post, ...warnings });
    }
    return {
      status: 201,
      body: { message: createdMessages[reply.post.status] ?? 'Post created', post, ...warnings },
    };
  },
};

const createdMessages: Readonly<Record<string, string>> = {
  draft: 'Draft saved',
  scheduled: 'Post scheduled',
};

interface Verdict {
  readonly valid: boolean;
  readonly problems: readonly {
    readonly accountId: string | null;
    readonly field: string;
    readonly message: string;
  }[];
  readonly post: ListedPostView;
}

/** Returns Zernio's answer to a request with `dryRun`: whether each TikTok account could publish. */
function verdictOf({ valid, problems, post }: Verdict, name: FieldName) {
  const inWords = (accountId: string) =>
    problems
      .filter((problem) => problem.accountId === null || problem.accountId === accountId)
      .map(({ field, message }) => `${name(field)}: ${message}`);
  const tiktok = post.platforms
    .filter(({ platform }) => platform === 'tiktok')
    .map(({ accountId }) => {
      const reasons = inWords(accountId);
      return { accountId, canPublish: reasons.length === 0, reason: reasons.join('; ') };
    });
  return { dryRun: true, canPublish: valid, tiktok };
}

const readPost: ZernioCall = {
  name: 'getPost',
  route: 'GET /v1/posts/{postId}',
  operations: [readPostOperation],
  run: async ({ call }, request) => {
    const { post } = await call(readPostOperation, { path: ofPost(request) });
    return ok({ post: toPost(post) });
  },
};

/** Fields with which Herald would schedule a draft. At Zernio a draft stays one unless `isDraft` is false. */
const timeFields: readonly string[] = ['scheduledFor', 'publishNow', 'queuedFromProfile', 'platforms'];

/** Returns what keeps a draft one, if the request does not say that it promotes it. */
async function keptDraft({ call }: ZernioPorts, request: ZernioRequest) {
  const body = fieldsOf(request);
  if (body['isDraft'] !== undefined || !timeFields.some((name) => body[name] !== undefined)) return undefined;
  const { post } = await call(readPostOperation, { path: ofPost(request) });
  if (post.status !== 'draft') return undefined;
  // If somebody decides about a proposed draft in the meantime, that stands.
  return { isDraft: true, ...(post.approval && { ifVersion: post.approval.version }) };
}

const updatePost: ZernioCall = {
  name: 'updatePost',
  route: 'PUT /v1/posts/{postId}',
  operations: [readPostOperation, editPostOperation],
  run: async (ports, request) => {
    const { call, workspaceId } = ports;
    const kept = await keptDraft(ports, request);
    const body: Readonly<Record<string, unknown>> = { ...fieldsOf(request), ...kept };
    const editing = call(editPostOperation, { path: ofPost(request), body: toPostBody(body, workspaceId) });
    const reply = await inTheirFields(editing, fieldsOfPost(body));
    const post = queued(body, toPost(reply.post));
    const message = kept ? 'Post updated. It is still a draft: isDraft: false schedules it' : 'Post updated';
    return ok({ message, post, ...warningsOf(reply.warnings, body) });
  },
};

const deletePost: ZernioCall = {
  name: 'deletePost',
  route: 'DELETE /v1/posts/{postId}',
  operations: [removePostOperation],
  run: async ({ call }, request) => {
    await call(removePostOperation, { path: ofPost(request) });
    return ok({ message: 'Post deleted' });
  },
};

const retryPost: ZernioCall = {
  name: 'retryPost',
  route: 'POST /v1/posts/{postId}/retry',
  operations: [retryPostOperation],
  run: async ({ call }, request) => {
    const { idempotencyKey } = request;
    const { post } = await call(retryPostOperation, { path: ofPost(request), body: {}, idempotencyKey });
    return ok({ message: 'The failed destinations are tried again', post: toPost(post) });
  },
};

const unpublishPost: ZernioCall = {
  name: 'unpublishPost',
  route: 'POST /v1/posts/{postId}/unpublish',
  operations: [readPostOperation, unpublishPostOperation],
  run: async ({ call }, request) => {
    const { platform } = fieldsOf(request);
    if (typeof platform !== 'string') throw invalidField('platform', 'is required', 'field_required');
    const known = requirePlatform(platform);
    const path = ofPost(request);
    const { post } = await call(readPostOperation, { path });
    const accountIds = post.platforms
      .filter((target) => target.platform === known && target.platformPostId !== null)
      .map(({ accountId }) => accountId);
    if (accountIds.length === 0)
      throw invalidField('platform', `the post is not live on ${known}`, 'field_unknown_value');
    const unpublishing = call(unpublishPostOperation, { path, body: { accountIds } });
    await inTheirFields(unpublishing, () => 'platform');
    return ok({ success: true, message: 'The post is being deleted at the platform' });
  },
};

const listPosts: ZernioCall = {
  name: 'listPosts',
  route: 'GET /v1/posts',
  operations: [listPostsOperation],
  run: async (ports, request) => {
    const { query } = request;
    requireProfile(ports, query['profileId']);
    refuseParameters('listPosts', request, ['createdBy']);
    if (query['source'] === 'external') throw notInHerald('listPosts with source=external');
    const limit = wholeNumber(request, 'limit', { least: 1, most: 500, fallback: 10 });
    const page = wholeNumber(request, 'page', { least: 1, most: 1_000_000, fallback: 1 });
    const offset = wholeNumber(request, 'offset', {
      least: 0,
      most: 1_000_000,
      fallback: (page - 1) * limit,
    });
    // Herald has no posts of this status.
    const isNever = query['status'] === 'cancelled';
    const read = isNever ? async () => ({ posts: [], nextCursor: null }) : readerOf(ports, query);
    const { posts, pagination } = await pageOf(read, { offset, limit, ...orderOf(query) });
    return ok({ posts: posts.map(toPost), pagination });
  },
};

const readerOf = ({ call }: ZernioPorts, query: ZernioRequest['query']) => {
  const filters = filtersOf(query);
  const name = renamedBy({
    from: query['fromDate'] ? 'fromDate' : 'dateFrom',
    to: query['toDate'] ? 'toDate' : 'dateTo',
    sort: 'sortBy',
  });
  return (cursor: string | undefined, limit: number) =>
    inTheirFields(call(listPostsOperation, { query: { ...filters, cursor, limit: String(limit) } }), name);
};

/** Returns the filters that Herald's list has. */
function filtersOf(query: ZernioRequest['query']): Record<string, string | undefined> {
  const from = query['fromDate'] || query['dateFrom'] || undefined;
  const to = query['toDate'] || query['dateTo'] || undefined;
  const { status, platform, accountId } = query;
  return {
    status: status || undefined,
    platform: platform ? requirePlatform(platform) : undefined,
    accountId: accountId || undefined,
    from,
    to: to && dayAfter(to),
    ...(query['sortBy'] === 'scheduled-asc' && { sort: 'scheduledFor' }),
  };
}

/** Returns the end of a period that names its last day. A time stays as it is. */
export function dayAfter(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const day = Date.parse(text);
  return Number.isNaN(day) ? text : new Date(day + 86_400_000).toISOString().slice(0, 10);
}

type Compare = (one: ListedPostView, other: ListedPostView) => number;

const by =
  (value: (post: ListedPostView) => string, sign: 1 | -1): Compare =>
  (one, other) => {
    const [first, second] = [value(one), value(other)];
    if (first === second) return 0;
    return first < second ? -sign : sign;
  };

/** The orders that Herald's list does not have. */
const orders: Readonly<Record<string, Compare>> = {
  'scheduled-desc': by((post) => post.scheduledFor ?? '', -1),
  'created-asc': by((post) => `${post.createdAt} ${post.id}`, 1),
  status: by((post) => post.status, 1),
  platform: by((post) => post.platforms[0]?.platform ?? '', 1),
};

/** Returns the search and the order for which all posts have to be read. */
function orderOf({ search, sortBy }: ZernioRequest['query']) {
  const text = search?.toLowerCase() ?? '';
  const test = text === '' ? undefined : (post: ListedPostView) => post.content.toLowerCase().includes(text);
  if (sortBy === undefined || sortBy === '' || sortBy === 'created-desc' || sortBy === 'scheduled-asc')
    return { test };
  if (!Object.hasOwn(orders, sortBy))
    throw new HeraldError(
      'invalid',
      `sortBy: must be one of created-desc, scheduled-asc, ${Object.keys(orders).join(', ')}`,
      { param: 'sortBy' },
    );
  return { test, compare: orders[sortBy] };
}

export const postCalls: readonly ZernioCall[] = [
  ...[listPosts, createPost, readPost, updatePost, deletePost, retryPost, unpublishPost],
];
