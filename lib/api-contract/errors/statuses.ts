import type { ErrorKind } from '../../kernel/error-codes.ts';

/** The HTTP status of each kind of error. */
export const statusOf: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  storage_quota_exceeded: 413,
  rate_limited: 429,
  internal: 500,
  unsupported: 501,
  unavailable: 503,
};
