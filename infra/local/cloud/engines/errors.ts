import { type AccessRequest, type Caller, decide, refusalText } from '../identity/policy-decision.ts';

/** A refusal or failure as an AWS service words it; each protocol writes it in its own shape. */
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

/** The code under which every engine refuses; each protocol gives it its own name and status. */
export const accessDenied = 'AccessDenied';

/** @throws AwsError `AccessDenied` with AWS's sentence unless the policies allow the request. */
export function requireAccess(caller: Caller, request: AccessRequest): void {
  const decision = decide(caller, request);
  if (!decision.allowed) {
    throw new AwsError(accessDenied, refusalText(caller, request, decision.reason), 403);
  }
}
