import * as z from 'zod';
import type { PlatformResponse } from '../../contract/http.ts';
import { type PlatformFailure, retryAfterHeader } from '../error-table.ts';

const ApiError = z.object({
  error: z.object({
    message: z.string().catch(''),
    errors: z.array(z.object({ reason: z.string(), message: z.string().catch('') })).catch([]),
    status: z.string().optional().catch(undefined),
  }),
});

/** An error of the token endpoint, which has a format of its own (RFC 6749, section 5.2). */
const OAuthError = z.object({ error: z.string(), error_description: z.string().catch('') });

/** Reads the error from a Google response; its `platformCode` is `errors[0].reason`. Undefined if there is no error. */
export function readGoogleError(response: PlatformResponse): PlatformFailure | undefined {
  const common = { status: response.status, retryAfterSeconds: retryAfterHeader(response) };
  const api = ApiError.safeParse(response.json);
  if (api.success) {
    const { message, errors, status } = api.data.error;
    const [first] = errors;
    return {
      ...common,
      platformCode: first?.reason ?? status ?? String(response.status),
      message: message || first?.message || '',
    };
  }
  const oauth = OAuthError.safeParse(response.json);
  if (!oauth.success) return undefined;
  return { ...common, platformCode: oauth.data.error, message: oauth.data.error_description };
}
