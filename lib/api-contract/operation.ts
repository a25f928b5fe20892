import type * as z from 'zod';
import type { Verb } from '../access/verbs.ts';
import type { OperationReply } from './operation-reply.ts';
import { withWarnings } from './request-warnings.ts';
import type { ApiRights, Setting } from './rights.ts';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type OperationReplies = Readonly<Record<number, OperationReply>>;

/**
 * One operation of the API and its only declaration. The handler parses requests with it, and the OpenAPI document, the deployed
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
   * The OpenAPI `operationId`, from which client generators derive a method's name: verb and noun, such as `createPost`. Lists
   * begin with `list`, single reads with `get`, changes with `update`. Clients depend on it, so it never changes.
   */
  readonly id: string;
  /**
   * The module that serves it, below `functions/api`: `posts/create`. For the panel's own operations, below `functions`:
   * `panel/list-keys`. Operations with the same handler share a function.
   */
  readonly handler: string;
  /** The verb that it performs, which determines who may call it. Present exactly on the operations in a workspace. */
  readonly verb?: Verb;
  readonly method: Method;
  /** The path in the syntax of OpenAPI and API Gateway: `/v1/posts/{id}`. */
  readonly path: Route;
  readonly summary: string;
  readonly description?: string;
  /**
   * `key` (default): requires an API key, or the cookie of a session in the panel and the workspace's id; `person`: only the
   * latter; `session`: only the cookie; `agent`: bearer credentials, and what they may do depends on the operations that it
   * {@link calls}; `key-by-call`: an API key, with the same rule. These are rate-limited by caller. `rate-limited`: requires nothing, and is rate-limited by address; `public`:
   * neither requires anything nor is rate-limited.
   */
  readonly access?: Access;
  readonly pathParameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * The answer that shows what the body describes, if that may go live: then the verb refuses unknown fields by which the writer
   * certainly meant something. See `unbuilt-fields.ts`.
   */
  readonly describes?: z.ZodType;
  /** The content type of the body; default `application/json`. */
  readonly bodyType?: string;
  /** Request headers that the operation understands, for the document. */
  readonly headers?: z.ZodObject;
  /** True if events are then sent to the `url` in its body. The document shows that as a callback. */
  readonly registersUrl?: boolean;
  /** Successful responses by status. The document adds the errors that every operation shares. */
  readonly replies: Replies;
  /** Error responses beyond those of every operation with the same access. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** The rights of its function, beyond those of every operation with the same access. */
  readonly rights?: ApiRights;
  /** The operations that its function calls in process. It has their rights and settings, and at least their time. */
  readonly calls?: readonly Operation[];
  /** Environment variables that its function reads, beyond those that come with a right. */
  readonly settings?: readonly Setting[];
  readonly memoryMegabytes?: number;
  readonly timeoutSeconds?: number;
  /** True if the public follows links to it. Its route then has its own throttle. */
  readonly hasLinkThrottle?: boolean;
  /** True if it also serves sessions whose check at the identity provider is overdue. */
  readonly servesUnchecked?: boolean;
}

export type Access = 'key' | 'key-by-call' | 'person' | 'session' | 'agent' | 'rate-limited' | 'public';

/** True if requests act in a workspace, so that their caller is an API key or a member. */
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
 * Fills in an operation's defaults and keeps its exact types. If it acts in a workspace and takes a JSON body, its replies get
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

/** True if the operation's replies say which fields of the request it ignores. */
export function hasWarnings({ access, body, bodyType }: Operation): boolean {
  return isInWorkspace(access) && body !== undefined && bodyType === undefined;
}

/** Returns the name of a handler's function: `posts-create` for `posts/create`. */
export function functionName(handler: string): string {
  return handler.replaceAll('/', '-');
}

/** True if a request must have a body. */
export function isBodyNeeded(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
