import type { Operation } from '../../lib/api-contract/operation.ts';
import type { OperationRequest } from '../../lib/api-contract/operation-request.ts';
import type { Table } from '../../lib/table/table.ts';
import type { AdmittedEvent } from './admit.ts';
import type { Performed } from './api.ts';
import { requireAllowed } from './authenticate.ts';
import { requestIdOf } from './route.ts';

/**
 * Performs an operation in process, with everything that a request of the caller to its route goes through after its admission: the
 * check of permissions with the log of refusals, the parsing, the verb, and the schema of the reply.
 *
 * @param event the admitted request that causes the call
 * @returns the body of the reply
 * @throws HeraldError if the operation refuses the request
 */
export async function callOperation<Dependencies extends { readonly table: Table }>(
  { op, perform }: Performed<Dependencies>,
  dependencies: Dependencies,
  event: AdmittedEvent,
  request: OperationRequest,
): Promise<unknown> {
  const { caller, now } = event;
  if (!caller || now === undefined || op.verb === undefined)
    throw new Error(`${op.id} can be called only for a caller in a workspace`);
  const { table } = dependencies;
  await requireAllowed({ ...caller, table, verb: op.verb, requestId: requestIdOf(event), now });
  const { body } = await perform(dependencies, eventOf(op, event, request));
  return body;
}

function eventOf(op: Operation, event: AdmittedEvent, request: OperationRequest): AdmittedEvent {
  const { path = {}, query = {}, body, idempotencyKey } = request;
  const { body: _body, headers: _headers, cookies: _cookies, ...outer } = event;
  return {
    ...outer,
    routeKey: `${op.method} ${op.path}`,
    pathParameters: { ...path },
    rawQueryString: queryOf(query),
    headers: { ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

function queryOf(query: NonNullable<OperationRequest['query']>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}
