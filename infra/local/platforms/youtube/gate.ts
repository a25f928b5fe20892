import { json, Refusal } from '../kit/answers.ts';
import type { Call, Workbench } from '../kit/types.ts';
import type { Credentials } from './credentials.ts';
import { type GoogleErrorReason, googleErrorBody, googleErrors } from './errors.ts';
import { pacificDay, type QuotaOperation, quotaBucket, unitCosts } from './quota.ts';
import type { State, User } from './state.ts';

/** What every call of the Data API passes before it is looked at. */
export interface Gate {
  /** @throws Refusal 401 `authError` without a living token, 403 `insufficientPermissions` without one of the scopes */
  admit(call: Call, scopes: readonly string[]): User;
  /** Draws the cost of a call from the project's quota. @throws Refusal 403 `quotaExceeded` */
  charge(operation: QuotaOperation, at: number): void;
}

export function openGate(
  { limit }: Pick<Workbench, 'limit'>,
  { users, quotaUse }: State,
  credentials: Credentials,
): Gate {
  return {
    admit({ bearer, at }, scopes) {
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
      if (used > limit(bucket)) throw refusal('quotaExceeded');
      quotaUse.put(day, used);
    },
  };
}

/** Google's refusal for a reason, to be thrown; `message` replaces the usual words. */
export function refusal(reason: GoogleErrorReason, message?: string): Refusal {
  const { httpStatus } = googleErrors[reason];
  const headers: Record<string, string> =
    httpStatus === 401
      ? { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' }
      : {};
  return new Refusal(json(googleErrorBody(reason, message), httpStatus, headers));
}
