import type * as z from 'zod';
import type { Verb } from '../access/verbs.ts';
import type { OperationReply } from './operation-reply.ts';
import { withWarnings } from './request-warnings.ts';
import type { ApiRights, Setting } from './rights.ts';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type OperationReplies = Readonly<Record<number, OperationReply>>;

/**
 * One operation of the API, declared once. The handler parses requests with it, and the OpenAPI document, the deployed
 * route and its function's rights are derived from it.
 */
export interface OperationDeclaration<
  Path extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Method extends HttpMethod = HttpMethod,
  Route extends string = string,
  Replies extends OperationReplies = OperationReplies,
> {
  /**
   * The OpenAPI `operationId`, which generators of client programs make a method's name of: verb and noun, as `createPost`.
   * Lists `list`, single things `get`, changes `update`. A client program depends on it, so it never changes.
   */
  readonly id: string;
  /**
   * The module below `functions/api` that serves it: `posts/create`; for the panel's own operations below `functions`:
   * `panel/list-keys`. Operations with the same handler share a function.
   */
  readonly handler: string;
  /** What it does, which decides who may call it. Every operation in a workspace has one, and no other. */
  readonly verb?: Verb;
  readonly method: Method;
  /** As OpenAPI and API Gateway write it: `/v1/posts/{id}`. */
  readonly path: Route;
  readonly summary: string;
  readonly description?: string;
  /**
   * `key` (default): requires an API key, or the cookie of a session in the panel and the workspace's id; `person`: only the
   * latter; `session`: only the cookie. These are rate-limited by caller. `rate-limited`: requires nothing, and is rate-limited by
   * address; `public`: neither.
   */
  readonly access?: Access;
  readonly pathParameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** Default `application/json`. */
  readonly bodyType?: string;
  /** Request headers with a meaning here, for the document. */
  readonly headers?: z.ZodObject;
  /** Whether events are then sent to the `url` of its body. The document shows that as a callback. */
  readonly registersUrl?: boolean;
  /** Successful responses by status. The document adds the errors that every operation shares. */
  readonly replies: Replies;
  /** Error responses beyond those of every operation with the same access. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** What its function may do, beyond the rights of every operation with the same access. */
  readonly rights?: ApiRights;
  /** Environment variables that its function reads, beyond those that come with a right. */
  readonly settings?: readonly Setting[];
  readonly memoryMegabytes?: number;
  readonly timeoutSeconds?: number;
  /** Whether the public follows links to it. Its route then has its own throttle. */
  readonly hasLinkThrottle?: boolean;
}

export type Access = 'key' | 'person' | 'session' | 'rate-limited' | 'public';

/** Whether requests act in a workspace, so that their caller is an API key or a member. */
export const isInWorkspace = (access: Access): boolean => access === 'key' || access === 'person';

export interface Operation<
  Path extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Method extends HttpMethod = HttpMethod,
  Route extends string = string,
  Replies extends OperationReplies = OperationReplies,
> extends OperationDeclaration<Path, Query, Body, Method, Route, Replies> {
  readonly access: Access;
}

/**
 * Fills in the defaults of an operation and keeps its exact types. If it acts in a workspace and takes a JSON body, its replies have
 * `warnings`, which the handler's middleware fills in.
 */
export function operation<
  Path extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  const Method extends HttpMethod = HttpMethod,
  const Route extends string = string,
  Replies extends OperationReplies = OperationReplies,
>(
  declaration: OperationDeclaration<Path, Query, Body, Method, Route, Replies>,
): Operation<Path, Query, Body, Method, Route, Replies> {
  const { access = 'key', verb } = declaration;
  if (isInWorkspace(access) !== (verb !== undefined))
    throw new Error(
      `${declaration.handler}: an operation has a verb if it acts in a workspace, and only then`,
    );
  const op = { ...declaration, access };
  return hasWarnings(op) ? { ...op, replies: withWarnings(op.replies) as Replies } : op;
}

/** Whether the operation says in its replies which fields of the request it ignores. */
export function hasWarnings({ access, body, bodyType }: Operation): boolean {
  return isInWorkspace(access) && body !== undefined && bodyType === undefined;
}

/** The name of a handler's function: `posts-create` for `posts/create`. */
export function functionName(handler: string): string {
  return handler.replaceAll('/', '-');
}

/** Whether a request must have a body. */
export function isBodyNeeded(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
