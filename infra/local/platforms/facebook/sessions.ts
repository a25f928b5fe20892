import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Call } from '../kit/call.ts';
import type { MetaApp } from '../meta/platform.ts';
import { tokenOf as bareTokenOf, type Death, deathOf as metaDeathOf } from '../meta/tokens.ts';
import { refuse } from './errors.ts';
import type { Page, Person, State, Token } from './state.ts';

/** The caller: a valid token, its person and, for a Page token, the Page. */
export interface Session {
  readonly token: Token;
  readonly person: Person;
  readonly page?: Page;
}

export interface PageSession extends Session {
  readonly page: Page;
}

/** Returns the token of a call: the parameter `access_token`, the bearer token or, for uploads, `Authorization: OAuth`. */
export function tokenOf(call: Call): string | undefined {
  return bareTokenOf(call) ?? /^OAuth +(\S+)$/.exec(call.headers.authorization ?? '')?.[1];
}

/**
 * Returns the caller of a Graph API call.
 *
 * @throws Refusal 104 without a token, 190 with its subcodes for an invalid one, 100 for a wrong `appsecret_proof`
 */
export function authenticate(call: Call, state: State, app: MetaApp): Session {
  const value = tokenOf(call);
  if (value === undefined) refuse('104');
  checkProof(call, value, app);
  return sessionOf(value, call.at, state);
}

/** Returns the session of a token. @param now epoch milliseconds @throws Refusal 190 with its subcodes for an invalid token */
export function sessionOf(value: string, now: number, state: State): Session {
  const token = state.tokens.get(value);
  const person = token && state.people.get(token.personId);
  if (token === undefined || person === undefined) refuse('190');
  const death = deathOf(token, person, now);
  if (death !== undefined) refuse(death);
  const page = token.pageId === undefined ? undefined : state.pages.get(token.pageId);
  return { token, person, ...(page !== undefined && { page }) };
}

/** Returns the error code of an expired or invalidated token; undefined if it is valid. @param now epoch milliseconds */
export function deathOf(token: Token, person: Person, now: number): Death | '190/492' | undefined {
  const { pageId, deadSubcode } = token;
  if (deadSubcode === 492) return '190/492';
  // If the latest login selected fewer Pages, the tokens of the other Pages are invalid.
  const isSelected = pageId === undefined || (person.allowedPageIds?.includes(pageId) ?? true);
  return metaDeathOf(token, now) ?? (isSelected ? undefined : '190/492');
}

function checkProof(call: Call, token: string, { secret }: MetaApp): void {
  const given = call.fields['appsecret_proof'];
  if (given === undefined) return;
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('hex'));
  const proof = Buffer.from(String(given));
  if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) {
    refuse('100', 'Invalid appsecret_proof provided in the API argument');
  }
}
