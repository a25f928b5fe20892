import middy from '@middy/core';
import type { Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod';
import type { Context } from '../../lib/api-contract/context.ts';
import { hasWarnings, type Operation } from '../../lib/api-contract/operation.ts';
import type { RequestWarning } from '../../lib/api-contract/request-warnings.ts';
import type { UnbuiltField } from '../../lib/api-contract/unbuilt-fields.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import type { Table } from '../../lib/table/table.ts';
import { table } from '../wire/aws.ts';
import { addLogKeys, reportWarning } from '../wire/logger.ts';
import { requestSessionCheck } from '../wire/session-check.ts';
import { panelEdge, ratesPerMinute } from '../wire/settings.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { Admission, type AdmittedEvent, type SignedIn } from './admit.ts';
import { inTime } from './in-time.ts';
import { awaitUse } from './key-use.ts';
import { parseRequest } from './parse-request.ts';
import { rateLimitHeaders } from './rate-limits.ts';
import { jsonReply, type Reply, typedReply } from './reply.ts';
import { errorAnswer, requestId, requestIdOf } from './route.ts';

/** The dependencies that every verb has besides its caller. */
type Common<Uses extends Wires> = { readonly report: typeof reportWarning } & Wired<Uses>;

/** The caller of an operation with access `session`. */
export interface SessionContext extends SignedIn {
  readonly table: Table;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The request as a verb receives it: the caller, the verb's dependencies, and the input parsed by the operation's schemas. */
export interface ApiRequest<Op extends Operation, OwnContext> {
  readonly context: OwnContext;
  readonly path: z.output<NonNullable<Op['pathParameters']>>;
  readonly query: z.output<NonNullable<Op['query']>>;
  readonly body: z.output<NonNullable<Op['body']>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawBody: string;
  /** The fields of the body that the verb refuses if something goes live without them. */
  readonly unbuilt: readonly UnbuiltField[];
}

/** A verb's answer: a status that its operation declares, and the body. */
export interface ApiAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Text in another type, in place of the body. The operation's reply declares the type. */
  readonly text?: {
    readonly type: string;
    readonly content: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
}

/**
 * Creates the handler of one operation. It does, in this order:
 * 1. gives the request an id, which its log lines and response carry;
 * 2. authenticates the caller, counts the request, records the use of the key or session in parallel, and refuses what the caller
 *    may not do; the audit log records a refusal if the request would have changed something ({@link Admission});
 * 3. parses the request with the operation's schemas and calls the verb;
 * 4. adds warnings about the fields of the request that were ignored;
 * 5. passes the body through the schema of its status, so that only declared fields are returned.
 *
 * @param uses the verb's dependencies besides the table; they are in its context
 */
export function apiHandler<const Op extends Operation, Uses extends Wires>(
  op: Op,
  uses: Uses,
  verb: (request: ApiRequest<Op, Context & Common<Uses>>) => Promise<ApiAnswer>,
) {
  return handlerOf(op, uses, verb, ({ caller }) => ({ ...caller, verb: op.verb }));
}

/** Creates the handler of an operation that a person performs outside every workspace: it has access `session`. */
export function sessionHandler<const Op extends Operation, Uses extends Wires>(
  op: Op,
  uses: Uses,
  verb: (request: ApiRequest<Op, SessionContext & Common<Uses>>) => Promise<ApiAnswer>,
) {
  return handlerOf(op, uses, verb, ({ signedIn }) => ({ ...signedIn }));
}

/** An operation as a function serves it. Other functions can perform it in process: see `call-operation.ts`. */
export interface Performed<Dependencies> {
  readonly op: Operation;
  /** Steps 3 to 5 of {@link apiHandler}, for a request that was admitted. */
  perform(dependencies: Dependencies, event: AdmittedEvent): Promise<ApiAnswer>;
}

function handlerOf<Op extends Operation, Uses extends Wires, Own>(
  op: Op,
  uses: Uses,
  verb: (request: ApiRequest<Op, Own & Common<Uses>>) => Promise<ApiAnswer>,
  ownContext: (event: AdmittedEvent) => object,
) {
  const performed: Performed<Wired<Uses> & { readonly table: Table }> = {
    op,
    perform: async (dependencies, event) => {
      const context = {
        ...dependencies,
        report: reportWarning,
        ...ownContext(event),
        requestId: requestIdOf(event),
        now: event.now ?? systemClock(),
      };
      // An operation without a caller has a verb that does not use one.
      const { warnings, ...parsed } = parseRequest(op, event);
      const request = { ...parsed, context, headers: event.headers };
      addLogKeys(pathKeys(op.path, request.path));
      const answer = await verb(request as unknown as ApiRequest<Op, Own & Common<Uses>>);
      const declared = op.replies[answer.status];
      if (!declared) throw new Error(`${op.id} returned ${answer.status}, which it does not declare`);
      if (answer.text) return answer;
      const body = hasWarnings(op) ? addWarnings(answer.body as object, warnings) : answer.body;
      return { ...answer, body: declared.body ? declared.body.parse(body) : body };
    },
  };
  const factory = handlerFactory(
    { ...uses, table, ratesPerMinute, panelEdge, requestSessionCheck },
    (dependencies) => {
      const admission = new Admission(op, dependencies);
      return inTime(
        middy<AdmittedEvent, Reply, Error, LambdaContext>()
          .use(requestId())
          .use(rateLimitHeaders())
          .use(errorAnswer())
          .use(awaitUse())
          .use({ before: ({ event }) => admission.admit(event) })
          .handler(async (event) => {
            const { status, body, text, cookies } = await performed.perform(dependencies, event);
            if (text) return typedReply(status, text);
            const reply = jsonReply(status, body);
            return cookies ? { ...reply, cookies: [...cookies] } : reply;
          }),
      );
    },
  );
  return Object.assign(factory, performed);
}

/**
 * Adds the warnings about the request to those of the verb, except about fields that the verb calls problems. They have the shape
 * of a post's warnings, which name an account and a platform; other replies drop these two fields in their schemas.
 */
function addWarnings(
  body: { readonly warnings?: unknown[]; readonly problems?: readonly { readonly field: string }[] },
  warnings: readonly RequestWarning[],
): object {
  const problems = new Set(body.problems?.map(({ field }) => field));
  const inForm = warnings
    .filter(({ field }) => !problems.has(field))
    .map((warning) => ({ accountId: null, platform: null, ...warning }));
  return { ...body, warnings: [...inForm, ...(body.warnings ?? [])] };
}

/** Path parameters that may be logged. Others, such as the `{state}` of an attempt to connect, can be secrets. */
const isLogged = (name: string): boolean => name === 'id' || name === 'platform' || name.endsWith('Id');

/** Returns the log keys of the path: `{id}` of `/v1/posts/{id}` as `postId`, other ids and platforms under their own names. */
export function pathKeys(path: string, values: unknown): Record<string, string> {
  const noun = /([a-z]+?)s?\/\{id\}/.exec(path)?.[1];
  return Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>)
      .filter(([name]) => isLogged(name))
      .map(([name, value]) => [name === 'id' && noun ? `${noun}Id` : name, String(value)]),
  );
}
