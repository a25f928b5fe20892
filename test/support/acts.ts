import type { Act } from '../../lib/access/act.ts';
import type { Verb } from '../../lib/access/verbs.ts';
import type { Table } from '../../lib/table/table.ts';
import type { Operator } from '../../lib/workspaces/operator.ts';

/** Returns the act of a request with an API key. Most tests do not look at the audit log, so the verb seldom matters. */
export function actOf(keyId: string, verb: Verb = 'post.create'): Act {
  return { actor: { kind: 'key', id: keyId }, verb, requestId: 'test-request' };
}

/** An operator with the admin command does something. */
export function operatorAct(verb: Verb): Act {
  return { actor: { kind: 'operator', id: 'ada' }, verb, requestId: 'test-run' };
}

/** An operator with the admin command. */
export function anOperator(table: Table, now: number, verb: Verb = 'key.create'): Operator {
  return { ...operatorAct(verb), table, now };
}
