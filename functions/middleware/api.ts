import middy from '@middy/core';
import type { Context as LambdaContext } from 'aws-lambda';
import type * as z from 'zod';
import type { Context } from '../../lib/api-contract/context.ts';
import { hasWarnings, type Operation } from '../../lib/api-contract/operation.ts';
import type { RequestWarning } from '../../lib/api-contract/request-warnings.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { table } from '../wire/aws.ts';
import { addLogKeys, reportWarning } from '../wire/logger.ts';
import { ratesPerMinute } from '../wire/settings.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { type AdmittedCaller, Authenticator, requireAllowed } from './authenticate.ts';
import { awaitKeyUse, KeyUseRecorder, type UsingEvent } from './key-use.ts';
import { parseRequest } from './parse-request.ts';
import { type CountedEvent, RequestLimits, rateLimitHeaders } from './rate-limits.ts';
import { jsonReply, type Reply } from './reply.ts';
import { errorAnswer, requestId, requestIdOf } from './route.ts';

/** What a verb receives: the caller and the verb's dependencies, and the request as parsed by the operation's schemas. */
export interface ApiRequest<Op extends Operation, Uses extends Wires> {
  readonly context: Context & { readonly report: typeof reportWarning } & Wired<Uses>;
  readonly path: z.output<NonNullable<Op['pathParameters']>>;
  readonly query: z.output<NonNullable<Op['query']>>;
  readonly body: z.output<NonNullable<Op['body']>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawBody: string;
}

/** What a verb returns: a status that its operation declares, and the body. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface ApiEvent extends CountedEvent, UsingEvent {
  caller?: Omit<AdmittedCaller, 'counted'>;
  now?: number;
}

/**
 * Creates the handler of one operation. It does, in this order:
 * 1. gives the request an id that its log lines and response have;
 * 2. counts the address, and then looks up the API key, so that a rejected address costs no read. Before that, it refuses
 *    a key that this instance has seen over its own or its workspace's limit in this minute, which costs nothing;
 * 3. counts the key and the workspace, if they have limits, and records the day on which the key is used, beside the rest;
 * 4. refuses what the key may not do, and records that in the audit log if it would have changed something;
 * 5. parses the request with the operation's schemas and calls the verb;
 * 6. adds warnings about the fields of the request that were ignored;
 * 7. passes the body through the schema of its status, so that only declared fields are returned.
 *
 * @param uses the verb's dependencies besides the table; they are in its context
 */
export function apiHandler<const Op extends Operation, Uses extends Wires>(
  op: Op,
  uses: Uses,
  verb: (request: ApiRequest<Op, Uses>) => Promise<ApiAnswer>,
) {
  return handlerFactory({ ...uses, table, ratesPerMinute }, (dependencies) => {
    const { table, ratesPerMinute } = dependencies;
    const limits = new RequestLimits(table, ratesPerMinute);
    const authenticator = new Authenticator(table);
    const uses = new KeyUseRecorder(table);

    const admit = async ({ event }: { event: ApiEvent }): Promise<void> => {
      const now = systemClock();
      event.now = now;
      const { authorization } = event.headers;
      const known = op.verb === undefined ? undefined : authenticator.cached(authorization, now);
      if (known) limits.refuseSeenOver(event, known, now);
      await limits.countAddress(event, now);
      if (op.verb === undefined) return;
      const { counted, ...caller } = await authenticator.authenticate(authorization, now);
      const { workspaceId, actor } = caller;
      addLogKeys({ workspaceId, keyId: actor.id });
      await limits.countCaller(event, counted, now);
      uses.begin(event, actor.id, now);
      await requireAllowed({ ...caller, table, verb: op.verb, requestId: requestIdOf(event), now });
      event.caller = caller;
    };

    return middy<ApiEvent, Reply, Error, LambdaContext>()
      .use(requestId())
      .use(rateLimitHeaders())
      .use(errorAnswer())
      .use(awaitKeyUse())
      .use({ before: admit })
      .handler(async (event) => {
        const { caller, now } = event;
        const context = {
          ...dependencies,
          report: reportWarning,
          ...caller,
          verb: op.verb,
          requestId: requestIdOf(event),
          now: now ?? systemClock(),
        };
        // An operation without a verb has no caller, and its verb uses nothing of one.
        const { warnings, ...parsed } = parseRequest(op, event);
        const request = { ...parsed, context, headers: event.headers } as ApiRequest<Op, Uses>;
        addLogKeys(pathKeys(op.path, request.path));
        const answer = await verb(request);
        const declared = op.replies[answer.status];
        if (!declared) throw new Error(`${op.id} returned ${answer.status}, which it does not declare`);
        const body = hasWarnings(op) ? addWarnings(answer.body as object, warnings) : answer.body;
        return jsonReply(answer.status, declared.body ? declared.body.parse(body) : body);
      });
  });
}

/**
 * Adds the warnings about the request to those of the verb. They have the form of a post's warnings, which name an account and a
 * platform: the schema of other replies drops these two.
 */
function addWarnings(body: { readonly warnings?: unknown[] }, warnings: readonly RequestWarning[]): object {
  const inForm = warnings.map((warning) => ({ accountId: null, platform: null, ...warning }));
  return { ...body, warnings: [...inForm, ...(body.warnings ?? [])] };
}

/**
 * Log keys of the path: `{id}` of `/v1/posts/{id}` as `postId`, any other parameter under its own name, except the `{state}` of
 * an attempt to connect, which is a secret while the attempt is under way.
 */
function pathKeys(path: string, values: unknown): Record<string, string> {
  const noun = /([a-z]+?)s?\/\{id\}/.exec(path)?.[1];
  return Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, unknown>)
      .filter(([name]) => name !== 'state')
      .map(([name, value]) => [name === 'id' && noun ? `${noun}Id` : name, String(value)]),
  );
}
