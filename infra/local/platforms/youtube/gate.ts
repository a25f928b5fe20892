import { json, Refusal } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Workbench } from '../kit/types.ts';
import type { Credentials } from './credentials.ts';
import { type GoogleErrorReason, googleErrorBody, googleErrors } from './errors.ts';
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

/**
 * The quotas of one Google Cloud project, from the Quota Calculator since 1 June 2026. `videos.insert` has its own
 * quota; all other calls of the Data API share one quota of units. Both reset at midnight Pacific time.
 */
export const defaultQuotas = {
  /** Calls per day, counted at the start of a session even if its metadata is refused. */
  'videos.insert': 100,
  /** Units per day for all other calls. */
  queries: 10_000,
} as const;

/** The cost of one call, in units of its quota. */
const unitCosts = {
  'videos.insert': 1,
  'channels.list': 1,
  'videos.list': 1,
  'playlistItems.list': 1,
  'thumbnails.set': 50,
  'videos.update': 50,
  'videos.delete': 50,
  'playlists.list': 1,
  'playlistItems.insert': 50,
  'playlistItems.delete': 50,
  'commentThreads.list': 1,
  'commentThreads.insert': 50,
  'captions.list': 50,
  'captions.insert': 400,
  'captions.delete': 50,
} as const;

type QuotaOperation = keyof typeof unitCosts;
type QuotaBucket = keyof typeof defaultQuotas;

/** Returns the quota that an operation is charged to. */
function quotaBucket(operation: QuotaOperation): QuotaBucket {
  return operation === 'videos.insert' ? 'videos.insert' : 'queries';
}

const pacificDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/** Returns the quota day that an instant (epoch milliseconds) belongs to, as a Pacific calendar date `YYYY-MM-DD`. */
function pacificDay(now: number): string {
  return pacificDate.format(now);
}
