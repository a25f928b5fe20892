import * as z from 'zod';
import { type ErrorCode, errorCodes } from '../kernel/error-codes.ts';

/** The body of every error that the service itself returns. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What is wrong, for people; `<field>: …` if one field is wrong' }),
    code: z.enum(Object.keys(errorCodes) as ErrorCode[]).meta({
      description: [
        'Stable, for programs:',
        ...Object.entries(errorCodes).map(([code, { meaning }]) => `- \`${code}\` ${meaning}`),
      ].join('\n'),
    }),
    param: z
      .string()
      .optional()
      .meta({ description: 'The field that `code` is about, as in the request: `platforms[0].accountId`' }),
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
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The body of errors that API Gateway returns without the service. */
export const GatewayErrorBody = z.object({ message: z.string() }).meta({
  id: 'GatewayError',
  description: "API Gateway's own message; such a response has none of the service's headers",
});

/** The body of an error that either of them may return. */
export const EitherErrorBody = z.union([ErrorBody, GatewayErrorBody]).meta({ id: 'AnyError' });
