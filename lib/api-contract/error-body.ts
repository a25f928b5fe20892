import * as z from 'zod';
import { type ErrorCode, errorCodes } from '../kernel/error-codes.ts';
import { ProblemCode } from './errors/problem-code.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];

const Code = z.enum(codes).meta({
  id: 'ErrorCode',
  description:
    'The cause, for programs. A code is stable, and more may be added. `/docs/errors` describes each code',
});

/** The body of every error that the service itself returns. */
export const ErrorBody = z
  .object({
    error: z
      .string()
      .meta({ description: 'The error as a text for people; `<field>: …` if one field is wrong' }),
    code: Code,
    param: z
      .string()
      .optional()
      .meta({ description: 'The field that `code` is about, as in the request: `platforms[0].accountId`' }),
    oldestCursor: z.string().optional().meta({
      description:
        'Only with `events_expired`: the cursor to continue with, of the oldest events that are kept',
    }),
    by: z.literal('person').optional().meta({
      description: 'Only with `removal_by_person`: a person has to do it, at `permalink`',
    }),
    permalink: z.string().nullable().optional().meta({
      description:
        'Only with `removal_by_person`: the address of the post; null if the platform has not given it',
    }),
    docUrl: z.url().meta({ description: 'The page that describes `code`: what it means and what to do' }),
    details: z
      .object({
        fields: z.record(z.string(), z.array(z.string())).meta({
          description:
            'The problems by field path, as in the request (`platforms[0].accountId`); at most 100 fields',
        }),
        problems: z
          .array(z.object({ param: z.string(), code: ProblemCode, message: z.string() }))
          .meta({ description: 'The same, one by one, each with its code' }),
      })
      .optional()
      .meta({ description: 'Every wrong field; only with status 400' }),
  })
  .meta({ id: 'ApiError', description: 'Every error of the service' });
export type ErrorBody = z.infer<typeof ErrorBody>;
