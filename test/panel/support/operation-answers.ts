import type * as z from 'zod';
import type { Operation } from '../../../lib/api-contract/operation.ts';
import type { FakeApi, FakeReply, FakeRequest } from './fake-api.ts';

type BodyOf<Reply> = Reply extends { readonly body: infer Body extends z.ZodType }
  ? z.input<Body>
  : undefined;
type SuccessOf<Op extends Operation> = {
  [Status in keyof Op['replies']]: `${Status & number}` extends `2${string}`
    ? BodyOf<Op['replies'][Status]>
    : never;
}[keyof Op['replies']];

interface Asked<Op extends Operation> {
  readonly body: z.output<NonNullable<Op['body']>>;
  readonly query: URLSearchParams;
  /** The parameters of the path, in order. */
  readonly parameters: readonly string[];
}

/**
 * Lets the API answer an operation. Requests and replies must follow the operation's schemas, so that a page is never tested with what
 * the service would refuse or never sends.
 *
 * @param handler returns the body of the successful reply, or an error made by `refusal`
 */
export function answer<Op extends Operation>(
  api: FakeApi,
  operation: Op,
  handler: (asked: Asked<Op>) => SuccessOf<Op> | FakeReply | Promise<SuccessOf<Op> | FakeReply>,
): void {
  api.on(`${operation.method} ${operation.path}`, async (request) => {
    const replied = await handler(parse(operation, request));
    return isReply(replied) ? replied : success(operation, replied);
  });
}

function parse<Op extends Operation>(operation: Op, { body, query, path }: FakeRequest): Asked<Op> {
  operation.query?.parse(Object.fromEntries(query));
  const pattern = operation.path.replace(/\{\w+\}/g, '([^/]+)');
  const [, ...parameters] = new RegExp(`^${pattern}$`).exec(path) ?? [];
  return { body: operation.body?.parse(body) as Asked<Op>['body'], query, parameters };
}

const isReply = (value: unknown): value is FakeReply =>
  typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number';

function success({ replies }: Operation, body: unknown): FakeReply {
  const [status, reply] = Object.entries(replies).find(([each]) => each.startsWith('2')) ?? [];
  return { status: Number(status), body: reply?.body?.parse(body) };
}
