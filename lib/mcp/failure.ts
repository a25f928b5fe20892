import { errorTexts } from '../api-contract/errors/texts.ts';
import type { HeraldError } from '../kernel/errors.ts';

/** An error as a tool returns it: for an agent, which can repair the call or tell its user what to do. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  /** The argument that `code` is about, such as `destinations[0].accountId`. */
  readonly param?: string;
  readonly remedy: string;
  readonly docUrl?: string;
  readonly retryAfterSeconds?: number;
  /** The cursor of the oldest events that are kept, if the given one is too old. */
  readonly oldestCursor?: string;
  /** All problems, if there are several. */
  readonly problems?: readonly { readonly param: string; readonly code: string; readonly message: string }[];
}

/**
 * Returns the failure for an error of the API.
 *
 * @param nameOf the tool's name for a field of the API
 * @param docUrl the page about the code
 */
export function toFailure(
  error: HeraldError,
  nameOf: (field: string) => string,
  docUrl: string,
): ToolFailure {
  const { code, message, param, problems, retryAfterSeconds, oldestCursor } = error;
  const [first] = problems;
  return {
    code,
    message: first ? `${nameOf(first.field)}: ${first.message}` : message,
    ...(param !== undefined && { param: nameOf(param) }),
    remedy: errorTexts[code].remedy,
    docUrl,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(oldestCursor !== undefined && { oldestCursor }),
    ...(problems.length > 1 && {
      problems: problems.map(({ field, code: ofField = 'invalid', message: text }) => ({
        param: nameOf(field),
        code: ofField,
        message: text,
      })),
    }),
  };
}
