import { type Received, unreadable } from './errors.ts';
import {
  defaultLimits,
  type Limits,
  realSurroundings,
  type Surroundings,
  send,
  withDefaults,
} from './send.ts';

export interface HeraldOptions extends Limits, Partial<Surroundings> {
  /** The address of the API, without `/v1`. Undefined, such as a variable of the environment that is not set, is refused. */
  readonly baseUrl: string | undefined;
  /** The API key, `yay_…`. It belongs on servers: whoever has it can do what it allows. */
  readonly apiKey: string | undefined;
}

/** The last argument of every method. */
export interface RequestOptions extends Limits {
  /** Ends the request. The method then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The idempotency key, for methods that have one. By default the client makes one for each call. */
  readonly idempotencyKey?: string | undefined;
  /** True if a second request does no harm, even if the first was carried out. Then it is also repeated after lost answers. */
  readonly isRepeatable?: boolean | undefined;
}

/** An operation of the API, as the client needs it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, with parameters in braces, such as `/v1/posts/{id}`. */
  readonly path: string;
  /** The place of the argument after those of the path; absent if the operation has none. */
  readonly input?: 'query' | 'body';
  /** True if the operation takes an idempotency key. */
  readonly hasKey?: boolean;
  /** True if a second request does no harm. Methods other than POST and PATCH, and keys, imply it. */
  readonly isRepeatable?: boolean;
  /** Present if the answer is a page of a list. */
  readonly list?: {
    /** The field with the items. */
    readonly items: string;
    /** The parameter that takes the `nextCursor` of the page before. */
    readonly cursor: string;
    /** The field that says that more follow. Absent: a `nextCursor` says so. */
    readonly more?: string;
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Call = (...args: unknown[]) => Promise<Fields>;

/** The methods by operation id, without their types. Those of lists have `pages` and `all`. */
export type Methods = Readonly<Record<string, Call>>;

/** Makes the methods of operations. @throws TypeError for options with which no request can succeed */
export function methodsOf(operations: Readonly<Record<string, Operation>>, options: HeraldOptions): Methods {
  const base = checkedBase(options.baseUrl);
  const authorization = `Bearer ${checkedKey(options.apiKey)}`;
  const surroundings = withDefaults(realSurroundings, options);

  const callOf =
    (name: string, { method, path, input, hasKey = false, isRepeatable = false }: Operation): Call =>
    async (...args) => {
      const url = new URL(base + filledPath(name, path, args));
      const given = input === undefined ? {} : ((args.shift() ?? {}) as Fields);
      const requestOptions = (args.shift() ?? {}) as RequestOptions;
      const headers = new Headers({ Authorization: authorization, Accept: 'application/json' });
      if (input === 'body') headers.set('Content-Type', 'application/json');
      // The same at each attempt. A key in the body comes first.
      if (hasKey) headers.set('Idempotency-Key', requestOptions.idempotencyKey ?? crypto.randomUUID());
      if (input === 'query')
        for (const [field, value] of Object.entries(given))
          if (value !== undefined && value !== null) url.searchParams.set(field, String(value));
      const received = await send(
        {
          name,
          method,
          url: url.href,
          headers,
          body: input === 'body' ? JSON.stringify(given) : undefined,
          isRepeatable:
            requestOptions.isRepeatable ??
            (isRepeatable || hasKey || ['GET', 'PUT', 'DELETE'].includes(method)),
          limits: withDefaults(defaultLimits, options, requestOptions),
          signal: requestOptions.signal,
        },
        surroundings,
      );
      return parsed(name, received);
    };

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => {
      const call = callOf(name, operation);
      return [name, operation.list ? Object.assign(call, readersOf(call, operation)) : call];
    }),
  );
}

/** Messages do not repeat the address or the key, because either may contain a secret. */
function checkedBase(baseUrl = ''): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl: give the address of the API, such as https://api.example.com');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl: give the address without a user, a query and a fragment');
  const base = url.href.replace(/\/+$/, '');
  if (base.endsWith('/v1')) throw new TypeError('baseUrl: give the address without /v1');
  return base;
}

function checkedKey(apiKey: string | undefined): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey: give an API key; it has neither spaces nor line breaks');
  return apiKey;
}

/** Takes the parameters of the path from the front of the arguments. */
function filledPath(name: string, path: string, args: unknown[]): string {
  return path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = args.shift();
    // As parts of a path, dots would mean another one.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name}: ${parameter} is not a text that can be part of a path`);
    return encodeURIComponent(value);
  });
}

function parsed(name: string, received: Received): Fields {
  try {
    return JSON.parse(received.text);
  } catch (cause) {
    throw unreadable(name, received, cause);
  }
}

/** Returns functions that read a list page by page, or item by item. A page may be empty although more follow. */
function readersOf(call: Call, { path, list }: Operation) {
  const pages = async function* (...args: unknown[]): AsyncGenerator<Fields, void, undefined> {
    const { cursor = '', more } = list ?? {};
    const ids = args.splice(0, path.split('{').length - 1);
    const [query, ...others] = args;
    for (let next: Fields = {}; ; ) {
      const page = await call(...ids, { ...(query as Fields | undefined), ...next }, ...others);
      yield page;
      next = { [cursor]: page['nextCursor'] };
      if (more === undefined ? !page['nextCursor'] : !page[more]) return;
    }
  };
  const all = async function* (...args: unknown[]): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages(...args)) yield* page[list?.items ?? ''] as unknown[];
  };
  return { pages, all };
}
