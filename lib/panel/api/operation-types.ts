import type * as z from 'zod';
import type { Operation } from '../../api-contract/operation.ts';

export type AnyOperation = Operation;

/** The operations whose method is one of these. */
export type WithMethod<Method extends AnyOperation['method']> = AnyOperation & { readonly method: Method };

type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? z.input<Schema> extends undefined
    ? unknown
    : Partial<z.input<Schema>> extends z.input<Schema>
      ? { readonly [Key in Name]?: z.input<Schema> }
      : { readonly [Key in Name]: z.input<Schema> }
  : unknown;

/** The parts of an operation's request: the parameters of its path, its query, its body. */
export type RequestOf<Op extends AnyOperation> = Part<'path', NonNullable<Op['pathParameters']>> &
  Part<'query', NonNullable<Op['query']>> &
  Part<'body', NonNullable<Op['body']>>;

type BodyOf<Reply> = Reply extends { readonly body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

/** The body of an operation's successful reply; `undefined` if it has none. */
export type ReplyOf<Op extends AnyOperation> = {
  [Status in keyof Op['replies']]: `${Status & number}` extends `2${string}`
    ? BodyOf<Op['replies'][Status]>
    : never;
}[keyof Op['replies']];
