import { HeraldError } from '../kernel/errors.ts';
import type { Actor, KeyActor } from './actor.ts';
import { roles } from './permissions.ts';
import { type Verb, verbs } from './verbs.ts';

/** Why an actor may not do something, as a sentence for the actor; `undefined` if it may. Pure. */
export function reasonAgainst(actor: Actor, verb: Verb): string | undefined {
  const rule = verbs[verb];
  switch (actor.kind) {
    case 'key':
      return reasonAgainstKey(actor, verb);
    case 'person': {
      if (rule.role === undefined) return `only operators may do this (${verb})`;
      const isEnough = roles.indexOf(actor.role) >= roles.indexOf(rule.role);
      return isEnough ? undefined : `this needs the role "${rule.role}" (${verb})`;
    }
    case 'operator':
      return rule.isForOperators ? undefined : `operators may not do this (${verb})`;
  }
}

function reasonAgainstKey({ permissions, accountIds }: KeyActor, verb: Verb): string | undefined {
  const { permission, isAboutAllAccounts } = verbs[verb];
  if (permission === undefined) return `API keys may not do this (${verb})`;
  if (permissions && !permissions.includes(permission))
    return `this API key lacks the permission "${permission}"`;
  if (isAboutAllAccounts && accountIds)
    return 'this API key is limited to some accounts, and this concerns all of them';
  return undefined;
}

/** @throws HeraldError `forbidden`, naming what the actor lacks */
export function requireMay(actor: Actor, verb: Verb): void {
  const reason = reasonAgainst(actor, verb);
  if (reason !== undefined) throw new HeraldError('forbidden', reason);
}
