import * as z from 'zod';
import type { Json } from '../../../kernel/json.ts';
import type { PlatformError } from '../../contract/errors.ts';
import type { CallLimits, Parameters, PlatformResponse } from '../../contract/http.ts';
import type { PlatformTools } from '../../contract/tools.ts';
import {
  dead,
  type ErrorRule,
  type PlatformFailure,
  platformError,
  rejected,
  retryAfterHeader,
  unknown,
  unreadable,
} from '../error-table.ts';

/** One of Meta's platforms with a Graph API: its display name and its error table. */
export interface GraphPlatform {
  readonly name: string;
  /** The rules by subcode. Checked before `byCode`, because a subcode is more specific than its code. */
  readonly bySubcode: Readonly<Record<string, ErrorRule>>;
  readonly byCode: (code: number) => ErrorRule | undefined;
}

export interface GraphRequest extends CallLimits {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly token: string;
  readonly query?: Parameters;
  readonly form?: Parameters;
  /** The JSON body, sent instead of `form`. */
  readonly json?: Json;
}

/**
 * Calls the Graph API. Recognizes an error by its body, not by the HTTP status: Meta sends rate limits with status 400
 * and has sent errors with status 200.
 *
 * @throws PlatformError with the remedy from the platform's error table
 */
export async function callGraph(
  { http }: PlatformTools,
  platform: GraphPlatform,
  { method, url, token, query, form, json, totalSeconds, isLastCall }: GraphRequest,
): Promise<PlatformResponse> {
  const response = await http.send({
    method,
    url,
    bearer: token,
    ...(query && { query }),
    ...(form && { body: { form } }),
    ...(json !== undefined && { body: { json } }),
    ...(totalSeconds && { totalSeconds }),
    ...(isLastCall && { isLastCall }),
  });
  return requireGraphSuccess(platform, response);
}

/**
 * Returns the response of a successful call.
 *
 * @throws PlatformError unless the response has a 2xx status and no error in its body
 */
export function requireGraphSuccess(platform: GraphPlatform, response: PlatformResponse): PlatformResponse {
  const failed = GraphErrorBody.safeParse(response.json);
  if (failed.success) throw graphError(platform, failed.data.error, response);
  if (response.status < 200 || response.status > 299) throw unreadable(platform.name, response);
  return response;
}

const GraphErrorBody = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: z.number().catch(0),
    error_subcode: z.number().optional().catch(undefined),
    is_transient: z.boolean().optional().catch(undefined),
    error_user_msg: z.string().optional().catch(undefined),
    fbtrace_id: z.string().optional().catch(undefined),
  }),
});
type GraphErrorDetails = z.infer<typeof GraphErrorBody>['error'];

function graphError(
  platform: GraphPlatform,
  { code, error_subcode: subcode, ...error }: GraphErrorDetails,
  response: PlatformResponse,
): PlatformError {
  const failure = {
    platformCode: subcode === undefined ? String(code) : `${code}/${subcode}`,
    message: error.error_user_msg || error.message,
    status: response.status,
  };
  const bySubcode = subcode === undefined ? undefined : platform.bySubcode[subcode];
  if (bySubcode) return platformError(platform.name, failure, bySubcode);
  if (error.is_transient || response.status >= 500)
    return platformError(platform.name, failure, { remedy: 'unknown' });
  const byCode = platform.byCode(code);
  if (byCode) return platformError(platform.name, withRegainTime(failure, response), byCode);
  // The error is not in the table: add the trace id, which Meta's support asks for.
  const message = error.fbtrace_id ? `${failure.message} [trace ${error.fbtrace_id}]` : failure.message;
  return platformError(platform.name, { ...failure, message }, { remedy: 'unknown', ifAbsent: 'rejected' });
}

const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().catch(0) })),
);

/** Adds the time at which a rate limit ends; a header has it in minutes ("Rate Limits", Business Use Case). */
function withRegainTime(failure: PlatformFailure, response: PlatformResponse): PlatformFailure {
  const usage = Usage.safeParse(parseHeader(response.headers['x-business-use-case-usage']));
  const minutes = usage.success
    ? Object.values(usage.data)
        .flat()
        .map((entry) => entry.estimated_time_to_regain_access)
    : [];
  const longest = Math.max(0, ...minutes);
  return { ...failure, retryAfterSeconds: longest > 0 ? longest * 60 : retryAfterHeader(response) };
}

function parseHeader(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const rateLimited: ErrorRule = { remedy: 'retry', retryAfterSeconds: 3_600 };

/**
 * Returns the rules for the codes that mean the same on all of Meta's platforms
 * (https://developers.facebook.com/docs/graph-api/guides/error-handling). Only 102, 104 and 190 are about the token
 * itself; a missing permission (10, 200 to 299) and a block of one action (368) leave everything else working.
 *
 * @param permissionMissing the rule for code 10
 */
export function commonCodes(name: string, permissionMissing: ErrorRule): Readonly<Record<number, ErrorRule>> {
  return {
    1: unknown,
    2: unknown,
    4: rateLimited,
    10: permissionMissing,
    17: rateLimited,
    32: rateLimited,
    100: rejected,
    102: dead,
    104: dead,
    190: dead,
    352: rejected,
    // "Temporarily Blocked for Policies Violations": one kind of action is blocked, such as comments.
    368: {
      remedy: 'restricted',
      concerns: 'feature',
      advice: `${name} has blocked this action temporarily; try again later.`,
    },
    613: rateLimited,
  };
}

/** Returns true for the codes that mean a missing permission: all from 200 to 299. */
export function isPermissionCode(code: number): boolean {
  return code >= 200 && code <= 299;
}

/** An id, sent as a JSON string or number. */
export const GraphId = z.union([z.string().min(1), z.int()]).transform(String);
