import * as z from 'zod';
import { errorCodes } from '../../kernel/error-codes.ts';
const codes = Object.keys(errorCodes);
/** What is wrong with a field: the code of a problem or of a warning. */
export const ProblemCode = z
    .enum(codes.filter((code) => errorCodes[code] === 'invalid'))
    .meta({
    id: 'ProblemCode',
    description: 'What is wrong, for programs. `/docs/errors` describes each code',
});
