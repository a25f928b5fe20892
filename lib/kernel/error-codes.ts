/** What a caller can do about an error. Each kind has one HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'payload_too_large'
  | 'storage_quota_exceeded'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

interface DescribedCode {
  readonly kind: ErrorKind;
  /** What has happened, as a sentence for the documentation. */
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
}

/**
 * The stable codes of all errors, one for each cause that a program may treat in its own way. A code that has the name of a
 * kind is for the causes of that kind that no program needs to tell apart.
 */
export const errorCodes = {
  invalid: {
    kind: 'invalid',
    meaning: 'Something in the request is wrong.',
    remedy: 'Correct the field that `param` names. `details.fields` lists all wrong fields.',
  },
  unknown_parameter: {
    kind: 'invalid',
    meaning: 'The query has a parameter that the operation does not have.',
    remedy: 'Correct its name, or leave it out. The message names the nearest parameter, or all.',
  },
  unsupported_field: {
    kind: 'invalid',
    meaning: 'The body has a field that cannot have an effect here, and ignoring it would change the result.',
    remedy: 'Leave the field out.',
  },
  contradictory_fields: {
    kind: 'invalid',
    meaning: 'Two fields of the request contradict each other.',
    remedy: 'Send one of them. The message names both.',
  },
  range_empty: {
    kind: 'invalid',
    meaning: 'The end of a period is not later than its beginning.',
    remedy: 'Send a `to` that is later than `from`. `to` itself is not part of the period.',
  },
  range_too_long: {
    kind: 'invalid',
    meaning: 'The period is longer than one list may be.',
    remedy: 'Read at most 62 days at a time.',
  },
  incompatible_filters: {
    kind: 'invalid',
    meaning: 'Two parameters of the list exclude each other.',
    remedy: 'Leave out one of them. The message names both.',
  },
  unauthorized: {
    kind: 'unauthorized',
    meaning: 'The API key or a signature is missing, malformed, revoked, expired or wrong.',
    remedy: 'Send a valid key as `Authorization: Bearer yay_…`.',
  },
  forbidden: {
    kind: 'forbidden',
    meaning: 'The API key may not do this.',
    remedy: 'Use a key with the permission that the message names.',
  },
  not_found: {
    kind: 'not_found',
    meaning: 'It does not exist, or it belongs to another workspace. Both look the same.',
    remedy: 'Check the id, and that the key belongs to the right workspace.',
  },
  conflict: {
    kind: 'conflict',
    meaning: 'The present state of the thing does not allow this.',
    remedy: 'Read it again. The message says which state is in the way.',
  },
  external_id_taken: {
    kind: 'conflict',
    meaning: 'The request has `externalIdUnique`, and another post has this `externalId`.',
    remedy: 'Change the post that has it: the message names it, or `GET /v1/posts?externalId=` finds it.',
  },
  payload_too_large: {
    kind: 'payload_too_large',
    meaning: 'The request is too large.',
    remedy: 'Send less in one request.',
  },
  storage_quota_exceeded: {
    kind: 'storage_quota_exceeded',
    meaning: "The workspace's storage quota is used up.",
    remedy: 'Delete files, or wait until published files are cleaned up.',
  },
  rate_limited: {
    kind: 'rate_limited',
    meaning: 'There were too many requests in this minute. The message names the limit.',
    remedy: 'Wait for the seconds in `Retry-After`, then send the request again.',
  },
  unavailable: {
    kind: 'unavailable',
    meaning: 'The service cannot do this now, or it is not set up for it.',
    remedy: 'Try again later. If it stays, ask the operator of the service.',
  },
  internal: {
    kind: 'internal',
    meaning: 'There is an error in the service.',
    remedy: 'Try again, and quote `X-Request-Id` if you report it.',
  },
} as const satisfies Readonly<Record<string, DescribedCode>>;

export type ErrorCode = keyof typeof errorCodes;

/** The codes of errors about the request itself. */
export type InvalidCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]['kind'] extends 'invalid' ? Code : never;
}[ErrorCode];
