import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Act } from '../../lib/access/act.ts';
import type { Verb } from '../../lib/access/verbs.ts';
import type { Operator } from '../../lib/workspaces/manage.ts';

/** What a command receives: the table, the time and the stage. */
export interface AdminContext extends Operator {
  readonly stage: string;
}

export interface Command {
  /** The required arguments, in this order. */
  readonly words: readonly string[];
  /** The optional arguments after them. */
  readonly optional?: readonly string[];
  /** What any further arguments are. */
  readonly more?: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What else an operator should know before running it. */
  readonly detail?: string;
  readonly run: (context: AdminContext, ...words: string[]) => Promise<void>;
}

/** Commands by noun and verb, such as `key create`. */
export type Commands = Readonly<Record<string, Command>>;

/** What this run of the admin command does, for the audit log. */
export function operatorAct(verb: Verb): Act {
  return { actor: { kind: 'operator', id: userInfo().username }, verb, requestId: randomUUID() };
}

export function print(rows: readonly Readonly<Record<string, string | number>>[]): void {
  for (const row of rows) {
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name}=${value}`)
        .join('  '),
    );
  }
  if (rows.length === 0) console.log('none');
}
