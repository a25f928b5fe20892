import type { Call } from '../kit/call.ts';
import { refuseControl } from '../kit/control.ts';
import type { Records } from '../kit/records.ts';

/** The common part of the tokens of Meta's platforms. Times are epoch milliseconds. */
export interface MetaToken {
  readonly value: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  /** Absent if the token never expires. */
  readonly expiresAt?: number;
  /** Set once the token is invalidated before it expires: calls are refused with code 190 and this subcode. */
  readonly deadSubcode?: number;
}

/** Returns the token of a call: the `access_token` parameter or the bearer token. */
export function tokenOf(call: Call): string | undefined {
  const parameter = call.fields['access_token'];
  return typeof parameter === 'string' && parameter !== '' ? parameter : call.bearer;
}

const deadSubcodes = [458, 459, 460] as const;

/** The error codes for an expired or invalidated token. */
export type Death = `190/${(typeof deadSubcodes)[number] | 463}`;

/** Returns the error code of an expired or invalidated token; undefined if it is valid. @param now epoch milliseconds */
export function deathOf({ deadSubcode, expiresAt = Infinity }: MetaToken, now: number): Death | undefined {
  if (deadSubcode === undefined) return expiresAt <= now ? '190/463' : undefined;
  return `190/${deadSubcodes.find((known) => known === deadSubcode) ?? 463}`;
}

/** Refuses a call: 104 without a token, 190 for an unknown token, a `Death` for an expired or invalidated one. */
export type RefuseToken = (code: '104' | '190' | Death) => never;

/** Returns the valid token of a call and its user. @throws what `refuse` throws */
export function sessionOf<Token extends MetaToken, User>(
  call: Call,
  tokens: Records<Token>,
  userOf: (token: Token) => User | undefined,
  refuse: RefuseToken,
): { readonly token: Token; readonly user: User } {
  const value = tokenOf(call);
  if (value === undefined) return refuse('104');
  const token = tokens.get(value);
  const user = token && userOf(token);
  if (token === undefined || user === undefined) return refuse('190');
  const death = deathOf(token, call.at);
  return death === undefined ? { token, user } : refuse(death);
}

/** Invalidates a token: calls with it are refused with code 190 and this subcode. */
export function killToken<Token extends MetaToken>(
  tokens: Records<Token>,
  value: string | undefined,
  deadSubcode: number,
): void {
  const token = tokens.get(value ?? '');
  if (token !== undefined) tokens.put(token.value, { ...token, deadSubcode });
}

/** Handles `POST {control}/revoke`: invalidates every token of the owner, with the request's `subcode`. */
export function killTokens<Token extends MetaToken>(
  tokens: Records<Token>,
  owner: string,
  { subcode = 460 }: Readonly<Record<string, unknown>>,
): void {
  if (typeof subcode !== 'number') refuseControl('subcode must be a number');
  for (const { value } of tokens.list({ owner })) killToken(tokens, value, subcode);
}

/** Returns the valid tokens of an owner. @param now epoch milliseconds */
export function liveTokens<Token extends MetaToken>(
  tokens: Records<Token>,
  owner: string,
  now: number,
): Token[] {
  return tokens.list({ owner }).filter((token) => deathOf(token, now) === undefined);
}
