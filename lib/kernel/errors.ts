import { type ErrorCode, type ErrorKind, errorCodes, type InvalidCode } from './error-codes.ts';

/** Messages by field path, such as `platforms[0].accountId`. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/**
 * An expected error. Any other error is a bug and gets status 500. `code` names the cause for programs. `message` is for people
 * and may be shown to the client, so it never contains a secret, a token or an internal name. The cause is only logged.
 */
export class HeraldError extends Error {
  override readonly name = 'HeraldError';
  readonly code: ErrorCode;
  /** The path of the field that `code` is about, such as `platforms[0].accountId`. */
  readonly param: string | undefined;
  readonly fields: FieldMessages | undefined;
  /** The problems of `fields` in the order in which they were found; empty if the error is not about fields. */
  readonly problems: readonly FieldProblem[];
  /** Seconds after which the same request may succeed. `undefined` if unknown. */
  readonly retryAfterSeconds: number | undefined;
  /** The cursor of the oldest events that are kept, if the given one is too old. */
  readonly oldestCursor: string | undefined;
  /** The post that only a person can delete, if that is the reason. */
  readonly byPerson: { readonly permalink: string | null } | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown;
      param?: string;
      fields?: FieldMessages;
      problems?: readonly FieldProblem[];
      retryAfterSeconds?: number;
      oldestCursor?: string;
      byPerson?: { readonly permalink: string | null };
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.param = options.param;
    this.fields = options.fields;
    this.problems = options.problems ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.oldestCursor = options.oldestCursor;
    this.byPerson = options.byPerson;
  }

  /** The kind of the code, which determines the HTTP status. */
  get kind(): ErrorKind {
    return errorCodes[this.code];
  }
}

/** The problem with a field of the request. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  /** Default `invalid`. */
  readonly code?: InvalidCode;
}

/** Collects a problem of a request. */
export type Report = (field: string, code: InvalidCode, message: string) => void;

/** Returns an error about one field of the request. Its message is `<field>: <what is wrong>`. */
export function invalidField(field: string, message: string, code: InvalidCode = 'invalid'): HeraldError {
  return invalidFields([{ field, message, code }]);
}

/** The limits of one error, so that its response never exceeds what Lambda may return (6 MB). */
export const maxProblems = 100;
export const maxFieldCharacters = 200;
const maxMessageCharacters = 500;

/** Returns an error that names every wrong field. Its message, code and `param` are about the first one. */
export function invalidFields(problems: readonly FieldProblem[]): HeraldError {
  // A Map, because a client may name a field `__proto__` or `constructor`.
  const fields = new Map<string, string[]>();
  const short = problems.slice(0, maxProblems).map(shorten);
  for (const { field, message } of short) fields.set(field, [...(fields.get(field) ?? []), message]);
  const [first] = fields;
  return new HeraldError(
    problems[0]?.code ?? 'invalid',
    first ? `${first[0]}: ${first[1][0]}` : 'invalid request',
    { ...(first && { param: first[0] }), fields: Object.fromEntries(fields), problems: short },
  );
}

/** Returns a problem or a warning with its texts cut to the limits of a response. */
export function shorten<Problem extends FieldProblem>(problem: Problem): Problem {
  const field = truncate(problem.field, maxFieldCharacters);
  return { ...problem, field, message: truncate(problem.message, maxMessageCharacters) };
}

/** Shortens a text that came from a request, without splitting a character. */
export function truncate(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()}…`;
}

/**
 * Returns the same error for a thing that does not exist and for one of another workspace, so that callers cannot distinguish
 * them.
 */
export function notFound(noun: string): HeraldError {
  return new HeraldError('not_found', `${noun} not found`);
}
