import { minuteMs } from '../kernel/clock.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { HeraldError } from '../kernel/errors.ts';
import type { Actor, KeyActor } from './actor.ts';
import { type Permission, roles, sufficientFor } from './permissions.ts';
import { type Verb, verbs } from './verbs.ts';

interface Reason {
  readonly code: ErrorCode;
  /** A sentence for the actor. */
  readonly message: string;
}

const missing = (message: string): Reason => ({ code: 'permission_missing', message });

/** Returns the reason that an actor may not do something; `undefined` if it may. Pure. */
export function reasonAgainst(actor: Actor, verb: Verb): Reason | undefined {
  const rule = verbs[verb];
  switch (actor.kind) {
    case 'key':
      return reasonAgainstKey(actor, verb);
    case 'person': {
      if (rule.role === undefined) return missing(`only operators may do this (${verb})`);
      const isEnough = roles.indexOf(actor.role) >= roles.indexOf(rule.role);
      return isEnough ? undefined : missing(`this needs the role "${rule.role}" (${verb})`);
    }
    case 'operator':
      return rule.isForOperators ? undefined : missing(`operators may not do this (${verb})`);
  }
}

/** Returns the reason that an actor may not do it to a post that is no draft, or no longer one afterwards. Pure. */
export function reasonAgainstBeyondDrafts(actor: Actor, verb: Verb): Reason | undefined {
  const { beyondDrafts } = verbs[verb];
  const { permissions } = actor.kind === 'key' ? actor : {};
  return beyondDrafts && lackOf(permissions, beyondDrafts);
}

function reasonAgainstKey({ permissions, accountIds }: KeyActor, verb: Verb): Reason | undefined {
  const { permission, isAboutAllAccounts } = verbs[verb];
  if (permission === undefined) return missing(`API keys may not do this (${verb})`);
  const lack = lackOf(permissions, permission);
  if (lack) return lack;
  if (isAboutAllAccounts && accountIds) {
    const message = 'this API key is limited to some accounts, and this concerns all of them';
    return { code: 'key_limited_to_accounts', message };
  }
  return undefined;
}

/** @param permissions `undefined` if the actor has all of them */
function lackOf(permissions: readonly Permission[] | undefined, needed: Permission): Reason | undefined {
  const sufficient = sufficientFor(needed);
  if (permissions === undefined || sufficient.some((each) => permissions.includes(each))) return undefined;
  return missing(`this API key lacks the permission ${sufficient.map((each) => `"${each}"`).join(' or ')}`);
}

/** @throws HeraldError `forbidden`, naming what the actor lacks */
export function requireMay(actor: Actor, verb: Verb): void {
  const reason = reasonAgainst(actor, verb);
  if (reason !== undefined) throw new HeraldError(reason.code, reason.message);
}

/** The maximum age of a recent sign-in. */
export const recentSignInMs = 10 * minuteMs;

/**
 * Refuses a person whose last sign-in is too old for the verb, so that nobody can do it at a computer left unlocked. Keys and
 * operators authenticate with each request.
 *
 * @param now epoch milliseconds
 * @throws HeraldError `sign_in_again`
 */
export function requireRecentSignIn(actor: Actor, verb: Verb, now: number): void {
  if (verbs[verb].needsRecentSignIn) requireProof(actor, now);
}

/**
 * Does the same whatever the verb, for a request that needs it only if it changes certain fields.
 *
 * @param now epoch milliseconds
 * @throws HeraldError `sign_in_again`
 */
export function requireProof(actor: Actor, now: number): void {
  if (actor.kind !== 'person' || now - actor.signedInAt < recentSignInMs) return;
  throw new HeraldError('sign_in_again', 'sign in again: this needs a sign-in within the last ten minutes');
}
