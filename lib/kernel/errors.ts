/**
 * What went wrong, named by what the caller can do about it. `code` is stable and machine-readable; `message` is for
 * people and may be shown to the client, so it never holds a secret, a token or an internal name. The cause goes to
 * the log only.
 */
export type ErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'not_found'
  | 'conflict'
  | 'storage_quota_exceeded'
  | 'rate_limited'
  | 'payload_too_large'
  | 'unavailable'
  | 'internal';

/** Field path, such as `platforms[0].accountId`, to what is wrong with it. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** An expected refusal. Anything else that is thrown is a fault of ours and answers 500. */
export class HeraldError extends Error {
  override readonly name = 'HeraldError';
  readonly code: ErrorCode;
  readonly fields: FieldMessages | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; fields?: FieldMessages; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A refusal of one named field of the request: `<field>: <what is wrong>`. */
export function invalidField(field: string, message: string): HeraldError {
  return invalidFields([{ field, message }]);
}

/** A refusal lists this many problems at most, so that an answer never outgrows what Lambda may send (6 MB). */
const mostProblems = 100;
const mostFieldCharacters = 200;
const mostMessageCharacters = 500;

/** A refusal that names every field that is wrong; the message leads with the first. */
export function invalidFields(problems: readonly { field: string; message: string }[]): HeraldError {
  // A map: a client may name a field `__proto__` or `constructor`.
  const fields = new Map<string, string[]>();
  for (const problem of problems.slice(0, mostProblems)) {
    const field = cut(problem.field, mostFieldCharacters);
    fields.set(field, [...(fields.get(field) ?? []), cut(problem.message, mostMessageCharacters)]);
  }
  const [first] = fields;
  return new HeraldError('invalid', first ? `${first[0]}: ${first[1][0]}` : 'invalid request', {
    fields: Object.fromEntries(fields),
  });
}

function cut(text: string, mostCharacters: number): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters).toWellFormed()}…`;
}

/** The one answer for what does not exist and for what belongs to another workspace. */
export function notFound(noun: string): HeraldError {
  return new HeraldError('not_found', `${noun} not found`);
}
