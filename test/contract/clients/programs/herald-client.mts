/** A program of a strict user of `@herald/client`. It is only compiled. */
import {
  type CreatePost,
  createHerald,
  HeraldError,
  isFromHerald,
  type Post,
  verifyWebhook,
  type WebhookEvent,
} from '@herald/client';

const herald = createHerald({ baseUrl: process.env['HERALD_URL'], apiKey: process.env['HERALD_API_KEY'] });

// Requests
const request: CreatePost = { content: 'x', platforms: [{ accountId: 'account-1' }] };
const post: Post = (await herald.createPost(request)).post;
const created = await herald.createPost(
  { content: 'x', scheduledFor: 'auto' },
  { idempotencyKey: 'order-1' },
);
if ('existingPost' in created) created.idempotencyMismatch satisfies boolean;
await herald.updatePost(post.id, { scheduledFor: null }, { signal: AbortSignal.timeout(1_000) });
await herald.resolveTarget(post.id, 'account-1', { outcome: 'not live' });
await herald.retryPost(post.id);
await herald.retryPost(post.id, undefined, { maxAttempts: 1 });
await herald.startConnection('threads', { claim: true });
(await herald.checkHealth()).status satisfies string;
(await herald.createPosts({ posts: [request] })).results[0]?.status satisfies string | undefined;
// @ts-expect-error an unknown field
await herald.createPost({ content: 'x', scheduledAt: 'auto' });
// @ts-expect-error an unknown platform
await herald.startConnection('myspace');
// @ts-expect-error no id
await herald.getPost();
// @ts-expect-error no body
await herald.createWebhook();
// @ts-expect-error the method has no body
await herald.getPost(post.id, { content: 'x' });
// @ts-expect-error the result is not CSV
await herald.listMetrics({ format: 'csv' });
// @ts-expect-error an operation that does not answer in JSON
herald.followTrackedLink;

// Requests that are only tried
const tried = await herald.createPost({ content: 'x', dryRun: true });
tried.valid satisfies boolean;
(await herald.retryPost(post.id, { dryRun: true })).problems[0]?.message satisfies string | undefined;
// @ts-expect-error the request was not only tried
created.valid;

// Lists
for await (const account of herald.listAccounts.all()) account.username satisfies string | null;
for await (const { posts, nextCursor } of herald.listPosts.pages({ status: 'failed' })) {
  posts[0]?.platforms[0]?.errorDetail?.category satisfies string | undefined;
  nextCursor satisfies string | null;
}
for await (const event of herald.listEvents.all({ after: 'latest' })) {
  event.sequence satisfies number;
  event satisfies WebhookEvent;
  if (event.type === 'account.expired') event.data.account.username satisfies string | null;
}
(await herald.listMediaPosts('media-1', { limit: 5 })).posts satisfies readonly object[];
// @ts-expect-error an unknown filter
herald.listPosts.all({ state: 'failed' });

// Helpers
(await herald.waitForPost(post.id, { timeoutMs: 1_000 })).platforms satisfies readonly object[];
(await herald.uploadMedia({ filename: 'a.jpg', data: new Uint8Array(1) })).publicUrl satisfies string;
await herald.uploadMedia({ filename: 'a.jpg', data: new Blob(['x']), contentType: 'image/jpeg' });

// Errors
try {
  await herald.getWorkspace();
} catch (error) {
  if (error instanceof HeraldError) {
    error.status satisfies number | undefined;
    error.body['oldestCursor'] satisfies unknown;
  }
}

// Webhooks
declare const received: { body: Uint8Array; headers: Record<string, string | string[] | undefined> };
const header = received.headers['x-service-signature'];
const event = await verifyWebhook({ body: received.body, header, secret: process.env['SECRET'] });
event satisfies WebhookEvent | undefined;
if (event?.type === 'post.target.failed') event.data.target.error satisfies string | null;
// @ts-expect-error events have no such type
if (event?.type === 'post.lost') throw event;
(await isFromHerald({ body: '', header: new Headers().get('x'), secret: '' })) satisfies boolean;
