import type { Act } from '../../lib/access/act.ts';
import type { Verb } from '../../lib/access/verbs.ts';

/** What a request with an API key does. Most tests do not look at the audit log, so the verb seldom matters. */
export function actOf(keyId: string, verb: Verb = 'post.create'): Act {
  return { actor: { kind: 'key', id: keyId }, verb, requestId: 'test-request' };
}

/** An operator with the admin command does something. */
export function operatorAct(verb: Verb): Act {
  return { actor: { kind: 'operator', id: 'test-operator' }, verb, requestId: 'test-run' };
}
