import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { PartsToSend, UploadGrant } from '../../../lib/media/operations.ts';
import { contentTypeOf } from '../../../lib/media/types.ts';
import { TimelineEntryView } from '../../../lib/posts/timeline.ts';
import { PostView } from '../../../lib/posts/view/schemas.ts';
import type { TestWorkspace } from '../../support/local-cloud.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parses the body as JSON; throws if it is not JSON. */
  json(): unknown;
}

/** An API client with the key of a workspace. */
export interface Client {
  readonly workspace: TestWorkspace;
  /** Sends any request. A body that is neither text nor bytes is sent as JSON. */
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** @throws Error with the body if the response has another status */
  expectStatus(status: number, ...request: Parameters<Client['request']>): Promise<Answer>;
  /** Presigns and uploads a fixture. @returns its `publicUrl` */
  upload(fixture: string): Promise<string>;
  /** Begins an upload in parts. @returns the file's id */
  beginInParts(filename: string, size: number): Promise<string>;
  /** Sends the parts of a file that have not arrived. @returns their numbers */
  sendParts(mediaId: string, bytes: Uint8Array<ArrayBuffer>): Promise<number[]>;
  createPost(body: unknown): Promise<PostView>;
  readPost(id: string): Promise<PostView>;
  timeline(id: string): Promise<z.infer<typeof Timeline>>;
  accountId(platform: string): string;
}

const PostReply = z.object({ post: PostView });
const Timeline = z.array(TimelineEntryView);

export function clientOf({ apiUrl }: { readonly apiUrl: string }, workspace: TestWorkspace): Client {
  const client: Client = {
    workspace,
    async request(method, path, body, headers = {}) {
      const response = await fetch(`${apiUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${workspace.apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
    },
    async expectStatus(status, method, path, ...rest) {
      const answer = await client.request(method, path, ...rest);
      if (answer.status === status) return answer;
      throw new Error(`${method} ${path} returned ${answer.status}, not ${status}: ${answer.text}`);
    },
    async upload(fixture) {
      const { bytes, contentType } = readFixture(fixture);
      const asked = { filename: fixture, contentType, size: bytes.length };
      const grant = UploadGrant.parse(
        (await client.expectStatus(200, 'POST', '/v1/media/presign', asked)).json(),
      );
      const uploaded = await fetch(grant.uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': contentType },
        body: bytes,
      });
      if (!uploaded.ok) throw new Error(`the upload returned ${uploaded.status}: ${await uploaded.text()}`);
      return grant.publicUrl;
    },
    async beginInParts(filename, size) {
      const asked = { filename, size, parts: true };
      const answer = await client.expectStatus(200, 'POST', '/v1/media/presign', asked);
      return UploadGrant.parse(answer.json()).mediaId;
    },
    async sendParts(mediaId, bytes) {
      const { parts } = PartsToSend.parse(
        (await client.expectStatus(200, 'GET', `/v1/media/${mediaId}/parts`)).json(),
      );
      for (const { uploadUrl, offset, size } of parts) {
        const sent = await fetch(uploadUrl, { method: 'PUT', body: bytes.slice(offset, offset + size) });
        if (!sent.ok) throw new Error(`the part returned ${sent.status}: ${await sent.text()}`);
      }
      return parts.map(({ partNumber }) => partNumber);
    },
    createPost: async (body) => parsePost(await client.expectStatus(201, 'POST', '/v1/posts', body)),
    readPost: async (id) => parsePost(await client.expectStatus(200, 'GET', `/v1/posts/${id}`)),
    async timeline(id) {
      const answer = await client.expectStatus(200, 'GET', `/v1/posts/${id}/timeline`);
      return z.object({ timeline: Timeline }).parse(answer.json()).timeline;
    },
    accountId(platform) {
      const account = workspace.accounts.find((candidate) => candidate.platform === platform);
      if (account === undefined) throw new Error(`${workspace.name} has no ${platform} account`);
      return account.id;
    },
  };
  return client;
}

/** Parses the post in a response with the API's schema. */
export function parsePost(answer: Answer): PostView {
  return PostReply.parse(answer.json()).post;
}

export function targetOf(post: PostView, platform: string): PostView['platforms'][number] {
  const target = post.platforms.find((candidate) => candidate.platform === platform);
  if (target === undefined) throw new Error(`post ${post.id} does not go to ${platform}`);
  return target;
}

export function readFixture(name: string) {
  const bytes = readFileSync(join(import.meta.dirname, '../../fixtures', name));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, contentType: contentTypeOf(name) ?? '', sha256 };
}

export interface Patience {
  /** The time limit in real time. Only something that hangs reaches the default. */
  readonly withinSeconds?: number;
  /** Called between two checks, for example to move the clock. */
  readonly meanwhile?: () => unknown;
  /** The pause between two checks. */
  readonly pauseMs?: number;
}

/** Less than a test's own limit, so that the error shows the last value. */
const hangSeconds = 110;

/**
 * Reads a value until it meets the condition.
 *
 * @throws Error with the last value after the time limit
 */
export async function until<Value>(
  look: () => Promise<Value> | Value,
  isWanted: (value: Value) => boolean,
  { withinSeconds = hangSeconds, meanwhile, pauseMs = 50 }: Patience = {},
): Promise<Value> {
  const end = performance.now() + withinSeconds * 1_000;
  for (;;) {
    const value = await look();
    if (isWanted(value)) return value;
    if (performance.now() > end) {
      throw new Error(`the condition is not met after ${withinSeconds} s: ${JSON.stringify(value)}`);
    }
    await meanwhile?.();
    await delay(pauseMs);
  }
}

/** Waits until every destination of the post has settled. */
export async function settled(client: Client, postId: string, patience?: Patience): Promise<PostView> {
  const isSettled = ({ platforms }: PostView) =>
    platforms.every(({ status }) => ['published', 'partial', 'failed'].includes(status));
  return until(() => client.readPost(postId), isSettled, patience);
}
