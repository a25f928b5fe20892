import * as z from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';

const codes: Readonly<Record<ErrorCode, string>> = {
  invalid: '400: something in the request is wrong, and the message names it',
  unauthorized: '401: the key, or a signature, is missing, malformed, revoked or wrong',
  not_found: '404: it does not exist, or is not yours; the two are answered alike',
  conflict: '409: its present state does not allow it',
  payload_too_large: '413: the request is too large',
  storage_quota_exceeded: "413: the workspace's storage is used up",
  rate_limited: '429: too many requests from this address in this minute',
  internal: '500: a fault of the service; quote `X-Request-Id`',
  unavailable: '503: not at the moment, or not set up',
};

/** The body of every error that the service itself makes. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What is wrong, for people: `<field>: …` where one field is' }),
    code: z.enum(Object.keys(codes) as ErrorCode[]).meta({
      description: [
        'Stable, for programs.',
        ...Object.entries(codes).map(([code, when]) => `- \`${code}\` ${when}`),
      ].join('\n'),
    }),
    details: z
      .object({
        fields: z.record(z.string(), z.array(z.string())).meta({
          description:
            'By field, as the request has it (`platforms[0].accountId`), what is wrong with it; 100 at most',
        }),
      })
      .optional()
      .meta({ description: 'With 400: every wrong field' }),
  })
  .meta({ id: 'Error' });

/** The body of the errors that API Gateway makes before or instead of the service. */
export const GatewayErrorBody = z.object({ message: z.string() }).meta({
  id: 'GatewayError',
  description: "API Gateway's own words; such an answer has none of the service's headers",
});

/** Errors in one answer may be of either maker. */
export const EitherErrorBody = z.union([ErrorBody, GatewayErrorBody]).meta({ id: 'AnyError' });
