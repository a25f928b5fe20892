import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Call } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Page, Person, State, Token } from './state.ts';

/** The app as it is registered with Facebook. */
export interface FacebookApp {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
}

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
  const parameter = call.fields['access_token'];
  if (typeof parameter === 'string' && parameter !== '') return parameter;
  return call.bearer ?? /^OAuth +(\S+)$/.exec(call.headers.authorization ?? '')?.[1];
}

/**
 * The caller of a Graph call; refuses with 104 without a token, with 190 and its subcodes for a dead one, and where
 * `appsecret_proof` is sent and wrong.
 */
export function authenticate(call: Call, state: State, app: FacebookApp): Session {
  const value = tokenOf(call);
  if (value === undefined) refuse('104');
  checkProof(call, value, app);
  return sessionOf(value, call.at, state);
}

export function sessionOf(value: string, now: number, state: State): Session {
  const token = state.tokens.get(value);
  const person = token && state.people.get(token.personId);
  if (token === undefined || person === undefined) refuse('190');
  const subcode = deathOf(token, person, now);
  if (subcode === 458) refuse('190/458');
  if (subcode === 459) refuse('190/459');
  if (subcode === 460) refuse('190/460');
  if (subcode === 492) refuse('190/492');
  if (subcode !== undefined) refuse('190/463');
  const page = token.pageId === undefined ? undefined : state.pages.get(token.pageId);
  return { token, person, ...(page !== undefined && { page }) };
}

/** The subcode that a token is dead with, or undefined. */
export function deathOf(token: Token, person: Person, now: number): number | undefined {
  if (token.deadSubcode !== undefined) return token.deadSubcode;
  if (token.expiresAt !== undefined && token.expiresAt <= now) return 463;
  // A login that ticked fewer Pages took the right away from the others.
  const { pageId } = token;
  const isTicked = pageId === undefined || (person.allowedPageIds?.includes(pageId) ?? true);
  return isTicked ? undefined : 492;
}

/** From now on the token is refused with 190 and this subcode. */
export function killToken(state: State, value: string, deadSubcode: number): void {
  const token = state.tokens.get(value);
  if (token !== undefined) state.tokens.put(value, { ...token, deadSubcode });
}

function checkProof(call: Call, token: string, { secret }: FacebookApp): void {
  const given = call.fields['appsecret_proof'];
  if (given === undefined) return;
  const expected = Buffer.from(createHmac('sha256', secret).update(token).digest('hex'));
  const proof = Buffer.from(String(given));
  if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) {
    refuse('100', 'Invalid appsecret_proof provided in the API argument');
  }
}
