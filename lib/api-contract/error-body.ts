import * as z from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';

const codes: Readonly<Record<ErrorCode, string>> = {
  invalid: '400: something in the request is wrong; the message names the field',
  unauthorized: '401: the API key or a signature is missing, malformed, revoked or wrong',
  forbidden: '403: the API key may not do this; the message names the missing permission',
  not_found: '404: it does not exist, or it belongs to another workspace; both look the same',
  conflict: '409: its present state does not allow this',
  payload_too_large: '413: the request is too large',
  storage_quota_exceeded: "413: the workspace's storage quota is used up",
  rate_limited: '429: too many requests from this address in this minute; retry after `Retry-After`',
  internal: '500: an error in the service; quote `X-Request-Id` when you report it',
  unavailable: '503: temporarily unavailable, or not set up',
};

/** The body of every error that the service itself returns. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What is wrong, for people; `<field>: …` if one field is wrong' }),
    code: z.enum(Object.keys(codes) as ErrorCode[]).meta({
      description: [
        'Stable, for programs:',
        ...Object.entries(codes).map(([code, when]) => `- \`${code}\` ${when}`),
      ].join('\n'),
    }),
    details: z
      .object({
        fields: z.record(z.string(), z.array(z.string())).meta({
          description:
            'What is wrong, by field path as in the request (`platforms[0].accountId`); at most 100 fields',
        }),
      })
      .optional()
      .meta({ description: 'With status 400: every wrong field' }),
  })
  .meta({ id: 'Error' });

/** The body of errors that API Gateway returns without the service. */
export const GatewayErrorBody = z.object({ message: z.string() }).meta({
  id: 'GatewayError',
  description: "API Gateway's own message; such a response has none of the service's headers",
});

/** The body of an error that either of them may return. */
export const EitherErrorBody = z.union([ErrorBody, GatewayErrorBody]).meta({ id: 'AnyError' });
