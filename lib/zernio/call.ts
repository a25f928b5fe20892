import type { Operation } from '../api-contract/operation.ts';
import type { OperationRequest, ReplyOf } from '../api-contract/operation-request.ts';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import { isFields } from './names.ts';

/** A request to Zernio's interface. */
export interface ZernioRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON; `undefined` if there is no body. */
  readonly body: unknown;
  /** The body as it was sent, for those that are no JSON, with its content type. */
  readonly raw: { readonly bytes: Uint8Array; readonly contentType: string };
  /** The value of `x-request-id` or `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

export interface ZernioReply {
  readonly status: number;
  readonly body: unknown;
}

/** The means of a call: everything that it does goes through operations of the API. */
export interface ZernioPorts {
  /** Performs an operation for the caller, with all checks of a request to its route. */
  readonly call: <Op extends Operation>(op: Op, request: OperationRequest) => Promise<ReplyOf<Op>>;
  readonly workspaceId: string;
  readonly keyId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A call of Zernio's interface that Herald has. */
export interface ZernioCall {
  /** The name of the SDK's method. */
  readonly name: string;
  /** The method and the path, such as `GET /v1/posts/{postId}`. */
  readonly route: string;
  /** The operations that it performs. */
  readonly operations: readonly Operation[];
  readonly run: (ports: ZernioPorts, request: ZernioRequest) => Promise<ZernioReply>;
}

export const ok = (body: unknown): ZernioReply => ({ status: 200, body });

/** Returns the fields of the body. @throws HeraldError `field_type` */
export function fieldsOf({ body }: ZernioRequest): Readonly<Record<string, unknown>> {
  if (!isFields(body)) throw invalidField('body', 'must be a JSON object', 'field_type');
  return body;
}

/** Returns the error for what Zernio's interface has and Herald does not. */
export const notInHerald = (what: string): HeraldError =>
  new HeraldError('not_in_herald', `${what}: Herald does not have this part of Zernio's interface`);

/** Refuses parameters that Herald does not have. @throws HeraldError `not_in_herald` */
export function refuseParameters(call: string, { query }: ZernioRequest, names: readonly string[]): void {
  const found = names.find((name) => (query[name] ?? '') !== '');
  if (found !== undefined) throw notInHerald(`${call} with ${found}`);
}

/**
 * Checks the id of a profile. A workspace is one profile, with the workspace's id.
 *
 * @throws HeraldError `not_found`
 */
export function requireProfile({ workspaceId }: ZernioPorts, profileId: unknown, field = 'profileId'): void {
  if (profileId === undefined || profileId === '' || profileId === 'all' || profileId === workspaceId) return;
  throw new HeraldError(
    'not_found',
    `${field}: profile not found; a workspace is one profile: see GET /v1/profiles`,
  );
}

/** Returns a whole number of a query. @throws HeraldError `field_out_of_range` */
export function wholeNumber(
  { query }: ZernioRequest,
  name: string,
  { least, most, fallback }: { readonly least: number; readonly most: number; readonly fallback: number },
): number {
  const text = query[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalidField(name, `must be a whole number from ${least} to ${most}`, 'field_out_of_range');
}
