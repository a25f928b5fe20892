import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Call } from '../kit/types.ts';
import type { MetaApp } from '../meta/login.ts';
import { tokenOf as bareTokenOf, type Death, deathOf as metaDeathOf } from '../meta/tokens.ts';
import { refuse } from './errors.ts';
import type { Page, Person, State, Token } from './state.ts';

/** Who calls: a live token, the person behind it and, with a Page token, the Page. */
export interface Session {
  readonly token: Token;
  readonly person: Person;
  readonly page?: Page;
}

export interface PageSession extends Session {
  readonly page: Page;
}

/** The token a call brings, as a parameter, a bearer or, at the upload host, as `Authorization: OAuth`. */
export function tokenOf(call: Call): string | undefined {
  return bareTokenOf(call) ?? /^OAuth +(\S+)$/.exec(call.headers.authorization ?? '')?.[1];
}

/**
 * The caller of a Graph call; refuses with 104 without a token, with 190 and its subcodes for a dead one, and where
 * `appsecret_proof` is sent and wrong.
 */
export function authenticate(call: Call, state: State, app: MetaApp): Session {
  const value = tokenOf(call);
  if (value === undefined) refuse('104');
  checkProof(call, value, app);
  return sessionOf(value, call.at, state);
}

export function sessionOf(value: string, now: number, state: State): Session {
  const token = state.tokens.get(value);
  const person = token && state.people.get(token.personId);
  if (token === undefined || person === undefined) refuse('190');
  const death = deathOf(token, person, now);
  if (death !== undefined) refuse(death);
  const page = token.pageId === undefined ? undefined : state.pages.get(token.pageId);
  return { token, person, ...(page !== undefined && { page }) };
}

/** What a token is dead with, or undefined while it lives. */
export function deathOf(token: Token, person: Person, now: number): Death | '190/492' | undefined {
  const { pageId, deadSubcode } = token;
  if (deadSubcode === 492) return '190/492';
  // A login that ticked fewer Pages took the right away from the others.
  const isTicked = pageId === undefined || (person.allowedPageIds?.includes(pageId) ?? true);
  return metaDeathOf(token, now) ?? (isTicked ? undefined : '190/492');
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
