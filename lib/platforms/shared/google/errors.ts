import * as z from 'zod';
import type { PlatformAnswer } from '../../contract/http.ts';
import { type PlatformFailure, retryAfterHeader } from '../error-table.ts';

const ApiError = z.object({
  error: z.object({
    message: z.string().catch(''),
    errors: z.array(z.object({ reason: z.string(), message: z.string().catch('') })).catch([]),
    status: z.string().optional().catch(undefined),
  }),
});

/** The token endpoint's errors have another shape (RFC 6749, section 5.2). */
const OAuthError = z.object({ error: z.string(), error_description: z.string().catch('') });

/** The error in a Google response; its `platformCode` is `errors[0].reason`. Undefined if there is no error. */
export function readGoogleError(answer: PlatformAnswer): PlatformFailure | undefined {
  const common = { status: answer.status, retryAfterSeconds: retryAfterHeader(answer) };
  const api = ApiError.safeParse(answer.json);
  if (api.success) {
    const { message, errors, status } = api.data.error;
    const [first] = errors;
    return {
      ...common,
      platformCode: first?.reason ?? status ?? String(answer.status),
      message: message || first?.message || '',
    };
  }
  const oauth = OAuthError.safeParse(answer.json);
  if (!oauth.success) return undefined;
  return { ...common, platformCode: oauth.data.error, message: oauth.data.error_description };
}
