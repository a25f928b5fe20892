import type * as z from 'zod';
import { listAccountsOperation } from '../../../lib/accounts/operations.ts';
import { listPostsOperation, readPostOperation } from '../../../lib/posts/operations.ts';
import { duplicatePostOperation, editPostOperation } from '../../../lib/posts/request/operations.ts';
import type { ListedPostView } from '../../../lib/posts/view/schemas.ts';
import { some } from './accounts.ts';
import { type FakeApi, type FakeReply, refusal } from './fake-api.ts';
import { idOf } from './ids.ts';
import { answer } from './operation-answers.ts';
import { listedPostOf, postOf } from './posts.ts';

type Listed = z.infer<typeof ListedPostView>;
type Answer = { readonly posts: Listed[]; readonly nextCursor: string | null } | FakeReply;

const hasOwnTimes = ({ scheduledFor, platforms }: Listed): boolean =>
  platforms.some((target) => (target.scheduledFor ?? scheduledFor) !== scheduledFor);

/** A workspace's posts behind the operations that the calendar uses. Changes to `posts` are seen by the next request. */
export class FakePosts {
  posts: readonly Listed[];
  /** The largest number of posts of a page, whatever the request says. */
  pageSize = 500;
  private readonly api: FakeApi;
  private version = 0;

  constructor(api: FakeApi, posts: readonly Listed[], accounts: typeof some = some) {
    this.api = api;
    this.posts = posts;
    answer(api, listAccountsOperation, () => ({ accounts, nextCursor: null }));
    this.answer();
  }

  /** Lets the API answer all operations, again if a test had it refuse some. */
  answer(): void {
    const { api } = this;
    answer(api, listPostsOperation, ({ query }) => this.list(query));
    answer(api, readPostOperation, ({ parameters: [id] }) => {
      const post = this.posts.find((each) => each.id === id);
      return post === undefined ? refusal(404, 'not_found', 'post: not found') : { post: postOf(post) };
    });
    answer(api, editPostOperation, ({ parameters: [id], body }) => {
      const before = this.posts.find((each) => each.id === id);
      if (before === undefined) return refusal(404, 'not_found', 'post: not found');
      const { scheduledFor, isDraft, platforms = [] } = body;
      const times = new Map(platforms.map((each) => [each.accountId, each.scheduledFor ?? null]));
      const status =
        before.status === 'draft' &&
        isDraft !== false &&
        (isDraft || scheduledFor === undefined || scheduledFor === null)
          ? 'draft'
          : 'scheduled';
      const post = this.replace(before, {
        status,
        ...(scheduledFor !== undefined && { scheduledFor }),
        platforms: before.platforms.map((target) => ({
          ...target,
          status,
          scheduledFor:
            times.get(target.accountId) ?? (scheduledFor === undefined ? target.scheduledFor : scheduledFor),
        })),
      });
      return { post: postOf(post), warnings: [] };
    });
    const copies = new Map<string, Listed>();
    answer(api, duplicatePostOperation, ({ parameters: [id], body }) => {
      const { idempotencyKey = '' } = body;
      const earlier = copies.get(idempotencyKey);
      if (earlier !== undefined)
        return {
          post: postOf(earlier),
          existingPost: postOf(earlier),
          idempotencyMismatch: false,
          warnings: [],
        };
      const before = this.posts.find((each) => each.id === id);
      if (before === undefined) return refusal(404, 'not_found', 'post: not found');
      const scheduledFor = body.scheduledFor ?? null;
      const copy = listedPostOf(8_000 + this.posts.length, {
        ...before,
        _id: idOf(17_000 + this.posts.length),
        id: idOf(17_000 + this.posts.length),
        status: 'draft',
        scheduledFor,
        platforms: before.platforms.map((target) => ({
          ...target,
          status: 'draft',
          scheduledFor,
          error: null,
          errorDetail: null,
        })),
      });
      this.posts = [...this.posts, copy];
      if (idempotencyKey !== '') copies.set(idempotencyKey, copy);
      const reply = duplicatePostOperation.replies[201].body.parse({ post: postOf(copy), warnings: [] });
      return { status: 201, body: reply };
    });
  }

  /** Answers a request for a list; a test may put its own here. */
  list = (query: URLSearchParams): Answer | Promise<Answer> => {
    const [from, to] = [query.get('from'), query.get('to')];
    const found = this.posts
      .filter((post) => !query.has('ownTimes') || hasOwnTimes(post))
      .filter(({ scheduledFor, status }) =>
        from === null || to === null
          ? query.get('status') === status
          : scheduledFor !== null && from <= scheduledFor && scheduledFor < to,
      )
      .toSorted((one, other) => (one.scheduledFor ?? '').localeCompare(other.scheduledFor ?? ''));
    const size = Math.min(this.pageSize, Number(query.get('limit') ?? 50));
    const begin = Number(query.get('cursor') ?? 0);
    const rest = begin + size;
    return { posts: found.slice(begin, rest), nextCursor: rest < found.length ? String(rest) : null };
  };

  private replace(before: Listed, changes: Partial<Listed>): Listed {
    this.version += 1;
    const updatedAt = new Date(Date.parse(before.updatedAt) + this.version * 1_000).toISOString();
    const post = { ...before, ...changes, updatedAt };
    this.posts = this.posts.map((each) => (each.id === before.id ? post : each));
    return post;
  }
}
