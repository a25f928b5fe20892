import type * as z from 'zod';
import type { Operation } from './operation.ts';

/** The parts of a request to an operation that is performed in process. */
export interface OperationRequest {
  readonly path?: Readonly<Record<string, string>>;
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

type BodyOf<Reply> = Reply extends { readonly body: infer Body extends z.ZodType } ? z.output<Body> : never;

/** The bodies of an operation's successful replies. */
export type ReplyOf<Op extends Operation> = BodyOf<Op['replies'][keyof Op['replies']]>;
