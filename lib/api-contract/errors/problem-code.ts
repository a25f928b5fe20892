import * as z from 'zod';
import { type ErrorCode, errorCodes, type InvalidCode } from '../../kernel/error-codes.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];

/** The code of a field's problem or warning. */
export const ProblemCode = z
  .enum(codes.filter((code): code is InvalidCode => errorCodes[code] === 'invalid'))
  .meta({
    id: 'ProblemCode',
    description: 'The problem as a code for programs. `/docs/errors` describes each code',
  });
