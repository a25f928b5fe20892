import type { Addresses } from '@herald/local-cloud/types.ts';
import * as z from 'zod';

const Posts = z.array(
  z.object({
    id: z.string(),
    accountId: z.string(),
    permalink: z.string(),
    content: z.string(),
    media: z.array(z.object({ type: z.string(), bytes: z.int(), sha256: z.string() })),
    publishedAt: z.number(),
    viewableAt: z.number().optional(),
  }),
);
export type LivePost = z.infer<typeof Posts>[number];

const Requests = z.array(
  z.object({
    number: z.int(),
    at: z.number(),
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    fault: z.string().optional(),
  }),
);

const Messages = z.array(
  z.object({
    username: z.string(),
    from: z.string(),
    text: z.string(),
    buttons: z.array(z.object({ url: z.string().optional() })),
  }),
);

const Deletion = z.object({ url: z.string(), confirmationCode: z.string() });

const Videos = z.array(z.object({ id: z.string(), title: z.string(), privacyStatus: z.string() }));

/** The control address of a simulated platform: shows what is live and injects faults. */
export interface PlatformControl {
  posts(): Promise<LivePost[]>;
  /** YouTube: all videos, also those that only their owner sees. */
  videos(): Promise<z.infer<typeof Videos>>;
  /** The posts with exactly this content. */
  postsSaying(content: string): Promise<LivePost[]>;
  /** @param after only the requests with a higher number */
  requests(after?: number): Promise<z.infer<typeof Requests>>;
  /** @param match the simulator's name of the operation */
  planFault(match: string, fault: string, times?: number): Promise<void>;
  faults(): Promise<unknown[]>;
  clearFaults(): Promise<void>;
  settings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  limits(limits: Readonly<Record<string, number>>): Promise<void>;
  /** Adds somebody who can log in. @param fields what else the simulator knows of them, such as their pages */
  addUser(username: string, fields?: object): Promise<void>;
  /** Instagram: somebody comments on a post. */
  comment(postId: string, username: string, text: string): Promise<void>;
  /** Instagram: the private messages from accounts to somebody. */
  messagesTo(username: string): Promise<z.infer<typeof Messages>>;
  /** Revokes every token of the account. */
  revoke(username: string): Promise<void>;
  /** Meta's platforms: the account's owner removes the app, and the platform sends the callback. */
  deauthorize(username: string): Promise<void>;
  /** Meta's platforms: the owner asks for the deletion of their data. @returns what the app answered */
  deleteData(username: string): Promise<{ url: string; confirmationCode: string }>;
}

export function platformOf({ platforms }: Pick<Addresses, 'platforms'>, name: string): PlatformControl {
  const control = platforms[name]?.control;
  if (control === undefined) throw new Error(`there is no platform ${name}`);
  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${control}/${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path} of ${name}: ${await response.text()}`);
    return response.json();
  }
  const posts = async () => Posts.parse(await send('GET', 'posts'));
  return {
    posts,
    videos: async () => Videos.parse(await send('GET', 'videos')),
    postsSaying: async (content) => (await posts()).filter((post) => post.content === content),
    requests: async (after = 0) => Requests.parse(await send('GET', `requests?after=${after}`)),
    planFault: async (match, fault, times = 1) =>
      void (await send('POST', 'faults', { match, fault, times })),
    faults: async () => z.array(z.unknown()).parse(await send('GET', 'faults')),
    clearFaults: async () => void (await send('DELETE', 'faults')),
    limits: async (limits) => void (await send('PUT', 'limits', limits)),
    settings: async (settings) => void (await send('PUT', 'settings', settings)),
    deauthorize: async (username) => void (await send('POST', 'deauthorize', { username })),
    deleteData: async (username) => Deletion.parse(await send('POST', 'data-deletion', { username })),
    addUser: async (username, fields = {}) => void (await send('POST', 'users', { username, ...fields })),
    comment: async (postId, username, text) =>
      void (await send('POST', 'comments', { postId, username, text })),
    messagesTo: async (username) =>
      Messages.parse(await send('GET', 'messages')).filter(
        (message) => message.username === username && message.from === 'account',
      ),
    revoke: async (username) => void (await send('POST', 'revoke', { username })),
  };
}
