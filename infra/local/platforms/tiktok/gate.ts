import type { Call } from '../kit/call.ts';
import { liveToken, type UserToken } from '../kit/login/user-tokens.ts';
import type { Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { State, User } from './state.ts';

/** The authenticated caller. */
export interface Caller {
  readonly token: UserToken;
  readonly user: User;
}

/** The rate-limited endpoints. Each has its own limit. */
export type Counted = 'init' | 'creatorInfo' | 'status' | 'userInfo' | 'videoList';

export interface Gate {
  /** Requires JSON for a POST and a valid token with one of the scopes, and applies the rate limit. @throws Refusal */
  checkCall(call: Call, scopes: readonly string[], counted: Counted): Caller;
}

const minuteMs = 60_000;

export function openGate({ limit }: Workbench, { accessTokens, users, calls }: State): Gate {
  /** Limits the calls per access token in a sliding window of one minute. */
  function count({ value }: UserToken, counted: Counted, at: number): void {
    const key = `${value}/${counted}`;
    const recent = (calls.get(key) ?? []).filter((earlier) => earlier > at - minuteMs);
    if (recent.length >= limit(`${counted}PerMinute`)) refuse('rate_limit_exceeded');
    calls.put(key, [...recent, at]);
  }

  return {
    checkCall(call, scopes, counted) {
      const { method, bearer, headers, at } = call;
      if (method === 'POST' && !/^application\/json\b/i.test(headers['content-type'] ?? '')) {
        refuse('invalid_params', 'Only `application/json` is supported as Content-Type.');
      }
      const token = liveToken(accessTokens, bearer, at);
      const user = token && users.get(token.username);
      if (token === undefined || user === undefined) refuse('access_token_invalid');
      if (!scopes.some((scope) => token.scopes.includes(scope)))
        refuse('scope_not_authorized', `The scope ${scopes.join(' or ')} is missing.`);
      count(token, counted, at);
      return { token, user };
    },
  };
}
