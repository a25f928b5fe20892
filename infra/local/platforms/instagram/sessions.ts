import type { Call } from '../kit/types.ts';
import { sessionOf } from '../meta/tokens.ts';
import { refuse } from './errors.ts';
import type { State, Token, User } from './state.ts';

/** Who calls: a live token and its account. */
export interface Session {
  readonly token: Token;
  readonly user: User;
}

/** The caller of a Graph call; refuses with 104 without a token, and with 190 and its subcodes for a dead one. */
export function authenticate(call: Call, { tokens, users }: State): Session {
  return sessionOf(call, tokens, ({ igId }) => users.get(igId), refuse);
}
