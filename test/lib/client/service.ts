import { type HeraldOptions, methodsOf, type Operation } from '../../../lib/client/client.ts';

/** A request that the service has got. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | Blob | undefined;
  readonly redirect: string | undefined;
  /** The virtual time, in milliseconds. */
  readonly at: number;
}

/** An answer; or a lost connection. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | Error;

export const operations = {
  getPost: { method: 'GET', path: '/v1/posts/{id}' },
  setRhythm: { method: 'PUT', path: '/v1/accounts/{id}/rhythm', input: 'body' },
  deletePost: { method: 'DELETE', path: '/v1/posts/{id}' },
  createPost: { method: 'POST', path: '/v1/posts', input: 'body', hasKey: true },
  createBoard: { method: 'POST', path: '/v1/accounts/{id}/boards', input: 'body' },
  updatePost: { method: 'PATCH', path: '/v1/posts/{id}', input: 'body' },
  resolveTarget: {
    method: 'POST',
    path: '/v1/posts/{id}/targets/{accountId}/resolve',
    input: 'body',
    hasKey: true,
  },
  listPosts: {
    method: 'GET',
    path: '/v1/posts',
    input: 'query',
    list: { items: 'posts', cursor: 'cursor' },
  },
  listMediaPosts: {
    method: 'GET',
    path: '/v1/media/{id}/posts',
    input: 'query',
    list: { items: 'posts', cursor: 'cursor' },
  },
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    input: 'query',
    list: { items: 'events', cursor: 'after', more: 'hasMore' },
  },
  presignMedia: { method: 'POST', path: '/v1/media/presign', input: 'body' },
  listMediaParts: { method: 'GET', path: '/v1/media/{id}/parts' },
  completeMedia: { method: 'POST', path: '/v1/media/{id}/complete' },
} as const satisfies Readonly<Record<string, Operation>>;

export const apiKey = 'yay_0123456789';

/**
 * A service that answers in order, and the last way from then on, in virtual time.
 *
 * @param answers to each request, or what makes one
 */
export function serviceOf(
  answers: readonly Answer[] | ((seen: Seen) => Answer),
  options: Partial<HeraldOptions> = {},
) {
  const seen: Seen[] = [];
  const waits: number[] = [];
  let now = Date.parse('2027-01-15T08:00:00Z');
  const given: HeraldOptions = {
    baseUrl: 'https://api.example.com',
    apiKey,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    random: () => 0.5,
    fetch: async (url, { method = '', headers, body, redirect } = {}) => {
      const request = {
        method,
        url: String(url),
        headers: new Headers(headers),
        body: body as string,
        redirect,
        at: now,
      };
      seen.push(request);
      const answer =
        typeof answers === 'function' ? answers(request) : answers[Math.min(seen.length, answers.length) - 1];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer is planned');
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
      return new Response(text, { status: answer.status, headers: answer.headers ?? {} });
    },
    ...options,
  };
  return { seen, waits, options: given, methods: methodsOf(operations, given) as Client };
}

// biome-ignore lint/suspicious/noExplicitAny: the package's types are made by its build
export type Client = Readonly<Record<keyof typeof operations, any>>;

/** An answer with an error of the API. */
export const refusal = (status: number, code: string, more: object = {}, headers = {}): Answer => ({
  status,
  body: { error: `text of ${code}`, code, docUrl: `https://api.example.com/docs/errors/${code}`, ...more },
  headers: { 'X-Request-Id': 'request-1', ...headers },
});
