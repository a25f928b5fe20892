import type { Call } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { State, Token, User } from './state.ts';

/** Who calls: a live token and its account. */
export interface Session {
  readonly token: Token;
  readonly user: User;
}

/** The token a call brings, as a parameter or as a bearer. */
export function tokenOf(call: Call): string | undefined {
  const parameter = call.fields['access_token'];
  return typeof parameter === 'string' && parameter !== '' ? parameter : call.bearer;
}

/** The caller of a Graph call; refuses with 104 without a token, and with 190 and its subcodes for a dead one. */
export function authenticate(call: Call, state: State): Session {
  const value = tokenOf(call);
  if (value === undefined) refuse('104');
  const token = state.tokens.get(value);
  const user = token && state.users.get(token.igId);
  if (token === undefined || user === undefined) refuse('190');
  if (token.deadSubcode === 458) refuse('190/458');
  if (token.deadSubcode === 459) refuse('190/459');
  if (token.deadSubcode === 460) refuse('190/460');
  if (token.deadSubcode !== undefined || token.expiresAt <= call.at) refuse('190/463');
  return { token, user };
}

/** From now on the token is refused with 190 and this subcode. */
export function killToken(state: State, value: string, deadSubcode: number): void {
  const token = state.tokens.get(value);
  if (token !== undefined) state.tokens.put(value, { ...token, deadSubcode });
}
