import { refuseControl } from '../kit/control.ts';
import type { Records } from '../kit/ledger.ts';
import type { Call } from '../kit/types.ts';

/** What the tokens of Meta's platforms have in common. */
export interface MetaToken {
  readonly value: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds, as all times here. */
  readonly issuedAt: number;
  /** Absent: it has no end. */
  readonly expiresAt?: number;
  /** The subcode of 190 that this token is refused with, once it is dead before its time. */
  readonly deadSubcode?: number;
}

/** The token a call brings, as a parameter or as a bearer. */
export function tokenOf(call: Call): string | undefined {
  const parameter = call.fields['access_token'];
  return typeof parameter === 'string' && parameter !== '' ? parameter : call.bearer;
}

const deadSubcodes = [458, 459, 460] as const;

/** How a dead token is refused. */
export type Death = `190/${(typeof deadSubcodes)[number] | 463}`;

/** What a token is dead with, or undefined while it lives. @param now epoch milliseconds */
export function deathOf({ deadSubcode, expiresAt = Infinity }: MetaToken, now: number): Death | undefined {
  if (deadSubcode === undefined) return expiresAt <= now ? '190/463' : undefined;
  return `190/${deadSubcodes.find((known) => known === deadSubcode) ?? 463}`;
}

/** Refuses a call without a token, with one that is unknown, or with a dead one. */
export type RefuseToken = (code: '104' | '190' | Death) => never;

/** The live token of a call and the user behind it. @throws what `refuse` throws */
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

/** From now on the token is refused with 190 and this subcode. */
export function killToken<Token extends MetaToken>(
  tokens: Records<Token>,
  value: string | undefined,
  deadSubcode: number,
): void {
  const token = tokens.get(value ?? '');
  if (token !== undefined) tokens.put(token.value, { ...token, deadSubcode });
}

/** For `POST {control}/revoke`: every token of the owner is dead from now on, with the `subcode` asked for. */
export function killTokens<Token extends MetaToken>(
  tokens: Records<Token>,
  owner: string,
  { subcode = 460 }: Readonly<Record<string, unknown>>,
): void {
  if (typeof subcode !== 'number') refuseControl('subcode: a number');
  for (const { value } of tokens.list({ owner })) killToken(tokens, value, subcode);
}

/** The tokens of an owner that live now. @param now epoch milliseconds */
export function liveTokens<Token extends MetaToken>(
  tokens: Records<Token>,
  owner: string,
  now: number,
): Token[] {
  return tokens.list({ owner }).filter((token) => deathOf(token, now) === undefined);
}
