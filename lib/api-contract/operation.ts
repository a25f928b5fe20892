import type * as z from 'zod';

/**
 * One operation of the API, written once: the handler parses by it, the OpenAPI document is generated from it, and
 * the deployed route is checked against it.
 */
export interface Operation<
  Path extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  /** `<noun>-<verb>`: the function's name and the OpenAPI `operationId`. */
  readonly id: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As OpenAPI and API Gateway write it: `/v1/posts/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** `key`: a bearer key, and the rate limit of its address; `public`: neither. */
  readonly access: 'key' | 'rate-limited' | 'public';
  readonly pathParameters?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** Default `application/json`. */
  readonly bodyType?: string;
  /** Request headers that mean something here, for the document. */
  readonly headers?: z.ZodObject;
  /** Success answers by status; the errors every operation shares are added by the document. */
  readonly replies: Readonly<Record<number, OperationReply>>;
  /** Error answers beyond those that every operation with its access has. */
  readonly refusals?: Readonly<Record<number, string>>;
}

export interface OperationReply {
  readonly description: string;
  readonly body?: z.ZodType;
  /** Of the body; default `application/json`. */
  readonly bodyType?: string;
  /** Headers that mean something, by name, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Keeps the operation's exact types. */
export function operation<
  Path extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: Operation<Path, Query, Body>): Operation<Path, Query, Body> {
  return definition;
}

/** Whether a request must have a body. */
export function isBodyNeeded(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
