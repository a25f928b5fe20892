import type { Call } from '../kit/call.ts';
import { sessionOf } from '../meta/tokens.ts';
import { refuse } from './errors.ts';
import type { State, Token, User } from './state.ts';

/** The caller: a valid token and its account. */
export interface Session {
  readonly token: Token;
  readonly user: User;
}

/** Returns the caller of a Graph API call. @throws Refusal 104 without a token, 190 with its subcodes for an invalid one */
export function authenticate(call: Call, { tokens, users }: State): Session {
  return sessionOf(call, tokens, ({ igId }) => users.get(igId), refuse);
}
