import { json, Refusal } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Workbench } from '../kit/types.ts';
import type { Credentials } from './credentials.ts';
import { type GoogleErrorReason, googleErrorBody, googleErrors } from './errors.ts';
import { pacificDay, type QuotaOperation, quotaBucket, unitCosts } from './quota.ts';
import type { State, User } from './state.ts';

/** The checks for every call of the Data API. */
export interface Gate {
  /** Returns the caller, who needs one of the scopes. @throws Refusal 401 without a valid token, 403 without a scope */
  checkCall(call: Call, scopes: readonly string[]): User;
  /** Charges the cost of a call to the project's quota. @throws Refusal 429 for uploads, otherwise 403 `quotaExceeded` */
  charge(operation: QuotaOperation, at: number): void;
}

export function openGate(
  { limit }: Pick<Workbench, 'limit'>,
  { users, quotaUse }: State,
  credentials: Credentials,
): Gate {
  return {
    checkCall({ bearer, at }, scopes) {
      if (bearer === undefined) throw refusal('authorizationRequired');
      const grant = credentials.check(bearer, at);
      const user = grant && users.get(grant.username);
      if (grant === undefined || user === undefined) throw refusal('authError');
      if (!grant.scopes.some((scope) => scopes.includes(scope))) throw refusal('insufficientPermissions');
      return user;
    },
    charge(operation, at) {
      const bucket = quotaBucket(operation);
      const day = `${pacificDay(at)}/${bucket}`;
      const used = (quotaUse.get(day) ?? 0) + unitCosts[operation];
      if (used > limit(bucket)) {
        throw refusal(bucket === 'videos.insert' ? 'uploadsPerDayExceeded' : 'quotaExceeded');
      }
      quotaUse.put(day, used);
    },
  };
}

/** Creates a refusal with Google's error for a reason. `message` replaces the default message. */
export function refusal(reason: GoogleErrorReason, message?: string): Refusal {
  const { httpStatus } = googleErrors[reason];
  const headers: Record<string, string> =
    httpStatus === 401
      ? { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' }
      : {};
  return new Refusal(json(googleErrorBody(reason, message), httpStatus, headers));
}
