import { type AccessRequest, type Caller, decide, refusalText } from '../identity/policy-decision.ts';

/** An error with AWS's code and message. Each protocol serializes it in its own format. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  /** Such as `ResourceNotFoundException`. */
  readonly code: string;
  readonly httpStatus: number;

  constructor(code: string, message: string, httpStatus = 400) {
    super(message);
    this.code = code;
    this.httpStatus = httpStatus;
  }
}

/** The code for missing rights in every engine. Each protocol maps it to its own code and status. */
export const accessDenied = 'AccessDenied';

/** @throws AwsError `AccessDenied` with AWS's message, unless the policies allow the request. */
export function requireAccess(caller: Caller, request: AccessRequest): void {
  const decision = decide(caller, request);
  if (!decision.allowed) {
    throw new AwsError(accessDenied, refusalText(caller, request, decision.reason), 403);
  }
}
