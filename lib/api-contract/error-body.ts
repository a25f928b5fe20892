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
  .meta({ id: 'ApiError', description: 'Every error of the service' });
