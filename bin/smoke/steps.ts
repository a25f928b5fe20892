import * as z from 'zod';
import { secondMs, toTimestamp } from '../../lib/kernel/clock.ts';

/** The context of the steps. */
export interface SmokeContext {
  /** The API's URL, without a final slash. */
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The account to plan a post for, by Herald's id. */
  readonly accountId?: string;
  /** True if a post may go live on it. */
  readonly publishes: boolean;
  /** The time of the stage in epoch milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Registers work to undo at the end, whatever happens. The last is undone first. */
  readonly undo: (what: string, work: (context: SmokeContext) => Promise<unknown>) => void;
}

export interface Step {
  readonly name: string;
  /** Returns the reason to leave the step out. Absent: the step always applies. */
  readonly leftOut?: (context: SmokeContext) => string | undefined;
  /** @returns the finding. @throws Error that says what is wrong */
  readonly run: (context: SmokeContext) => Promise<string>;
}

/** The wait for the effects of a request: a cold start of each function on the way, and the lag of an index. */
const patienceMs = 90 * secondMs;
const pauseMs = secondMs;
const dayMs = 86_400 * secondMs;

/** A picture of one pixel. */
const picture = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

const Grant = z.object({
  mediaId: z.string(),
  uploadUrl: z.url(),
  publicUrl: z.url(),
  contentType: z.string(),
});
const Media = z.object({ media: z.object({ status: z.string() }).loose() });
const PostAnswer = z.object({
  post: z.object({
    _id: z.string(),
    status: z.string(),
    platforms: z.array(z.object({ permalink: z.string().nullish(), error: z.string().nullish() }).loose()),
  }),
});
const PostList = z.object({ posts: z.array(z.object({ _id: z.string() })) });
const Endpoint = z.object({ webhook: z.object({ id: z.string() }) });
const Deliveries = z.object({ deliveries: z.array(z.object({ attempts: z.array(z.object({}).loose()) })) });
const WorkspaceAnswer = z.object({ workspace: z.object({ name: z.string() }) });

async function ask<T>(
  context: SmokeContext,
  schema: z.ZodType<T>,
  method: string,
  path: string,
  expected: number,
  body?: unknown,
): Promise<T> {
  const { apiUrl, apiKey, signal } = context;
  const content = await call(method, `${apiUrl}${path}`, expected, { apiKey, body, signal });
  const result = schema.safeParse(JSON.parse(new TextDecoder().decode(content)));
  if (result.success) return result.data;
  throw new SmokeFailure(`${method} ${path}: ${z.prettifyError(result.error)}`);
}

/** Repeats a check until it finds something. @throws SmokeFailure if that takes too long */
async function until<T>(
  { wait, signal }: SmokeContext,
  what: string,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const tries = Math.ceil(patienceMs / pauseMs);
  for (let count = 0; count < tries; count += 1) {
    signal.throwIfAborted();
    const found = await look();
    if (found !== undefined) return found;
    await wait(pauseMs);
  }
  throw new SmokeFailure(`${what} took more than ${patienceMs / secondMs} s`);
}

const anything = z.unknown();

/** Uploads the picture, and removes it at the end. */
async function upload(context: SmokeContext): Promise<z.infer<typeof Grant>> {
  const file = { filename: 'smoke-test.png', contentType: 'image/png', size: picture.byteLength };
  const grant = await ask(context, Grant, 'POST', '/v1/media/presign', 200, file);
  const { mediaId, uploadUrl, contentType } = grant;
  context.undo(`file ${mediaId}`, (at) => ask(at, anything, 'DELETE', `/v1/media/${mediaId}`, 200));
  const headers = { 'content-type': contentType };
  await call('PUT', uploadUrl, 200, { bytes: picture, headers, signal: context.signal });
  await until(context, 'inspecting the file', async () => {
    const { media } = await ask(context, Media, 'GET', `/v1/media/${mediaId}`, 200);
    if (media.status === 'invalid') throw new SmokeFailure('the uploaded picture was found invalid');
    return media.status === 'ready' ? media : undefined;
  });
  return grant;
}

async function createPost(context: SmokeContext, body: object): Promise<string> {
  const { post } = await ask(context, PostAnswer, 'POST', '/v1/posts', 201, {
    content: 'Smoke test of Herald',
    ...body,
  });
  return post._id;
}

const withoutAccount = ({ accountId }: SmokeContext): string | undefined =>
  accountId === undefined ? 'name an account with --account' : undefined;

/** The main job of a stage, in independent steps. */
export const steps: readonly Step[] = [
  {
    name: 'the API answers',
    run: async ({ apiUrl, signal }) => {
      await call('GET', `${apiUrl}/health`, 200, { signal });
      return apiUrl;
    },
  },
  {
    name: 'an unknown key is refused',
    run: async ({ apiUrl, signal }) => {
      const apiKey = `yay_${'0'.repeat(43)}`;
      await call('GET', `${apiUrl}/v1/workspace`, 401, { apiKey, signal });
      return '401';
    },
  },
  {
    name: 'the workspace is read',
    run: async (context) => (await ask(context, WorkspaceAnswer, 'GET', '/v1/workspace', 200)).workspace.name,
  },
  {
    name: 'a file is uploaded, inspected and public',
    run: async (context) => {
      const { publicUrl } = await upload(context);
      const served = await call('GET', publicUrl, 200, { signal: context.signal });
      if (!Buffer.from(served).equals(Buffer.from(picture)))
        throw new SmokeFailure(`${new URL(publicUrl).pathname} is another file than was uploaded`);
      return new URL(publicUrl).host;
    },
  },
  {
    name: 'a draft is stored, listed and deleted',
    run: async (context) => {
      const id = await createPost(context, { isDraft: true });
      const remove = (at: SmokeContext) => ask(at, anything, 'DELETE', `/v1/posts/${id}`, 200);
      let isDeleted = false;
      context.undo(`draft ${id}`, async (at) => isDeleted || (await remove(at)));
      await until(context, 'listing the draft', async () => {
        const { posts } = await ask(context, PostList, 'GET', '/v1/posts?status=draft', 200);
        return posts.find(({ _id }) => _id === id);
      });
      await remove(context);
      isDeleted = true;
      return id;
    },
  },
  {
    name: 'a webhook is sent',
    run: async (context) => {
      // Our own host answers, though not with success: the attempt shows that events are delivered.
      const url = `${context.apiUrl}/health`;
      const { webhook } = await ask(context, Endpoint, 'POST', '/v1/webhooks', 201, {
        url,
        events: ['post.published'],
        description: 'Smoke test',
      });
      const path = `/v1/webhooks/${webhook.id}`;
      context.undo(`webhook ${webhook.id}`, (at) => ask(at, anything, 'DELETE', path, 200));
      await ask(context, anything, 'POST', `${path}/test`, 202);
      await until(context, 'sending the webhook', async () => {
        const { deliveries } = await ask(context, Deliveries, 'GET', `${path}/deliveries`, 200);
        return deliveries.find(({ attempts }) => attempts.length > 0);
      });
      return 'attempted';
    },
  },
  {
    name: 'an unknown link is not found',
    run: async ({ apiUrl, signal }) => {
      await call('GET', `${apiUrl}/r/AAAAAAAAAA`, 404, { signal });
      return '404';
    },
  },
  {
    name: 'a post is scheduled and deleted',
    leftOut: withoutAccount,
    run: async (context) => {
      const scheduledFor = toTimestamp(context.now + 30 * dayMs);
      const id = await createPost(context, { scheduledFor, platforms: [{ accountId: context.accountId }] });
      const remove = (at: SmokeContext) => ask(at, anything, 'DELETE', `/v1/posts/${id}`, 200);
      let isDeleted = false;
      context.undo(`scheduled post ${id}`, async (at) => isDeleted || (await remove(at)));
      const { post } = await ask(context, PostAnswer, 'GET', `/v1/posts/${id}`, 200);
      if (post.status !== 'scheduled') throw new SmokeFailure(`the post is ${post.status}`);
      await remove(context);
      isDeleted = true;
      return scheduledFor;
    },
  },
  {
    name: 'a post goes live',
    leftOut: (context) => withoutAccount(context) ?? (context.publishes ? undefined : 'add --publish'),
    run: async (context) => {
      const id = await createPost(context, {
        publishNow: true,
        platforms: [{ accountId: context.accountId }],
      });
      const { platforms } = await until(context, 'publishing', async () => {
        const { post } = await ask(context, PostAnswer, 'GET', `/v1/posts/${id}`, 200);
        if (post.status === 'failed')
          throw new SmokeFailure(`the post has failed: ${post.platforms[0]?.error ?? 'without a reason'}`);
        return post.status === 'published' ? post : undefined;
      });
      // The API does not delete live posts.
      return `delete it at the platform: ${platforms[0]?.permalink ?? id}`;
    },
  },
];

/** A request with another answer than the expected one. */
class SmokeFailure extends Error {
  override readonly name = 'SmokeFailure';
}

/** Longer than the API may take, so that a slow answer is awaited. */
const timeoutMs = 40 * secondMs;
const shownCharacters = 300;

/** The optional parts of a request. */
interface CallOptions {
  readonly apiKey?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they are. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Sends a request once: a request that fails here may fail for a customer.
 *
 * @param expected the status that the answer must have
 * @returns the answer's bytes
 * @throws SmokeFailure with the status and the beginning of the answer, if it has another status or does not come
 */
async function call(
  method: string,
  url: string,
  expected: number,
  { apiKey, body, bytes, headers, signal }: CallOptions,
): Promise<Uint8Array> {
  const about = `${method} ${new URL(url).pathname}`;
  const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new SmokeFailure(`${about}: ${error.message}${cause}`);
  });
  const content = new Uint8Array(await answer.arrayBuffer());
  if (answer.status === expected) return content;
  const text = new TextDecoder().decode(content).slice(0, shownCharacters);
  throw new SmokeFailure(`${about}: ${answer.status} instead of ${expected}: ${text}`);
}
