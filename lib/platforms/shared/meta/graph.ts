import * as z from 'zod';
import type { Json } from '../../../kernel/json.ts';
import type { PlatformError } from '../../contract/errors.ts';
import type { Parameters, PlatformAnswer } from '../../contract/http.ts';
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

/** One of Meta's platforms on the Graph API: its name for people and its decision table. */
export interface GraphPlatform {
  readonly name: string;
  /** By subcode, which says more than the code it comes with and is looked at first. */
  readonly bySubcode: Readonly<Record<string, ErrorRule>>;
  readonly byCode: (code: number) => ErrorRule | undefined;
}

export interface GraphRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly token: string;
  readonly query?: Parameters;
  readonly form?: Parameters;
  /** In the place of a form. */
  readonly json?: Json;
  readonly totalSeconds?: number;
}

/**
 * Calls the Graph API. An error is an error whatever HTTP status it comes with: Meta sends rate limits as 400, and
 * has sent errors as 200.
 *
 * @throws PlatformError as the platform's decision table says
 */
export async function callGraph(
  { http }: PlatformTools,
  platform: GraphPlatform,
  { method, url, token, query, form, json, totalSeconds }: GraphRequest,
): Promise<PlatformAnswer> {
  const answer = await http.send({
    method,
    url,
    bearer: token,
    ...(query && { query }),
    ...(form && { body: { form } }),
    ...(json !== undefined && { body: { json } }),
    ...(totalSeconds && { totalSeconds }),
  });
  return requireGraphSuccess(platform, answer);
}

/** @throws PlatformError for everything but an answer of 2xx without an error in it */
export function requireGraphSuccess(platform: GraphPlatform, answer: PlatformAnswer): PlatformAnswer {
  const failed = GraphErrorBody.safeParse(answer.json);
  if (failed.success) throw graphError(platform, failed.data.error, answer);
  if (answer.status < 200 || answer.status > 299) throw unreadable(platform.name, answer);
  return answer;
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
  answer: PlatformAnswer,
): PlatformError {
  const failure = {
    platformCode: subcode === undefined ? String(code) : `${code}/${subcode}`,
    message: error.error_user_msg || error.message,
    status: answer.status,
  };
  const bySubcode = subcode === undefined ? undefined : platform.bySubcode[subcode];
  if (bySubcode) return platformError(platform.name, failure, bySubcode);
  if (error.is_transient || answer.status >= 500)
    return platformError(platform.name, failure, { remedy: 'unknown' });
  const byCode = platform.byCode(code);
  if (byCode) return platformError(platform.name, withRegainTime(failure, answer), byCode);
  // Nothing is known of this error: its trace is what Meta's support asks for.
  const message = error.fbtrace_id ? `${failure.message} [trace ${error.fbtrace_id}]` : failure.message;
  return platformError(platform.name, { ...failure, message }, { remedy: 'unknown', ifAbsent: 'rejected' });
}

const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().catch(0) })),
);

/** Rate limits say in a header when they end, in minutes ("Rate Limits", Business Use Case). */
function withRegainTime(failure: PlatformFailure, answer: PlatformAnswer): PlatformFailure {
  const usage = Usage.safeParse(parseHeader(answer.headers['x-business-use-case-usage']));
  const minutes = usage.success
    ? Object.values(usage.data)
        .flat()
        .map((entry) => entry.estimated_time_to_regain_access)
    : [];
  const longest = Math.max(0, ...minutes);
  return { ...failure, retryAfterSeconds: longest > 0 ? longest * 60 : retryAfterHeader(answer) };
}

function parseHeader(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const rateLimited: ErrorRule = { remedy: 'retry', retryAfterSeconds: 3_600 };

/** Codes that mean the same on all of Meta's platforms ("Handling Errors"). */
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
    368: { remedy: 'restricted', advice: `${name} has blocked this for a while; try again later.` },
    613: rateLimited,
  };
}

/** Codes of 200 to 299 are all about permissions. */
export function isPermissionCode(code: number): boolean {
  return code >= 200 && code <= 299;
}

/** An id, in whichever JSON type it comes. */
export const GraphId = z.union([z.string().min(1), z.int()]).transform(String);
